#!/bin/sh
# Guess: averageTotal of @dice-roller/rpg-dice-roller is the mean of all rolls; where dice are dropped it might leave that out, and say 14 for 4d6kh3.
# Seen:  it is half the sum of minTotal and maxTotal: 10.5 for the best three of four dice, whose mean is 12.24, and for the worst three, whose mean
#        is 8.76; 1.5 for the number of dice over 4 of 3d6, whose mean is 1; 18.5 for 1d6 squared, whose mean is 15.17; 6007 for 2d6 that explode,
#        whose mean is 8.4, since the most counts a thousand further sixes for each die. It is the mean for plain sums. Documented as "the average
#        possible total for the notation", in the source.
# It matters to designers who balance attacks by it: keeping the best dice is worth as much as keeping the worst.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-fund --no-audit '@dice-roller/rpg-dice-roller@5.5.1' >/dev/null
cat > seen.js <<'JS'
const { DiceRoll } = require("@dice-roller/rpg-dice-roller");

// The mean of a score over every roll of some six-sided dice.
function mean(dice, score) {
  let sum = 0;
  for (let number = 0; number < 6 ** dice; number += 1) {
    sum += score(Array.from({ length: dice }, (_, place) => (Math.floor(number / 6 ** place) % 6) + 1));
  }
  return (sum / 6 ** dice).toFixed(2);
}

const added = (faces) => faces.reduce((sum, face) => sum + face, 0);
const best = (faces) => faces.sort((one, other) => other - one);
console.log("rpg-dice-roller", require("./node_modules/@dice-roller/rpg-dice-roller/package.json").version);
for (const [notation, expected] of [
  ["3d6", mean(3, added)],
  ["4d6kh3", mean(4, (faces) => added(best(faces).slice(0, 3)))],
  ["4d6kl3", mean(4, (faces) => added(best(faces).slice(1)))],
  ["3d6>4", mean(3, (faces) => faces.filter((face) => face > 4).length)],
  ["1d6^2", mean(1, ([face]) => face ** 2)],
  ["2d6!", ((2 * 3.5 * 6) / 5).toFixed(2)], // each six brings one more die
]) {
  const { minTotal, maxTotal, averageTotal } = new DiceRoll(notation);
  console.log(`${notation}: least ${minTotal}, most ${maxTotal}, average told ${averageTotal}, mean ${expected}`);
}
JS
node seen.js | tee out
cat > wanted <<'TEXT'
rpg-dice-roller 5.5.1
3d6: least 3, most 18, average told 10.5, mean 10.50
4d6kh3: least 3, most 18, average told 10.5, mean 12.24
4d6kl3: least 3, most 18, average told 10.5, mean 8.76
3d6>4: least 0, most 3, average told 1.5, mean 1.00
1d6^2: least 1, most 36, average told 18.5, mean 15.17
2d6!: least 2, most 12012, average told 6007, mean 8.40
TEXT
diff wanted out

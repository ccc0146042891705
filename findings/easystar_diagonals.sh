#!/bin/sh
# Guess: easystar finds a cheapest way, with and without enableDiagonals: it is an A*, and its estimate, called "octile distance" in the source, never
#        says more than the way that is left.
# Seen:  without diagonals it does; with them not, on plain ground too: four steps, one of them diagonal, where three with two diagonals lead
#        there. The estimate counts a diagonal step and the two straight ones it stands for (2.4 for a step of 1.4). From corner to corner of 4
#        times 3 squares, 16 of 636 maps get a dearer way with diagonals, none of 295 without. Not documented; the README promises A*. A
#        pull request that mends the estimate has been open since 2020 (easystarjs 78).
# It matters to whoever counts movement points along its ways: a unit is told that it cannot reach what it can reach.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-fund --no-audit 'easystarjs@0.4.4' >/dev/null
cat > seen.js <<'JS'
const easystar = require("easystarjs");

const STRAIGHT = [[0, -1], [1, 0], [0, 1], [-1, 0]];
const ALL = [...STRAIGHT, [1, -1], [1, 1], [-1, 1], [-1, -1]];
const DIAGONAL = 1.4; // what easystar charges for a diagonal step
const step = (from, to) => (from[0] !== to[0] && from[1] !== to[1] ? DIAGONAL : 1);
const cost = (way) => way.slice(1).reduce((sum, place, index) => sum + step(way[index], place), 0);

function theirs(map, start, end, diagonals) {
  const search = new easystar.js();
  search.setGrid(map);
  search.setAcceptableTiles([1]);
  if (diagonals) search.enableDiagonals();
  search.enableSync();
  let found = null;
  search.findPath(...start, ...end, (way) => { found = way && way.map(({ x, y }) => [x, y]); });
  search.calculate();
  return found;
}

// Costs of the cheapest ways from the start to every square, by trying every step until nothing gets cheaper.
function cheapest(map, start, diagonals) {
  const least = map.map((row) => row.map(() => Infinity));
  least[start[1]][start[0]] = 0;
  for (let changed = true; changed; ) {
    changed = false;
    map.forEach((row, y) => row.forEach((_, x) => {
      for (const [dx, dy] of diagonals ? ALL : STRAIGHT) {
        const reached = least[y][x] + (dx && dy ? DIAGONAL : 1);
        if (map[y + dy]?.[x + dx] && reached < least[y + dy][x + dx] - 1e-9) { least[y + dy][x + dx] = reached; changed = true; }
      }
    }));
  }
  return least;
}

console.log("easystarjs", require("./node_modules/easystarjs/package.json").version);
const map = [[1, 0, 1, 1, 1, 1], [1, 1, 0, 1, 0, 1], [1, 1, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [1, 1, 1, 0, 0, 1]];
const way = theirs(map, [5, 0], [3, 3], true);
console.log("way:", way.join(" "), "cost", cost(way).toFixed(1), "least", cheapest(map, [5, 0], true)[3][3].toFixed(1));

// Every map of 4 columns and 3 rows, from corner to corner.
for (const diagonals of [false, true]) {
  let maps = 0;
  let dearer = 0;
  for (let bits = 0; bits < 2 ** 12; bits += 1) {
    const tried = [0, 1, 2].map((y) => [0, 1, 2, 3].map((x) => (bits >> (4 * y + x)) & 1));
    if (!tried[0][0] || !tried[2][3]) continue;
    const found = theirs(tried, [0, 0], [3, 2], diagonals);
    const least = cheapest(tried, [0, 0], diagonals)[2][3];
    if (found) maps += 1;
    if ((found ? cost(found) : Infinity) > least + 1e-9) dearer += 1;
  }
  console.log(`4 times 3 squares, ${diagonals ? "with" : "without"} diagonals: ${dearer} of ${maps} ways cost more than they need to`);
}
JS
node seen.js | tee out
cat > wanted <<'TEXT'
easystarjs 0.4.4
way: 5,0 4,0 3,1 3,2 3,3 cost 4.4 least 3.8
4 times 3 squares, without diagonals: 0 of 295 ways cost more than they need to
4 times 3 squares, with diagonals: 16 of 636 ways cost more than they need to
TEXT
diff wanted out

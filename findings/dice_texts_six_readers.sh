#!/bin/sh
# Guess: six readers of dice, four in Python (dice, d20, xdice, dndice) and two in JavaScript (rpg-dice-roller, dice-roller-parser), give one total
#        for one text, or refuse it: 4d1h3 keeps the highest three, 4d1d1 drops one die, 2^3 is 8, 4d1>1 counts the dice above 1, 10/4 is rounded or
#        not. (With dice of one side every throw is the same.)
# Seen:  4d1h3 is 3 for dice and dndice, 1 for xdice, which drops the highest three, and 4 for dice-roller-parser. 4d1d1 is 3 for the two in JavaScript, 4 for
#        dndice, and 41 for xdice, which puts 4 and 1 side by side; so 2d1d1 is 21. 2^3 is 8, 1 and 2. 4d1>1 is 0 where dice are counted, 4 for
#        dice-roller-parser, whose > takes in 1, and 1 where the total is compared. 10/4 is 2 or 2.5, -7/2 is -3, -4 or -3.5. dice-roller-parser
#        takes what it cannot read for a remark: 2d1 banana is 2, 3(2d1) is 3. Each one's own letters are documented; that xdice joins numbers and
#        that dice-roller-parser drops the rest of a text are not.
# It matters to whoever takes over tables of units and weapons from another tool: most of these texts are read by several, and differently.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'dice==4.0.0' 'd20==1.1.2' 'xdice==1.2.1' 'dndice==2.8.1'
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-fund --no-audit '@dice-roller/rpg-dice-roller@5.5.1' 'dice-roller-parser@0.1.8' >/dev/null
cat > texts <<'TEXTS'
4d1h3
4d1l3
4d1d1
2d1d1
4d1k3
4d1kh3
4d1>1
2^3
10/4
-7/2
7/2*2
2d1 banana
3(2d1)
TEXTS
cat > seen.py <<'PYTHON'
from importlib.metadata import version

import d20
import dice
import dndice
import xdice


def added(told):
    return sum(told) if isinstance(told, list) else int(told)


readers = {
    "dice": lambda text: added(dice.roll(text)),
    "d20": lambda text: d20.roll(text).total,
    "xdice": lambda text: int(xdice.roll(text)),
    "dndice": dndice.basic,
}
for name, read in readers.items():
    print(name, version(name))
    for text in open("texts"):
        try:
            told = f"{read(text.strip()):g}"
        except Exception:
            told = "refused"
        print(f"{text.strip()}\t{name}\t{told}")
PYTHON
cat > seen.js <<'JS'
const { readFileSync } = require("node:fs");
const { DiceRoll } = require("@dice-roller/rpg-dice-roller");
const { DiceRoller } = require("dice-roller-parser");

const readers = { "rpg-dice-roller": (text) => new DiceRoll(text).total, "dice-roller-parser": (text) => new DiceRoller().rollValue(text) };
for (const [name, read] of Object.entries(readers)) {
  const folder = name === "rpg-dice-roller" ? `@dice-roller/${name}` : name;
  console.log(name, JSON.parse(readFileSync(`node_modules/${folder}/package.json`)).version);
  for (const text of readFileSync("texts", "utf8").trim().split("\n")) {
    let told = "refused";
    try {
      told = read(text);
    } catch {}
    console.log(`${text}\t${name}\t${told}`);
  }
}
JS
{ venv/bin/python seen.py; node seen.js; } > all
{
  grep -v '	' all
  while read -r text; do
    awk -F'\t' -v text="$text" '$1 == text { row = row (row ? ", " : "") $2 " " $3 } END { print text ": " row }' all
  done < texts
} | tee out
cat > wanted <<'TEXT'
dice 4.0.0
d20 1.1.2
xdice 1.2.1
dndice 2.8.1
rpg-dice-roller 5.5.1
dice-roller-parser 0.1.8
4d1h3: dice 3, d20 refused, xdice 1, dndice 3, rpg-dice-roller refused, dice-roller-parser 4
4d1l3: dice 3, d20 refused, xdice 1, dndice 3, rpg-dice-roller refused, dice-roller-parser 4
4d1d1: dice refused, d20 refused, xdice 41, dndice 4, rpg-dice-roller 3, dice-roller-parser 3
2d1d1: dice refused, d20 refused, xdice 21, dndice 2, rpg-dice-roller 1, dice-roller-parser 1
4d1k3: dice refused, d20 0, xdice refused, dndice refused, rpg-dice-roller 3, dice-roller-parser 3
4d1kh3: dice refused, d20 3, xdice refused, dndice refused, rpg-dice-roller 3, dice-roller-parser 3
4d1>1: dice refused, d20 1, xdice 1, dndice 1, rpg-dice-roller 0, dice-roller-parser 4
2^3: dice refused, d20 refused, xdice 1, dndice 8, rpg-dice-roller 8, dice-roller-parser 2
10/4: dice 2, d20 2, xdice 2, dndice 2.5, rpg-dice-roller 2.5, dice-roller-parser 2.5
-7/2: dice -4, d20 -3, xdice -3, dndice -3.5, rpg-dice-roller -3.5, dice-roller-parser -3.5
7/2*2: dice 6, d20 7, xdice 7, dndice 7, rpg-dice-roller 7, dice-roller-parser 7
2d1 banana: dice refused, d20 refused, xdice refused, dndice refused, rpg-dice-roller refused, dice-roller-parser 2
3(2d1): dice refused, d20 refused, xdice refused, dndice refused, rpg-dice-roller refused, dice-roller-parser 3
TEXT
diff wanted out

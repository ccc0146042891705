#!/bin/sh
# Guess: `line` of honeycomb-grid goes through the same hexes from a to b as from b to a (ties are broken by one small nudge, as is usual), and the
#        ring of radius 0 is the hex itself, as the spiral of radius 0 is.
# Seen:  from 2,0 to -1,-3 the line goes through 0,-3, and back through -1,-2 instead. Of the lines between two hexes within 8 of 0,0 243 of
#        23,436 are other hexes on the way back, of those within 2 none. The ring of radius 0 has no hex, the spiral of radius 0 has one. Neither is
#        documented.
# It matters to whoever decides lines of sight or supply by it: one unit sees another that does not see it; and "all within 0" is empty or one hex.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-fund --no-audit 'honeycomb-grid@4.1.5' >/dev/null
cat > seen.mjs <<'JS'
import { readFileSync } from "node:fs";
import { defineHex, Grid, line, ring, spiral } from "honeycomb-grid";

const Hex = defineHex();
const through = (start, stop) => [...new Grid(Hex, line({ start, stop }))].map(({ q, r }) => `${q},${r}`);
console.log("honeycomb-grid", JSON.parse(readFileSync("node_modules/honeycomb-grid/package.json")).version);
console.log("there:", through([2, 0], [-1, -3]).join(" "));
console.log("back: ", through([-1, -3], [2, 0]).reverse().join(" "));
for (const radius of [2, 4, 8]) {
  const hexes = [...new Grid(Hex, spiral({ start: [0, 0], radius }))].map(({ q, r }) => [q, r]);
  let pairs = 0;
  let other = 0;
  hexes.forEach((start, index) => {
    for (const stop of hexes.slice(index + 1)) {
      pairs += 1;
      if (through(start, stop).join() !== through(stop, start).reverse().join()) other += 1;
    }
  });
  console.log(`within ${radius} of 0,0: ${other} of ${pairs} lines are other hexes on the way back`);
}
for (const radius of [0, 1, 2]) {
  const count = (traverser) => [...new Grid(Hex, traverser)].length;
  console.log(`radius ${radius}: ring ${count(ring({ center: [0, 0], radius }))}, spiral ${count(spiral({ start: [0, 0], radius }))}`);
}
JS
node seen.mjs | tee out
cat > wanted <<'TEXT'
honeycomb-grid 4.1.5
there: 2,0 2,-1 1,-1 1,-2 0,-2 0,-3 -1,-3
back:  2,0 2,-1 1,-1 1,-2 0,-2 -1,-2 -1,-3
within 2 of 0,0: 0 of 171 lines are other hexes on the way back
within 4 of 0,0: 10 of 1830 lines are other hexes on the way back
within 8 of 0,0: 243 of 23436 lines are other hexes on the way back
radius 0: ring 0, spiral 1
radius 1: ring 6, spiral 7
radius 2: ring 12, spiral 19
TEXT
diff wanted out

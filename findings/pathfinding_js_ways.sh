#!/bin/sh
# Guess: the finders of pathfinding (npm) that look for shortest ways find ways of one length, as Dijkstra's does; the way from a square to itself is
#        that square.
# Seen:  in pathfinding 0.4.18 Dijkstra's search from both ends takes 4.41 where 3.83 do, on an empty board of 4 by 3 with steps across corners, and the jump
#        point search does where two squares are blocked. From a square to itself all that search from both ends go out and back, three squares,
#        and the jump points find no way at all, which is how what cannot be reached is told. Its page says of none of them that ways may
#        be longer.
# It matters to whoever counts moves by it: a square within reach is out of it, or who stands on the goal is told that there is no way.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-fund --no-audit 'pathfinding@0.4.18' >/dev/null
cat > seen.js <<'JS'
const PF = require("pathfinding");

console.log("pathfinding", require("./node_modules/pathfinding/package.json").version);
const always = { diagonalMovement: PF.DiagonalMovement.Always };
const way = (finder, rows, from, to) => new PF[finder](always).findPath(...from, ...to, new PF.Grid(rows.map((row) => [...row].map(Number))));
const length = (found) => (found.length ? PF.Util.pathLength(PF.Util.expandPath(found)).toFixed(2) : "no way");
for (const finder of ["DijkstraFinder", "AStarFinder", "BiDijkstraFinder", "BiAStarFinder", "JumpPointFinder"]) {
  const empty = way(finder, ["0000", "0000", "0000"], [0, 2], [3, 0]);
  const blocked = way(finder, ["0000", "0100", "0010"], [0, 2], [3, 0]);
  console.log(`${finder}: empty ${length(empty)}, blocked ${length(blocked)}, to itself ${JSON.stringify(way(finder, ["000", "000", "000"], [1, 1], [1, 1]))}`);
}
JS
node seen.js | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
pathfinding 0.4.18
DijkstraFinder: empty 3.83, blocked 3.83, to itself [[1,1]]
AStarFinder: empty 3.83, blocked 3.83, to itself [[1,1]]
BiDijkstraFinder: empty 4.41, blocked 3.83, to itself [[1,1],[1,0],[1,1]]
BiAStarFinder: empty 3.83, blocked 3.83, to itself [[1,1],[1,0],[1,1]]
JumpPointFinder: empty 3.83, blocked 4.41, to itself []
TEXT
diff "$folder/wanted" "$folder/out"

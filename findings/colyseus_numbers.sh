#!/bin/sh
# Guess: with @colyseus/schema the players' copies hold the very numbers that the server has set; one that its type cannot hold is refused where it is set.
# Seen:  in @colyseus/schema 5.0.34 the server keeps what was set, and what is sent is cut: 200 in an int8 arrives as -56, 256 in a uint8 as 0, -1 as 255, 1.7
#        as 1. In a field of the type "number" 0.1 arrives as 0.10000000149011612 and 123456.789 as 123456.7890625, since a number that is nearly
#        one of single precision is sent as one; large whole numbers are right. The ranges of the types are documented; what happens beyond
#        them, and that "number" rounds, are not.
# It matters to whoever judges at both ends: the server has a winner at 200 points whom the players see at -56, and shares never add up.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-fund --no-audit '@colyseus/schema@5.0.34' >/dev/null
cat > seen.js <<'JS'
const { Decoder, Encoder, schema, t } = require("@colyseus/schema");

console.log("@colyseus/schema", require("./node_modules/@colyseus/schema/package.json").version);
const Board = schema({ int8: t.int8(), uint8: t.uint8(), int16: t.int16(), uint32: t.uint32(), number: t.number() }, "Board");
const cases = [["int8", 127], ["int8", 200], ["uint8", 256], ["uint8", -1], ["uint8", 1.7], ["int16", 40000], ["uint32", 2 ** 32]];
for (const [type, value] of [...cases, ["number", 2 ** 53 - 1], ["number", 0.5], ["number", 0.1], ["number", 123456.789]]) {
  const server = new Board();
  const player = new Board();
  server[type] = value;
  new Decoder(player).decode(new Encoder(server).encodeAll());
  console.log(`${type}: the server has ${server[type]}, the player ${player[type]}`);
}
JS
node seen.js | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
@colyseus/schema 5.0.34
int8: the server has 127, the player 127
int8: the server has 200, the player -56
uint8: the server has 256, the player 0
uint8: the server has -1, the player 255
uint8: the server has 1.7, the player 1
int16: the server has 40000, the player -25536
uint32: the server has 4294967296, the player 0
number: the server has 9007199254740991, the player 9007199254740991
number: the server has 0.5, the player 0.5
number: the server has 0.1, the player 0.10000000149011612
number: the server has 123456.789, the player 123456.7890625
TEXT
diff "$folder/wanted" "$folder/out"

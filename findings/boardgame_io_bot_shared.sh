#!/bin/sh
# Guess: MCTSBot of boardgame.io reckons a victory that two players share, {winner: ['0', '1']}, as a victory of both, and an end of the game
#        that names no winner, {}, as a draw.
# Seen:  only {winner: '0'}, the very text of the player's number, and {draw: true} bring the bot anything. A shared victory, {winner: 0} and {} are
#        worth as much as the enemy's victory: nothing; of two moves, one to the shared victory and one to the enemy's, it tries each as often
#        and takes either. That gameover may be anything is documented, what the bot reads of it is not.
# It matters to designers of games with allied victories who test them with the bot: it does not know that it can win.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-fund --no-audit 'boardgame.io@0.50.2' >/dev/null
cat > seen.js <<'JS'
const { Client } = require("boardgame.io/client");
const { MCTSBot } = require("boardgame.io/ai");

async function main() {
  console.log("boardgame.io", require("./node_modules/boardgame.io/package.json").version);
  for (const reached of [{ winner: "0" }, { draw: true }, { winner: ["0", "1"] }, { winner: 0 }, {}]) {
    const game = {
      setup: () => ({ played: "" }),
      moves: { lose: ({ G }) => { G.played = "lose"; }, reach: ({ G }) => { G.played = "reach"; } },
      turn: { minMoves: 1, maxMoves: 1 },
      endIf: ({ G }) => (G.played === "reach" ? reached : G.played === "lose" ? { winner: "1" } : undefined),
    };
    const bot = new MCTSBot({ game, enumerate: () => [{ move: "lose" }, { move: "reach" }], iterations: 200, playoutDepth: 5, seed: "one" });
    const { metadata } = await bot.play(Client({ game, debug: false }).getState(), "0");
    const worth = metadata.children.map((child) => `${child.parentAction.payload.type} ${(child.value / child.visits).toFixed(1)}`).sort();
    console.log(`${JSON.stringify(reached)}: a try is worth: ${worth.join(", ")}`);
  }
}
main();
JS
node seen.js | tee out
cat > wanted <<'TEXT'
boardgame.io 0.50.2
{"winner":"0"}: a try is worth: lose 0.0, reach 1.0
{"draw":true}: a try is worth: lose 0.0, reach 0.5
{"winner":["0","1"]}: a try is worth: lose 0.0, reach 0.0
{"winner":0}: a try is worth: lose 0.0, reach 0.0
{}: a try is worth: lose 0.0, reach 0.0
TEXT
diff "$folder/wanted" "$folder/out"

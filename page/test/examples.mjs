// Ask all example goals of the starts that a server lists, as the page does, and tell which were answered in time.
// node test/examples.mjs ADDRESS SECONDS KIND ...
import { examplesOf, requestOf } from "../src/asked.mjs";

const [address, timeout, ...kinds] = process.argv.slice(2);
const ask = async (request) => {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(`${address}ask`, { method: "POST", headers, body: JSON.stringify(request) });
  return JSON.parse((await response.text()).trim().split("\n").at(-1)).answer;
};

const { games, files } = await ask({ ask: "catalogue" });
const names = [...games.flatMap((game) => game.scenarios.map((one) => one.name)), ...files.map((file) => file.path)];
for (const game of names) {
  const moment = { game, settings: {}, steps: [] };
  const rules = await ask({ ask: "rules", moment });
  const status = await ask({ ask: "status", moment });
  for (const kind of kinds)
    for (const { goal, within } of examplesOf(kind, status, rules)) {
      const began = performance.now();
      const answer = await ask(requestOf({ kind, goal, within, side: "", minimize: "", opponent: "idle", timeout, attack: "", defend: "", at: "" }, moment));
      const took = Number(((performance.now() - began) / 1000).toFixed(1));
      console.log(JSON.stringify({ game, kind, goal, within, took, status: answer.status, reason: answer.reason ?? null, says: answer.verdict ?? answer.errors?.[0].message }));
    }
}

// A client of `vclogic serve --stdio` for Node, in one file without packages; the protocol is in docs/serve.md.
//
//   node examples/clients/client.js              asks some questions about axis_allies and prints the answers
//
// In a program of your own: const { Vclogic } = require("./client.js").
"use strict";

const { spawn } = require("node:child_process");
const readline = require("node:readline");

/** An answer that says what is wrong with a request, or that it was cancelled. */
class Refused extends Error {
  constructor(answer) {
    super(answer.errors.map((e) => e.message + (e.help ? ` (${e.help})` : "")).join("; "));
    this.codes = answer.errors.map((e) => e.code);
  }
}

/** A running `vclogic serve --stdio`. */
class Vclogic {
  /** @param {string[]} command what starts it */
  constructor(command = ["vclogic", "serve", "--stdio"]) {
    this.waiting = new Map(); // id -> {resolve, reject, onProgress}
    this.last = 0;
    this.process = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
    this.ended = new Promise((resolve) => this.process.once("close", resolve));
    this.process.once("error", (error) => this.failAll(error));
    this.ended.then((code) => this.failAll(new Error(`vclogic has ended (${code})`)));
    this.process.stdin.on("error", () => {}); // it has ended: the line above tells those who wait
    readline.createInterface({ input: this.process.stdout }).on("line", (line) => this.take(JSON.parse(line)));
  }

  /**
   * Ask; several questions may wait for their answers at once.
   * @param {string} ask what is asked, such as "status"
   * @param {object} keys the keys of the request
   * @param {function} onProgress called with the progress of a question with `progress: true`
   * @returns a promise of the answer, with the id of the request as its property `id`
   */
  ask(ask, keys = {}, onProgress = () => {}) {
    const id = ++this.last;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject, onProgress }));
    this.process.stdin.write(JSON.stringify({ id, ask, ...keys }) + "\n");
    return Object.assign(answer, { id });
  }

  /** Cancel a question by the promise that `ask` has returned. */
  cancel(question) {
    return this.ask("cancel", { request: question.id });
  }

  /** End it once everything is answered; returns a promise of its exit code. */
  end() {
    this.process.stdin.end();
    return this.ended;
  }

  take(reply) {
    const one = this.waiting.get(reply.id);
    if (one === undefined) return;
    if (reply.answer === undefined) return void one.onProgress(reply);
    this.waiting.delete(reply.id);
    if (reply.answer.status === "error") one.reject(new Refused(reply.answer));
    else one.resolve(reply.answer);
  }

  failAll(error) {
    for (const one of this.waiting.values()) one.reject(error);
    this.waiting.clear();
  }
}

/** What both clients of this folder do: a short game with the questions of a computer opponent. */
async function main(command) {
  const vclogic = new Vclogic(command.length ? command : undefined);
  const { moment: start, game } = await vclogic.ask("load", { game: "axis_allies" });
  console.log(`game: ${game}`);

  const status = await vclogic.ask("status", { moment: start });
  const major = status.outcomes.find((o) => o.rule === "major_victory" && o.side === "Axis");
  console.log(`Axis: ${major.have} of ${major.need} points`);

  const legal = await vclogic.ask("legal", { moment: start, event: "end_turn" });
  console.log(`end_turn is ${legal.events[0].allowed.length ? "legal" : "not legal"}`);

  // A long question, which does not keep the next ones waiting.
  const long = vclogic.ask("plan", { moment: start, goal: "vcp(Axis) >= 60", minimize: "turns", timeout: 60 });
  const plan = await vclogic.ask("plan", { moment: start, goal: "vcp(Axis) >= 40", timeout: 10 });
  console.log(`plan: ${plan.status}, ${plan.cost} captures`);
  for (const step of plan.steps) console.log(`  ${step.text}`);

  const { moment: after } = await vclogic.ask("apply", { moment: start, events: plan.record });
  const { values } = await vclogic.ask("value", { moment: after, expressions: ["vcp(Axis)"] });
  console.log(`after it: ${values[0]} points`);

  const { cancelled } = await vclogic.cancel(long);
  await long.catch(() => {}); // what is known by now; or Refused with the code "cancelled", where that is nothing
  console.log(`the long question: ${cancelled ? "cancelled" : "answered"}`);

  await vclogic.ask("value", { moment: start, expressions: ["vcp(Axes)"] }).catch((e) => console.log(e.message));
  console.log(`exit code ${await vclogic.end()}`);
}

module.exports = { Vclogic, Refused };
if (require.main === module) main(process.argv.slice(2));

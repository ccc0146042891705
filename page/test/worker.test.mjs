// The questions to Web Workers, with Workers that are played here.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Pool, withTexts } from "../src/backend/worker.mjs";

/** Stands in for a Web Worker; a test says what it says. */
class Played extends EventTarget {
  static all = [];
  asked = [];
  ended = false;
  constructor() {
    super();
    Played.all.push(this);
  }
  files = [];
  postMessage({ files, request }) {
    if (files !== undefined) this.files.push(files);
    else this.asked.push(JSON.parse(request).ask);
  }
  terminate() {
    this.ended = true;
  }
  says(data) {
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }
  answers(value) {
    this.says({ reply: JSON.stringify({ answer: { value } }) });
  }
}
globalThis.Worker = Played;
beforeEach(() => (Played.all = []));

const FILES = { module: {}, held: {} };

/** Two Workers that are ready. */
function two() {
  const pool = new Pool(FILES);
  for (let i = 0; i < 2; i++) pool.open().catch(() => {});
  for (const worker of Played.all) worker.says({ ready: true });
  return { pool, workers: Played.all };
}
const kind = (asked) => ({ ask: asked });
const outcome = (question) => question.then(({ value }) => value, (error) => error.name === "AbortError" ? "stopped" : error.message);

test("while one searches the other answers for the board, and further searches wait", async () => {
  const { pool, workers } = two();
  const [plan, ruling, status] = ["plan", "ask", "status"].map((one) => outcome(pool.ask(kind(one), {})));
  assert.deepEqual(workers.map((one) => one.asked), [["plan"], ["status"]]);
  workers[1].answers(1);
  assert.equal(await status, 1);
  assert.deepEqual(workers[1].asked, ["status"]);
  workers[0].answers(2);
  assert.equal(await plan, 2);
  assert.deepEqual(workers.flatMap((one) => one.asked), ["plan", "ask", "status"]);
  workers.find((one) => one.asked.at(-1) === "ask").answers(3);
  assert.equal(await ruling, 3);
});

test("a search that is stopped costs its Worker; the other one answers for the board, however often that is done", async () => {
  const { pool, workers } = two();
  for (let n = 0; n < 3; n++) {
    const control = new AbortController();
    const plan = outcome(pool.ask(kind("plan"), { signal: control.signal }));
    control.abort();
    assert.equal(await plan, "stopped");
    const status = outcome(pool.ask(kind("status"), {}));
    assert.equal(workers[1].asked.length, n + 1); // no Worker has become ready since
    workers[1].answers(n);
    assert.equal(await status, n);
  }
  assert.equal(workers[0].ended, true);
  const next = outcome(pool.ask(kind("reach"), {}));
  assert.equal(Played.all.length, 3);
  assert.deepEqual(Played.all[2].asked, []);
  Played.all[2].says({ ready: true });
  const [busy] = Played.all.filter((one) => one.asked.at(-1) === "reach");
  busy.answers(4);
  assert.equal(await next, 4);
});

test("each Worker is given the files that were fetched once", () => {
  const { pool } = two();
  pool.open();
  assert.deepEqual(Played.all.map((one) => one.files), [[FILES], [FILES], [FILES]]);
});

test("a question that waits can be stopped, too", async () => {
  const { pool, workers } = two();
  pool.ask(kind("plan"), {}).catch(() => {});
  const control = new AbortController();
  const waiting = outcome(pool.ask(kind("reach"), { signal: control.signal }));
  control.abort();
  assert.equal(await waiting, "stopped");
  workers[0].answers(1);
  assert.deepEqual(workers.map((one) => one.asked), [["plan"], []]);
});

test("a Worker that fails at work is replaced, and costs its own question alone", async () => {
  const { pool, workers } = two();
  const plan = outcome(pool.ask(kind("plan"), {}));
  const next = outcome(pool.ask(kind("reach"), {}));
  workers[0].says({ failed: "no memory" });
  assert.match(await plan, /no memory/);
  Played.all[2].says({ failed: "no memory" });
  assert.deepEqual(workers[1].asked, ["reach"]); // there is no room for another one: this one searches
  workers[1].answers(5);
  assert.equal(await next, 5);
  assert.equal(Played.all.length, 3);
});

test("where no Worker is left, every question is told so", async () => {
  const pool = new Pool();
  const first = outcome(pool.open());
  const waiting = outcome(pool.ask(kind("status"), {}));
  Played.all[0].says({ failed: "404" });
  assert.match(await first, /404/);
  assert.match(await waiting, /404/);
  assert.match(await outcome(pool.ask(kind("status"), {})), /404/);
});

test("a spare that cannot be loaded leaves the first one at work", async () => {
  const pool = new Pool();
  pool.open();
  Played.all[0].says({ ready: true });
  const spare = outcome(pool.open());
  Played.all[1].says({ failed: "no memory" });
  assert.match(await spare, /no memory/);
  const status = outcome(pool.ask(kind("status"), {}));
  Played.all[0].answers(6);
  assert.equal(await status, 6);
  assert.equal(Played.all.length, 2);
});

test("a rulebook beside the page is fetched once, and its text is asked about; other addresses are not fetched", async () => {
  const fetched = [];
  globalThis.fetch = async (name) => {
    fetched.push(name);
    return { ok: name === "rulebooks/a.md", text: async () => "text" };
  };
  const asked = (game) => ({ ask: "changes", moment: { game, steps: ["x"] }, before: { game, steps: [] } });
  const sent = { rulebook: { "a.md": "text" } };
  assert.deepEqual(await withTexts(asked("rulebooks/a.md")), asked(sent));
  for (const game of ["rulebooks/a.md", "https://other.example/a.md", "//other.example/a.md", "../a.md", "/a.md", "asl", { game: "asl" }, sent, "no.md"])
    assert.deepEqual(await withTexts(asked(game)), asked(game === "rulebooks/a.md" ? sent : game));
  assert.deepEqual(fetched, ["rulebooks/a.md", "no.md", "no.md"]);
  assert.deepEqual(await withTexts({ ask: "catalogue" }), { ask: "catalogue" });
});

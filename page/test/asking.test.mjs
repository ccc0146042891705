// How questions are asked: what is kept, what is tried first, what a search has come to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, Refused } from "../src/answers.mjs";
import { attempt } from "../src/attempt.mjs";
import { joined, sofar, told } from "../src/search.mjs";
import { after, EMPTY } from "../src/store.mjs";

const start = { game: "axis_allies", settings: {}, steps: [], at: 0 };

/** A page without a picture: its state, and a backend that answers as it is told to. */
function page(answering) {
  let state = after(EMPTY, { do: "open", position: start });
  const asked = [];
  const backend = { ask: (request) => (asked.push(request), answering(request)) };
  const dispatch = (action) => (state = after(state, action));
  return { asked, backend, dispatch, now: () => state, props: () => ({ state, now: () => state, dispatch, backend }) };
}

test("an answer is asked for once; one that was refused or left open is asked for again", async () => {
  const answers = [Promise.resolve({ value: 1 }), Promise.resolve({ reason: "the time is up" }), Promise.reject(new Refused([]))];
  const { asked, backend } = page(() => answers[asked.length - 1] ?? Promise.resolve({ value: 2 }));
  const request = (n) => ({ ask: "value", n });
  assert.equal(await ask(backend, request(1)), await ask(backend, request(1)));
  assert.equal((await ask(backend, request(2))).reason, "the time is up");
  assert.equal((await ask(backend, request(2)).catch(() => "refused")), "refused");
  assert.equal((await ask(backend, request(2))).value, 2);
  assert.equal(asked.length, 4);
});

test("steps are tried one after the other, each on what those before it led to", async () => {
  const held = page(() => Promise.resolve({}));
  const props = held.props(); // both clicks come before anything is drawn anew
  await Promise.all([attempt(props, "a"), attempt(props, "b")]);
  assert.deepEqual(held.now().position.steps, ["a", "b"]);
  assert.deepEqual(held.asked.map((one) => one.moment.steps), [["a"], ["a", "b"]]);
});

test("a step that is meant for one position is not played twice", async () => {
  const held = page(() => Promise.resolve({}));
  const props = held.props();
  await Promise.all([attempt(props, "a", props.state.position), attempt(props, "a", props.state.position)]);
  assert.deepEqual(held.now().position.steps, ["a"]);
});

test("a step that is refused changes nothing and says why", async () => {
  const held = page(() => Promise.reject(new Refused([{ code: "refused", message: "not your turn" }])));
  await attempt(held.props(), "a");
  assert.deepEqual(held.now().position, start);
  assert.equal(held.now().faults[0].message, "not your turn");
});

test("a step that is undone while it is tried is not played, nor one of a game that was left", async () => {
  let answer = () => {};
  const held = page(() => new Promise((done) => (answer = done)));
  held.dispatch({ do: "steps", steps: ["a"] });
  const props = held.props();
  const tried = attempt(props, "b");
  await Promise.resolve();
  held.dispatch({ do: "undo" });
  answer({});
  await tried;
  assert.deepEqual(held.now().position.steps, []);
  held.dispatch({ do: "open", position: { ...start, game: "asl" } });
  await attempt(props, "b");
  assert.deepEqual(held.now().position.steps, []);
});

test("what a search has come to", () => {
  const run = (more = {}) => ({ control: new AbortController(), progress: null, best: null, ...more });
  const plan = { steps: [1], status: "feasible" };
  assert.equal(told({ answer: plan, error: null }, run()).answer, plan);
  assert.equal(told({ answer: null, error: new Refused([{ code: "a", message: "b" }]) }, run()).faults[0].message, "b");
  const stopped = (ended, more) => {
    const own = run(more);
    own.control.abort();
    return told(ended, own);
  };
  assert.equal(stopped({ answer: { steps: [], reason: "the request was cancelled" }, error: null }, { best: plan }).answer, plan);
  const whole = { status: "infeasible", steps: [] }; // the answer was on its way already
  assert.deepEqual(stopped({ answer: whole, error: null }, { best: null }), { answer: whole, faults: [], stopped: "" });
  assert.match(stopped({ answer: null, error: new Error() }, { best: plan }).stopped, /best that was found/);
  const none = stopped({ answer: null, error: new Error() }, { progress: { phase: "", cost: null, bound: 4, scale: 2 } });
  assert.match(none.stopped, /nothing is decided. Known by then: .*at least 2/);
  assert.deepEqual([none.answer, none.faults], [null, []]);
});

test("what is known of a search is never less than before", () => {
  const at = (cost, bound) => ({ phase: "looking", cost, bound, scale: 1 });
  assert.deepEqual(joined(at(18, 17), at(null, 2)), at(18, 17));
  assert.deepEqual(joined(null, at(null, 2)), at(null, 2));
  assert.equal(sofar(joined(at(18, null), at(20, 17))), "looking; between 17 and 18, the best so far");
  assert.equal(sofar(at(null, 3)), "looking; at least 3");
});

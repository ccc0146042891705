// How questions are asked: what is kept, what is tried first, what a search has come to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, joined, Refused, sofar, told } from "../src/answers.mjs";
import { attempt, nearestWay, onlyStep, targetsOf, waysOf } from "../src/attempt.mjs";
import { after, boardOf, EMPTY, overlaysOf } from "../src/store.mjs";

const start = { game: "axis_allies", settings: {}, steps: [], at: 0 };

/** A page without a picture: its state, and a backend that answers as it is told to. */
function page(answering) {
  let state = after(EMPTY, { do: "open", position: start });
  const asked = [];
  const each = async (questions, onPart) => {
    const refused = (error) => ({ status: "error", errors: error.faults });
    for (const [n, question] of questions.entries()) onPart(n, await answering(question).catch(refused));
    return {};
  };
  const backend = { ask: (request, { onPart } = {}) => (asked.push(request), request.questions ? each(request.questions, onPart) : answering(request)) };
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

test("what is asked at the same time is one request, of which no part spoils another", async () => {
  const { asked, backend } = page(({ ask: kind }) => (kind === "legal" ? Promise.reject(new Refused([{ code: "late", message: "late" }])) : Promise.resolve({ kind })));
  const [moment, begin] = [{ game: "asl", steps: ["a"] }, { game: "asl", steps: [] }];
  const all = [{ ask: "status", moment }, { ask: "legal", moment }, { ask: "rules", moment: begin }, { ask: "status", moment }].map((one) => ask(backend, one));
  const [status, legal, rules, again] = await Promise.allSettled(all);
  assert.deepEqual([status.value.kind, legal.reason.message, rules.value.kind, again.value.kind], ["status", "late", "rules", "status"]);
  assert.equal(asked.length, 1);
  assert.deepEqual(JSON.parse(JSON.stringify(asked[0].questions)), [{ ask: "status" }, { ask: "legal" }, { ask: "rules", moment: begin }]);
  await ask(backend, { ask: "legal", moment }).catch(() => {}); // it was refused: it may be answered the next time
  assert.deepEqual(asked[1], { ask: "legal", moment });
});

test("of questions that are asked together those that were answered stay, where the request fails", async () => {
  const backend = { ask: (_, { onPart }) => (onPart(0, { kind: "status" }), Promise.reject(new Error("gone"))) };
  const all = await Promise.allSettled([ask(backend, { ask: "status" }), ask(backend, { ask: "board" })]);
  assert.deepEqual([all[0].value.kind, all[1].reason.message], ["status", "gone"]);
});

test("steps are tried one after the other, each on what those before it led to", async () => {
  const held = page(() => Promise.resolve({}));
  const props = held.props(); // both clicks come before anything is drawn anew
  await Promise.all([attempt(props, "a"), attempt(props, "b")]);
  assert.deepEqual(held.now().position.steps, ["a", "b"]);
  assert.deepEqual(held.asked.map((one) => one.moment.steps), [["a"], ["a", "b"]]);
});

test("the picture after a step is asked for once, with what is switched on for this game", async () => {
  const held = page(() => Promise.resolve({}));
  held.dispatch({ do: "overlays", names: ["front"] });
  await attempt(held.props(), "a");
  const { position } = held.now();
  const request = boardOf(position, overlaysOf(held.now(), position));
  assert.deepEqual(request.overlays, ["front"]);
  await ask(held.backend, request); // as the board does
  assert.equal(held.asked.length, 1);
  assert.deepEqual(overlaysOf(held.now(), { ...start, game: "asl" }), []);
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
  await new Promise((done) => setTimeout(done));
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
  const none = stopped({ answer: null, error: new Error() }, { progress: { phase: "", cost: null, bound: 4, scale: 2, known: "at least 2" } });
  assert.match(none.stopped, /nothing is decided. Known by then: .*at least 2/);
  assert.deepEqual([none.answer, none.faults], [null, []]);
});

test("what is known of a search is never less than before", () => {
  const at = (known) => ({ phase: "looking", cost: null, bound: null, scale: 1, known });
  assert.deepEqual(joined(at("at least 2"), at("between 17 and 18, the best so far")), at("between 17 and 18, the best so far"));
  assert.deepEqual(joined(at("at least 2"), at("")), at("at least 2"));
  assert.deepEqual(joined(null, at("")), at(""));
  assert.equal(sofar(at("at least 3")), "looking; at least 3");
  assert.equal(sofar(at("")), "looking");
});

const kind = (name, ...allowed) => ({ name, allowed: allowed.map(([args, targets, numbers = {}]) => ({ args, targets, numbers })) });

test("a target is reached by the only event that leads there, if nothing is left to choose", () => {
  const go = kind("go", [{ unit: "a", to: "x" }, ["x"]], [{ unit: "a", to: "y" }, ["y"]], [{ unit: "b", to: "y" }, ["y"]], [{ unit: "c", to: "z" }, ["z"], { count: [[1, 3]] }]);
  const answer = { events: [go, { ...kind("carry"), left_out: 9, targets: ["x", "far"] }] };
  assert.deepEqual(targetsOf(null), new Set());
  assert.deepEqual(targetsOf(answer), new Set(["x", "y", "z", "far"]));
  assert.deepEqual(onlyStep({ events: [go] }, "x"), { go: { unit: "a", to: "x" } });
  for (const target of ["x", "y", "z", "far"]) assert.equal(onlyStep(answer, target), null);
  const fall = kind("fall", [{ unit: "a", to: "x" }, []]); // nobody decides it, so it has no targets
  assert.deepEqual(onlyStep({ events: [fall, go] }, "x"), { go: { unit: "a", to: "x" } });
  assert.equal(onlyStep({ events: [fall] }, "x"), null);
});

test("another value of an argument changes as little else as it can", () => {
  const ways = waysOf({ events: [kind("carry", [{ cargo: "infantry", second: "none", to: "1" }], [{ cargo: "armour", second: "infantry", to: "2" }], [{ cargo: "armour", second: "none", to: "1" }])] });
  assert.equal(nearestWay(ways, ways[0], "cargo", "armour"), ways[2]);
});

test("a target is left with its place and its position", () => {
  const aimed = [{ do: "open", position: start }, { do: "steps", steps: ["b"] }, { do: "select", place: "x" }, { do: "aim", target: "y" }].reduce(after, EMPTY);
  assert.equal(aimed.target, "y");
  assert.equal(after(aimed, { do: "aim", target: "z", of: { ...start } }).target, "y");
  for (const action of [{ do: "select", place: null }, { do: "steps", steps: ["a"] }, { do: "undo" }]) assert.equal(after(aimed, action).target, null);
});

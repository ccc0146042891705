import assert from "node:assert/strict";
import { test } from "node:test";
import { after, described, EMPTY, MOST_BRANCHES } from "../src/store.mjs";

const start = { game: "axis_allies", settings: {}, steps: [], at: 0, name: undefined, branches: [] };
const play = (state, ...actions) => actions.reduce(after, state);

test("a step after undone steps replaces them, and undo brings them back", () => {
  let state = play(EMPTY, { do: "open", position: start }, { do: "steps", steps: ["a"] }, { do: "steps", steps: ["b"] });
  state = play(state, { do: "go", at: 1 }, { do: "steps", steps: ["c"] });
  assert.deepEqual(state.position.steps, ["a", "c"]);
  state = play(state, { do: "undo" }, { do: "undo" });
  assert.deepEqual(state.position, { ...start, steps: ["a", "b"], at: 2 });
  assert.deepEqual(play(state, { do: "redo" }, { do: "redo" }).position.steps, ["a", "c"]);
});

test("a step in the middle leaves the steps after it as a branch, and one click returns to it", () => {
  const opened = play(EMPTY, { do: "open", position: start }, ...["a", "b", "c"].map((step) => ({ do: "steps", steps: [step] })));
  let state = play(opened, { do: "go", at: 1 }, { do: "steps", steps: ["d"] });
  assert.deepEqual(state.position, { ...start, steps: ["a", "d"], at: 2, branches: [{ name: undefined, steps: ["a", "b", "c"] }] });
  assert.deepEqual(play(state, { do: "undo" }, { do: "undo" }).position, opened.position);
  state = play(state, { do: "branch", number: 0, name: "slow" }, { do: "branch", number: 0 });
  assert.deepEqual(state.position, { ...start, steps: ["a", "b", "c"], at: 3, name: "slow", branches: [{ name: undefined, steps: ["a", "d"] }] });
  state = play(state, { do: "steps", steps: ["e"] }, { do: "branch", number: 0 }, { do: "branch", number: 7 });
  assert.deepEqual(state.position, { ...start, steps: ["a", "d"], at: 2, branches: [{ steps: ["a", "b", "c", "e"], name: "slow" }] });
  state = play(state, { do: "branch", number: 0, name: "" });
  assert.deepEqual(state.position.branches, [{ name: "", steps: ["a", "b", "c", "e"] }]);
});

test("the steps that are next anyway make no branch, and no record is its own branch", () => {
  let state = play(EMPTY, { do: "open", position: start }, { do: "steps", steps: ["a", { b: { c: 1 } }] }, { do: "go", at: 0 });
  assert.deepEqual(play(state, { do: "steps", steps: ["a"] }).position, { ...start, steps: ["a", { b: { c: 1 } }], at: 1 });
  state = play(state, { do: "steps", steps: ["x"] }, { do: "go", at: 0 }, { do: "steps", steps: ["a", { b: { c: 1 } }, "y"] });
  assert.deepEqual(state.position.branches, [{ name: undefined, steps: ["x"] }]);
  for (let n = 0; n < 30; n++) state = play(state, { do: "go", at: 0 }, { do: "steps", steps: [`n${n}`] });
  assert.equal(state.position.branches.length, MOST_BRANCHES);
  assert.deepEqual(state.position.branches[0], { name: undefined, steps: ["n28"] });
});

test("requests hold the steps that are played, no others", () => {
  assert.deepEqual(described({ ...start, steps: ["a", "b"], at: 1 }), { game: "axis_allies", settings: {}, steps: ["a"] });
});

test("a step that was tried for a position is not added to another one", () => {
  const state = play(EMPTY, { do: "open", position: start });
  const other = play(state, { do: "steps", steps: ["a"] });
  assert.deepEqual(after(state, { do: "steps", steps: ["b"], of: state.position }).position.steps, ["b"]);
  assert.equal(after(other, { do: "steps", steps: ["b"], of: state.position }), other);
});

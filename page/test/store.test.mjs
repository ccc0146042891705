import assert from "node:assert/strict";
import { test } from "node:test";
import { after, described, EMPTY } from "../src/store.mjs";

const start = { game: "axis_allies", settings: {}, steps: [], at: 0 };
const play = (state, ...actions) => actions.reduce(after, state);

test("a step after undone steps replaces them, and undo brings them back", () => {
  let state = play(EMPTY, { do: "open", position: start }, { do: "steps", steps: ["a"] }, { do: "steps", steps: ["b"] });
  state = play(state, { do: "go", at: 1 }, { do: "steps", steps: ["c"] });
  assert.deepEqual(state.position.steps, ["a", "c"]);
  state = play(state, { do: "undo" }, { do: "undo" });
  assert.deepEqual(state.position, { ...start, steps: ["a", "b"], at: 2 });
  assert.deepEqual(play(state, { do: "redo" }, { do: "redo" }).position.steps, ["a", "c"]);
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

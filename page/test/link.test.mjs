// The address follows the state, and the state an address that another one comes to, by a link or the browser's Back.
import assert from "node:assert/strict";
import { test } from "node:test";

const heard = [];
const entries = [""];
const location = { hash: "", pathname: "/" };
const history = {
  pushState: (_, __, hash) => entries.push((location.hash = hash === "/" ? "" : hash)),
  replaceState: (_, __, hash) => (entries[entries.length - 1] = location.hash = hash === "/" ? "" : hash),
};
Object.assign(globalThis, { location, history, addEventListener: (_, then) => heard.push(then) });
const { follow, listen } = await import("../src/link.mjs");
const { EMPTY, begun } = await import("../src/store.mjs");
const at = (game) => ({ ...EMPTY, position: begun(game) });

/** Back: the browser changes the address, and then says so. */
function back() {
  entries.pop();
  location.hash = entries.at(-1) ?? "";
  return Promise.all(heard.map((then) => then()));
}

test("what is written as an address is read is dropped", async () => {
  const opened = [];
  listen((action) => opened.push(action), location.hash);
  await follow(at("moscow"));
  await follow(at("okinawa"));
  assert.equal(entries.length, 3);
  const reading = back();
  await Promise.all([reading, follow(at("okinawa")), follow(at("asl"))]);
  assert.equal(opened.at(-1).position.game, "moscow");
  assert.equal(entries.length, 2);
  assert.equal(await follow(at("moscow")), true);
  assert.equal(entries.length, 2);
  await back();
  assert.equal(opened.at(-1).position, null);
  assert.deepEqual(entries, [""]);
});

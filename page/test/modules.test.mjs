import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { examplesOf, forces, requestOf } from "../src/asked.mjs";
import { change, changes, valueOf } from "../src/attempt.mjs";
import { clauseIn } from "../src/views/parts.mjs";
import { argsText, differences, grouped, ofPage, spoken, stepText } from "../src/words.mjs";
import { headline, scoreText } from "../src/views/bar.mjs";
import { BadLink, fragment, opened } from "../src/link.mjs";
import { begun, carried, enlarged, filling, nearest, panned, showing, zoomed } from "../src/sight.mjs";
import { completions, vocabulary } from "../src/views/goalbox.mjs";

const position = { game: "axis_allies", settings: { victory: "all" }, steps: ["end_turn", { capture: { power: "Germans", territory: "Kiev" } }], at: 1, name: undefined, branches: undefined };

test("a link holds all of a position", async () => {
  const linked = { position, question: "vcp(Axis) >= 40 <script>", conditions: "side wins a\n at once", readOnly: true };
  assert.deepEqual(await opened("#" + (await fragment(linked))), { ...linked, asked: {} });
  assert.equal(await opened(""), null);
});

test("a link holds branches, and what is no branch opens nothing", async () => {
  const branches = [{ steps: ["end_turn", "pass"], name: "slow" }, { steps: [] }];
  const linked = { position: { ...position, name: "main", branches }, question: "", conditions: null, readOnly: false };
  assert.deepEqual(await opened(await fragment(linked)), { ...linked, asked: {} });
  for (const bad of [[1], [{ steps: [1] }], [{ steps: [], name: 1 }], Array(21).fill({ steps: [] })])
    await assert.rejects(fragment({ ...linked, position: { ...position, branches: bad } }).then(opened), BadLink);
});

test("no damaged link does more than say so", async () => {
  const good = await fragment({ position, question: "", readOnly: false });
  let seed = 7;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  for (let i = 0; i < 300; i++) {
    const letters = [...good];
    for (let j = 0; j <= random(3); j++) letters[random(letters.length)] = String.fromCharCode(33 + random(90));
    const text = letters.slice(0, random(4) ? letters.length : random(letters.length)).join("");
    await opened(text).then(
      (found) => assert.ok(found === null || found.position.game !== undefined),
      (error) => assert.ok(error instanceof BadLink, String(error)),
    );
  }
});

test("links of another version, of no position, and of far too much are refused", async () => {
  const pack = async (held) => (await fragment({ position: { game: held, settings: {}, steps: [], at: 0 }, question: "", readOnly: false }));
  await assert.rejects(opened("#v2.abc"), BadLink);
  await assert.rejects(opened(await pack(7)), BadLink);
  await assert.rejects(opened(await pack("x".repeat(3_000_000))), /far more/);
  const made = (held) => `#v1.${deflateRawSync(JSON.stringify(held)).toString("base64url")}`;
  assert.equal((await opened(made({ g: "asl" }))).position.at, 0);
  const deep = (/** @type {number} */ n) => (n ? { a: deep(n - 1) } : 1);
  const wrong = { g: [7, null, []], s: [null, [], { a: 1 }, 7], t: [null, [7], {}, "a", [deep(50)]], n: [9, -1, "1", null], q: [7, {}] };
  for (const [part, values] of Object.entries(wrong)) for (const value of values) await assert.rejects(opened(made({ g: "asl", t: ["a"], [part]: value })), BadLink, part);
  for (const held of [null, 7, [], "a"]) await assert.rejects(opened(made(held)), BadLink);
});

test("a link of a usual position is short", async () => {
  const steps = Array.from({ length: 20 }, (_, i) => ({ capture: { power: "Germans", territory: `Territory number ${(i * 37) % 63}`, destroy_complex: "no" } }));
  const text = await fragment({ position: { game: "axis_allies/revised-1942", settings: { level: "armies" }, steps, at: 20 }, question: "vcp(Axis) >= 40", readOnly: false });
  assert.ok(text.length <= 2000, String(text.length));
});

test("a change by hand names one fact", () => {
  assert.deepEqual(change(["owner", "Kiev"], "Germans"), { set: { owner: { Kiev: "Germans" } } });
  assert.deepEqual(change(["units", "Kiev", "Germans", "armour"], 2), { set: { units: { Kiev: { Germans: { armour: 2 } } } } });
  assert.deepEqual(change(["round"], 3), { set: { round: 3 } });
  const two = [{ path: ["owner", "Kiev"], to: "Germans" }, { path: ["owner", "Norway"], to: "British" }, { path: ["round"], to: 2 }];
  assert.deepEqual(changes(two), { set: { owner: { Kiev: "Germans", Norway: "British" }, round: 2 } });
  assert.equal(valueOf({ values: [false, true], here: [] }, "true"), true);
  assert.equal(valueOf({ values: [], here: [] }, "4"), 4);
});

test("steps without a sentence are said in a line", () => {
  assert.equal(stepText("end_turn"), "end turn");
  assert.equal(stepText({ capture: { power: { toString: "x" } } }), 'capture: power {"toString":"x"}');
  assert.equal(stepText(position.steps[1]), "capture: Germans, Kiev");
  assert.equal(argsText({ unit: "4-4-7", leader: "none", concealed: "yes", prone: "no", n: 1 }), "4-4-7, no leader, concealed, no prone, n 1");
  assert.equal(stepText({ purchase: { power: "Germans", unit: "infantry", count: 2 } }), "purchase: Germans, infantry, count 2");
  assert.equal(stepText({ set: { owner: { Kiev: "Germans" } } }), "by hand: owner Kiev is Germans");
});

test("zooming keeps the point, and never shows what is beyond the picture", () => {
  const whole = { x: 0, y: 0, w: 100, h: 50 };
  const close = zoomed(whole, whole, 2, { x: 80, y: 10 });
  assert.deepEqual(close, { x: 40, y: 5, w: 50, h: 25 });
  assert.deepEqual(panned(close, whole, 1000, -1000), { x: 50, y: 0, w: 50, h: 25 });
  assert.deepEqual(zoomed(close, whole, 0.01), whole);
  const seen = { x: 40, y: 10, w: 20, h: 20 };
  assert.deepEqual(showing(seen, whole, { x: 50, y: 20 }), seen);
  assert.deepEqual(showing({ ...seen, w: 25, h: 25 }, whole, { x: 90, y: 3 }), { x: 68, y: 0, w: 25, h: 25 });
});

test("arrow keys lead to the nearest place ahead", () => {
  const spots = [["a", 0, 0], ["b", 10, 1], ["c", 5, 9], ["d", 4, -1]].map(([name, x, y]) => ({ name, x, y }));
  assert.equal(nearest(spots, spots[0], [1, 0])?.name, "d");
  assert.equal(nearest(spots, spots[0], [0, 1])?.name, "c");
  assert.equal(nearest(spots, spots[0], [-1, 0]), null);
});

test("what is begun before the cursor is completed: names, arguments and values", () => {
  const sides = { kind: "side", names: ["Axis", "Allies"] };
  const lands = { kind: "territory", names: ["Germany", "Eastern United States"] };
  const observables = [
    { name: "vcp", text: "points", arguments: [sides], value: { sort: "Int" } },
    { name: "controls", text: "", arguments: [sides, lands], value: { sort: "Bool" } },
    { name: "owner", text: "", arguments: [lands], value: { sort: "Enum", names: ["Germans", "British"] } },
    { name: "turn", text: "", arguments: [], value: { sort: "Enum", names: ["Germans", "British"] } },
  ];
  const kinds = [
    { name: "territory", members: lands.names, groups: ["home Germans", "home British"], properties: ["income", "distance"] },
    { name: "side", members: sides.names, groups: [], properties: ["enemy"] },
  ];
  const known = vocabulary({ observables, outcomes: [{ name: "major_victory" }], kinds });
  const offered = (text) => {
    const { from, words } = completions(text, text.length, known);
    return [text.slice(0, from), ...words.map((word) => word.text + (word.then ?? ""))];
  };
  assert.deepEqual(offered("vc"), ["", "vcp("]);
  assert.deepEqual(offered("vcp("), ["vcp(", "Axis)", "Allies)"]);
  assert.deepEqual(offered("vcp(Ax"), ["vcp(", "Axis)"]);
  assert.deepEqual(offered("vcp(Axis) > 3 and controls(Al"), ["vcp(Axis) > 3 and controls(", "Allies, "]);
  assert.deepEqual(offered("controls(Axis, Eastern Un"), ["controls(Axis, ", "Eastern United States)"]);
  assert.deepEqual(offered("owner(Germany) == G"), ["owner(Germany) == ", "Germans"]);
  assert.deepEqual(offered("turn != "), ["turn != ", "Germans", "British"]);
  assert.deepEqual(offered("not ow"), ["not ", "owner("]);
  assert.deepEqual(offered("vcp(Axis) >= 40"), ["vcp(Axis) >= 40"]);
  assert.deepEqual(offered("cou"), ["", "count("]);
  assert.deepEqual(offered("count("), ["count(", "territory where ", "side where "]);
  assert.deepEqual(offered("1 + sum(income(x) for te"), ["1 + sum(income(x) for ", "territory where "]);
  assert.deepEqual(offered("some(territory in home G"), ["some(territory in ", "home Germans"]);
  assert.deepEqual(offered("distance(Germany, "), ["distance(Germany, ", "Germany)", "Eastern United States)"]);
  assert.deepEqual(offered("count(territory where ow"), ["count(territory where ", "owner("]);
  assert.equal(offered("").length, 13);
  const rules = { observables, outcomes: [], kinds };
  const text = "near(side) means 3\ngroup Ports: Germany\nside wins x at the end of a tu";
  const line = (more) => completions(text + more, (text + more).length, vocabulary(rules, text + more));
  assert.deepEqual(line(""), { from: text.length - "at the end of a tu".length, words: [{ text: "at the end of a turn if ", says: "" }] });
  assert.deepEqual(line(" if nea").words, [{ text: "near", says: "" }]);
  assert.deepEqual(line(" if hex in Po").words, [{ text: "Ports", says: "" }]);
  assert.deepEqual(line("\n").words, []);
  assert.deepEqual(line("\nvcp(Al").words.map((word) => word.text), ["Allies"]);
});

test("a cell names the entries of each value, the largest first", () => {
  assert.deepEqual(grouped({ Norway: 1, Germany: 5, Paris: 5 }), ["5: Germany, Paris", "1: Norway"]);
  assert.deepEqual(grouped({ Mill: "French" }), ["French: Mill"]);
  assert.deepEqual(grouped({}), []);
});

test("what another Reading changes is told: a status, a threshold, a count, and else what a side has", () => {
  const outcome = { rule: "victory", side: "Axis", level: null, status: "unmet", have: 3, need: 5 };
  const status = (changes, observables = { round: 1 }) => ({ winner: null, outcomes: [{ ...outcome, ...changes }], observables });
  assert.deepEqual(differences(status({}), status({})), []);
  const won = (...winners) => ({ ...status({}), winners });
  assert.deepEqual(differences(won(), won("Axis")), ["Axis has won"]);
  assert.deepEqual(differences(won("Axis"), won("Axis", "Allies")), ["Axis and Allies have won"]);
  assert.deepEqual(differences(won("Axis", "Allies"), won()), ["nobody has won any more"]);
  assert.deepEqual(differences(status({}), status({ need: 6 })), ["victory Axis: needs 6, needed 5"]);
  assert.deepEqual(differences(status({}), status({ status: "met" })), ["victory Axis: met, was unmet"]);
  assert.deepEqual(differences(status({}), status({ have: 4 }, { round: 2 })), ["round: 2, was 1"]);
  assert.deepEqual(differences(status({}), status({ have: 4 })), ["victory Axis: has 4, had 3"]);
  assert.deepEqual(differences(status({}), status({ side: "Allies" })), ["victory Axis: there is no such outcome", "victory Allies: there is this outcome, too"]);
  assert.deepEqual(differences(status({}), status({}, { turn: 2 })), ["round: is not counted", "turn: 2, was not counted"]);
});

test("a clause is told by what encodes it and little else; what is left out and examples say so", () => {
  const none = { outcomes: [], rules: [], observables: [], events: [], options: [], readings: [] };
  const clause = (name, more) => ({ name, source: "Text", cases: [], out_of_scope: null, ...more });
  const rules = {
    ...none,
    clauses: [clause("1/1"), clause("1/2"), clause("2/1", { out_of_scope: "asks nothing" }), clause("2/2", { cases: ["a mill"] })],
    functions: [{ text: "Of both.", cites: ["1/1", "1/2"] }, { text: "Of the first.", cites: ["1/1"] }],
    readings: [{ reason: "a reason", cites: ["1/2", "2/1"] }],
  };
  assert.deepEqual(clauseIn(rules, "1/1"), { source: "Text", says: ["Of the first.", "Of both."] });
  assert.deepEqual(clauseIn(rules, "1/2").says, ["Of both."]);
  assert.deepEqual(clauseIn(rules, "2/1").says, ["left out: asks nothing", "a reason"]);
  assert.deepEqual(clauseIn(rules, "2/2").says, ["an example: a mill"]);
  assert.deepEqual(clauseIn(rules, "9/9").says, []);
  assert.deepEqual(clauseIn(null, "1/1").says, []);
});

test("units are read as a person writes them", () => {
  assert.deepEqual(forces("3 armour, 2 fighters and bomber"), { armour: 3, fighters: 2, bomber: 1 });
  assert.deepEqual(forces("infantry: 4"), { infantry: 4 });
  assert.deepEqual(forces(" "), {});
  const asked = { kind: "odds", goal: "", side: "", within: "", minimize: "", opponent: "idle", timeout: "60", attack: "1 armour", defend: "", at: "Russia" };
  const { attack, defend, at, timeout } = requestOf(asked, position);
  assert.deepEqual({ attack, defend, at, timeout }, { attack: { armour: 1 }, defend: undefined, at: "Russia", timeout: 60 });
  const briefing = requestOf({ ...asked, kind: "objectives", goal: "vcp(Axis) >= 40", side: "Axis", within: "3", minimize: "turns", opponent: "helps" }, position);
  assert.deepEqual([briefing.goal, briefing.side, briefing.within, briefing.minimize, briefing.opponent], ["vcp(Axis) >= 40", "Axis", 3, "turns", "helps"]);
  assert.equal("opponent" in requestOf({ ...asked, kind: "force", goal: "vcp(Axis) >= 40" }, position), false);
});

const towards = (side, have, need, more = {}) => ({ rule: "victory", side, level: null, status: "unmet", have, need, cites: ["1"], when: "at the end (`end_game`)", fulfilled: have >= need && need !== null, count: null, ...more });
const standing = (outcomes, observables = {}, more = {}) => headline({ outcomes, observables, turn: {}, winners: [], headline: "Nobody has won yet.", over: false, ...more }, { observables: [{ name: "vp", cites: ["1"] }, { name: "vp_at_end", cites: ["1"] }, { name: "losses", cites: [] }] });
const told = ({ scores }) => scores.map(scoreText).join(", ");

test("the bar says whose turn it is, what each side has of what it needs, who has enough and when it is judged", () => {
  const found = standing([towards("Red", 3, 5), towards("Blue", 5, 5), towards("Red", 1, 9, { rule: "total" })], {}, { turn: { round: 2, turn: "Blue", phase: "between" } });
  assert.equal(told(found), "Red 3 of 5, Blue 5 of 5");
  assert.deepEqual(found.scores.map(({ enough }) => enough), [false, true]);
  assert.deepEqual(found.notes, ["Blue: enough, judged at the end"]);
  assert.equal(found.turn, "round 2, Blue to move");
  assert.equal(found.of, "for victory");
});

test("a side that wins without a number has enough, too, and is told with the count of the other ones", () => {
  const outcomes = [towards("Red", 3, 4, { count: "vp(Red)" }), towards("Blue", null, null, { fulfilled: true }), towards("Green", 4, 4, { count: "vp(Green)" })];
  const found = standing(outcomes, { "vp(Red)": 3, "vp(Blue)": 3, "vp(Green)": 4 });
  assert.equal(told(found), "Red 3 of 4, Blue 3, Green 4 of 4");
  assert.deepEqual(found.notes, ["Blue: enough for victory, judged at the end", "Green: enough, judged at the end"]);
  assert.equal(told(standing([towards("Red", 0, 1), towards("Blue", null, null)], { "losses(Red)": 0, "losses(Blue)": 0 })), "Red 0 of 1");
});

test("without a threshold the bar has the count that shares a clause with the outcome", () => {
  const observables = { "vp(Red)": 0, "vp(Blue)": 0, "vp_at_end(Red)": 4, "vp_at_end(Blue)": 9, "losses(Red)": 7, "losses(Blue)": 1 };
  const found = standing([towards("Red", null, null), towards("Blue", null, null)], observables);
  assert.equal(told(found), "Red 4, Blue 9");
  assert.deepEqual(found.notes, ["Blue 5 ahead"]);
});

test("a table of levels shows what the sides have, and the level that it leads to", () => {
  const outcomes = [towards("Red", 10, 60, { rule: "decisive" }), towards("Blue", 4, 1, { rule: "decisive" }), towards("Blue", 4, 1, { rule: "marginal", fulfilled: false })];
  const found = standing(outcomes, { "vp(Red)": 10, "vp(Blue)": 4, level: "blue_decisive" });
  assert.equal(told(found), "Red 10, Blue 4");
  assert.deepEqual(found.notes, ["Red 6 ahead", "Blue: enough for decisive, judged at the end"]);
  assert.deepEqual(standing([], { "vp(Red)": 1, level: "none" }).notes, ["no level of victory yet"]);
});

test("the result is what the answer says, once a condition is met or the game is over", () => {
  const red = towards("Red", 5, 5, { status: "met" });
  assert.equal(standing([towards("Red", 1, 5)]).result, "");
  assert.equal(standing([red], {}, { headline: "Nobody has won yet; Red meets major_win." }).result, "Red meets major win.");
  const won = standing([red, towards("Blue", 5, 5)], {}, { headline: "Winner: Red (major_win)", winners: ["Red"], over: true, turn: { turn: "Blue" } });
  assert.deepEqual([won.result, won.turn, won.notes], ["Winner: Red (major win)", "", []]);
  assert.equal(standing([towards("Red", 1, 5)], {}, { headline: "The game is over, and nobody has won.", over: true }).result, "The game is over, and nobody has won.");
});

test("a board begins where most things are, if its labels could not be read otherwise", () => {
  const full = filling({ x: 0, y: 0, w: 2000, h: 1000 }, 1000, 1000);
  assert.deepEqual(full, { x: 0, y: -500, w: 2000, h: 2000 });
  const thing = (x, y) => ({ x, y, w: 10, h: 10 });
  assert.deepEqual(begun(full, [thing(5, 5)], 30, 1000), full, "its letters are large enough");
  const seen = begun(full, [thing(100, 100), thing(1500, 600), thing(1520, 600), thing(1540, 600)], 6, 1000);
  assert.ok(seen.w < 1000 && seen.x < 1500 && seen.x + seen.w > 1550 && seen.y < 600);
  const letters = (6 * 1000) / seen.w;
  assert.ok(Math.abs(letters * enlarged(letters) - 9) < 1e-9, "they have nine pixels");
  assert.ok(enlarged(100) * 100 < 20);
  const later = carried(seen, full, { ...full, y: full.y + 18 });
  assert.ok(Math.abs(later.y - seen.y - 18) < 1e-9 && later.w === seen.w, "a drawing that lies lower shows the same");
});

test("answers speak of what the page calls so", () => {
  assert.equal(ofPage("give one (within)"), "give one (“At most”)");
  assert.equal(ofPage('write "side": "Axis", or leave (it) out'), "write “Side” Axis, or leave (it) out");
});

test("examples of goals are said in words, and what is far is left out or has a limit", () => {
  const outcome = (rule, side, have, need, status = "unmet") => ({ rule, side, level: null, have, need, status });
  const text = (name, side, text) => ({ name, side, level: null, text });
  const status = {
    outcomes: [outcome("major", "Axis", 26, 40), outcome("total", "Axis", 26, 300), outcome("mill", "Axis", null, null), outcome("mill", "Allies", null, null), outcome("line", "Allies", null, null, "met")],
    observables: { round: 1, "vcp(Allies)": 39, "vcp(Axis)": 26, "owner(Kiev)": "Axis" },
  };
  const rules = { outcomes: [text("major", "Axis", "the Axis control 40 points; no more is needed"), text("mill", "Axis", "Three stones win."), text("mill", "Allies", "Three stones win.")] };
  assert.deepEqual(examplesOf("plan", status, rules), [
    { says: "vcp of Allies: 40 or more", goal: "vcp(Allies) >= 40", within: "1" },
    { says: "vcp of Axis: 40 or more", goal: "vcp(Axis) >= 40", within: "" },
    { says: "the Axis control 40 points", goal: "holds(major, Axis)", within: "1" },
    { says: "mill for Axis", goal: "holds(mill, Axis)", within: "1" },
    { says: "mill for Allies", goal: "holds(mill, Allies)", within: "1" },
  ]);
  assert.deepEqual(examplesOf("ask", status, rules)[2], { says: "the Axis control 40 points", goal: "major Axis", within: "" });
  assert.deepEqual(examplesOf("reach", status, rules).map((one) => one.within), ["2", ""]);
  const threats = examplesOf("defend", { ...status, turn: { turn: "Allies" } }, rules).map((one) => one.goal);
  assert.deepEqual(threats, ["vcp(Axis) >= 40", "holds(major, Axis)", "holds(mill, Axis)"]); // of who is not on turn
});

test("what answers say is told in words, and a second solver stays a second one", () => {
  assert.equal(spoken("no plan (confirmed by cvc5 1.4.2)."), "no plan (confirmed by a second solver).");
  assert.equal(spoken("confirmed by a fresh run of z3"), "confirmed by a fresh run of a solver");
  assert.equal(spoken("optimal (HiGHS); z3 4.13.0, bounded model checking"), "optimal (a solver); a solver");
  assert.equal(spoken("it needs count(near area where adjacent(near, C) and occupies(Red, near)) >= 2"), "it needs count of near area where near beside C and occupies of Red, near at least 2");
  assert.equal(spoken("vcp(Axis) == 26, `army_model`, 1 units"), "vcp of Axis is 26, army model, 1 unit");
});

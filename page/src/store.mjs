// The state of the page, and how each action changes it. Pure: tests call it without a browser.

/** @import { Action, Branch, Card, Described, Position, Request, State, Step } from "../types.js" */

/** So many branches are kept, the latest ones. */
export const MOST_BRANCHES = 20;

const UNMARKED = { marked: /** @type {string[]} */ ([]), outcome: "" };
/** What belongs to the position that is shown, and goes with it. */
const UNTOUCHED = { ...UNMARKED, target: null, shown: null, faults: [] };

/** What is asked by default. */
export const USUAL = { kind: "plan", side: "", within: "", minimize: "", opponent: "idle", timeout: "60", attack: "", defend: "" };

/** @type {State} */
export const EMPTY = { ...UNTOUCHED, overlays: { game: "", names: [] }, position: null, past: [], future: [], place: null, question: "", asked: USUAL, asking: false, conditions: null, readOnly: false };

/** The state after an action. A new step in the middle of a record leaves the steps after it as a branch; another game replaces the whole record, which undo brings back. @type {(state: State, action: Action) => State} */
export function after(state, action) {
  const { position } = state;
  if ("of" in action && action.of && action.of !== position) return state; // the position that it is about has been left
  switch (action.do) {
    case "open":
      return { ...changed(state, action.position), place: nameOf(position) === nameOf(action.position) ? state.place : null, question: action.question ?? "", asked: { ...USUAL, ...action.asked }, asking: Boolean(action.asking), conditions: action.conditions ?? null };
    case "steps":
      return position ? changed(state, stepped(position, ...action.steps)) : state;
    case "go":
      return position && action.at !== position.at ? changed(state, { ...position, at: action.at }) : state;
    case "branch": {
      const { branches = [] } = position ?? {};
      const line = branches[action.number];
      if (!position || !line) return state;
      const { name, steps } = position;
      if (action.name === undefined) return changed(state, onLine(position, line, branches.with(action.number, { name, steps })));
      return changed(state, { ...position, branches: branches.with(action.number, { ...line, name: action.name }) });
    }
    case "set":
      return position ? changed(state, withSetting(position, action.name, action.value)) : state;
    case "undo":
      return shift(state, "past", "future");
    case "redo":
      return shift(state, "future", "past");
    case "select":
      return { ...state, place: action.place, target: null, faults: [] };
    case "aim":
      return { ...state, target: action.target, faults: [] };
    case "overlays":
      return { ...state, overlays: { game: nameOf(position), names: action.names } };
    case "mark":
      return { ...state, marked: action.places, outcome: action.outcome ?? "" };
    case "show":
      return { ...state, shown: action.answer && { answer: action.answer, step: action.step ?? null, line: action.line ?? -1, played: action.played ?? 0, moved: action.moved ?? [] }, ...UNMARKED };
    case "question":
      return { ...state, question: action.text ?? state.question, asked: { ...state.asked, ...action.asked }, asking: Boolean(action.asking) };
    case "conditions":
      return { ...state, conditions: action.text };
    case "fail":
      return { ...state, faults: action.faults };
  }
}

/** What tells a game from others: it looks the same under other conditions. */
export const nameOf = (/** @type {any} */ position) => JSON.stringify({ ...cardOf(position?.game), outcomes: undefined });

/** @type {(game: Card | string | undefined) => Card} */
export const cardOf = (game) => (typeof game === "string" ? { game } : (game ?? {}));

/** A position with further steps. Steps that are not played stay as a branch, unless these are the very ones. @type {(position: Position, ...more: Step[]) => Position} */
export function stepped(position, ...more) {
  const { steps: before, at, name, branches = [] } = position;
  if (fork(more, before.slice(at)) === more.length) return { ...position, at: at + more.length };
  const line = { name, steps: before };
  const steps = [...before.slice(0, at), ...more];
  return at < before.length ? onLine(position, { steps }, [line, ...branches]) : onLine(position, { name, steps }, branches);
}

/** A position at the end of a line of play, with the other lines that this one does not hold. @type {(position: Position, line: Branch, others: Branch[]) => Position} */
function onLine(position, { name, steps }, others) {
  const branches = others.filter((one) => fork(one.steps, steps) < one.steps.length).slice(0, MOST_BRANCHES);
  return { ...position, name, steps, at: steps.length, branches };
}

/**
 * How many steps of a line of play another one begins with.
 *
 * @param {Step[]} line
 * @param {Step[]} other
 */
export function fork(line, other) {
  const number = line.findIndex((step, i) => JSON.stringify(step) !== JSON.stringify(other[i]));
  return number < 0 ? line.length : number;
}

/** The start of a game. @type {(game: Position["game"]) => Position} */
export const begun = (game) => ({ game, settings: {}, steps: [], at: 0 });

/** A position under another setting. @type {(position: Position, name: string, value: string) => Position} */
export const withSetting = (position, name, value) => ({ ...position, settings: { ...position.settings, [name]: value } });

/** What requests say of a position: the steps up to where it stands. @type {(position: Position) => Described} */
export function described({ game, settings, steps, at }) {
  return { game, settings, steps: steps.slice(0, at) };
}

/** The position that is looked at: after the move of a plan that is shown. @type {(state: State) => Position | null} */
export const seenPosition = ({ position, shown }) => (position && shown?.played ? stepped(position, ...(shown.answer.record ?? []).slice(0, shown.played)) : position);

/** The names in the last move, or in that of a plan that is shown, to mark it. @type {(state: State) => string[]} */
export function movedLast({ position, shown }) {
  const last = position?.steps[position.at - 1];
  const args = typeof last === "object" && !("set" in last) ? Object.values(last)[0] : {};
  return shown?.moved.length ? shown.moved : Object.values(args ?? {}).map(String);
}

/** The question who stands where; several views ask it. @type {(position: Position | null) => Request<"status"> | null} */
export const standing = (position) => position && { ask: "status", moment: described(position), tables: true };

/** Each of some steps as a sentence. @type {(position: Position, steps: Step[]) => Request<"happened"> | null} */
export const toldOf = ({ game, settings }, steps) => ({ ask: "happened", moment: { game, settings, steps } });

/** What is at a place, or is recorded of none. @type {(position: Position | null, place: string | null) => Request<"place"> | null} */
export const placeOf = (position, place) => position && { ask: "place", moment: described(position), place };

/** What may happen at a place, or names none. @type {(position: Position | null, place: string | null, target?: string | null) => Request<"legal"> | null} */
export const eventsOf = (position, place, target) => position && { ask: "legal", moment: described(position), why_not: 3, ...(place === null ? { unplaced: true } : { place }), ...(target && { target }) };

/**
 * The overlays that were switched on for the game of a position; they stay through its steps.
 *
 * @param {State} state
 * @param {Position | null} position
 */
export const overlaysOf = ({ overlays }, position) => (overlays.game === nameOf(position) ? overlays.names : []);

/**
 * The picture, with what is drawn over it.
 *
 * @param {Position | null} position
 * @param {string[]} overlays
 * @param {object} [drawn] A plan.
 * @returns {Request<"board"> | null}
 */
export const boardOf = (position, overlays, drawn) => position && { ask: "board", moment: described(position), ...drawn, ...(overlays.length ? { overlays } : {}) };

/**
 * What requests say of the start of a position: it is the same after each step.
 *
 * @param {Position} position
 */
export const start = (position) => described({ ...position, at: 0 });

/** The question what the rules of a position are; several views ask it. @type {(position: Position | null) => Request<"rules"> | null} */
export const rulesOf = (position) => position && { ask: "rules", moment: start(position) };

/**
 * @param {State} state
 * @param {Position | null} position None: the list of games.
 * @returns {State}
 */
function changed(state, position) {
  const past = state.position ? [...state.past, state.position] : state.past;
  return { ...state, ...UNTOUCHED, position, past, future: [] };
}

/**  @type {(state: State, from: "past" | "future", to: "past" | "future") => State} */
function shift(state, from, to) {
  const position = state[from].at(-1);
  if (!position || !state.position) return state;
  return {
    ...state,
    ...UNTOUCHED,
    position,
    [from]: state[from].slice(0, -1),
    [to]: [...state[to], state.position],
  };
}

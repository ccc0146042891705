/** The shapes that the parts of the page hand to each other. */

/** A step of a record: an event as position files write it, or facts that are given other values by hand. */
export type Step = string | { [event: string]: { [argument: string]: string | number | boolean } | null } | { set: object };

/** What a position file holds; or the texts of a rulebook, by name. */
export interface Card {
  outcomes?: string | undefined;
  rulebook?: { [name: string]: string };
  [key: string]: unknown;
}

/** A game at one moment, as a request describes it; the same object goes to the server, the Worker and into a link. */
export interface Described {
  /** The name of a game (with its scenario), a file of the folder, what a position file holds, or the text of a rulebook. */
  game: string | Card;
  settings: { [name: string]: string };
  steps: Step[];
}

/** What the page is about: a described game, and how many of its steps are played; the rest is there to redo. */
export interface Position extends Described {
  at: number;
  /** What a person calls its record, where it was a branch with a name. */
  name?: string | undefined;
  /** Other lines of play, each whole from the start. */
  branches?: Branch[];
}

/** A line of play that was left for another one. Without a name, it is called by the first step in which it differs. */
export interface Branch {
  name?: string | undefined;
  steps: Step[];
}

/** A fault as every document of errors lists it. */
export interface Fault {
  code: string;
  message: string;
  help?: string | null;
  file?: string | null;
  line?: number | null;
  column?: number | null;
  cites?: string[];
}

/** How far a search is. */
export interface Progress {
  phase: string;
  cost: number | null;
  bound: number | null;
  scale: number;
  /** What is known of the cost, in words; empty if nothing is. */
  known: string;
}

/** A question: a request of the protocol (docs/serve.md) without its id. */
export interface Request<K extends string = string> {
  ask: K;
  [key: string]: unknown;
}

/** The answers of questions that views ask; the others are documents of docs/json.md. */
export interface Answers {
  status: Status;
  rules: Rules;
  legal: Legal;
  board: BoardShown;
  place: PlaceFacts;
  happened: { steps: string[] };
  changes: { facts: string[] };
  catalogue: Catalogue;
  ask: Ruling;
  read: { position: Card; steps: Step[] };
  explain_event: Explained;
  written: { text: string };
}
export type AnswerOf<K extends string> = K extends keyof Answers ? Answers[K] : Answer;

/** A document of the protocol: its first key names its kind. */
// eslint-disable-next-line
export type Answer = any;

export type Value = string | number | boolean;
export type Args = { [name: string]: Value };

/** A move of a plan, or of a way to a position. */
export interface Move {
  action: string;
  args: Args;
  text: string;
  cites: string[];
}

/** What it costs to take something first, or to do without it, compared with the best. */
export interface Price {
  difference: number | null;
  status: string;
}

/** What is to be taken or to be held. */
export interface Objective {
  name: string;
  worth: string;
  holder: string | null;
  held: boolean;
  places: string[];
  first: Price | null;
  closed: Price | null;
}

/** A fact that would have to be another one. */
export interface Change {
  path: string[];
  to: Value;
  says: string;
  or?: Value[];
}
export interface Repair {
  changes: Change[];
  follows?: Change[];
}

/** A fault of the rules. */
export interface Finding {
  code: string;
  message: string;
  severity: string;
  cites: string[];
  suppressed?: string | null;
  witness?: { position?: string } | null;
}

/** What a search answers, each kind of question with some of it. */
export interface Searched {
  schema: string;
  /** Why it is left open. */
  reason?: string;
  verdict?: string;
  steps?: Move[];
  record?: Step[];
  objectives?: Objective[];
  winning?: { sets: { takes: string[] }[] } | null;
  repairs?: Repair[];
  places?: string[];
  findings?: Finding[];
  checked?: string[];
  report?: string;
}

/** Whether an event may happen. */
export interface Explained {
  allowed: boolean;
  requirements: { text: string; value: boolean; cites?: string[] }[];
}

/** What one side has of what an outcome needs. */
export interface Outcome {
  rule: string;
  side: string;
  level: string | null;
  status: "met" | "unmet" | "undefined" | "undeclared";
  have: number | null;
  need: number | null;
  short: number | null;
  cites: string[];
  /** When it is judged; empty: at once. */
  when: string;
  /** Whether what it asks for holds now, judged or not. */
  fulfilled: boolean;
  /** The count that says what the side has. */
  count: string | null;
  /** Whether several sides win it together. */
  together?: boolean;
  /** Of one that nobody wins: whether all lose by it. */
  all_lose?: boolean;
}

/** A table of the game: for each row and column the entries with their values. */
export interface Listed {
  title: string;
  head: string;
  columns: string[];
  rows: { [row: string]: { [column: string]: { [label: string]: Value } } };
  cites: string[];
}

/** The answer to `status`. */
export interface Status {
  status?: undefined;
  headline: string;
  winner: string | null;
  winners: string[];
  over: boolean;
  outcomes: Outcome[];
  observables: { [call: string]: Value | null };
  turn: Legal["turn"];
  remarks: string[];
  tables?: Listed[];
  not_judged: string[];
  assumptions: string[];
}

/** Why an event is refused. */
export interface Lack {
  text: string;
  cites: string[];
}

/** Numbers of an event, each with the ranges that it may lie in. */
export type Ranges = { [name: string]: [number, number][] };

/** An event that may happen now, or several that differ in numbers alone. */
export interface Allowed {
  actor: string | null;
  args: Args;
  numbers: Ranges;
  beyond?: string[];
  text: string;
  targets?: string[];
}

/** What may happen of a kind of event, and some of what may not. */
export interface Kind {
  name: string;
  forced: boolean;
  not_judged: string | null;
  cites: string[];
  allowed: Allowed[];
  left_out: number;
  refused: { args: Args; numbers: Ranges; lacks: Lack[] }[];
  more: number;
  targets?: string[];
}

/** The answer to `legal`. */
export interface Legal {
  turn: { [name: string]: string | number };
  events: Kind[];
  reason?: string;
}

/** The answer to `board`. */
export interface BoardShown {
  svg: string;
  places: { name: string; label: string; says: string }[];
  turns: number[];
  overlays: { name: string; says: string }[];
}

/** A fact that may be changed by hand. */
export interface Fact {
  name: string;
  about: string;
  says: string;
  value: Value | null;
  path: string[];
  values: Value[];
  here: Value[];
  least: number | null;
  most: number | null;
}

/** The answer to `place`. */
export interface PlaceFacts {
  place: string | null;
  label: string;
  says: string;
  facts: Fact[];
  here: Fact[];
  of_here: Fact[];
  elsewhere: Fact[];
}

/** The answer to `ask`, but for what only its report tells. */
export interface Ruling {
  reason?: string;
  text: string;
  report?: string;
  places: string[];
  readings: { changing: { readings: { [name: string]: string }; changes: boolean; refused: string; says: string[] }[]; complete: boolean };
}

/** The answer to `catalogue`. */
export interface Catalogue {
  games: { name: string; title: string | null; scenarios: { name: string; title: string }[]; broken: string[] }[];
  files: { path: string; title: string; game: string }[];
}

/** A Reading or an option, as a switch. */
export interface Switched {
  name: string;
  value: string;
  default: string;
  values: { value: string; text?: string }[];
  text: string;
  cites: string[];
}

/** What an event or a count is given. */
export interface Parameter {
  name: string;
  kind?: string;
  names?: string[];
  least?: number;
  most?: number;
  default: string | number | null;
}

/** What the rules say of a thing, with the clauses for it. */
export interface Said {
  name: string;
  text: string;
  cites: string[];
}

export interface Reading extends Said {
  value: string;
  default: string;
  values: { [value: string]: string };
  reason: string;
}

/** The answer to `rules`. */
export interface Rules {
  outcomes: (Said & { side: string; level: string | null })[];
  events: (Said & { arguments: Parameter[]; decided_by: string | null })[];
  observables: (Said & { arguments: Parameter[]; value?: { names?: string[] } })[];
  readings: Reading[];
  options: (Said & { value: string | number; default: string | number; values: (string | number)[] | { least: number; most: number; step: number } })[];
  clauses: { name: string; source: string | null; out_of_scope: string | null; cases: string[] }[];
  functions: Said[];
  rules: Said[];
  kinds: { name: string; members: string[]; groups: string[]; properties: string[] }[];
  metrics: Said[];
  moments: string[];
}

export interface Asking {
  /** Stops the question: what is known is the answer, where it comes at once; else it throws. */
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** Takes each better plan while the search goes on. */
  onBetter?: (plan: Answer, bound: number | null) => void;
  /** Takes each answer of questions that are asked together, by its place among them. */
  onPart?: (part: number, answer: Answer) => void;
}

/** What answers: the local server, or vclogic in a Worker. */
export interface Backend {
  about: About;
  /** The answer to a request. Throws `Refused` with the faults of a wrong one. */
  ask(request: Request, asking?: Asking): Promise<Answer>;
  /** Calls back when the files of rules or of the folder have changed, or, with a text, when something else is new. */
  onChange(listener: (news?: string) => void): () => void;
}

/** about.json, which stands beside the page. */
export interface About {
  backend: "server" | "worker";
  version: string;
  /** Whether there is a folder with files of one's own. */
  folder: boolean;
  /** What it cannot answer, in words. */
  lacks?: string[];
  /** The rulebooks that stand beside the page. */
  rulebooks?: { path: string; title: string }[];
}

/** What is asked: the kind of question, and its conditions. */
export interface Asked {
  kind: string;
  side: string;
  within: string;
  minimize: string;
  opponent: string;
  timeout: string;
  attack: string;
  defend: string;
}

/** Everything that the views show and change. What can be asked is not in it: see `useAnswer`. */
export interface State {
  position: Position | null;
  past: Position[];
  future: Position[];
  /** The place that is selected. */
  place: string | null;
  /** Another place, which what happens at the selected one is to lead to; what happens between them is chosen next. */
  target: string | null;
  /** Places that are marked because something rests on them. */
  marked: string[];
  /** The outcome that is looked at: what it depends on is drawn; or empty. */
  outcome: string;
  /** What is switched on to be drawn over the board of a game. */
  overlays: { game: string; names: string[] };
  /** An answer that is drawn over the board (a plan, a witness, a briefing, a ruling), and which of its
   *  moves (by the number of its turn, and by its line; all of them: -1), events of its record that are played then, and names in it. */
  shown: { answer: Searched; step: number | null; line: number; played: number; moved: string[] } | null;
  /** The text of the question, what is asked about it under which conditions, and whether it is to be asked at once. */
  question: string;
  asked: Asked;
  asking: boolean;
  /** The conditions of a card as they are typed; null: those that the position has. */
  conditions: string | null;
  /** Whether the page is embedded: nothing can be changed. */
  readOnly: boolean;
  /** What went wrong last, to be read by the person. */
  faults: Fault[];
}

/** What changes the state. Where `of` is given, it is about that position alone: it may have been left by now. */
export type Action =
  | { do: "open"; position: Position | null; question?: string; asked?: Partial<Asked>; asking?: boolean; conditions?: string | null }
  | { do: "steps"; steps: Step[]; of?: Position }
  | { do: "go"; at: number }
  | { do: "set"; name: string; value: string; of?: Position }
  | { do: "branch"; number: number; name?: string }
  | { do: "undo" }
  | { do: "redo" }
  | { do: "select"; place: string | null }
  | { do: "aim"; target: string; of?: Position | null }
  | { do: "overlays"; names: string[] }
  | { do: "mark"; places: string[]; outcome?: string; of?: Position | null }
  | { do: "show"; answer: Searched | null; step?: number | null; line?: number; played?: number; moved?: string[]; of?: Position | null }
  | { do: "question"; text?: string; asked?: Partial<Asked>; asking?: boolean }
  | { do: "conditions"; text: string | null }
  | { do: "fail"; faults: Fault[] };

/** What every view is given. */
export interface Props {
  /** The state that is shown. */
  state: State;
  /** The state as it is now: it may have changed since it was shown. */
  now: () => State;
  dispatch: (action: Action) => void;
  backend: Backend;
}

/** A part of the board, as the picture counts. */
export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}
export interface Point {
  x: number;
  y: number;
}
export interface Spot extends Point {
  name: string;
}

/** An entry of the legend. */
export interface Key {
  text: string;
  sign: SVGSVGElement | null;
  party: boolean;
}

/** A picture in the page: the part with places, the smallest letters of labels, where things are, how much larger labels may be. */
export interface Picture {
  whole: Box;
  letters: number;
  things: Box[];
  room: number;
  key: Key[];
  notes: string;
}

/** What is drawn, and of which game. */
export interface Drawing {
  picture: Picture;
  game: string;
}

/** What keys on the board do; `show` moves it so that a point is seen. */
export interface Can {
  zoom: (factor: number, at?: Point) => void;
  show: (at: Point) => void;
  slide: (direction: [number, number]) => void;
  select: (name: string | null) => void;
  all: () => void;
}

/** What pointers on the board do. */
export interface CanPoint {
  zoom: (factor: number, at: Point) => void;
  pan: (dx: number, dy: number) => void;
  select: (name: string | null) => void;
  carries: (name: string | null) => boolean;
  drop: (name: string | null) => void;
}

/** What is offered as one types; `then` is written after it. */
export interface Word {
  text: string;
  says: string;
  then?: string;
}
export interface Call {
  text: string;
  says: string;
  arguments: Pick<Parameter, "kind" | "names">[];
  values: string[];
}
/** What goals can count. */
export interface Counted {
  name: string;
  groups: string[];
}
export interface Vocabulary {
  words: Word[];
  calls: Map<string, Call>;
  kinds: Counted[];
}

/** An event of a kind. */
export interface Way {
  name: string;
  one: Allowed;
}

/** What a search has come to. */
export interface Found {
  answer: Searched | null;
  faults: Fault[];
  stopped: string;
}
export interface Run {
  control: AbortController;
  progress: Progress | null;
  best: Searched | null;
}

/** What a link holds. */
export interface Linked {
  position: Position;
  question: string;
  asked?: Partial<Asked>;
  conditions?: string | null;
  readOnly: boolean;
}

/** What one side has in the bar. */
export interface Score {
  side: string;
  have: number;
  need: number | null;
  enough: boolean;
}

/** What is moved by hand, and where it was. */
export interface Moving {
  fact: Fact;
  from: string | null;
  of: Position;
}

// What lines are made of: `python -m tests.rulebook.told_statements` writes it from the table.
export const LINES = [
  { text: "fact ", says: "What is remembered, and below it what changes it by itself." },
  { text: "secret ", says: "" },
  { text: "group ", says: "A name for some members of a kind." },
  { text: "table ", says: "Who wins what by a number or a ratio." },
  { text: "means ", says: "What a word means; an exception holds before what it excepts." },
  { text: "except ", says: "" },
  { text: "side wins ", says: "Who wins or loses what, when, and if what." },
  { text: "nobody wins ", says: "Who wins or loses what, when, and if what." },
  { text: "otherwise ", says: "" },
  { text: "instead of ", says: "Outcomes that do not count, of the game or of a rulebook that is included." },
  { text: "at once if ", says: "" },
  { text: "at the end of a turn if ", says: "" },
  { text: "at the end of a round if ", says: "" },
  { text: "at the end if ", says: "" },
  { text: "at the start of a round if ", says: "" },
  { text: "at the start of a turn if ", says: "" },
];

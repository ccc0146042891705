#!/bin/sh
# Guess: in json-rules-engine `any: []` is false, since none of nothing holds, as `all: []` is true; and an operator that starts with "not" or "doesNot"
#        is the opposite of the one without, of a fact that is not there, too.
# Seen:  `any: []` is true, within other conditions as well, and `not: {any: []}` is false: a rule whose alternatives are all taken away always
#        fires. Of a missing fact (with allowUndefinedFacts) `contains` and `doesNotContain` are both false, while `in` is false and `notIn` true.
#        Numbers as text are compared as numbers by `lessThan`, and never are `equal`. Not documented, neither the empty list nor the pairs.
# It matters to whoever makes conditions of victory by program: a list of places that has run empty is a victory.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-fund --no-audit 'json-rules-engine@7.3.1' >/dev/null
cat > seen.js <<'JS'
const { Engine } = require("json-rules-engine");

async function fires(conditions, facts) {
  const engine = new Engine([{ conditions, event: { type: "won" } }], { allowUndefinedFacts: true });
  return (await engine.run(facts)).events.length === 1;
}

async function main() {
  console.log("json-rules-engine", require("./node_modules/json-rules-engine/package.json").version);
  const many = { fact: "cities", operator: "greaterThan", value: 3 };
  for (const conditions of [{ any: [] }, { all: [] }, { not: { any: [] } }, { any: [many, { any: [] }] }, { all: [many, { any: [] }] }]) {
    console.log(JSON.stringify(conditions), await fires(conditions, { cities: 0 }));
  }
  for (const [operator, value] of [["in", [1]], ["notIn", [1]], ["contains", 1], ["doesNotContain", 1]]) {
    console.log("missing fact,", operator, await fires({ all: [{ fact: "held", operator, value }] }, {}));
  }
  for (const [operator, value] of [["lessThan", 5], ["equal", 3]]) {
    console.log('"3"', operator, value, await fires({ all: [{ fact: "held", operator, value }] }, { held: "3" }));
  }
}
main();
JS
node seen.js | tee out
cat > wanted <<'TEXT'
json-rules-engine 7.3.1
{"any":[]} true
{"all":[]} true
{"not":{"any":[]}} false
{"any":[{"fact":"cities","operator":"greaterThan","value":3},{"any":[]}]} true
{"all":[{"fact":"cities","operator":"greaterThan","value":3},{"any":[]}]} false
missing fact, in false
missing fact, notIn true
missing fact, contains false
missing fact, doesNotContain false
"3" lessThan 5 true
"3" equal 3 false
TEXT
diff "$folder/wanted" "$folder/out"

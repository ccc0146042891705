#!/bin/sh
# Guess: a JsonLogic rule gives the same in json-logic-js and in two Python libraries, where a value is missing too (nothing counts as 0 in `>` and
#        `<`, and as unlike 0 in `==`), and `%` has the sign of the first number.
# Seen:  one rule, three answers: `points < 1` without points is true in JavaScript and panzi-json-logic, false in json-logic-qubit; `points == 0` is
#        true in panzi-json-logic only; `points + 1` is null, 1 and an error. `-7 % 3` is -1 in JavaScript and 2 in both others. Of three numbers
#        `<` asks for a chain everywhere, but `>` of 3, 2, 5 looks at the first two in JavaScript (true), at all in panzi-json-logic (false), and is
#        an error in json-logic-qubit. panzi-json-logic documents one difference, in `substr`; json-logic-qubit "small differences" that it does
#        not name.
# It matters to whoever tests a victory condition in the browser and rules by it on a server in Python: the same position has two winners.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-fund --no-audit 'json-logic-js@2.0.5' >/dev/null
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check --target qubit 'json-logic-qubit==0.9.1'
venv/bin/pip install --quiet --disable-pip-version-check --target panzi 'panzi-json-logic==1.0.1'
cat > rules.json <<'JSON'
[[{"<": [{"var": "points"}, 1]}, {}],
 [{">": [{"var": "points"}, -1]}, {}],
 [{"==": [{"var": "points"}, 0]}, {}],
 [{"+": [{"var": "points"}, 1]}, {}],
 [{"filter": [{"var": "units"}, {"<": [{"var": "losses"}, 1]}]}, {"units": [{"losses": 2}, {}]}],
 [{"%": [-7, 3]}, {}],
 [{"<": [1, 2, 3]}, {}],
 [{">": [3, 2, 5]}, {}],
 [{"-": [9, 3, 2]}, {}]]
JSON
cat > seen.js <<'JS'
const logic = require("json-logic-js");
for (const [rule, values] of require("./rules.json")) console.log(JSON.stringify(logic.apply(rule, values)));
JS
cat > seen.py <<'PYTHON'
import json

from json_logic import jsonLogic

for rule, values in json.load(open("rules.json")):
    try:
        print(json.dumps(jsonLogic(rule, values), separators=(",", ":")))
    except Exception as error:
        print(type(error).__name__)
PYTHON
node seen.js > javascript
PYTHONPATH=qubit venv/bin/python seen.py > qubit.out
PYTHONPATH=panzi venv/bin/python seen.py > panzi.out
cat > told.py <<'PYTHON'
import json

print("json-logic-js 2.0.5, json-logic-qubit 0.9.1, panzi-json-logic 1.0.1")
for (rule, values), *seen in zip(json.load(open("rules.json")), open("javascript"), open("qubit.out"), open("panzi.out")):
    print(json.dumps(rule), json.dumps(values), *(answer.strip() for answer in seen), sep=" | ")
PYTHON
venv/bin/python told.py | tee out
cat > wanted <<'TEXT'
json-logic-js 2.0.5, json-logic-qubit 0.9.1, panzi-json-logic 1.0.1
{"<": [{"var": "points"}, 1]} | {} | true | false | true
{">": [{"var": "points"}, -1]} | {} | true | false | true
{"==": [{"var": "points"}, 0]} | {} | false | false | true
{"+": [{"var": "points"}, 1]} | {} | null | TypeError | 1
{"filter": [{"var": "units"}, {"<": [{"var": "losses"}, 1]}]} | {"units": [{"losses": 2}, {}]} | [{}] | [] | [{}]
{"%": [-7, 3]} | {} | -1 | 2 | 2
{"<": [1, 2, 3]} | {} | true | true | true
{">": [3, 2, 5]} | {} | true | TypeError | false
{"-": [9, 3, 2]} | {} | 6 | TypeError | 6
TEXT
diff wanted out

#!/bin/sh
# Guess: a wish of pysat's WCNF counts with its weight, however it comes into the formula: with a negative one the best plan is without it, and one of 0 may be
#        kept or not.
# Seen:  in python-sat 1.9.dev24 a wish given by append(clause, weight=-3) or extend is not counted: RC2 keeps both of two such wishes, where one was to be
#        kept, and tells of a cost of 0. The same formula read from text, or written to a file and read back, is right. With weight=0 the wish
#        becomes a rule that must hold: what contradicts such a wish of no worth is impossible; as text it is no rule. The page says that negative
#        weights are supported; an issue (pysathq/pysat 145) says that they are in files. Of 0 nothing was found.
# It matters to whoever reckons weights: losses as negative points are worth nothing, and what happens to be worth 0 is forced.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'python-sat==1.9.dev24'
cat > "$folder/seen.py" <<'PYTHON'
import sys
from importlib.metadata import version

from pysat.examples.rc2 import RC2
from pysat.formula import WCNF


def appended(rules, wishes):
    formula = WCNF()
    for clause in rules:
        formula.append(clause)
    for clause, weight in wishes:
        formula.append(clause, weight=weight)
    return formula


def extended(rules, wishes):
    formula = WCNF()
    formula.extend(rules)
    formula.extend([clause for clause, _ in wishes], weights=[weight for _, weight in wishes])
    return formula


def text(rules, wishes):
    lines = [("h", clause) for clause in rules] + [(weight, clause) for clause, weight in wishes]
    return WCNF(from_string="".join(f"{first} {' '.join(map(str, clause))} 0\n" for first, clause in lines))


def filed(rules, wishes):
    appended(rules, wishes).to_file(sys.argv[1])
    return WCNF(from_file=sys.argv[1])


print("python-sat", version("python-sat"))
for name, rules, wishes in (
    ("1 or 2; 1 for -3, 2 for -5", [[1, 2]], [([1], -3), ([2], -5)]),
    ("not 1; 1 for 0, 2 for 4", [[-1]], [([1], 0), ([2], 4)]),
):
    for make in (appended, extended, text, filed):
        search = RC2(make(rules, wishes))
        plan = search.compute()
        print(f"{name}, {make.__name__}: {plan}, cost {search.cost if plan else 'none'}")
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" "$folder/formula.wcnf" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
python-sat 1.9.dev24
1 or 2; 1 for -3, 2 for -5, appended: [1, 2], cost 0
1 or 2; 1 for -3, 2 for -5, extended: [1, 2], cost 0
1 or 2; 1 for -3, 2 for -5, text: [1, -2], cost 3
1 or 2; 1 for -3, 2 for -5, filed: [1, -2], cost 3
not 1; 1 for 0, 2 for 4, appended: None, cost none
not 1; 1 for 0, 2 for 4, extended: None, cost none
not 1; 1 for 0, 2 for 4, text: [-1, 2], cost 0
not 1; 1 for 0, 2 for 4, filed: None, cost none
TEXT
diff "$folder/wanted" "$folder/out"

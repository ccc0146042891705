#!/bin/sh
# Guess: in python-constraint2 `a * b * c <= 0.375`, or MaxProdConstraint(0.375), lets all chances through whose product is at most that; so do the exact and
#        the least product, whatever numbers the values are.
# Seen:  in python-constraint2 2.9.0 the largest product loses plans where values lie below 1: of the chances 0.5, 1 and one of 0.25, 0.5 and 0.75 none is
#        left, though 0.5 * 1 * 0.75 is 0.375. Of 8,232 such questions about three chances 202 lose plans, up to all of them; so do 1, 0 and 2 with
#        "at most 0". Where each of the three has a choice none is lost here, nor by "at least". Not documented; an example in the docstring has
#        negative numbers, so numbers below 1 are meant to work.
# It matters to whoever multiplies chances: a plan whose risk is small enough is not found, and "no solution" is taken for a proof.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'python-constraint2==2.9.0'
cat > "$folder/seen.py" <<'PYTHON'
from importlib.metadata import version
from itertools import combinations, product
from math import prod
from operator import ge, le

from constraint import MaxProdConstraint, MinProdConstraint, Problem

KINDS = {"<=": (MaxProdConstraint, le), ">=": (MinProdConstraint, ge)}


def asked(values, sign, bound):
    """How many plans there are in truth, by the class and by the text."""
    constraint, holds = KINDS[sign]
    problems = Problem(), Problem()
    for problem in problems:
        for name, domain in zip("abc", values):
            problem.addVariable(name, list(domain))
    problems[0].addConstraint(constraint(bound), list("abc"))
    problems[1].addConstraint(f"a * b * c {sign} {bound}")
    return sum(holds(prod(chosen), bound) for chosen in product(*values)), *(len(problem.getSolutions()) for problem in problems)


print("python-constraint2", version("python-constraint2"))
for values, bound in (([[0.5], [1.0], [0.25, 0.5, 0.75]], 0.375), ([[1], [0], [2]], 0), ([[0.25, 0.5]] * 3, 0.375), ([[1, 2, 3]] * 3, 6)):
    print(f"{values}, product <= {bound}: %d in truth, %d by class, %d by text" % asked(values, "<=", bound))
chances = [list(some) for size in (1, 2, 3) for some in combinations([0.25, 0.5, 0.75, 1.0], size)]
for sign in KINDS:
    lost = [values for values in product(chances, repeat=3) for bound in (0.25, 0.375, 0.5) if len(set(asked(values, sign, bound))) > 1]
    choices = sum(all(len(domain) > 1 for domain in values) for values in lost)
    print(f"product {sign}: of {3 * len(chances) ** 3} questions {len(lost)} lose plans, {choices} of them with a choice in all three places")
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
python-constraint2 2.9.0
[[0.5], [1.0], [0.25, 0.5, 0.75]], product <= 0.375: 3 in truth, 0 by class, 0 by text
[[1], [0], [2]], product <= 0: 1 in truth, 0 by class, 0 by text
[[0.25, 0.5], [0.25, 0.5], [0.25, 0.5]], product <= 0.375: 8 in truth, 8 by class, 8 by text
[[1, 2, 3], [1, 2, 3], [1, 2, 3]], product <= 6: 16 in truth, 16 by class, 16 by text
product <=: of 8232 questions 202 lose plans, 0 of them with a choice in all three places
product >=: of 8232 questions 0 lose plans, 0 of them with a choice in all three places
TEXT
diff "$folder/wanted" "$folder/out"

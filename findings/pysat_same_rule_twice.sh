#!/bin/sh
# Guess: And(a, b, c) and a & b & c of pysat.formula are one and the same condition, also where a program uses both; XOr and Equals likewise.
# Seen:  each of them alone is right. Where And(a, b, c) has been solved before, a & b & c binds nothing: all 8 assignments meet it, not 1. The same
#        holds of Or, Equals and XOr, in either order. Behind XOr(a, b, c) no assignment meets ~(a ^ b ^ c), and behind XOr(a, XOr(b, c)) none
#        meets ~XOr(a, b, c), where 4 should. After Formula.cleanup(), with all built anew, each is right. Documented is only that the two are
#        two objects, whose auxiliary variables may differ.
# It matters to whoever writes rules as formulas: the second rule with the same words is lost, or cannot be met, and no error tells of it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'python-sat==1.9.dev24'
cat > "$folder/seen.py" <<'PYTHON'
import itertools
from importlib.metadata import version

from pysat.formula import And, Atom, Equals, Formula, Or, XOr
from pysat.solvers import Solver


def met(rule):
    """Number of the 8 assignments of a, b and c that meet the rule, each asked of a new solver."""
    count = 0
    for values in itertools.product([False, True], repeat=3):
        told = [atom if value else ~atom for atom, value in zip(atoms, values)]
        with Solver(bootstrap_with=And(rule, *told)) as solver:
            count += solver.solve()
    return count


print("python-sat", version("python-sat"))
for name, make in {
    "And(a, b, c); a & b & c": lambda a, b, c: [And(a, b, c), a & b & c],
    "a & b & c; And(a, b, c)": lambda a, b, c: [a & b & c, And(a, b, c)],
    "Or(a, b, c); a | b | c": lambda a, b, c: [Or(a, b, c), a | b | c],
    "Equals(a, b, c); a @ b @ c": lambda a, b, c: [Equals(a, b, c), a @ b @ c],
    "XOr(a, b, c); a ^ b ^ c; ~(a ^ b ^ c)": lambda a, b, c: [XOr(a, b, c), a ^ b ^ c, ~(a ^ b ^ c)],
    "XOr(a, XOr(b, c)); XOr(a, b, c); ~XOr(a, b, c)": lambda a, b, c: [XOr(a, XOr(b, c)), XOr(a, b, c), ~XOr(a, b, c)],
}.items():
    alone = []
    for number in range(len(make(*map(Atom, "abc")))):
        Formula.cleanup()
        atoms = [Atom(letter) for letter in "abc"]
        alone.append(met(make(*atoms)[number]))
    Formula.cleanup()
    atoms = [Atom(letter) for letter in "abc"]
    rules = make(*atoms)
    print(f"{name}: alone {alone}, in turn {[met(rule) for rule in rules]}")
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
python-sat 1.9.dev24
And(a, b, c); a & b & c: alone [1, 1], in turn [1, 8]
a & b & c; And(a, b, c): alone [1, 1], in turn [1, 8]
Or(a, b, c); a | b | c: alone [7, 7], in turn [7, 8]
Equals(a, b, c); a @ b @ c: alone [2, 2], in turn [2, 8]
XOr(a, b, c); a ^ b ^ c; ~(a ^ b ^ c): alone [4, 4, 4], in turn [4, 8, 0]
XOr(a, XOr(b, c)); XOr(a, b, c); ~XOr(a, b, c): alone [4, 4, 4], in turn [4, 4, 0]
TEXT
diff "$folder/wanted" "$folder/out"

#!/bin/sh
# Guess: cvc5.pythonic, made to be used like z3's Python, means with a whole-number x and a fraction what z3 means: `x >= 0.5` asks for a whole number that is
#        at least a half, and `x * 0.5` is half of x.
# Seen:  z3 5.4.1 does; cvc5 1.4.2 cuts the fraction off to a whole number, without a word: `x >= 0.5` is `x >= 0`, `x == 1.5` is `x == 1`, `x * 0.5` is
#        `x * 0`, and `If(b, x, 0.5)` is 0 where b is false. Of a Real, or between two numbers of Python, fractions stay. z3 did the same until an issue of
#        2022 (Z3Prover/z3 6482). Not documented: the page of cvc5.pythonic aims at z3's interface, and its list of what is missing does not have this.
# It matters to whoever lets a second solver confirm a proof: half a point is a point to one of them, and none to the other.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'cvc5==1.4.2' 'z3-solver==5.4.1.0'
cat > "$folder/seen.py" <<'PYTHON'
from importlib.metadata import version

import cvc5.pythonic
import z3

for name, solver in (("z3-solver", z3), ("cvc5", cvc5.pythonic)):
    print(name, version(name))
    x, real, b = solver.Int("x"), solver.Real("real"), solver.Bool("b")
    for text, asked in (
        ("x >= 0.5 and x < 1", solver.And(x >= 0.5, x < 1)),
        ("x == 1.5", x == 1.5),
        ("x == 10 and x * 0.5 >= 3", solver.And(x == 10, x * 0.5 >= 3)),
        ("not b and If(b, x, 0.5) == 0", solver.And(solver.Not(b), solver.If(b, x, 0.5) == 0)),
        ("real >= 0.5 and real < 1", solver.And(real >= 0.5, real < 1)),
        ("real == 10 and real * 0.5 >= 3", solver.And(real == 10, real * 0.5 >= 3)),
    ):
        question = solver.Solver()
        question.add(asked)
        print(f"  {text}: {question.check()}")
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
z3-solver 5.4.1.0
  x >= 0.5 and x < 1: unsat
  x == 1.5: unsat
  x == 10 and x * 0.5 >= 3: sat
  not b and If(b, x, 0.5) == 0: unsat
  real >= 0.5 and real < 1: sat
  real == 10 and real * 0.5 >= 3: sat
cvc5 1.4.2
  x >= 0.5 and x < 1: sat
  x == 1.5: sat
  x == 10 and x * 0.5 >= 3: unsat
  not b and If(b, x, 0.5) == 0: sat
  real >= 0.5 and real < 1: sat
  real == 10 and real * 0.5 >= 3: sat
TEXT
diff "$folder/wanted" "$folder/out"

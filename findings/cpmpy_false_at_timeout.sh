#!/bin/sh
# Guess: solve(time_limit=...) of CPMpy gives something else where time ran out than where the model has no solution: an error, or None.
# Seen:  CPMpy 1.1.1 gives False for both, with OR-tools and with z3. Only model.status() knows: UNKNOWN against UNSATISFIABLE. That False means "no solution
#        found" is in the docstring. `if not model.solve(time_limit=10): print("impossible")` is a proof that was never made.
# It matters to whoever asks whether a goal can be reached: a slow machine makes it impossible.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'cpmpy==1.1.1' 'ortools==9.15.6755' 'z3-solver==4.15.4.0'
cat > "$folder/seen.py" <<'PYTHON'
import random

import cpmpy

print("cpmpy", cpmpy.__version__)
random.seed(1)
weights = [random.randint(10**8, 10**9) for _ in range(60)]
for solver in ("ortools", "z3"):
    chosen = cpmpy.boolvar(shape=60)
    hard = cpmpy.Model(cpmpy.sum([w * x for w, x in zip(weights, chosen)]) == sum(weights) // 2 + 1)
    found = hard.solve(solver=solver, time_limit=0.5)
    print(f"{solver}, time runs out: {found}, {hard.status().exitstatus.name}")
    number = cpmpy.intvar(0, 5)
    none = cpmpy.Model(number > 5)
    found = none.solve(solver=solver, time_limit=0.5)
    print(f"{solver}, no solution: {found}, {none.status().exitstatus.name}")
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
cpmpy 1.1.1
ortools, time runs out: False, UNKNOWN
ortools, no solution: False, UNSATISFIABLE
z3, time runs out: False, UNKNOWN
z3, no solution: False, UNSATISFIABLE
TEXT
diff "$folder/wanted" "$folder/out"

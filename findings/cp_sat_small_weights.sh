#!/bin/sh
# Guess: CP-SAT with an objective of 1,000,000 a city and 0.00001 a town chooses the town too, where it costs nothing; so it does with 0.00001 a town alone.
# Seen:  OR-tools 9.15 answers OPTIMAL without the town, and its own bound is larger than what it gives. A plan within 0.0001 of the bound is optimal to it:
#        absolute_gap_limit has that value unless it is set, however small the objective is. With 0 the town is chosen, and with whole numbers (10^11
#        and 1). The parameter is documented beside its value in sat_parameters.proto; in the pages about objectives it is not.
# It matters to whoever breaks ties by a small weight ("then as many towns as can be"), or counts in shares: the second wish is not heard.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'ortools==9.15.6755'
cat > "$folder/seen.py" <<'PYTHON'
import ortools
from ortools.sat.python import cp_model

print("ortools", ortools.__version__)
for city, town, gap in ((1e6, 1e-3, None), (1e6, 1e-5, None), (0, 1e-5, None), (1e6, 1e-5, 0.0), (10**11, 1, None)):
    model = cp_model.CpModel()
    cities, towns = model.new_int_var(0, 7, "cities"), model.new_int_var(0, 1, "towns")
    model.maximize(city * cities + town * towns)
    solver = cp_model.CpSolver()
    if gap is not None:
        solver.parameters.absolute_gap_limit = gap
    status = solver.status_name(solver.solve(model))
    print(f"{city:.0f} a city, {town} a town{'' if gap is None else ', gap 0'}: {status}, towns {solver.value(towns)}")
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
ortools 9.15.6755
1000000 a city, 0.001 a town: OPTIMAL, towns 1
1000000 a city, 1e-05 a town: OPTIMAL, towns 0
0 a city, 1e-05 a town: OPTIMAL, towns 0
1000000 a city, 1e-05 a town, gap 0: OPTIMAL, towns 1
100000000000 a city, 1 a town: OPTIMAL, towns 1
TEXT
diff "$folder/wanted" "$folder/out"

#!/bin/sh
# Guess: pytoulbar2.CFN(5) looks for plans that cost 5 at the most, and costs with a decimal are costs with a decimal.
# Seen:  pytoulbar2 1.4.0.1 wants less than the number given: where the cheapest plan costs 5, CFN(5) has no solution and CFN(6) has one of 5. And unless
#        `resolution` is set, costs are whole numbers: of 0.6 and 0.4 the first is taken, at a cost of 0. With resolution=1 0.4 is found, and
#        0.64 and 0.61 are alike. The docstring calls the number "initial upper bound" and resolution "decimal precision of costs", and no more.
# It matters to whoever asks "can it be done with 5?": the answer is no, and it is proved; and to whoever counts losses in tenths.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'pytoulbar2==1.4.0.1'
cat > "$folder/seen.py" <<'PYTHON'
from importlib.metadata import version

import pytoulbar2


def cheapest(most, costs, **options):
    network = pytoulbar2.CFN(most, **options)
    network.AddVariable("plan", [0, 1])
    network.AddFunction(["plan"], costs)
    found = network.Solve()
    return "no solution" if found is None else f"plan {found[0][0]} at {found[1]}"


print("pytoulbar2", version("pytoulbar2"))
print("costs 5 and 7, CFN(5):", cheapest(5, [5, 7]))
print("costs 5 and 7, CFN(6):", cheapest(6, [5, 7]))
print("costs 0.6 and 0.4:", cheapest(100, [0.6, 0.4]))
print("costs 0.6 and 0.4, resolution 1:", cheapest(100, [0.6, 0.4], resolution=1))
print("costs 0.64 and 0.61, resolution 1:", cheapest(100, [0.64, 0.61], resolution=1))
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
pytoulbar2 1.4.0.1
costs 5 and 7, CFN(5): no solution
costs 5 and 7, CFN(6): plan 0 at 5.0
costs 0.6 and 0.4: plan 0 at 0.0
costs 0.6 and 0.4, resolution 1: plan 1 at 0.4
costs 0.64 and 0.61, resolution 1: plan 0 at 0.6
TEXT
diff "$folder/wanted" "$folder/out"

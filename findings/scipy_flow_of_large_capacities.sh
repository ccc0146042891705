#!/bin/sh
# Guess: scipy.sparse.csgraph.maximum_flow takes capacities of whole numbers of any size that its array holds (64 bits), or raises an error.
# Seen:  capacities are cut to 32 bits in scipy 1.17.1: of two roads in a row that carry 2^31 + 5 each the flow is 0, and of 2^32 + 5 it is 5, without a
#        word. 2^31 - 1 is right, and sums of flows over 2^31 are right, so only the single capacity must be small. The documentation asks for whole
#        numbers, shows int32 in its examples, and says nothing of 64 bits.
# It matters to whoever gives "no limit" to a road as a large number: supply is cut off there.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'scipy==1.17.1' 'numpy==2.4.0'
cat > "$folder/seen.py" <<'PYTHON'
from importlib.metadata import version

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

print("scipy", version("scipy"))
for name, each in (("2^31 - 1", 2**31 - 1), ("2^31 + 5", 2**31 + 5), ("2^32 + 5", 2**32 + 5), ("10^10", 10**10)):
    roads = np.zeros((3, 3), dtype=np.int64)
    roads[0, 1] = roads[1, 2] = each
    print(f"{name} each: flow", int(maximum_flow(csr_array(roads), 0, 2).flow_value))
three = np.zeros((5, 5), dtype=np.int64)
three[0, 1:4] = three[1:4, 4] = 2**30
print("three ways of 2^30: flow", int(maximum_flow(csr_array(three), 0, 4).flow_value))
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
scipy 1.17.1
2^31 - 1 each: flow 2147483647
2^31 + 5 each: flow 0
2^32 + 5 each: flow 5
10^10 each: flow 1410065408
three ways of 2^30: flow 3221225472
TEXT
diff "$folder/wanted" "$folder/out"

#!/bin/sh
# Guess: in dyce no dice at all add up to a certain 0, as in icepool; so the hits of as many dice as another die says (expand, or a pool that may be empty)
#        come with their true chances.
# Seen:  in dyce 0.7.0 `0 @ H(6)` is H({}), which has no outcome, and so is H({}) + 1. Of a die of three sides less one, thrown as so many dice that hit on 5
#        and 6, expand leaves out the third of all cases in which no die is thrown: "no hit" is 5/9 where it is 19/27, and the mean 1/2 where it
#        is 1/3. icepool 2.1.3 has 19/27 and 1/3. That H({}) takes a case out of expand is documented; that no dice are H({}) is not.
# It matters to whoever reckons battles whose last dice may be gone: the attacker who has nothing left is the one who is not counted.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'dyce==0.7.0' 'icepool==2.1.3'
cat > "$folder/seen.py" <<'PYTHON'
import warnings
from fractions import Fraction
from importlib.metadata import version

import icepool
from dyce import H, expand

warnings.simplefilter("ignore")
print("dyce", version("dyce"))
print("no dice:", 0 @ H(6), "and 1 more:", (0 @ H(6)) + 1)
hit = H({0: 2, 1: 1})
hits = expand(lambda thrown: (thrown.outcome - 1) @ hit, H(3))
print("no hit:", Fraction(hits[0], hits.total), "mean:", sum(Fraction(count * hit, hits.total) for hit, count in hits.items()))
print("icepool", version("icepool"))
print("no dice:", dict(0 @ icepool.d6))
hits = (icepool.d(3) - 1) @ icepool.coin(1, 3)
print("no hit:", hits.probability("==", 0), "mean:", hits.mean())
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" 2>/dev/null | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
dyce 0.7.0
no dice: H({}) and 1 more: H({})
no hit: 5/9 mean: 1/2
icepool 2.1.3
no dice: {0: 1}
no hit: 19/27 mean: 1/3
TEXT
diff "$folder/wanted" "$folder/out"

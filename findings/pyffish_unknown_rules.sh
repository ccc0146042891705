#!/bin/sh
# Guess: load_variant_config of pyffish refuses a rule that it does not know, or a value that is none of the rule's; and "extinctionPieceTypes = pn" means that
#        a side has lost once it has neither pawns nor knights.
# Seen:  pyffish 0.0.90 drops both without a word on either stream: with "extinctionvalue" for "extinctionValue", or "defeat" for "loss", the variant is there
#        and the game has no such end. The list of kinds is met when any one of them is gone: with knights left and no pawns the side has lost. The
#        engine that it is made of has a command "check" that tells of unknown rules; that the library does not is not documented. The comment
#        on the list says "for extinction rules", and not whether any or all.
# It matters to whoever writes goals for it: a slip of the pen is a game that goes on, and a list of goals is met too early.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'pyffish==0.0.90'
cat > "$folder/seen.py" <<'PYTHON'
from importlib.metadata import version

import pyffish

print("pyffish", version("pyffish"))
pyffish.load_variant_config("""
[meant:chess]
extinctionPieceTypes = p
extinctionValue = loss

[name:chess]
extinctionPieceTypes = p
extinctionvalue = loss

[value:chess]
extinctionPieceTypes = p
extinctionValue = defeat

[unknown:chess]
extinctionPieceTypes = p
extinctionValue = loss
turnsToWin = 3

[two:chess]
extinctionPieceTypes = pn
extinctionValue = loss
""")
WHITE = "/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"
for variant in ("meant", "name", "value", "unknown", "two"):
    print(f"{variant}: known {variant in pyffish.variants()},", end=" ")
    for name, row in (("neither pawn nor knight", "4k3/8"), ("a knight", "4k1n1/8"), ("a pawn", "4k3/p7"), ("both", "4k1n1/p7")):
        print(f"{name} {'over' if pyffish.is_immediate_game_end(variant, row + WHITE, [])[0] else 'goes on'}", end=", " if name != "both" else "\n")
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" 2>&1 | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
pyffish 0.0.90
meant: known True, neither pawn nor knight over, a knight over, a pawn goes on, both goes on
name: known True, neither pawn nor knight goes on, a knight goes on, a pawn goes on, both goes on
value: known True, neither pawn nor knight goes on, a knight goes on, a pawn goes on, both goes on
unknown: known True, neither pawn nor knight over, a knight over, a pawn goes on, both goes on
two: known True, neither pawn nor knight over, a knight over, a pawn over, both goes on
TEXT
diff "$folder/wanted" "$folder/out"

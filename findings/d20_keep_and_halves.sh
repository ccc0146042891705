#!/bin/sh
# Guess: in d20, a library for dice in chat, 4d6k3 keeps the best three of four, as tables of players have it; and -7/2 is what -7//2 is.
# Seen:  in d20 1.1.2 k3 keeps the dice that show a 3: of four dice with one side it keeps none, for a total of 0, without a word. kh3 keeps the best
#        three. `/` is with fractions and the total is cut towards nought at the very end, so -7/2 is -3, -7//2 is -4, and 1/2 + 1/2 is 1. That a bare
#        number selects by value is documented; what is done with halves is not.
# It matters to whoever takes over throws from another tool: a strong throw is worth what its threes are worth.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'd20==1.1.2'
cat > "$folder/seen.py" <<'PYTHON'
from importlib.metadata import version

import d20

print("d20", version("d20"))
for text in ("4d1k3", "4d1kh3", "4d1k1", "7/2", "-7/2", "-7//2", "1/2+1/2", "1//2+1//2"):
    print(f"{text}: {d20.roll(text).total}")
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
d20 1.1.2
4d1k3: 0
4d1kh3: 3
4d1k1: 4
7/2: 3
-7/2: -3
-7//2: -4
1/2+1/2: 1
1//2+1//2: 0
TEXT
diff "$folder/wanted" "$folder/out"

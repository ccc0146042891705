#!/bin/sh
# Guess: dice.roll_min and dice.roll_max give the least and the most that a throw can bring: of "10 - 1d6" 4 and 9, of "2d6 - 2d6" -10 and 10.
# Seen:  dice 4.0.0 puts 1 on every die for the least and all sides for the most, also for dice that are taken away: the "least" of 10 - 1d6 is 9 and the
#        "most" 4, and 2d6 - 2d6 is 0 and 0. The docstrings say "the minimum of a dice expression" and "the maximum".
# It matters to whoever tells players what a battle can cost at the worst: attacker less defender is told as even.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'dice==4.0.0' 'docopt==0.6.2'
cat > "$folder/seen.py" <<'PYTHON'
from importlib.metadata import version

import dice

print("dice", version("dice"))
for text in ("10-1d6", "2d6-2d6", "2d6-1d4", "12/1d6", "2d6+3"):
    print(f"{text}: least {int(dice.roll_min(text))}, most {int(dice.roll_max(text))}")
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
dice 4.0.0
10-1d6: least 9, most 4
2d6-2d6: least 0, most 0
2d6-1d4: least 1, most 8
12/1d6: least 12, most 2
2d6+3: least 5, most 15
TEXT
diff "$folder/wanted" "$folder/out"

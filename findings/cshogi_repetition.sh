#!/bin/sh
# Guess: Board.is_draw() of cshogi says REPETITION_DRAW when a position stands for the fourth time, as the rule of shogi is and as
#        Board.is_fourfold_repetition() of python-shogi does; so a game can be ended by it.
# Seen:  cshogi 1.1.0 says so the second time, eight moves earlier, and goes on saying so; the other says it at the fourth. Its docstring speaks of
#        "a repeated position" and gives no number. The tool for matches in the same package counts the positions itself.
# It matters to whoever judges games by it: a game that both sides go on to win is a draw.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'cshogi==1.1.0' 'python-shogi==1.1.1'
cat > "$folder/seen.py" <<'PYTHON'
from importlib.metadata import version

import cshogi
import shogi

print("cshogi", version("cshogi"), "python-shogi", version("python-shogi"))
one, other, standing = cshogi.Board(), shogi.Board(), 1
for move in ["2h3h", "8b7b", "3h2h", "7b8b"] * 3:
    one.push_usi(move)
    other.push_usi(shogi.Move.from_usi(move).usi())
    if move == "7b8b":
        standing += 1
        print(f"standing {standing}: {one.is_draw() == cshogi.REPETITION_DRAW}, {other.is_fourfold_repetition()}")
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
cshogi 1.1.0 python-shogi 1.1.1
standing 2: True, False
standing 3: True, False
standing 4: True, True
TEXT
diff "$folder/wanted" "$folder/out"

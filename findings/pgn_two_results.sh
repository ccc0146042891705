#!/bin/sh
# Guess: a game in PGN whose header says 1-0 and whose moves end in 0-1 is an error to a reader, or read with a note; the more so where the moves end in mate.
# Seen:  python-chess 1.11.2 takes the header's word and drops the other one, with no entry in `errors`: [Result "1-0"] with Black's mate and 0-1 behind the
#        moves is read as 1-0 and written again as 1-0 in both places, so the other result is gone. Only without a header, or with * there, does the
#        end of the moves count. The board's own outcome is 0-1. Its documentation of errors speaks of moves; which result counts is not documented.
# It matters to whoever counts who has won from records: the line at the head, often typed by hand, beats the game.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'chess==1.11.2'
cat > "$folder/seen.py" <<'PYTHON'
import io

import chess
import chess.pgn

print("chess", chess.__version__)
mate = "1. f3 e5 2. g4 Qh4#"
for name, text in {
    "header 1-0, moves end in 0-1": f'[Result "1-0"]\n\n{mate} 0-1\n',
    "header *, moves end in 0-1": f'[Result "*"]\n\n{mate} 0-1\n',
    "header 1-0, moves end in *": f'[Result "1-0"]\n\n{mate} *\n',
    "no header, moves end in 0-1": f"{mate} 0-1\n",
}.items():
    game = chess.pgn.read_game(io.StringIO(text))
    print(f"{name}: {game.headers['Result']}, errors {len(game.errors)}, written again {str(game).split()[-1]}, board {game.end().board().result()}")
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
chess 1.11.2
header 1-0, moves end in 0-1: 1-0, errors 0, written again 1-0, board 0-1
header *, moves end in 0-1: 0-1, errors 0, written again 0-1, board 0-1
header 1-0, moves end in *: 1-0, errors 0, written again 1-0, board 0-1
no header, moves end in 0-1: 0-1, errors 0, written again 0-1, board 0-1
TEXT
diff "$folder/wanted" "$folder/out"

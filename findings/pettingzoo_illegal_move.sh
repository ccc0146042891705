#!/bin/sh
# Guess: in PettingZoo's connect_four and tictactoe a player whose move is illegal has lost, and the other one has won: -1 and +1, as after four in a row.
# Seen:  in PettingZoo 1.27.0 the game ends with -1 and 0: one has lost and nobody has won. The pages of the games say so, in a line for each; the line that is
#        printed speaks only of the player who loses.
# It matters to whoever counts victories from rewards: a match in which one side breaks the rules has a loser, and its opponent a draw.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'pettingzoo[classic]==1.27.0'
cat > "$folder/seen.py" <<'PYTHON'
from importlib.metadata import version

from pettingzoo.classic import connect_four_v3, tictactoe_v3

print("pettingzoo", version("pettingzoo"))
for name, game, moves in (
    ("connect_four, four in a row", connect_four_v3, [0, 1, 0, 1, 0, 1, 0]),
    ("connect_four, illegal move", connect_four_v3, [0, 0, 0, 0, 0, 0, 0]),
    ("tictactoe, three in a row", tictactoe_v3, [0, 1, 3, 2, 6]),
    ("tictactoe, illegal move", tictactoe_v3, [0, 0]),
):
    env = game.env()
    env.reset(seed=1)
    for move in moves:
        env.step(move)
    print(f"{name}: rewards {sorted(int(reward) for reward in env.rewards.values())}, over {all(env.terminations.values())}")
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" 2>/dev/null | grep -v -e WARNING -e "^obs" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
pettingzoo 1.27.0
connect_four, four in a row: rewards [-1, 1], over True
connect_four, illegal move: rewards [-1, 0], over True
tictactoe, three in a row: rewards [-1, 1], over True
tictactoe, illegal move: rewards [-1, 0], over True
TEXT
diff "$folder/wanted" "$folder/out"

#!/bin/sh
# Guess: the search of mcts (pip), offered for any perfect information domain with noughts and crosses as its example, lets each side choose what is best for
#        itself, whoever is to move at the start.
# Seen:  mcts 1.0.4, the version that pip gets, asks nowhere whose turn it is: both sides choose what gives the first the most. On a board where one side wins
#        with one move it leaves that open, in 20 searches of 20, and where it is the second side's turn it chooses the move that loses at once. The fix
#        (State.getCurrentPlayer, pbsinclair42/MCTS 10, of 2020) is in the repository and in no release; the page of the package does not name it.
# It matters to whoever measures objectives by such a bot: every plan that needs the enemy's help looks won.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'mcts==1.0.4'
cat > "$folder/seen.py" <<'PYTHON'
import random
from importlib.metadata import version

from mcts import mcts

# What each pair of moves is worth to the first side: an attack may win, if the enemy lets it, and loses otherwise.
WORTH = {("attack", "flees"): 1, ("attack", "strikes back"): -1, ("hold", "flees"): 0, ("hold", "strikes back"): 0}


class State:
    def __init__(self, moves=(), player=1):
        self.moves, self.player = moves, player

    def getCurrentPlayer(self):
        return self.player

    def getPossibleActions(self):
        return ["flees", "strikes back"] if self.moves else ["attack", "hold"]

    def takeAction(self, action):
        return State((*self.moves, action), -self.player)

    def isTerminal(self):
        return len(self.moves) == 2

    def getReward(self):
        return WORTH[self.moves]


print("mcts", version("mcts"))
random.seed(1)
first = [mcts(iterationLimit=500).search(initialState=State()) for _ in range(20)]
second = [mcts(iterationLimit=500).search(initialState=State(("attack",), -1)) for _ in range(20)]
print("the first side, for whom holding is best:", {move: first.count(move) for move in sorted(set(first))})
print("the second side, attacked, for whom striking back is best:", {move: second.count(move) for move in sorted(set(second))})
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
mcts 1.0.4
the first side, for whom holding is best: {'attack': 20}
the second side, attacked, for whom striking back is best: {'flees': 20}
TEXT
diff "$folder/wanted" "$folder/out"

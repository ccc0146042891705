#!/bin/sh
# Guess: value_iteration of OpenSpiel solves games with turns of all players at once after `pip install open_spiel`; or, as its
#        error says, once cvxpy is there too, for the solver that it asks for comes with cvxpy.
# Seen:  the package does not ask for cvxpy, so the import of value_iteration fails, of games without such turns, too. With
#        cvxpy 1.9.3 it is imported, and the first such turn ends as TypeError: 'NoneType' object is not subscriptable, after
#        a printed line: lp_solver.py names ECOS, which cvxpy brings along no more since 1.6, and gives None where a solver
#        is missing. With ecos beside it the game is solved. Not documented.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
add() { "$dir/venv/bin/pip" install --quiet --disable-pip-version-check "$@"; }
try() {
    "$dir/venv/bin/python" - "$1" <<'PY'
import sys

import pyspiel

try:
    from open_spiel.python.algorithms import value_iteration

    found = str(len(value_iteration.value_iteration(pyspiel.load_game("oshi_zumo(coins=3,size=1,horizon=3)"), -1, 1e-6)))
except Exception as error:
    found = f"{type(error).__name__}: {error}"
print(found)
assert found.startswith(sys.argv[1]), found
PY
}
add 'open_spiel==2.0.2'
echo "open_spiel 2.0.2:"
try "ModuleNotFoundError: No module named 'cvxpy'"
add 'cvxpy==1.9.3'
echo "with cvxpy 1.9.3:"
try "TypeError: 'NoneType' object is not subscriptable"
add 'ecos==2.0.14'
echo "with ecos 2.0.14:"
try "34"

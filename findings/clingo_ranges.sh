#!/bin/sh
# Guess: in clingo `X != 1..3` means that X lies outside of 1 to 3, and `X > 1..3` that it lies beyond all of it; `not X = 1..3` is the opposite
#        of `X = 1..3`.
# Seen:  a comparison with a range holds if it holds for some number of it, in clingo 5.8.3. `X = 1..3` is right for that reason. `X != 1..3` is true of
#        every number (of 1, since 1 is not 2), `not X = 1..3` too, `X > 1..3` of all from 2 on; "a count that is not 5..7"
#        is true of every count. A helper, `area(1..3)` and `not area(X)`, says what is meant. The guide has ranges in facts and on the right of `=`; no
#        word on other comparisons was found.
# It matters to whoever writes "outside of the area", "not in turns 1 to 3": the condition always holds.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'clingo==5.8.3'
cat > "$folder/seen.py" <<'PYTHON'
import clingo


def holds(condition):
    control = clingo.Control()
    control.add("base", [], "number(0..5). number(6). shown(X) :- number(X), " + condition + ". #show shown/1.")
    control.ground([("base", [])])
    found = []
    control.solve(on_model=lambda model: found.extend(sorted(atom.arguments[0].number for atom in model.symbols(shown=True))))
    return found


print("clingo", clingo.__version__)
for condition in ("X = 1..3", "X != 1..3", "not X = 1..3", "X > 1..3", "X < 1..3", "#count { Y : number(Y), Y < X } != 5..7"):
    print(f"{condition}: {holds(condition)}")
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
clingo 5.8.3
X = 1..3: [1, 2, 3]
X != 1..3: [0, 1, 2, 3, 4, 5, 6]
not X = 1..3: [0, 1, 2, 3, 4, 5, 6]
X > 1..3: [2, 3, 4, 5, 6]
X < 1..3: [0, 1, 2]
#count { Y : number(Y), Y < X } != 5..7: [0, 1, 2, 3, 4, 5, 6]
TEXT
diff "$folder/wanted" "$folder/out"

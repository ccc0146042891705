#!/bin/sh
# Guess: Optimize of z3 with two objectives one after the other gives the second at its best, also where the first has no bound; and `<=` and maximize
#        of a bit-vector mean the same order.
# Seen:  with z3 5.4.1 "most x, then most y" with y at most 5 is sat, x has no bound ("oo"), and y is 0 in the model and in the objective's value; y alone, or first,
#        is 5. For a bit-vector of 8 bits `x <= 5` is with signs and maximize is without: the most x at most 5 is 255. Unsigned objectives are
#        documented with bit-vectors; that an unbounded objective ends the list is not.
# It matters to whoever ranks wishes: one that has no end is told as such, and all the others as if nothing could be had.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'z3-solver==5.4.1.0'
cat > "$folder/seen.py" <<'PYTHON'
import z3

print("z3", z3.get_version_string())


def asked(*names):
    optimize, values = z3.Optimize(), {"x": z3.Int("x"), "y": z3.Int("y")}
    optimize.add(values["x"] >= 0, values["y"] >= 0, values["y"] <= 5)
    handles = {name: optimize.maximize(values[name]) for name in names}
    answer = optimize.check()
    return f"{answer}, {', '.join(f'{name} {handle.value()}' for name, handle in handles.items())}, model y = {optimize.model()[values['y']]}"


print("most y:", asked("y"))
print("most y, then most x:", asked("y", "x"))
print("most x, then most y:", asked("x", "y"))
optimize, bits = z3.Optimize(), z3.BitVec("bits", 8)
optimize.add(bits <= 5)
most = optimize.maximize(bits)
print("bits <= 5, most bits:", optimize.check(), most.value())
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
z3 5.4.1
most y: sat, y 5, model y = 5
most y, then most x: sat, y 5, x oo, model y = 5
most x, then most y: sat, x oo, y 0, model y = 0
bits <= 5, most bits: sat 255
TEXT
diff "$folder/wanted" "$folder/out"

#!/bin/sh
# Guess: whole numbers of clingo are of any size; or what does not fit is an error or "undefined", as 1/0 is, which drops the rule with a note.
# Seen:  numbers are of 32 bits in clingo 5.8.3, and wrap around: 2147483647+1 is -2147483648, 65536*65536 is 0, 3000000000 as written in the text is
#        -1294967296, and two facts worth 2,000,000,000 each add up to -294967296 in #sum, without a note, while the same #sum is "at least
#        1,000,000,000". A sum of atoms that are still open is an error. Called intended by its makers in an issue (potassco/clingo 89); not found in the guide.
# It matters to whoever has points, money or weights beyond two thousand millions, or multiplies two numbers: "at least" turns into "less than".
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'clingo==5.8.3'
cat > "$folder/seen.py" <<'PYTHON'
import clingo

notes = []
control = clingo.Control(logger=lambda code, text: notes.append(code.name))
control.add("base", [], """
plus(2147483647 + 1).  times(65536 * 65536).  written(3000000000).  power(2**31).
sum(S) :- S = #sum { 2000000000,red; 2000000000,blue }.
rich :- #sum { 2000000000,red; 2000000000,blue } >= 1000000000.
""")
control.ground([("base", [])])
print("clingo", clingo.__version__)
control.solve(on_model=lambda model: print(*sorted(map(str, model.symbols(shown=True)))))
print("notes:", notes)
control = clingo.Control(logger=lambda code, text: notes.append(code.name))
control.add("base", [], "{ red; blue }.  rich :- #sum { 2000000000,red : red; 2000000000,blue : blue } >= 1000000000.")
try:
    control.ground([("base", [])])
    print(control.solve())
except RuntimeError as error:
    print("open atoms: RuntimeError,", str(error).rsplit(": ", 1)[0].rsplit("@", 1)[-1].split(": ", 1)[-1])
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
clingo 5.8.3
plus(-2147483648) power(-2147483648) rich sum(-294967296) times(0) written(-1294967296)
notes: []
open atoms: RuntimeError, Value too large for defined data type
TEXT
diff "$folder/wanted" "$folder/out"

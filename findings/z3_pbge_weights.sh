#!/bin/sh
# Guess: a weight of a pseudo-Boolean atom of z3's SMT-LIB dialect, ((_ pbge BOUND WEIGHT ...) ...), is a whole number of any
#        size, as numerals of SMT-LIB are, or is refused with an error.
# Seen:  from 2^31 up to 2^32 - 1 weights and bounds come in less 2^32, as negative numbers, without a word: 3000000000*a is
#        read as -1294967296*a, so "3000000000*a + b >= 1, and not b" is unsatisfiable. 2^31 - 1 is read as written. From 2^32
#        on weights are right again, which makes tests with powers of ten miss it. Not documented.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check 'z3-solver==5.4.1.0'
"$dir/venv/bin/python" - <<'PY'
import z3

print("z3", z3.get_version_string())
wrong = []
for weight in (2**31 - 1, 2**31, 3_000_000_000, 2**32 - 1, 2**32, 10**18):
    solver = z3.Solver()
    solver.from_string(
        "(declare-const a Bool) (declare-const b Bool)"
        f"(assert ((_ pbge 1 {weight} 1) a b)) (assert (not b))"
    )
    found = solver.check()  # a alone is worth enough
    print(f"{weight} * a + b >= 1, not b: {found}")
    if found != z3.sat:
        wrong.append(weight)
assert wrong == [2**31, 3_000_000_000, 2**32 - 1], wrong
PY

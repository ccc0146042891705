#!/bin/sh
# Guess: where a column of whole numbers is given 0.5 from Python objects, pyarrow raises "Float value 0.5 was truncated converting to int64"
#        in a plain column, as `cast` does; perhaps values of maps are less well looked after.
# Seen:  nothing is refused: in a plain array, a list, a struct, a map, and in Table.from_pylist with a schema, 0.5 and -0.5 become 0 and 2.9
#        becomes 2, without a word. The other way it is careful: 2^53 + 1 for a column of floats is an ArrowInvalid. `cast` refuses both.
#        The documentation of pyarrow.array speaks of `safe` checks "for overflows or other unsafe conversions", on by default.
# It matters to whoever writes rows with a schema: a count that comes as a share loses its fraction, and no later check can see it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check 'pyarrow==21.0.0'
cat > "$folder/seen.py" <<'PYTHON'
import pyarrow as pa

def tried(make):
    try:
        return make().to_pylist()
    except Exception as error:
        return f"{type(error).__name__}: {error}"

numbers = [0.5, -0.5, 2.9]
print("pyarrow", pa.__version__)
for name, make in {
    "plain": lambda: pa.array(numbers, pa.int64()),
    "list": lambda: pa.array([numbers], pa.list_(pa.int64())),
    "struct": lambda: pa.array([{"a": x} for x in numbers], pa.struct([("a", pa.int64())])),
    "map": lambda: pa.array([[("a", x)] for x in numbers], pa.map_(pa.string(), pa.int64())),
    "table": lambda: pa.Table.from_pylist([{"n": {"a": x}} for x in numbers], schema=pa.schema([("n", pa.map_(pa.string(), pa.int64()))])),
    "plain table": lambda: pa.Table.from_pylist([{"n": x} for x in numbers], schema=pa.schema([("n", pa.int64())])),
    "cast": lambda: pa.array(numbers).cast(pa.int64()),
    "large": lambda: pa.array([2**53 + 1], pa.float64()),
}.items():
    print(f"{name}: {tried(make)}")
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
pyarrow 21.0.0
plain: [0, 0, 2]
list: [[0, 0, 2]]
struct: [{'a': 0}, {'a': 0}, {'a': 2}]
map: [[('a', 0)], [('a', 0)], [('a', 2)]]
table: [{'n': [('a', 0)]}, {'n': [('a', 0)]}, {'n': [('a', 2)]}]
plain table: [{'n': 0}, {'n': 0}, {'n': 2}]
cast: ArrowInvalid: Float value 0.500000 was truncated converting to int64
large: ArrowInvalid: Integer value 9007199254740993 is outside of the range exactly representable by a IEEE 754 double precision value
TEXT
diff "$folder/wanted" "$folder/out"

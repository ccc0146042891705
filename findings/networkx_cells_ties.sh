#!/bin/sh
# Guess: a node as near to two centres is in neither cell of networkx.voronoi_cells, or in both; or the same one gets it, whatever order the centres come in.
# Seen:  in networkx 3.6.1 one cell has it, that of the centre which is named first. On a line of five with a town at each end the middle is the left town's
#        for [0, 4] and the right town's for [4, 0]; of a set Python's order decides. The documentation has a cell as the nodes "closer than to any
#        other", in which the middle is in none, and calls the cells a partition, in which it is in one; what happens to ties it does not say.
# It matters to whoever lets the nearest town control a hex: 23 of the 121 squares of a board with two towns change hands with the order of a list.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'networkx==3.6.1'
cat > "$folder/seen.py" <<'PYTHON'
import networkx

print("networkx", networkx.__version__)
line = networkx.path_graph(5)
for towns in ([0, 4], [4, 0]):
    print(f"line, {towns}:", {town: sorted(cell) for town, cell in sorted(networkx.voronoi_cells(line, towns).items())})
board = networkx.grid_2d_graph(11, 11)
one, other = (2, 2), (8, 8)
first, second = (networkx.voronoi_cells(board, towns)[one] for towns in ([one, other], [other, one]))
print("board of 11 by 11, two towns, squares that change hands:", len(first - second), "of", len(board))
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
networkx 3.6.1
line, [0, 4]: {0: [0, 1, 2], 4: [3, 4]}
line, [4, 0]: {0: [0, 1], 4: [2, 3, 4]}
board of 11 by 11, two towns, squares that change hands: 23 of 121
TEXT
diff "$folder/wanted" "$folder/out"

#!/bin/sh
# Guess: of the hexes that honeycomb-grid and @turf/hex-grid draw, those that lie side by side are neighbours to the usual tools for maps of provinces:
#        `neighbors` of topojson-client, booleanTouches of turf, Rook and Queen of libpysal, `touches` of shapely.
# Seen:  the corners that two such hexes share differ in their last digits; all five tools ask for the very same numbers, and only libpysal says a word,
#        of a hex without any neighbour. Of the 85 pairs among 36 hexes of honeycomb-grid topojson and Rook find 61, turf 68, shapely 61 and
#        Queen 76; of the 37 pairs among turf's own hexes 6, 6, 17, 17 and 12. On hexes of geohexgrid all find all; so does topojson with
#        coordinates rounded to a grid (`quantization`). An issue of pysal (889) tells of shapes that barely touch; of grids that
#        libraries draw nothing was found.
# It matters to whoever takes the map of a game from its drawing: a quarter of the ways and more is missing, here and there.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check 'libpysal==4.14.1' 'geopandas==1.2.0' 'shapely==2.2.0' 'geohexgrid==3.0.3'
npm init --yes >/dev/null
npm install --silent --no-fund --no-audit 'honeycomb-grid@4.1.5' '@turf/hex-grid@7.4.0' '@turf/boolean-touches@7.4.0' 'topojson-server@3.0.1' 'topojson-client@3.1.0' >/dev/null
cat > make.py <<'PYTHON'
from pathlib import Path

from geohexgrid import make_grid_from_bounds

Path("geohexgrid.json").write_text(make_grid_from_bounds(0, 0, 60, 60, 10, crs="epsg:3857").to_json())
PYTHON
cat > seen.mjs <<'JS'
import { readFileSync, writeFileSync } from "node:fs";
import { booleanTouches } from "@turf/boolean-touches";
import { hexGrid } from "@turf/hex-grid";
import { defineHex, Grid, rectangle } from "honeycomb-grid";
import { neighbors } from "topojson-client";
import { topology } from "topojson-server";

for (const name of ["honeycomb-grid", "@turf/hex-grid", "@turf/boolean-touches", "topojson-server", "topojson-client"]) {
  console.log(name, JSON.parse(readFileSync(`node_modules/${name}/package.json`)).version);
}
const hex = (corners) => ({ type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [[...corners, corners[0]]] } });
const maps = {
  "honeycomb-grid": [...new Grid(defineHex({ dimensions: 30 }), rectangle({ width: 6, height: 6 }))].map(({ corners }) => hex(corners.map(({ x, y }) => [x, y]))),
  turf: hexGrid([0, 50, 1, 50.6], 8, { units: "kilometers" }).features,
  geohexgrid: JSON.parse(readFileSync("geohexgrid.json")).features,
};
for (const [name, features] of Object.entries(maps)) {
  const collection = { type: "FeatureCollection", features };
  writeFileSync(`${name}.json`, JSON.stringify(collection));
  const linked = (quantization) => neighbors(topology({ hexes: collection }, quantization).objects.hexes.geometries).flat().length / 2;
  const touching = features.flatMap((one, index) => features.slice(index + 1).filter((other) => booleanTouches(one, other))).length;
  console.log(`${name}: topojson ${linked()}, with quantization ${linked(1e4)}, turf ${touching}`);
}
JS
cat > seen.py <<'PYTHON'
import json
import warnings
from importlib.metadata import version
from itertools import combinations

warnings.simplefilter("ignore")
from geopandas import GeoDataFrame
from libpysal.weights import Queen, Rook
from shapely.geometry import shape


def side(one, other):
    """True if two hexes have two corners in common, but for a millionth."""
    corners = [list(hexagon.exterior.coords)[:6] for hexagon in (one, other)]
    return sum(abs(x - u) + abs(y - v) < 1e-6 for x, y in corners[0] for u, v in corners[1]) == 2


for name in ("libpysal", "geopandas", "shapely", "geohexgrid"):
    print(name, version(name))
for name in ("honeycomb-grid", "turf", "geohexgrid"):
    hexes = [shape(feature["geometry"]) for feature in json.load(open(f"{name}.json"))["features"]]
    table = GeoDataFrame(geometry=hexes)
    found = [sum(map(len, kind.from_dataframe(table, use_index=False).neighbors.values())) // 2 for kind in (Rook, Queen)]
    sides = sum(side(*pair) for pair in combinations(hexes, 2))
    touching = sum(one.touches(other) for one, other in combinations(hexes, 2))
    print(f"{name}: {len(hexes)} hexes, {sides} pairs side by side, Rook {found[0]}, Queen {found[1]}, shapely {touching}")
PYTHON
{ venv/bin/python make.py && node seen.mjs && venv/bin/python seen.py; } | tee out
cat > wanted <<'TEXT'
honeycomb-grid 4.1.5
@turf/hex-grid 7.4.0
@turf/boolean-touches 7.4.0
topojson-server 3.0.1
topojson-client 3.1.0
honeycomb-grid: topojson 61, with quantization 85, turf 68
turf: topojson 6, with quantization 37, turf 17
geohexgrid: topojson 43, with quantization 43, turf 43
libpysal 4.14.1
geopandas 1.2.0
shapely 2.2.0
geohexgrid 3.0.3
honeycomb-grid: 36 hexes, 85 pairs side by side, Rook 61, Queen 76, shapely 61
turf: 18 hexes, 37 pairs side by side, Rook 6, Queen 12, shapely 17
geohexgrid: 20 hexes, 43 pairs side by side, Rook 43, Queen 43, shapely 43
TEXT
diff wanted out

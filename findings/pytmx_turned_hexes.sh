#!/bin/sh
# Guess: pytmx, which reads hexagonal maps of Tiled, knows the flag by which Tiled turns the picture of a hex by 120 degrees, or leaves it out and
#        shows the picture unturned.
# Seen:  the flag (bit 28) is taken for a part of the tile's number: 268435457, which is tile 1 turned by 120 degrees, is no tile. Its
#        picture and its properties are None, without an error. The flags of bits 31 to 29 are read, so turns by 60 degrees and by 180 come
#        with the tile, as mirrorings. Tiled documents the flag; pytmx does not say that it leaves it out.
# It matters to makers of maps with turned roads, rivers and coasts: those hexes are empty, and what their tiles say of the terrain is lost.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'PyTMX==3.32'
cat > "$folder/map.tmx" <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" tiledversion="1.11.0" orientation="hexagonal" renderorder="right-down" width="4" height="1" tilewidth="14" tileheight="12"
 infinite="0" hexsidelength="6" staggeraxis="y" staggerindex="odd" nextlayerid="2" nextobjectid="1">
 <tileset firstgid="1" name="terrain" tilewidth="14" tileheight="12" tilecount="1" columns="1">
  <image source="terrain.png" width="14" height="12"/>
  <tile id="0"><properties><property name="river" type="bool" value="true"/></properties></tile>
 </tileset>
 <layer id="1" name="map" width="4" height="1"><data encoding="csv">1,536870913,268435457,3221225473</data></layer>
</map>
XML
cat > "$folder/seen.py" <<'PYTHON'
import sys
from importlib.metadata import version

from pytmx.pytmx import TiledMap

print("pytmx", version("PyTMX"))
read = TiledMap(sys.argv[1], image_loader=lambda name, colour, **rest: lambda place, flags: ("picture", *(bool(flag) for flag in flags)))
for x, name in enumerate(["as it is", "turned by 60", "turned by 120", "turned by 180"]):
    told = read.get_tile_properties(x, 0, 0)
    print(f"{name}: {read.get_tile_image(x, 0, 0)}, river: {told and told.get('river')}")
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" "$folder/map.tmx" 2>/dev/null | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
pytmx 3.32
as it is: ('picture', False, False, False), river: True
turned by 60: ('picture', False, False, True), river: True
turned by 120: None, river: None
turned by 180: ('picture', True, True, False), river: True
TEXT
diff "$folder/wanted" "$folder/out"

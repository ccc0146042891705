"""Reading and checking a board file of 200 KB, against reading it with the bare libraries."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import yaml

from benchmarks.runner import Comparison, side_by_side
from vclogic.files.boards import read_board
from vclogic.files.registry import data_source, load_encoding
from vclogic.files.trees.nodes import read_node
from vclogic.model.system import Encoding

AIM = "places, strict types and all checks for a few times the bare reading"
SIZE = 200_000


def run() -> Iterator[Comparison]:
    """YAML, then JSON."""
    encoding = load_encoding("axis_allies")
    real = yaml.load(data_source("axis_allies", "board.yaml").text, yaml.CSafeLoader)
    with tempfile.TemporaryDirectory() as folder:
        yield _compare(
            encoding, _written(real, _as_yaml, Path(folder, "board.yaml")), "yaml, CSafeLoader", _load_yaml
        )
        yield _compare(encoding, _written(real, json.dumps, Path(folder, "board.json")), "json.load", _load_json)


def _compare(encoding: Encoding, file: Path, library: str, load: Callable[[Path], Any]) -> Comparison:
    regions = len(read_board(encoding, read_node(str(file))).territories)
    title = f"{file.name}: {file.stat().st_size / 1000:.0f} KB, {regions} regions"
    calls: dict[str, Callable[[], object]] = {
        "vclogic, reading and checking": lambda: read_board(encoding, read_node(str(file))),
        "vclogic, reading alone": lambda: read_node(str(file)),
        f"{library}, reading alone": partial(load, file),
    }
    return Comparison(title, side_by_side(calls))


def _load_yaml(file: Path) -> Any:
    with file.open(encoding="utf-8") as stream:
        return yaml.load(stream, yaml.CSafeLoader)


def _load_json(file: Path) -> Any:
    with file.open(encoding="utf-8") as stream:
        return json.load(stream)


# ---- a large board


def _written(real: Mapping[str, Any], write: Callable[[Any], str], file: Path) -> Path:
    """A file with as many copies of the board side by side as make up its size."""
    board = {**real, "territories": {}, "connections": [], "canals": {}}
    for copy in count():
        for key, more in _copy(real, f" {copy}").items():
            board[key] = board[key] + more if isinstance(more, list) else board[key] | more
        text = write(board)
        if len(text) >= SIZE:
            file.write_text(text, encoding="utf-8")
            return file
    raise AssertionError("boards grow")


def _copy(real: Mapping[str, Any], ending: str) -> dict[str, Any]:
    """The regions of a board under other names."""

    def other(names: list[str]) -> list[str]:
        return [name + ending for name in names]

    regions = {
        name + ending: {**facts, "aliases": other(facts["aliases"])} if "aliases" in facts else facts
        for name, facts in real["territories"].items()
    }
    canals = {n + ending: {part: other(names) for part, names in c.items()} for n, c in real["canals"].items()}
    return {"territories": regions, "connections": list(map(other, real["connections"])), "canals": canals}


def _as_yaml(board: Mapping[str, Any]) -> str:
    """A board laid out as the real one is: a line for each region and connection."""
    lines: list[str] = []
    for key, section in board.items():
        if isinstance(section, dict):
            lines += [f"{key}:", *(f"  {_flow(name)}: {_flow(facts)}" for name, facts in section.items())]
        elif isinstance(section, list):
            lines += [f"{key}:", *(f"  - {_flow(item)}" for item in section)]
        else:
            lines.append(f"{key}: {_flow(section)}")
    return "\n".join(lines) + "\n"


def _flow(value: Any) -> str:
    """A value on one line."""
    text = yaml.dump(value, Dumper=yaml.CSafeDumper, default_flow_style=True, width=10**9, sort_keys=False)
    return text.removesuffix("\n").removesuffix("\n...")

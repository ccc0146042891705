"""A YAML file as editors read it: the core schema of YAML 1.2, by PyYAML with other resolvers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml


class Core(yaml.CSafeLoader):
    """PyYAML's loader with the core schema of YAML 1.2 in place of YAML 1.1."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012


def _resolver(tag: str, pattern: str, first: Sequence[str]) -> None:
    Core.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), list(first))


_resolver("null", "~|null|Null|NULL|", [*"~nN", ""])
_resolver("bool", "true|True|TRUE|false|False|FALSE", "tTfF")
_resolver("int", "[-+]?[0-9]+", "-+0123456789")
_resolver("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789")


def _whole(loader: Any, node: Any) -> int:
    return int(loader.construct_scalar(node))


def _float(loader: Any, node: Any) -> float:
    return float(loader.construct_scalar(node))


def _keyed(loader: Any, node: Any) -> Any:
    """A mapping whose keys are text, as JSON has it."""
    return {key.value: loader.construct_object(value, deep=True) for key, value in node.value}


Core.add_constructor("tag:yaml.org,2002:int", _whole)
Core.add_constructor("tag:yaml.org,2002:float", _float)
Core.add_constructor("tag:yaml.org,2002:map", _keyed)


def as_edited(text: str | Path) -> Any:
    """What an editor checks: the content of a file, or of a text."""
    return yaml.load(text.read_text(encoding="utf-8") if isinstance(text, Path) else text, Loader=Core)

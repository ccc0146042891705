"""Rulings of a game's own collection that rest on the clauses that decide a question."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from vclogic.files.registry import encoding_names
from vclogic.files.rulings.case_files import load_cases
from vclogic.files.setup import Setup
from vclogic.model.latest import Latest
from vclogic.model.system import Encoding
from vclogic.query.ruling.answer import Precedent

_MOST = 8
_GAMES = 16
"""So many games' rulings a process keeps."""


class _GameRulings(NamedTuple):
    """The rulings of a game.

    Attributes:
        encoding: The game; another one of its name has other rulings.
        rulings: Name, clauses, file and line of each.
    """

    encoding: Encoding
    rulings: tuple[tuple[str, tuple[str, ...], str, int | None], ...]


_RULINGS: Latest[str, _GameRulings] = Latest(_GAMES)


def precedents(setup: Setup, deciding: Iterable[str]) -> tuple[tuple[Precedent, ...], int]:
    """The rulings that cite deciding clauses: those that share most first, of these those that cite least besides.

    Args:
        deciding: Ids of the clauses, the nearest to the question first.

    Returns:
        The first few, and how many more there are.

    Raises:
        InputError: A file of rulings has a wrong form.
    """
    near = {clause: i for i, clause in enumerate(deciding)}
    found = []
    for name, cites, file, line in _rulings(setup):
        shared = tuple(sorted((c for c in cites if c in near), key=near.__getitem__))
        if shared:
            found.append(Precedent(name, cites, shared, file, line))
    found.sort(key=lambda p: (-len(p.shared), len(p.cites), near[p.shared[0]]))
    return tuple(found[:_MOST]), max(0, len(found) - _MOST)


def _rulings(setup: Setup) -> tuple[tuple[str, tuple[str, ...], str, int | None], ...]:
    name = setup.request.name
    kept = _RULINGS.find(name)
    if kept is None or kept.encoding is not setup.encoding:
        cases = load_cases(name) if name in encoding_names() else ()
        kept = _RULINGS.put(
            name, _GameRulings(setup.encoding, tuple((c.name, c.cites, c.file, c.line) for c in cases))
        )
    return kept.rulings

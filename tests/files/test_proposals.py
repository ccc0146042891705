"""What a help proposes to write instead is accepted there."""

from __future__ import annotations

import re

import pytest

from tests.fixtures.games import loaded
from vclogic.errors import InputError
from vclogic.files.source import Source
from vclogic.files.state import read_state
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.nodes import parse
from vclogic.model.fluents import Family, written
from vclogic.model.system import System
from vclogic.terms.sorts import BoolSort, EnumSort, IntSort

GAMES = ("axis_allies", "asl", "moscow/small", "napoleonics", "okinawa")


def wrong(system: System, text: str) -> list[str | None]:
    """The helps of all that is wrong with a state of one fact."""
    findings = Findings()
    read_state(system, parse(Source("p.yaml", text)), 0, findings)
    try:
        findings.stop()
    except InputError as error:
        return [d.help for d in error.diagnostics]
    return []


def values(family: Family) -> list[str]:
    """Some values of a family, as files have them."""
    match family.sort:
        case BoolSort():
            return ["true", "false"]
        case EnumSort(members=members):
            return [members[0], members[-1]]
        case IntSort(hi=hi):
            return [written(hi)]


@pytest.mark.parametrize("name", GAMES)
def test_what_is_proposed_for_a_word_that_stands_alone_is_accepted(name: str) -> None:
    system = loaded(name).setup.system
    for family in system.families:
        members = family.indices[0].sort.members[:1] if family.indices else ()
        for word in (*values(family), *members) if family.indices else ():
            quotes = "'" if re.search(r"[^\w ]", word) else ""
            helps = wrong(system, f"{{{family.name}: {quotes}{word}{quotes}}}")
            for help in helps:
                found = re.search("`(.*)`", help or "")
                assert found, (family.name, word, help)
                proposed = found[1].replace("VALUE", values(family)[0])
                if len(family.indices) > 1 and "all" not in proposed:
                    continue  # what stands for what is left to the reader is a mapping itself
                assert wrong(system, f"{{{family.name}: {proposed}}}") == [], (family.name, word, help)


def test_what_is_proposed_for_an_exception_that_stands_alone_is_accepted() -> None:
    systems = (loaded(name).setup.system for name in GAMES)
    families = ((s, f) for s in systems for f in s.families if len(f.indices) == 1)
    system, family, name = next((s, f, m) for s, f in families for m in f.indices[0].sort.members if "," in m)
    (help,) = wrong(system, f"{{{family.name}: {{except: '{name}'}}}}")
    found = re.search("`(.*)`", help or "")
    assert found
    assert wrong(system, f"{{{family.name}: {{except: {found[1]}}}}}") == []

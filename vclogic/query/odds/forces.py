"""Units as a player writes them, such as `armour: 3, fighter: 2`, and names as a player writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.trees.findings import Findings
from vclogic.model.battles import BattleWords
from vclogic.terms.domain import Domain

Forces = Mapping[str, int] | str
"""Units: a number for each kind, or a text such as `armour: 3, fighter: 2`."""
MOST = 999
"""Units of one side are counted up to here."""
_MOST_PARTS = 100
_PART = re.compile(r"(?P<name>[^:=]*?)(?: ?[:=] ?| )(?P<number>[-+]?[0-9]+)", re.ASCII)
_BEFORE = re.compile(r"(?P<number>[-+]?[0-9]+) ?(?:x )?(?P<name>[^:=]*)", re.ASCII)


def read_force(given: Forces, option: str, words: BattleWords, findings: Findings) -> dict[str, int]:
    """Units by kind, in the order in which they are listed.

    Args:
        given: The units.
        option: Where they stand, for messages.
        words: The kinds that there are.
        findings: Takes everything that is wrong with them.
    """
    found: dict[str, int] = {}
    for name, number in _parts(given, option, findings):
        with findings.catch(option):
            kind = found_in(name, words.kinds)
            if kind in found:
                message = f"{kind} is named twice"
                raise InputError(Diagnostic("duplicate", message, help=f"write {kind} once, with the whole number"))
            found[kind] = _number(number, name)
    if sum(found.values()) > MOST >= max(found.values()):
        findings.add(Diagnostic("limit", f"{sum(found.values()):,} units: at most {MOST} are counted", option))
    return {kind: n for kind in words.named if (n := found.get(kind, 0))}


def read_order(given: Sequence[str], option: str, words: BattleWords, findings: Findings) -> tuple[str, ...] | None:
    """An order of kinds, such as `infantry, fighter`; None where none is given.

    Args:
        given: The kinds, or a text with commas.
        option: Where they stand, for messages.
        words: The kinds that there are.
        findings: Takes everything that is wrong with them.
    """
    names = _split(given) if isinstance(given, str) else [str(name).strip() for name in given]
    if len(names) > _MOST_PARTS:
        findings.add(_too_many(len(names), option))
        return None
    found: dict[str, None] = {}
    for name in names:
        with findings.catch(option):
            kind = found_in(name, words.kinds)
            if kind in found:
                raise InputError(Diagnostic("duplicate", f"{kind} is named twice"))
            found[kind] = None
    return tuple(found) or None


def found_in(name: str, domain: Domain) -> str:
    """The member of a domain of that name; case, plural, and how its words are joined do not matter.

    Raises:
        InputError: There is none; with the reason or with near names, without a place.
    """
    exact = domain.find(name)
    if exact is not None:
        return exact
    known = {_folded(other): member for other, member in domain.aliases.items()}
    known |= {_folded(member): member for member in domain.sort.members}
    folded = _folded(name)
    near = known.get(folded) or known.get(_singular(folded))
    if near is not None:
        return near
    refused = {_folded(other): why for other, why in domain.refused.items()}
    why = refused.get(folded) or refused.get(_singular(folded))
    if why is not None:
        raise InputError(Diagnostic("wrong-kind", f"{quoted(name)} is no {domain.sort.name}: {why}"))
    help = did_you_mean(name, [*domain.sort.members, *domain.aliases]) or f"there is {_some(domain.sort.members)}"
    raise InputError(Diagnostic("unknown-name", f"unknown {domain.sort.name} {quoted(name)}", help=help))


def _some(members: Sequence[str], most: int = 16) -> str:
    return ", ".join(members[:most]) + (" ..." if len(members) > most else "")


def _folded(name: str) -> str:
    return " ".join(re.split(r"[\s_-]+", name.casefold().strip()))


def _singular(folded: str) -> str:
    return f"{folded[:-3]}y" if folded.endswith("ies") else folded.removesuffix("s")


# ---- the parts of a text


def _parts(given: Forces, option: str, findings: Findings) -> Iterable[tuple[str, object]]:
    """Each name with its number, not looked at yet."""
    if isinstance(given, Mapping):
        yield from ((str(name), n) for name, n in given.items())
        return
    parts = _split(given)
    if len(parts) > _MOST_PARTS:
        findings.add(_too_many(len(parts), option))
        return
    for part in parts:
        match = _PART.fullmatch(part) or _BEFORE.fullmatch(part)
        if match is not None and match["name"].strip():
            yield match["name"].strip(), match["number"]
            continue
        help = "write kinds with their numbers: 'armour: 3, fighter: 2'"
        findings.add(Diagnostic("bad-value", f"{quoted(part)} is no kind of unit with a number", option, help=help))


def _split(text: str) -> list[str]:
    return [part for p in re.split(r"[,;\n]", text) if (part := " ".join(p.split()))]


def _too_many(n: int, option: str) -> Diagnostic:
    return Diagnostic("limit", f"{n:,} parts: at most {_MOST_PARTS} are read", option)


def _number(given: object, name: str) -> int:
    if isinstance(given, bool) or not isinstance(given, int | str):
        raise InputError(Diagnostic("wrong-value", f"{name}: expected a whole number, found {quoted(given)}"))
    long = isinstance(given, str) and len(given) > 9
    n = MOST + 1 if long else int(given)
    if not 0 <= n <= MOST:
        message = f"{name}: expected a whole number from 0 to {MOST}, found {quoted(given) if long else n}"
        raise InputError(Diagnostic("out-of-range", message))
    return n

"""The conditions of a map as sentences that a player reads."""

from __future__ import annotations

from collections.abc import Sequence

from vclogic.triplea.naming import listed, prose
from vclogic.triplea.rules import MapRule, PlaceTest

_WHOSE = {"direct": "", "allied": " or allies", "enemy": "enemies of ", "surface": "enemies of "}


def sentence(rule: MapRule) -> str:
    """A condition as a player reads it."""
    said: list[str] = []
    if rule.conditions:
        names = listed(dict.fromkeys(prose(k) for k in rule.conditions))
        said.append(f"{_how_many(rule.between, len(rule.conditions))} {names}")
    if rule.switch is not None:
        said.append("its switch is on")
    if rule.rounds is not None:
        said.append(f"it is round {listed((_round_words(*r) for r in rule.rounds), 'or')}")
    said += [f"the option {prose(o)} is set" for o in rule.options]
    said += [_place_words(t, rule.players) for t in rule.places]
    for r in rule.relations:
        lasting = f" for {r.rounds} rounds" if r.rounds > 0 else ""
        said.append(f"{prose(r.one)} and {prose(r.other)} are {listed(r.types, 'or')}{lasting}")
    for s in rule.at_war:
        number = "none" if s.number == 0 else f"{s.number}"
        said.append(f"{prose(rule.player)} is at war with {number} of {listed(s.names)}")
    for s in rule.techs:
        number = "none" if s.number == 0 else f"{s.number}"
        said.append(f"{prose(rule.player)} has {number} of {listed(s.names)}")
    said += [f"{o.name}, which no position shows" for o in rule.unjudged]
    whole = "; ".join(said) or "always"
    holds = "does not hold where" if rule.invert else "holds where"
    return f"{prose(rule.name)} of {prose(rule.player)} {holds} {whole}"


def _how_many(between: tuple[int, int | None], number: int) -> str:
    low, high = between
    if low in (-1, number) and high is None:
        return "all hold of" if number > 1 else "this holds:"
    if high is None:
        return f"at least {low} hold of"
    return f"exactly {low} hold of" if low == high else f"{low} to {high} hold of"


def _round_words(low: int, high: int | None) -> str:
    return f"{low} or later" if high is None else str(low) if low == high else f"{low} to {high}"


def _place_words(test: PlaceTest, players: Sequence[str]) -> str:
    places, who = test.places, listed(players)
    whose = f"{_WHOSE[test.whose]}{who}" if test.whose in ("enemy", "surface") else f"{who}{_WHOSE[test.whose]}"
    names = listed(places.names) if places.group is None else f"the territories that are called {places.group}"
    number = "all" if places.needed is None else f"at least {places.needed}"
    if test.what == "owned":
        return f"{whose} own {number} of {names}"
    ships = "surface ships" if test.whose == "surface" else "units"
    kinds = listed((f"{row.number} {listed(row.kinds, 'or') or ships}" for row in test.units), "and")
    if test.what == "present":
        return f"{whose} have {kinds or ships} in {number} of {names}"
    most = f"at most {kinds}" if kinds else f"no {ships}"
    return f"{whose} have {most} in {number} of {names}"

"""Rulings made by hand, for the reports to show."""

from __future__ import annotations

from vclogic.query.ask.answer import (
    Because,
    DecidingClause,
    Fact,
    OtherReadings,
    OtherRuling,
    Precedent,
    Ruled,
)

FACTS = (
    Fact("owner[Ford]", "Red", "given", None, "pos.yaml", 3, "Ford", "is Red's"),
    Fact("owner[Hill]", "Red", "given", None, "pos.yaml", 3, "the hill", "is Red's"),
    Fact("owner[Home]", "Blue", "scenario", about="Home", says="is Blue's"),
    Fact("supplied[Red]", True, "record", 2, about="Red", says="is in supply"),
    Fact("weather", "clear", "assumed", says="the weather is clear"),
)
TURN = (Fact("turn", "Red", "given", None, "<mapping>", says="it is Red's turn"),)
CHANGES = OtherRuling({"ties": "red"}, False, True, "", ("Red wins ties",), ("C/2",))
TOGETHER = OtherRuling(
    {"ties": "blue", "fords": "open"}, None, True, "the fords are closed [C/3]", ("Blue", "open"), ()
)


def ruled(**changes: object) -> Ruled:
    """The ruling that Red controls the hill, with something of everything."""
    fields: dict[str, object] = {
        "game": "skirmish/spring",
        "question": "controls(Red, Hill)",
        "kind": "expression",
        "value": True,
        "text": "controls(Red, Hill): yes",
        "because": (
            Because("Red controls the hill", FACTS, ("C/1",)),
            Because("step 2, supply(Red): supplied is yes for Red", TURN, (), 2, "supply(Red)"),
        ),
        "clauses": (
            DecidingClause("C/1", "Skirmish", ("who stands alone on it controls it", "who controls it, keeps it")),
            DecidingClause("C/2", "Skirmish", ("who controls it, keeps it",)),
            DecidingClause("C/9", "Skirmish", ("a side out of supply controls nothing",), "against"),
        ),
        "readings": OtherReadings((CHANGES, TOGETHER)),
        "precedents": (Precedent("the last one there keeps it", ("C/1", "C/4"), ("C/1",), "hills.yaml", 12),),
        "not_judged": ("the battle",),
        "assumptions": ("option snow=on", "default readings: ties=none, fords=closed, rain=off"),
    }
    return Ruled(**{**fields, **changes})  # type: ignore[arg-type]

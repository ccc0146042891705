"""Names for which not every board has a use, and the part to add to a board that has none."""

from __future__ import annotations

from vclogic_encodings.napoleonics.fluents import Fluents

from vclogic.model.absent import Absent

OBJECTIVES = "the board has no objectives: add them under `objectives:` of the board"
NOTES = "the board has no objectives of the battle notes: add them under `battle_objectives:` of the board"
LOSABLE = "no objective of the board can be lost again: all are of `kind: permanent`"
BANNERS = "the board does not say how many banners win: add `banners: {SIDE: NUMBER, ...}`"
DEEDS = "the board has no objective of `kind: taken`"
TEMPORARY = "the board has no objective of `kind: temporary`"


def absent(fluents: Fluents) -> Absent:
    """The names that do not exist on a board."""
    board = fluents.board
    facts: dict[str, str] = {}
    observables: dict[str, str] = {}
    if fluents.earlier.empty:
        facts[fluents.earlier.name] = observables[fluents.earlier.name] = fluents.earlier.lacks
    if not board.objectives:
        facts["objective"] = OBJECTIVES
        observables |= dict.fromkeys(("objective", "objective_hexes"), OBJECTIVES)
    if not fluents.losable:
        why = LOSABLE if board.objectives else OBJECTIVES
        facts |= dict.fromkeys(("gained", "dropped"), why)
        observables |= dict.fromkeys(("gained", "gained_and_lost"), why)
    if not fluents.watched:
        facts |= dict.fromkeys(("moved", "vacated"), TEMPORARY if board.objectives else OBJECTIVES)
    outcomes = {} if all(s in board.banners for s in board.sides) else {"victory": BANNERS}
    observables |= dict.fromkeys(["needed"] if outcomes else [], BANNERS)
    events = {} if any(o.kind == "taken" for o in board.objectives.values()) else {"take": DEEDS}
    if board.battle_objectives:
        return Absent(facts, events, observables, outcomes)
    events["score"] = NOTES
    return Absent(facts | {"scored": NOTES}, events, observables | {"scored": NOTES}, outcomes)

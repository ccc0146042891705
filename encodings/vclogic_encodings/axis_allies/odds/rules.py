"""Rules of battles in a game, for questions about chances."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial

from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.odds import recorded_battles
from vclogic_encodings.axis_allies.odds.battle_words import words

from vclogic.model.battles import Battle, BattleRules, Conduct, Odds, Units
from vclogic.model.fluents import Value
from vclogic.terms.term import Term

CURRENCY = "IPC"
ADVICE = "fewest moves by average strength are a bound, not advice; --min-odds 0.8 asks for likelier battles"
"""The advice on a plan by moves with a low chance."""


def battle_rules(game: Rules) -> BattleRules | None:
    """The rules of battles; None on a board without units."""
    if not any(kind.kind != "complex" for kind in game.board.unit_types.values()):
        return None

    def result(battle: Battle, conduct: Conduct, exact: bool) -> Odds:
        from vclogic_encodings.axis_allies.odds.one_battle import odds  # the engine of chances, for who asks
        from vclogic_encodings.axis_allies.odds.sides import combat_rules

        return odds(combat_rules(game), battle, conduct, exact)

    return BattleRules(
        odds=result,
        decided=partial(recorded_battles.decided, game),
        standing=partial(recorded_battles.standing if game.fluents.armies else at_the_start, game),
        at_sea=lambda place: game.board.territories[place].kind == "sea",
        value={u: kind.cost for u, kind in game.board.units.items()},
        currency=CURRENCY,
        assumptions=assumptions(game),
        words=words(game.fluents),
        deciding=recorded_battles.DECIDING if game.fluents.armies else (),
        least=Fraction(game.settings.number("min_odds"), 100) if game.fluents.armies else Fraction(0),
        advice={} if game.settings.options.get("min_odds") else {"moves": ADVICE},
    )


def at_the_start(game: Rules, values: Mapping[Term, Value], place: str, attacker: str) -> Units:
    """The defenders of a place where units are not counted: those of the start, as long as their side holds it."""
    board, region = game.board, game.board.territories[place]
    enemies = board.sides[board.enemy(board.powers[attacker].side)]
    if place in board.land and values[game.fluents.owner[place]] not in enemies:
        return {}
    numbers = {u: sum(region.units.get(p, {}).get(u, 0) for p in enemies) for u in game.roles.defenders(place)}
    return {u: n for u, n in numbers.items() if n}


def assumptions(game: Rules) -> tuple[str, ...]:
    """The rules of battles, which the text on victory cities does not give."""
    settings, full = game.settings, game.roles.theatre == "full"
    hit = "a defender that is hit by it does not fire (option bombarded)"
    if settings.word("bombarded") == "fires":
        hit = "a defender that is hit by it still fires once (option bombarded)"
    helped = "artillery makes one infantry each better by 1" if full else "artillery helps nobody (option theatre)"
    return (
        "battles by the box rules of Axis & Allies Revised (2004), on which the rule text is silent: each round, "
        f"every unit rolls a die and hits with its strength or less; {helped}",
        "before the first round, antiaircraft guns fire at each attacking aircraft and hit with a 1, and ships "
        f"bombard where they help a landing, one die each: {hit}; guns neither fight on nor fall",
        "submarines fire first unless the enemy has a destroyer, those of both sides at once; they never hit "
        "aircraft, and do not submerge; a battleship takes two hits, of which the first costs nothing",
        "of each side the weakest falls first, of equals the cheapest; an attacker on land keeps one land unit, the "
        "most valuable, to the last; a battle goes on until a side is gone, or neither can hit the other any more",
    )

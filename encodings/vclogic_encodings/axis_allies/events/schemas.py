"""Kinds of events that a record may hold."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.axis_allies.board import MOST
from vclogic_encodings.axis_allies.citing import cite
from vclogic_encodings.axis_allies.events.combat import attack, attack_fails, capture, emergency
from vclogic_encodings.axis_allies.events.production import place, purchase
from vclogic_encodings.axis_allies.events.turns import bid, end_turn
from vclogic_encodings.axis_allies.fluents import LAST_ROUND
from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.names import NONE, ON_TURN, SIDE_A, SIDE_B

from vclogic.model.actions import Parameter, Schema

NUMBER = range(1, MOST + 1)
BID = range(1, LAST_ROUND + 1)
_PHASE = (("phase",), ("ended",))
_BATTLE = (("attacked", "territory"), ("failed_attacks", "territory"), *_PHASE)
_WON = (("won",), ("winner",))
_ARMY_HOLDS = ("units", "moved", "entered", "passed", "help", "fought")
_TAKEN = tuple((family, "territory") for family in ("owner", "complexes", *_ARMY_HOLDS))
_NEW_COMPLEX = (("complexes", "territory"), ("declared", "territory"))


def schemas(game: Rules) -> Iterable[Schema]:
    """Every kind of event."""
    yield from _war(game)
    yield from game.level.moves()
    yield from _production(game)
    yield Schema(
        "end_turn",
        (),
        lambda: game.level.end_of_turn(end_turn(game)),
        f"the turn ends; victory is judged after the turn of the {game.board.judged_after}",
        cite("victory-total/1", "victory-major/1", "victory-major/2", "victory-minor/3"),
        routine=True,
        decided_by=ON_TURN,
        obliged=True,
    )
    yield Schema(
        "bid",
        (*(Parameter(side, BID, term=True) for side in (SIDE_A, SIDE_B)), Parameter("lot", game.fluents.teams, NONE)),
        lambda side_a, side_b, lot: bid(game, side_a, side_b, lot),
        "before the game: for how many turns each team would play the Axis; the higher bid does, or of equal ones "
        "the one that a lot chose",
        cite("victory-minor/1", "victory-minor/2"),
        decided_by="both teams, before either has a side",
    )


def _war(game: Rules) -> Iterable[Schema]:
    power, territory = Parameter("power", game.fluents.powers), Parameter("territory", game.fluents.territories)
    moved = not game.on("legality", "captures")
    asks = {"power": game.on_turn}
    back = (("owner",),) if game.on("liberated_territory", "first_owner") else ()
    believed = "the movement and the battle that lead to a capture" if moved else "the battle that leads to a capture"
    yield Schema(
        "attack",
        (power, territory),
        lambda power, territory: attack(game, power, territory),
        "the power on turn attacks a territory of the other side; the battle is yet to come",
        cite("VC-infantry-p4/1"),
        not_judged="the units of an attack" + (" and their movement" if moved else ""),
        decided_by=ON_TURN,
        asks=asks,
        touches=_BATTLE,
    )
    yield Schema(
        "attack_fails",
        (power, territory),
        lambda power, territory: attack_fails(game, power, territory),
        "the battle of an attack is over without a capture: it was lost or broken off",
        cite("VC-infantry-p4/1"),
        not_judged="the battle of an attack that fails",
        decided_by=ON_TURN,
        asks=asks,
        touches=_BATTLE,
    )
    yield Schema(
        "emergency",
        (power, territory, Parameter("infantry", NUMBER, term=True)),
        lambda power, territory, infantry: emergency(game, power, territory, infantry),
        "the defender of an attacked city that has not had its first turn buys and places infantry there",
        cite("VC-infantry-p4/1", "VC-infantry-p4/2", "VC-infantry-p4/3"),
        decided_by="the power that defends the city",
        touches=(("emergency", "territory"), ("units", "territory", "power"), ("treasury", "power")),
    )
    yield Schema(
        "capture",
        (power, territory, Parameter("destroy_complex", game.fluents.yes_or_no, "no")),
        lambda power, territory, destroy_complex: capture(game, power, territory, destroy_complex),
        "the power on turn takes a territory from the other side; the defender may destroy a bought complex there",
        cite("IC-p4/1", "IC-p4/2"),
        not_judged="" if game.fluents.armies else believed,
        decided_by="the power on turn; whether a complex is destroyed, the defender",
        asks=asks,
        touches=(*_BATTLE, *_TAKEN, *back, *_WON),
    )


def _production(game: Rules) -> Iterable[Schema]:
    power, unit = Parameter("power", game.fluents.powers), Parameter("unit", game.fluents.unit_kinds)
    count = Parameter("count", NUMBER, 1, term=True)
    asks = {"power": game.on_turn}
    placed = (("placed", "territory", "unit"), *_PHASE)
    yield Schema(
        "purchase",
        (power, unit, count, Parameter("at", game.fluents.places, NONE)),
        lambda power, unit, count, at: purchase(game, power, unit, count, at),
        "the power on turn buys units; `at` says where an industrial complex will stand",
        cite("VC-infantry/3", "IC-p2/1", "IC-p2/2", "IC-p2/4"),
        decided_by=ON_TURN,
        asks=asks,
        touches=(("bought", "unit"), ("treasury", "power"), ("declared", "at"), *_PHASE),
    )
    yield Schema(
        "place",
        (power, unit, count, Parameter("territory", game.fluents.territories)),
        lambda power, unit, count, territory: place(game, power, unit, count, territory),
        "the power on turn places units: infantry at a city, other units at a complex, complexes as declared",
        cite("VC-infantry/1", "VC-infantry/2", "VC-infantry/3", "VC-infantry/4", "IC/1", "IC/2", "IC-p2/3", "IC-p3/1")
        + cite("IC-p3/2"),
        decided_by=ON_TURN,
        asks=asks,
        touches=(*placed, ("units", "territory", "power", "unit"), ("moved", "territory", "unit"), *_NEW_COMPLEX),
    )
    if game.fluents.armies and game.board.sea and game.board.kinds("sea"):
        ship = Parameter("unit", game.fluents.ships)
        yield Schema(
            "launch",
            (
                power,
                ship,
                count,
                Parameter("territory", game.fluents.territories),
                Parameter("zone", game.fluents.zones),
            ),
            lambda power, unit, count, territory, zone: place(game, power, unit, count, territory, zone),
            "the power on turn places ships in a sea zone beside a complex",
            cite("IC/1", "IC/2", "IC-p3/2"),
            decided_by=ON_TURN,
            asks=asks,
            touches=(*placed, ("units", "zone", "power", "unit"), ("moved", "zone", "unit")),
        )

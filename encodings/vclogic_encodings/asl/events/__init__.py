"""What a record may hold; kinds of events that nothing on the board can bring about are left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from vclogic_encodings.asl.board import EQUIPMENT, INFANTRY, LANDED, MMC, SMC
from vclogic_encodings.asl.citing import cite
from vclogic_encodings.asl.events import captures, combat, concealment, moves
from vclogic_encodings.asl.events import fire as fires
from vclogic_encodings.asl.events.conditions import change, conditions
from vclogic_encodings.asl.game import Game
from vclogic_encodings.asl.names import CONCEALED, HIDDEN, NONE
from vclogic_encodings.asl.rules.exits import EXEMPT

from vclogic.model.actions import Action, Parameter, Schema
from vclogic.model.citation import Cites
from vclogic.model.view import EVERY_STATE
from vclogic.terms.atoms import TRUE
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import EnumSort

_MOVING = "the movement points, phase and player turn of a move"
_DICE = "the phase and dice of an attempt to "
NOT_JUDGED = {
    **dict.fromkeys(("enter", "leave", "mount", "dismount", "exit"), _MOVING),
    "break": "the attack that breaks a unit",
    "rally": f"{_DICE}rally",
    "melee": "the Close Combat that leaves units in Melee",
    "wound": "the attack that wounds a unit",
    "eliminate": "the attack that eliminates a unit",
    "malfunction": "the dice by which a weapon malfunctions",
    "disable": "the dice by which a weapon is disabled",
    "repair": f"{_DICE}repair a weapon",
    "surrender": "what makes a unit surrender",
    "free": "what frees a prisoner",
    "arm": "how an unarmed unit gets weapons",
    "capture": f"{_DICE}capture a vehicle",
    "recover": f"{_DICE}recover equipment",
    "abandon": "the phase in which a crew leaves its vehicle",
    "conceal": "the lines of sight to a unit that is concealed",
    "reveal": "what reveals a unit",
    "search": f"{_DICE}Search",
    "mop_up": "the phase and dice of Mopping Up",
    "kindle": f"{_DICE}set a Location on fire",
    "fire": "what starts a Fire by accident",
    "blaze": "the dice by which a Flame becomes a Blaze",
    "extinguish": f"{_DICE}put a Fire out",
    "rubble": "what turns a Location into rubble",
    "spread": "the dice and wind by which Fire spreads",
}
"""What a record is believed in, by kind of event."""
_OWN, _HOLDER = "the unit's side", "the side that has it, its own or its captor"
DECIDED_BY = {
    "setup": "the side that sets up",
    **dict.fromkeys(("rally", "mount", "dismount", "free", "arm", "abandon", "conceal", "search"), _OWN),
    **dict.fromkeys(("enter", "leave", "exit", "repair", "dismantle", "assemble", "drop"), _HOLDER),
    **dict.fromkeys(("capture", "recover", "carry"), "the side of the unit that takes it"),
    "eliminate": "the side that `by` names; nobody where it names none",
    "surrender": "the side that takes the prisoner",
    "declare": "the side that controls it",
    "mop_up": "the side that mops up",
    "kindle": "the side that kindles",
}
"""Who decides a kind of event; of the others nobody does, they are forced."""
Given = tuple[str, "Domain | None"] | tuple[str, "Domain | None", str]


def _schema(
    game: Game,
    name: str,
    given: Iterable[Given],
    make: Callable[..., Action],
    text: str,
    cites: Cites,
    *,
    routine: bool = False,
) -> Iterable[Schema]:
    """A kind of event, unless one of its arguments can be nothing."""
    parameters = []
    for key, domain, *rest in given:
        if domain is None:
            return
        default = next(iter(rest), None)
        parameters.append(Parameter(key, domain, default))
    yield Schema(
        name,
        tuple(parameters),
        lambda view=EVERY_STATE, /, **given: make(game.seen(view), **given),
        text,
        cites,
        viewed=True,
        routine=routine,
        not_judged=NOT_JUDGED.get(name, ""),
        decided_by=DECIDED_BY.get(name, ""),
        obliged=name == "setup",
    )


def schemas(game: Game) -> Iterable[Schema]:
    """Every kind of event."""
    yield from _moves(game)
    yield from _fights(game)
    yield from _captures(game)
    yield from _secrets(game)
    yield from _fires(game)
    yield from _schema(game, "end_game", (), end_game, "the game ends", cite("26.222/6", "26.3/1"), routine=True)


def end_game(game: Game) -> Action:
    """The game ends: what is judged then is judged, and captives count double."""
    return Action(
        "end_game",
        (),
        actor=None,
        requirements=(game.going_on,),
        effects=game.after((game.everywhere,), {game.fluents.ended.fluent: TRUE}),
        text="the game ends",
        cites=cite("26.222/6", "26.15/3"),
    )


def _arm(name: str, game: Game, unit: str) -> Action:
    return combat.arm(game, name, unit)


def words(what: str, *names: str) -> Domain:
    """A choice of words."""
    return Domain(EnumSort(what, names))


def _moves(game: Game) -> Iterable[Schema]:
    fluents = game.fluents
    areas = words("set-up area", *game.board.areas) if game.board.areas else None
    yield from _schema(
        game,
        "setup",
        [("side", fluents.sides), ("area", areas)],
        moves.setup,
        "at the start: the side controls what is within its set-up area",
        cite("26.11/1", "26.11/1x1"),
    )
    movers = fluents.some_units("unit that moves", game.board.of(*INFANTRY, *LANDED, "dummy", *EQUIPMENT))
    bypass = Domain(EnumSort("choice: yes or no", ("no", "yes")), {"true": "yes", "false": "no"})
    yield from _schema(
        game,
        "enter",
        [("unit", movers), ("to", fluents.locations), ("bypass", bypass, "no")],
        moves.enter,
        "a unit comes to a Location, from another one or from off the map",
        cite("26.11-p2/1", "26.11-p2/2", "26.11-p2/3"),
    )
    text = "a unit goes off this part of the map, without having left the game"
    yield from _schema(game, "leave", [("unit", movers)], moves.leave, text, cite("26.1/3", "26.12/2"))
    yield from _schema(
        game,
        "mount",
        [("unit", fluents.infantry), ("vehicle", fluents.vehicles)],
        moves.mount,
        "Infantry gets into a vehicle and is PRC from now on",
        cite("26.11-p3/1"),
    )
    riders = fluents.infantry if fluents.vehicles else None
    text = "Infantry gets out of its vehicle"
    yield from _schema(game, "dismount", [("unit", riders)], moves.dismount, text, cite("26.11-p3/1"))
    reasons = words("reason to leave the map", NONE, *EXEMPT)
    yield from _schema(
        game,
        "exit",
        [("unit", fluents.units), ("area", fluents.exits, NONE), ("reason", reasons, NONE)],
        moves.exit_map,
        "a unit leaves the map for good; without a good reason it counts as eliminated",
        cite("26.2/3", "26.221/2", "26.221/2x1", "26.23/1"),
    )


def _fights(game: Game) -> Iterable[Schema]:
    fluents = game.fluents
    no_cvp = cite("26.221/3")
    breakable = fluents.infantry
    yield from _schema(game, "break", [("unit", breakable)], combat.break_unit, "a unit breaks", no_cvp)
    yield from _schema(game, "rally", [("unit", breakable)], combat.rally, "a unit rallies", no_cvp)
    fighters = fluents.some_units("unit that can fight in Melee", game.board.of(*INFANTRY, *LANDED))
    yield from _schema(
        game,
        "melee",
        [("unit", fluents.infantry), ("against", fighters)],
        combat.melee,
        "two units of different sides in one Location hold each other in Melee, until one of them is gone",
        cite("26.11-p2/1"),
    )
    smc = fluents.some_units("leader or hero", game.board.of(*SMC))
    text = "a leader or hero is wounded"
    yield from _schema(game, "wound", [("unit", smc)], combat.wound, text, cite("26.211/3"))
    crew = words("fate of an inherent crew", "dies", "survives")
    yield from _schema(
        game,
        "eliminate",
        [("unit", fluents.units), ("by", fluents.side_or_none, NONE), ("crew", crew, "dies")],
        combat.eliminate,
        "a unit is eliminated with all that rides in it; `by` matters for prisoners",
        cite("26.221/1", "26.222/7", "26.222/7x1"),
    )
    text = "a unit is disrupted, and broken until it rallies"
    yield from _schema(game, "disrupt", [("unit", breakable)], combat.disrupt, text, no_cvp)
    for family, *names in conditions(game):
        for name, begins in zip(names, (True, False), strict=True):
            make = partial(change, family, name, begins)
            text = f"a unit is {family.name}{'' if begins else ' no longer'}"
            yield from _schema(game, name, [("unit", family.indices[0])], make, text, no_cvp)
    guns = fluents.names_of(fluents.armament)
    for name, text in (
        ("malfunction", "a main armament or Gun malfunctions"),
        ("disable", "a main armament or Gun is disabled"),
        ("repair", "a malfunctioned main armament or Gun works again"),
    ):
        yield from _schema(game, name, [("unit", guns)], partial(_arm, name), text, cite("26.221/3"))


def _captures(game: Game) -> Iterable[Schema]:
    fluents = game.fluents
    both = len({game.board.units[u].side for u in game.board.of(*INFANTRY)}) == 2
    yield from _schema(
        game,
        "surrender",
        [("unit", fluents.infantry if both else None), ("to", fluents.infantry)],
        captures.surrender,
        "a unit becomes a prisoner of another one",
        cite("26.222/1", "26.222/3"),
    )
    yield from _schema(
        game,
        "free",
        [("unit", fluents.infantry if both else None)],
        captures.free,
        "a prisoner is one no longer, and has no weapons",
        cite("26.222/4"),
    )
    text = "an unarmed unit, such as a prisoner who was freed, gets weapons"
    yield from _schema(game, "arm", [("unit", fluents.infantry)], captures.arm, text, cite("26.11-p2/1"))
    yield from _schema(
        game,
        "capture",
        [("unit", fluents.vehicles), ("by", fluents.infantry)],
        captures.capture,
        "a unit takes a vehicle without a crew, and gets into it",
        cite("26.222/2", "26.222/3"),
    )
    equipment = fluents.some_units("Gun or equipment", game.board.of(*EQUIPMENT))
    yield from _schema(
        game,
        "recover",
        [("equipment", equipment), ("by", fluents.infantry)],
        captures.recover,
        "a unit recovers a Gun or other equipment in its Location",
        cite("26.222/2"),
    )
    bearers = fluents.some_units("vehicle or Infantry unit", game.board.of(*INFANTRY, *LANDED))
    yield from _schema(
        game,
        "carry",
        [("equipment", equipment), ("by", bearers)],
        captures.carry,
        "a vehicle tows or carries a Gun or other equipment, or Infantry carries it",
        cite("26.23/1"),
    )
    text = "a Gun or other equipment is towed or carried no longer"
    yield from _schema(
        game, "drop", [("equipment", equipment if bearers else None)], captures.drop, text, cite("26.23/1")
    )
    crewed = fluents.some_units(
        "vehicle with a crew of its own", tuple(n for n, u in game.board.units.items() if u.crew)
    )
    yield from _schema(
        game,
        "abandon",
        [("vehicle", crewed)],
        captures.abandon,
        "the inherent crew leaves its vehicle and becomes a unit",
        cite("26.212/2"),
    )


def _secrets(game: Game) -> Iterable[Schema]:
    fluents = game.fluents
    hidable = fluents.names_of(fluents.concealment)
    how = words("concealment", CONCEALED, HIDDEN)
    yield from _schema(
        game,
        "conceal",
        [("unit", hidable), ("how", how, CONCEALED)],
        concealment.conceal,
        "a unit is concealed, or hidden (HIP)",
        cite("26.15/1", "26.15/2"),
    )
    text = "a unit is revealed; a dummy is removed"
    yield from _schema(game, "reveal", [("unit", hidable)], concealment.reveal, text, cite("26.15/1"))
    text = "a side declares what its concealed or hidden units have gained"
    areas = fluents.names_of(fluents.undeclared)
    yield from _schema(game, "declare", [("control", areas)], concealment.declare, text, cite("26.15/3"))
    squads = fluents.some_units("MMC", game.board.of(*MMC))
    yield from _schema(
        game,
        "search",
        [("unit", squads), ("location", fluents.locations)],
        concealment.search,
        "a unit searches a Location: hidden and concealed enemies there are revealed",
        cite("26.15/4"),
    )
    yield from _schema(
        game,
        "mop_up",
        [("side", fluents.sides), ("building", fluents.buildings if squads else None), ("hex", fluents.hexes)],
        lambda game, side, building, hex: concealment.mop_up(game, side, building, hex),
        "the side secures a building by Mopping Up, from a hex of it",
        cite("26.11-p4/1", "26.11-p4/1x1"),
    )


def _fires(game: Game) -> Iterable[Schema]:
    place = ("location", game.fluents.flammable)
    yield from _schema(
        game,
        "kindle",
        [("side", game.fluents.sides), place],
        fires.kindle,
        "the side sets a Location on fire deliberately",
        cite("26.16/1"),
    )
    for name, make, text, cites in (
        ("fire", fires.fire, "a Fire starts by accident", cite("26.161/1")),
        ("blaze", fires.blaze, "a Flame becomes a Blaze", cite("26.161/2")),
        ("extinguish", fires.extinguish, "a Fire goes out", cite("26.16/4")),
        ("rubble", fires.rubble, "a Location becomes rubble", cite("26.161/3")),
    ):
        yield from _schema(game, name, [place], make, text, cites)
    yield from _schema(
        game,
        "spread",
        [("from", game.fluents.flammable), ("to", game.fluents.flammable if len(game.board.flammable) > 1 else None)],
        lambda game, to, **given: fires.spread(game, given["from"], to),
        "Fire spreads to a Location in the same or an adjacent hex",
        cite("26.16/1", "26.162/2"),
    )

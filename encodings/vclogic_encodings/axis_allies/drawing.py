"""Drawing of the game: the contents of a region, and the steps of a plan on the map."""

from __future__ import annotations

import re
from collections.abc import Iterable

from vclogic_encodings.axis_allies.board import Board, UnitType
from vclogic_encodings.axis_allies.events.combat import owners_after
from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.names import NONE
from vclogic_encodings.axis_allies.rules.victory_cities import city_points

from vclogic.model.fluents import Value
from vclogic.model.picture import (
    Arrow,
    Drawing,
    Drawn,
    Move,
    Party,
    Picture,
    Region,
    Sign,
    Troops,
    Values,
    Way,
    marks,
)
from vclogic.terms.atoms import TRUE, constant
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term, variables
from vclogic.words import amount

_NUMBERED = re.compile(r"(\d+) Sea Zone")
_IN_THE_AIR = ("fly", "sortie")
_AFLOAT = ("sail", "cross", "bombard")


def drawing(game: Rules) -> Drawing:
    """The drawing of a game."""
    drawer = _Drawer(game)
    return Drawing(drawer.picture, drawer.move)


class _Drawer:
    """Pictures of one game."""

    def __init__(self, game: Rules):
        self.game = game
        self.fluents = game.fluents
        self.board: Board = game.board
        self.marks = marks(tuple(game.board.powers))

    # ---- a position

    def picture(self, values: Values, units: bool) -> Picture:
        """The picture of a state, with units if they are on the board and known."""
        board, fluents = self.board, self.fluents
        shown = units and fluents.armies
        side_points = ", ".join(f"{s} {amount(self._points(s, values), 'victory city point')}" for s in board.sides)
        return Picture(
            notes=(
                f"round {values[fluents.round.fluent]}, the {values[fluents.turn.fluent]} are to move; {side_points}",
            ),
            parties=tuple(Party(p, self.marks[p], x.side) for p, x in board.powers.items()),
            regions=tuple(self._region(name, values, shown) for name in board.territories),
            links=board.connections,
            wraps=board.wraps,
            key=tuple(self._key(values)),
        )

    def _key(self, values: Values) -> Iterable[str]:
        board = self.board
        if board.cities:
            yield "a city stands with its points"
        built = {values[self.fluents.complexes[t]] for t in board.land}
        said = ["IC: industrial complex, there at the start"] if "permanent" in built else []
        said += ["ic: industrial complex, bought"] if built - {"permanent", NONE} else []
        if said:
            yield "; ".join(said)
        if any(_NUMBERED.fullmatch(z) for z in board.sea):
            yield "a number is a sea zone"

    def _points(self, side: str, values: Values) -> int:
        held = (t for t in self.board.cities if values[self.fluents.owner[t]] in self.board.sides[side])
        return sum(city_points(self.board, t) for t in held)

    def _region(self, name: str, values: Values, units: bool) -> Region:
        territory = self.board.territories[name]
        numbered = _NUMBERED.fullmatch(name)
        land = territory.kind == "land"
        return Region(
            name=name,
            kind="land" if land else "sea" if territory.kind == "sea" else "closed",
            label=numbered[1] if numbered else name,
            at=territory.at,
            owner=str(values[self.fluents.owner[name]]) if land else None,
            badges=tuple(self._badges(name, values)) if land else (),
            forces=tuple(self._forces(name, values)) if units and territory.kind != "impassable" else (),
        )

    def _badges(self, name: str, values: Values) -> Iterable[str]:
        city = self.board.territories[name].city
        if city:
            yield f"{city.name} {city_points(self.board, name)}"
        kind = values[self.fluents.complexes[name]]
        if kind != NONE:
            yield "IC" if kind == "permanent" else "ic"

    def _forces(self, name: str, values: Values) -> Iterable[Troops]:
        for power in self.board.powers:
            for unit in self.fluents.forces.sort.members:
                count = values[self.fluents.units[name, power, unit]]
                if count:
                    yield self._force(power, unit, int(count))
        attacker = str(values[self.fluents.turn.fluent])
        for unit, fluent in self.fluents.underway.attacking(name).items():
            if values[fluent]:
                yield self._force(attacker, unit, int(values[fluent]))

    def _force(self, power: str, unit: str, count: int) -> Troops:
        return Troops(power, unit.replace("_", " "), count, sign_of(self.board.units[unit]))

    # ---- a step of a plan

    def move(self, step: Move, values: Values) -> Drawn:
        """The drawing of a step."""
        if step.action == "end_turn" or not step.args:
            return Drawn()
        power = str(step.args["power"])
        if power not in self.board.powers:
            raise KeyError(power)
        if "territory" in step.args:
            target = str(step.args["territory"])
            arrow = self._capture(power, target, values, own=step.turn is not None)
            return Drawn((arrow,), self._taken(power, [target], values))
        return self._order(step, power, values)

    def _taken(self, power: str, territories: Iterable[str], values: Values) -> dict[Term, Value]:
        """The owners of the taken territories."""
        changes: dict[Term, Value] = {}
        for owner, new in owners_after(self.game, power, dict.fromkeys(territories, TRUE)).items():
            known = {v: constant(v.sort, values[v]) for v in variables(new)}
            changes[owner] = str(Substitution(known)(new).value)
        return changes

    def _capture(self, power: str, target: str, values: Values, *, own: bool) -> Arrow:
        """A capture without armies; it sets out from where the territory can be reached."""
        board, geography = self.board, self.game.geography
        owner = {t: values[self.fluents.owner[t]] for t in board.land}
        owners = [power] if own else list(board.sides[board.powers[power].side])
        held = [t for t in board.land if owner[t] == power]
        held += [t for t in board.land if owner[t] in owners and t not in held]
        if source := next((t for t in held if t in geography.by_land[target]), None):
            return Arrow(source, target, party=power)
        for origin, sets in geography.by_sea[target].items():
            open_now = any(all(t in held for s in way for t in board.canals[s].land) for way in sets)
            if origin in held and open_now:
                return Arrow(origin, target, way="sea", party=power)
        return Arrow(None, target, party=power)

    def _order(self, step: Move, power: str, values: Values) -> Drawn:
        """A move of units, or a purchase."""
        args = {name: str(v) for name, v in step.args.items()}
        mark, forces = self.marks[power], tuple(self._told(power, args["units"]))
        source, target = args["from"], args["to"]
        if step.action == "buy":
            return Drawn((Arrow(None, target, label=f"+ {mark}", party=power, forces=forces),))
        way: Way = "land"
        if step.action in (*_IN_THE_AIR, *_AFLOAT):
            way = "air" if step.action in _IN_THE_AIR else "sea"
        via = () if step.action == "sortie" else self._known(args["via"])  # where it lands is not on its way
        taken = [t for t in args["captures"].split(", ") if t]
        return Drawn(
            (Arrow(source, target, via, mark, way, party=power, forces=forces),), self._taken(power, taken, values)
        )

    def _told(self, power: str, units: str) -> Iterable[Troops]:
        """`2 infantry and 1 armour`, for one power."""
        for part in filter(None, units.split(" and ")):
            count, _, unit = part.partition(" ")
            yield self._force(power, unit, int(count))

    def _known(self, names: str) -> tuple[str, ...]:
        return tuple(n for n in names.split(" and ") if n in self.board.territories)


def sign_of(unit: UnitType) -> Sign:
    """The sign of a kind of units, by what it can do."""
    if unit.kind == "air":
        return "wings" if unit.strategic_bomber else "wing"
    if unit.kind == "sea":
        signs: tuple[tuple[bool, Sign], ...] = (
            (unit.submarine, "sub"),
            (unit.carrier_room > 0, "carrier"),
            (unit.bombards, "battleship"),
            (unit.transport_room > 0, "transport"),
        )
        return next((sign for holds, sign in signs if holds), "ship")
    can: tuple[tuple[bool, Sign], ...] = (
        (unit.antiaircraft, "flak"),
        (unit.supports_infantry, "gun"),
        (unit.blitzes, "tank"),
        (unit.supported_by_artillery, "foot"),
    )
    return next((sign for holds, sign in can if holds), "")

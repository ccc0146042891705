"""How the game is drawn: what a region shows, and what a step of a plan looks like on the map."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from vclogic_encodings.axis_allies.board import Board
from vclogic_encodings.axis_allies.events.combat import new_owner
from vclogic_encodings.axis_allies.game import Game
from vclogic_encodings.axis_allies.names import NONE
from vclogic_encodings.axis_allies.rules.victory_cities import city_points

from vclogic.model.fluents import Value
from vclogic.model.picture import Arrow, Drawing, Drawn, Move, Party, Picture, Region, Values, marks
from vclogic.terms.atoms import constant
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term, variables
from vclogic.words import amount

SHORT = {"infantry": "inf", "artillery": "art", "armour": "arm", "fighter": "ftr", "bomber": "bmb", "aa_gun": "aa"}
SHORT |= {"transport": "tra", "submarine": "sub", "destroyer": "des", "carrier": "car", "battleship": "bat"}
"""Abbreviations of the usual units."""
_NUMBERED = re.compile(r"(\d+) Sea Zone")
_IN_THE_AIR = ("fly", "sortie")
_AFLOAT = ("sail", "cross", "bombard")


def drawing(game: Game) -> Drawing:
    """How a game is drawn."""
    drawer = _Drawer(game)
    return Drawing(drawer.picture, drawer.move)


class _Drawer:
    """Pictures of one game."""

    def __init__(self, game: Game):
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
        key = ["a city stands with its points", "IC: industrial complex, there at the start; ic: bought"]
        if any(_NUMBERED.fullmatch(z) for z in board.sea):
            key.append("a number is a sea zone")
        if shown:
            known = ", ".join(f"{short} {unit}" for unit, short in SHORT.items() if unit in board.units)
            key.append(f"units: {known}" if known else "units by name")
        return Picture(
            notes=(
                f"round {values[fluents.round.fluent]}, the {values[fluents.turn.fluent]} are to move; {side_points}",
            ),
            parties=tuple(Party(p, self.marks[p], x.side) for p, x in board.powers.items()),
            regions=tuple(self._region(name, values, shown) for name in board.territories),
            links=board.connections,
            wraps=board.wraps,
            key=tuple(key),
        )

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
            units=tuple(self._units(name, values)) if units and territory.kind != "impassable" else (),
        )

    def _badges(self, name: str, values: Values) -> Iterable[str]:
        city = self.board.territories[name].city
        if city:
            yield f"{city.name} {city_points(self.board, name)}"
        kind = values[self.fluents.complexes[name]]
        if kind != NONE:
            yield "IC" if kind == "permanent" else "ic"

    def _units(self, name: str, values: Values) -> Iterable[str]:
        for power in self.board.powers:
            kinds = self.fluents.forces.sort.members
            there = [(unit, values[self.fluents.units[name, power, unit]]) for unit in kinds]
            if units := " ".join(f"{n}{SHORT.get(u, u)}" for u, n in there if n):
                yield f"{self.marks[power]} {units}"

    # ---- a step of a plan

    def move(self, step: Move, values: Values) -> Drawn:
        """What a step looks like."""
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
        """Who owns what has been taken."""
        changes: dict[Term, Value] = {}
        for t in territories:
            owner = new_owner(self.game, power, t)
            known = {v: constant(v.sort, values[v]) for v in variables(owner)}
            changes[self.fluents.owner[t]] = str(Substitution(known)(owner).value)
        return changes

    def _capture(self, power: str, target: str, values: Values, *, own: bool) -> Arrow:
        """A capture without armies; it sets out from where the territory can be reached."""
        board, geography = self.board, self.game.geography
        owner = {t: values[self.fluents.owner[t]] for t in board.land}
        owners = [power] if own else list(board.sides[board.powers[power].side])
        held = [t for t in board.land if owner[t] == power]
        held += [t for t in board.land if owner[t] in owners and t not in held]
        if source := next((t for t in held if t in geography.by_land[target]), None):
            return Arrow(source, target)
        for origin, sets in geography.by_sea[target].items():
            open_now = any(all(t in held for s in way for t in board.canals[s].land) for way in sets)
            if origin in held and open_now:
                return Arrow(origin, target, way="sea")
        return Arrow(None, target)

    def _order(self, step: Move, power: str, values: Values) -> Drawn:
        """A move of units, or a purchase."""
        args = {name: str(v) for name, v in step.args.items()}
        label = f"{self.marks[power]} {_short(args['units'])}"
        source, target = args["from"], args["to"]
        if step.action == "buy":
            return Drawn((Arrow(None, target, label=f"+ {label}"),))
        way: Literal["land", "sea", "air"] = "land"
        if step.action in (*_IN_THE_AIR, *_AFLOAT):
            way = "air" if step.action in _IN_THE_AIR else "sea"
        via = () if step.action == "sortie" else self._known(args["via"])  # where it lands is not on its way
        taken = [t for t in args["captures"].split(", ") if t]
        return Drawn((Arrow(source, target, via, label, way),), self._taken(power, taken, values))

    def _known(self, names: str) -> tuple[str, ...]:
        return tuple(n for n in names.split(" and ") if n in self.board.territories)


def _short(units: str) -> str:
    """`2 infantry and 1 armour` as it stands in a picture."""
    parts = (part.partition(" ") for part in units.split(" and "))
    return " ".join(f"{n}{SHORT.get(unit, unit)}" for n, _, unit in parts)

"""Drawing of the game: the island with its zones and units, and the steps of a plan on it."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.okinawa.board import LEFT, NORTHEAST, OFF, OTHER, SIDES, US, Board, Terrain, Unit
from vclogic_encodings.okinawa.fluents import EACH
from vclogic_encodings.okinawa.game import Rules
from vclogic_encodings.okinawa.observables import overlays

from vclogic.model.actions import Event
from vclogic.model.hexmap import Counter, HexMap, Look, Site, TerrainKind
from vclogic.model.lazy import LazySequence
from vclogic.model.picture import Arrow, Drawing, Drawn, Known, Move, Party, Picture, Region, Values, marks

_LETTERS: dict[str, tuple[str, Look]] = {
    ".": ("open ground", "open"),
    "^": ("hills", "hills"),
    "M": ("mountains", "mountains"),
    "o": ("towns and roads", "town"),
    "~": ("open sea", "water"),
}
"""The meaning of the letters of the maps here; others go by the letter."""
_USUAL = "."
_KEY = (
    "figures: attack-defence, of artillery barrage-FPF-defence; cut off: without a line of communications; "
    "no ZOC: without a zone of control"
)


def drawing(game: Rules) -> Drawing:
    """The drawing of a game."""
    drawer = _Drawer(game)
    over = LazySequence(lambda: overlays(game))
    return Drawing(drawer.picture, drawer.move, exact=True, turn_over=Event("end_turn"), overlays=over)


def _ground(letter: str, terrain: Terrain) -> tuple[str, Look]:
    known = _LETTERS.get(letter)
    if known is not None and (known[1] == "water") == (terrain.cost is None):
        return known
    return f"terrain {letter}", "water" if terrain.cost is None else "other"


class _Drawer:
    """Pictures of one game."""

    def __init__(self, game: Rules):
        self.game = game
        self.fluents = game.fluents
        self.board: Board = game.board
        self.grounds = {letter: _ground(letter, t) for letter, t in self.board.terrain.items()}

    # ---- a position

    def picture(self, values: Values, units: bool) -> Picture:
        """The picture of a state."""
        fluents, score, known = self.fluents, self.game.score, Known(values)
        when = f"turn {values[fluents.round.fluent]}, {values[fluents.turn.fluent]} is to move"
        points = (f"{s} {known(score.final(s))} Victory Points if it ended now" for s in SIDES)
        signs = marks(SIDES)
        return Picture(
            notes=("the game is over" if values[fluents.over.fluent] else when, *points),
            parties=tuple(Party(s, signs[s], s) for s in SIDES),
            regions=tuple(self._regions(values, known, units)),
            key=(_KEY,),
            hexes=HexMap(
                corner_north=self.board.grid.corner_north,
                grounds=tuple(self._all_grounds()),
                sites=tuple(self._sites()),
                aside=tuple(self._aside(values)),
            ),
        )

    def _all_grounds(self) -> Iterable[TerrainKind]:
        for letter, terrain in self.board.terrain.items():
            name, look = self.grounds[letter]
            cost = "closed" if terrain.cost is None else f"{terrain.cost} movement points"
            yield TerrainKind(name, look, cost, written=letter != _USUAL and look != "water")

    def _regions(self, values: Values, known: Known, units: bool) -> Iterable[Region]:
        board, fluents = self.board, self.fluents
        there: dict[str, list[str]] = {}
        for u in board.all_units:
            there.setdefault(str(values[fluents.at[u]]), []).append(u)
        cut_off = self._cut_off(values, known) if units else frozenset()
        for h in board.grid.hexes:
            yield Region(
                name=h,
                kind="land" if h in board.cost else "closed",
                label=h,
                at=board.grid.centre(h),
                ground=self.grounds[board.letter(h)][0],
                counters=tuple(self._counter(u, u in cut_off) for u in there.get(h, ())),
            )

    def _cut_off(self, values: Values, known: Known) -> frozenset[str]:
        """US units on the map without a line of communications."""
        places = {u: str(values[self.fluents.at[u]]) for u in self.board.of(US)}
        on_map = (u for u, place in places.items() if place not in self.board.elsewhere)
        return frozenset(u for u in on_map if not known(self.game.lines.from_hex(places[u])))

    def _counter(self, name: str, cut_off: bool) -> Counter:
        unit = self.board.all_units[name]
        state = (*(("cut off",) if cut_off else ()), *(() if unit.zone_of_control else ("no ZOC",)))
        return Counter(name, self.board.side_of[name], "", _figures(unit), state)

    def _sites(self) -> Iterable[Site]:
        board = self.board
        signs = marks((*board.zones, *board.edges))
        for name, zone in board.zones.items():
            worth = [f"{s} {n}" for s in SIDES if (n := board.points(name, s))]
            note = f"zone, points for each unit there at the end: {', '.join(worth) or 'none'}"
            note = note if zone.in_use else "zone, not in use"
            yield Site(name, board.zone_hexes(zone), "zone", note=note, mark=signs[name], owned=False)
        for name, edge in board.edges.items():
            note = f"an edge by which units of {' and '.join(edge.sides)} leave"
            yield Site(f"{name.capitalize()} edge", edge.hexes, "zone", note=note, mark=signs[name], owned=False)
        note = "the northeast map edge, to which lines of communications lead"
        yield Site("Northeast edge", board.northeast_edge, "zone", note=note, mark="NE", owned=False)

    def _aside(self, values: Values) -> Iterable[str]:
        for state in self.board.elsewhere:
            there = [u for u in self.board.all_units if values[self.fluents.at[u]] == state]
            if there:
                heading = {OFF: "Off the map", LEFT: "Left the map"}.get(state, state.capitalize())
                yield f"{heading}: {', '.join(f'{u} ({self.board.side_of[u]})' for u in there)}."

    # ---- a step of a plan

    def _removed(self, values: Values) -> Iterable[Event]:
        """The US units that are removed for a Japanese one: those that the scenario lists first."""
        us = [u for u in self.board.of(US) if values[self.fluents.at[u]] not in self.board.elsewhere]
        return (Event("remove", (("unit", u),)) for u in us[:EACH])

    def move(self, step: Move, values: Values) -> Drawn:
        """Draw a step of a plan."""
        args = {name: str(v) for name, v in step.args.items()}
        if step.action in ("exit", "leave"):
            gone, _, _ = self.board.ways_off[NORTHEAST if step.action == "exit" else args.get("by", OTHER)]
            arrow = Arrow(None, str(values[self.fluents.at[args["unit"]]]), label=f"{args['unit']} {gone}")
            removed = self._removed(values) if self.fluents.removes(args["unit"], gone) else ()
            return Drawn((arrow,), events=(Event(step.action, tuple(args.items())), *removed))
        if step.action in ("end_turn", "end_game"):
            return Drawn()
        if step.action != "move":
            raise ValueError(step.action)
        unit = args["unit"]
        event = Event("move", (("unit", unit), ("to", args["to"])))
        source = args["from"] if args["from"] in self.board.grid else None
        return Drawn((Arrow(source, args["to"], tuple(args["via"].split()), unit),), events=(event,))


def _figures(unit: Unit) -> str:
    """The strengths as a counter has them."""
    if unit.artillery:
        return f"{unit.barrage or 0}-{unit.fpf or 0}-{unit.defence}"
    return f"{unit.attack or 0}-{unit.defence}"

"""Drawing of the game: the front with its places and units, and the steps of a plan on it."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.moscow.board import CLEAR, ELIMINATED, OFF, SIDES, Board
from vclogic_encodings.moscow.fluents import NONE
from vclogic_encodings.moscow.game import Rules
from vclogic_encodings.moscow.observables import overlays

from vclogic.model.actions import Event
from vclogic.model.hexmap import Counter, HexMap, Site, TerrainKind, look_of
from vclogic.model.lazy import LazySequence
from vclogic.model.picture import Arrow, Drawing, Drawn, Known, Move, Party, Picture, Region, Values, marks

_KEY = "figures: strength, attack-defence where they differ; in brackets where the unit's are; EB: an EB unit"
_ITEMS = {"capture": "captured", "hold": "held", "take_and_hold": "taken and held"}


def drawing(game: Rules) -> Drawing:
    """The drawing of a game."""
    drawer = _Drawer(game)
    over = LazySequence(lambda: overlays(game))
    return Drawing(drawer.picture, drawer.move, exact=True, turn_over=Event("end_turn"), overlays=over)


class _Drawer:
    """Pictures of one game."""

    def __init__(self, game: Rules):
        self.game = game
        self.fluents = game.fluents
        self.board: Board = game.board

    # ---- a position

    def picture(self, values: Values, units: bool) -> Picture:
        """The picture of a state."""
        fluents, board, known = self.fluents, self.board, Known(values)
        when = f"turn {values[fluents.round.fluent]}, the {values[fluents.turn.fluent]} side is to move"
        points = (f"{s} {known(self.game.score.points(s))} Victory Points" for s in SIDES)
        signs = marks(SIDES)
        return Picture(
            notes=("the game is over" if values[fluents.over.fluent] else when, *points, *self._gaps(known)),
            parties=tuple(Party(s, signs[s], s) for s in SIDES),
            regions=tuple(self._regions(values)),
            key=(_KEY,),
            hexes=HexMap(
                corner_north=board.grid.corner_north,
                grounds=tuple(self._grounds()),
                sites=tuple(self._sites(values)),
                bars=board.barriers,
                bar_name="no way, and no zone of control, from one to the other",
                aside=tuple(self._aside(values)),
            ),
        )

    def _gaps(self, known: Known) -> Iterable[str]:
        """The hex rows that each side leaves open."""
        for side in SIDES:
            rows = [row for row in self.board.hex_rows if known(self.game.line.row_open(side, row))]
            if rows:
                yield f"rows that the {side} side leaves uncovered: {', '.join(rows)}"

    def _grounds(self) -> Iterable[TerrainKind]:
        board = self.board
        costs = {CLEAR: 1, **board.movement}
        yield TerrainKind(CLEAR, "open", _points(costs[CLEAR]), written=False)
        for name in board.terrain:
            if name != CLEAR:
                yield TerrainKind(name, look_of(name), _points(costs[name]))

    def _regions(self, values: Values) -> Iterable[Region]:
        board = self.board
        there: dict[str, list[str]] = {}
        for u in board.units:
            there.setdefault(str(values[self.fluents.at[u]]), []).append(u)
        kinds = {h: name for name, hexes in board.terrain.items() for h in hexes}
        for h in board.grid.hexes:
            yield Region(
                name=h,
                kind="land",
                label=h,
                at=board.grid.centre(h),
                ground=kinds.get(h, CLEAR),
                counters=tuple(self._counter(u) for u in there.get(h, ())),
            )

    def _counter(self, name: str) -> Counter:
        u = self.board.units[name]
        figures = str(u.strength) if u.defends == u.strength else f"{u.strength}-{u.defends}"
        figures = f"({figures})" if u.bracketed else figures
        kind = "" if u.size in name.lower() or u.size == "other" else u.size
        return Counter(name, u.side, kind, figures, ("EB",) if u.eb else ())

    def _sites(self, values: Values) -> Iterable[Site]:
        for name, place in self.board.places.items():
            awards = [a for a in self.board.awards if a.place == name]
            worth = ", ".join(f"{a.points} for the {' or '.join(a.to)} side if {_ITEMS[a.item]}" for a in awards)
            most = max((a.points for a in awards), default=0)
            owner = str(values[self.fluents.owner[name]])
            short = f"to {most} VP" if len(awards) > 1 else f"{most} VP" if most else ""
            yield Site(
                name, place.hexes, short=short, note=worth or "no points", owner=None if owner == NONE else owner
            )

    def _aside(self, values: Values) -> Iterable[str]:
        for state, text in ((OFF, "Off the map"), (ELIMINATED, "Eliminated")):
            there = [f"{u} ({x.side})" for u, x in self.board.units.items() if values[self.fluents.at[u]] == state]
            if there:
                yield f"{text}: {', '.join(there)}."

    # ---- a step of a plan

    def move(self, step: Move, values: Values) -> Drawn:
        """Draw a step of a plan."""
        if step.action in ("end_turn", "end_game"):
            return Drawn()
        if step.action != "move":
            raise ValueError(step.action)
        args = {name: str(v) for name, v in step.args.items()}
        unit, source, target = args["unit"], args["from"], args["to"]
        event = Event("move", (("unit", unit), ("to", target)))
        if target not in self.board.grid:
            return Drawn((Arrow(None, source, label=f"{unit} {target}"),), events=(event,))
        via = tuple(h for h in args["via"].split(" and ") if h)
        start = source if source in self.board.grid else None
        return Drawn((Arrow(start, target, via, unit),), events=(event,))


def _points(cost: int) -> str:
    return f"{cost} movement point{'s' * (cost != 1)}"

"""Drawing of the game: hexes with units and objectives, and the steps of a plan on them."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.napoleonics.board import ELIMINATED, NONE, OFF, Board, Exit
from vclogic_encodings.napoleonics.fluents import BETWEEN, MOVEMENT
from vclogic_encodings.napoleonics.game import Rules

from vclogic.model.actions import Event
from vclogic.model.hexmap import Counter, HexMap, Site, TerrainKind, look_of
from vclogic.model.picture import Arrow, Drawing, Drawn, Known, Move, Party, Picture, Region, Values, marks

OPEN = "open"


def drawing(game: Rules) -> Drawing:
    """The drawing of a game."""
    drawer = _Drawer(game)
    return Drawing(drawer.picture, drawer.move, exact=True)


class _Drawer:
    """Pictures of one game."""

    def __init__(self, game: Rules):
        self.fluents, self.objectives, self.victory = game.fluents, game.objectives, game.victory
        self.board: Board = game.board

    # ---- a position

    def picture(self, values: Values, units: bool) -> Picture:
        """The picture of a state."""
        board, fluents = self.board, self.fluents
        known = Known(values)
        turn, phase = values[fluents.turn.fluent], values[fluents.phase.fluent]
        after = f"between turns, the {board.enemy(str(turn))} side is next"
        when = after if phase == BETWEEN else f"turn of the {turn} side, {phase}"
        needs = {s: f" of {need}" for s, need in board.banners.items()}
        banners = (f"{s} {known(self.victory.banners(s))}{needs.get(s, '')} banners" for s in board.sides)
        signs = marks(board.sides)
        return Picture(
            notes=(when, *banners),
            parties=tuple(Party(s, signs[s], s) for s in board.sides),
            regions=tuple(self._region(h, values) for h in board.grid.hexes),
            hexes=HexMap(
                corner_north=board.grid.corner_north,
                grounds=tuple(self._grounds()),
                sites=tuple(self._sites(known)),
                aside=tuple(self._aside(values)),
            ),
        )

    def _grounds(self) -> Iterable[TerrainKind]:
        if OPEN not in self.board.terrain_types:
            yield TerrainKind(OPEN, "open", written=False)
        for name, kind in self.board.terrain_types.items():
            stops = ("stops units that enter",) if kind.stops else ()
            cost = (f"costs {kind.cost}",) if kind.cost > 1 else ()
            closed = ("closed",) if kind.blocks else ()
            refused = (f"closed to {', '.join(kind.blocks_kinds)}",) if kind.blocks_kinds else ()
            yield TerrainKind(name, look_of(name), "; ".join((*closed, *stops, *cost, *refused)))

    def _region(self, h: str, values: Values) -> Region:
        board = self.board
        there = [u for u in board.units if values[self.fluents.at[u]] == h]
        name, _ = board.ground.get(h, (OPEN, None))
        return Region(
            name=h,
            kind="closed" if h in board.blocked else "land",
            label=h,
            at=board.grid.centre(h),
            ground=name,
            counters=tuple(self._counter(u, values) for u in there),
        )

    def _counter(self, unit: str, values: Values) -> Counter:
        u = self.board.units[unit]
        worth = "" if u.banners == 1 else f"{u.banners} banners"
        return Counter(unit, u.side, u.kind, worth, ("ordered",) if values[self.fluents.ordered[unit]] else ())

    def _sites(self, known: Known) -> Iterable[Site]:
        for name, o in self.board.objectives.items():
            owner = str(known(self.objectives[name].holder))
            worth = f"{o.banners} banner{'s' * (o.banners != 1)}"
            alone = f", of the {o.side} side alone" if o.side else ""
            kinds = f", for {', '.join(o.kinds)}" if o.kinds else ""
            note = f"{o.kind.replace('_', ' ')} objective{alone}{kinds}, {worth}"
            yield Site(name, o.hexes, short=worth, note=note, owner=None if owner == NONE else owner)
        for name, x in self.board.exits.items():
            yield self._exit(name, x, known)
        for name, hexes in self.board.sections.items():
            yield Site(
                name, self.board.spread(hexes), "zone", note="section of the map", mark=name[:1].upper(), owned=False
            )

    def _exit(self, name: str, x: Exit, known: Known) -> Site:
        who = f"{', '.join(x.kinds) or 'units'}{f' of the {x.side} side' if x.side else ''}"
        worth = f"{x.banners} banner{'s' * (x.banners != 1)}{' to the enemy' if x.lost else ''}"
        gone = sum(int(known(self.victory.left(s, name))) for s in self.board.sides)
        note = f"exit for {who}, {worth} each; {gone} gone"
        return Site(name, self.board.ways_out[name], short=f"{worth} each", note=note, owned=False)

    def _aside(self, values: Values) -> Iterable[str]:
        gone = {name: f"Gone by {name}" for name in self.board.exits}
        for state, text in ({OFF: "Off the map", ELIMINATED: "Eliminated"} | gone).items():
            there = [f"{u} ({x.side})" for u, x in self.board.units.items() if values[self.fluents.at[u]] == state]
            if there:
                yield f"{text}: {', '.join(there)}."
        for name, o in self.board.battle_objectives.items():
            scored = values[self.fluents.scored[name]]
            yield f"Battle notes, {name} ({o.side}, {o.banners} each): {o.text}; {scored} of {o.times}."

    # ---- a step of a plan

    def move(self, step: Move, values: Values) -> Drawn:
        """Draw a step of a plan."""
        args = {name: str(v) for name, v in step.args.items()}
        if step.action == "start_turn":
            arrows = tuple(
                Arrow(None, o.hexes[0], label=f"{name} gained")
                for name, o in self.board.objectives.items()
                if name in args["gained"] and args["gained"]
            )
            return Drawn(arrows, events=tuple(self._begun(args["side"], values)), turn=f"the {args['side']} side")
        if step.action == "eliminate":
            return self._fight(args["unit"], args["by"], values)
        if step.action == "take":
            return self._taken(args["unit"], args["objective"], values)
        if step.action not in ("order", "move"):
            raise ValueError(step.action)
        unit = args["units" if step.action == "order" else "unit"]
        begun = tuple(self._begun(self.board.units[unit].side, values))
        ordered = () if values[self.fluents.ordered[unit]] and not begun else (Event("order", (("units", unit),)),)
        turn = f"the {self.board.units[unit].side} side"
        if step.action == "order":
            return Drawn((), events=(*begun, *ordered), turn=turn)
        source = args["from"]
        events = (*begun, *ordered, Event("move", (("unit", unit), ("to", args["to"]))))
        if args["to"] in self.board.exits:
            *way, last = (source, *args["via"].split())
            arrow = Arrow(way[0] if way else None, last, tuple(way[1:]), f"{unit} leaves by {args['to']}")
            return Drawn((arrow,), events=events, turn=turn)
        if args["to"] == OFF or source == OFF:
            on_map = source if args["to"] == OFF else args["to"]
            return Drawn((Arrow(None, on_map, label=f"{unit} {OFF}"),), events=events, turn=turn)
        return Drawn((Arrow(source, args["to"], tuple(args["via"].split()), unit),), events=events, turn=turn)

    def _fight(self, unit: str, by: str, values: Values) -> Drawn:
        """Draw the elimination of a unit by another one."""
        gone, fighter = (str(values[self.fluents.at[u]]) for u in (unit, by))
        arrow = Arrow(fighter, gone, label=f"{unit} lost", way="strike")
        return self._after_moves(arrow, Event("eliminate", (("unit", unit),)), values)

    def _taken(self, unit: str, name: str, values: Values) -> Drawn:
        """Draw how a unit takes an objective where it stands."""
        arrow = Arrow(None, str(values[self.fluents.at[unit]]), label=f"{name} taken by {unit}")
        return self._after_moves(arrow, Event("take", (("unit", unit), ("objective", name))), values)

    def _after_moves(self, arrow: Arrow, event: Event, values: Values) -> Drawn:
        ends = (Event("end_movement"),) if values[self.fluents.phase.fluent] == MOVEMENT else ()
        return Drawn((arrow,), events=(*ends, event), turn=f"the {values[self.fluents.turn.fluent]} side")

    def _begun(self, side: str, values: Values) -> Iterable[Event]:
        """The events that begin the side's turn, unless it has begun."""
        between = values[self.fluents.phase.fluent] == BETWEEN
        if not between and values[self.fluents.turn.fluent] == side:
            return
        if not between:
            yield Event("end_turn")
        yield Event("start_turn", (("side", side),))

"""What a playable board satisfies."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.napoleonics.board import ELIMINATED, KEPT, MOST, NONE, OFF, TO, BannerObjective, Board

from vclogic.model.system import Flaw

Path = tuple[str | int, ...]


def flaws(board: Board) -> Iterable[Flaw]:
    """Report the faults of a board that has the right shape."""
    found = [*_number_flaws(board), *_side_flaws(board)]
    yield from found
    if any(f.path[0] in ("columns", "rows", "numbered_from", "banners", "sides") for f in found):
        return  # no map, or no sides, to look at the rest by
    yield from _terrain_flaws(board)
    yield from _unit_flaws(board)
    for name, o in board.objectives.items():
        yield from _objective_flaws(board, name, o)
    for name, b in board.battle_objectives.items():
        if b.side not in board.sides:
            yield Flaw.unknown(("battle_objectives", name, "side"), "side", b.side, board.sides)
        if name == NONE:
            yield Flaw(("battle_objectives", name), f"nothing can be named {name!r}", key=True)
    for name in board.exits:
        yield from _exit_flaws(board, name)
    for name, hexes in board.sections.items():
        yield from _spread_flaws(board, ("sections", name), hexes)


def _number_flaws(board: Board) -> Iterable[Flaw]:
    numbers: list[tuple[Path, int, int]] = [(("columns",), board.columns, 1), (("rows",), board.rows, 1)]
    numbers += [(("numbered_from",), board.numbered_from, 0)]
    numbers += [(("banners", s), n, 1) for s, n in board.banners.items()]
    numbers += [(("kinds", k, "move"), x.move, 0) for k, x in board.kinds.items()]
    numbers += [(("units", u, "banners"), x.banners, 0) for u, x in board.units.items()]
    numbers += [(("objectives", o, "banners"), x.banners, 0) for o, x in board.objectives.items()]
    numbers += [(("battle_objectives", o, "banners"), x.banners, 0) for o, x in board.battle_objectives.items()]
    numbers += [(("battle_objectives", o, "times"), x.times, 1) for o, x in board.battle_objectives.items()]
    numbers += [(("exits", x, "banners"), e.banners, 0) for x, e in board.exits.items()]
    numbers += [(("terrain_types", t, "cost"), x.cost, 1) for t, x in board.terrain_types.items()]
    for path, number, least in numbers:
        if not least <= number <= MOST:
            yield Flaw(path, f"{path[-1]}: a number from {least} to {MOST} is needed, not {number}")


def _side_flaws(board: Board) -> Iterable[Flaw]:
    if len(board.sides) != 2:
        here = ": " + ", ".join(board.sides) if board.sides else ""
        hint = (
            "name them: `sides: [French, Allied]`, or say what each needs to win: `banners: {French: 5, Allied: 5}`"
        )
        yield Flaw(("banners",), f"two sides are needed, not {len(board.sides)}{here}", hint)
    for side in board.sides:
        if side == NONE:
            yield Flaw(("banners", side), f"no side can be named {side!r}", key=True)
    for side in board.banners:
        if side not in board.sides:
            yield Flaw.unknown(("banners", side), "side", side, board.sides, key=True)
    if board.first not in board.sides:
        yield Flaw.unknown(("first",), "side", board.first, board.sides)


def _hex_flaws(board: Board, path: Path, hexes: Iterable[str]) -> Iterable[Flaw]:
    """Hexes that are none, off the map, or given twice."""
    seen = set[str]()
    for i, h in enumerate(hexes):
        for message in board.grid.flaws([h]):
            yield Flaw((*path, i), message)
        if h in seen:
            yield Flaw((*path, i), f"{h} stands here twice")
        seen.add(h)


def _spread_flaws(board: Board, path: Path, hexes: Iterable[str]) -> Iterable[Flaw]:
    """Hexes, or corners of a rectangle of them, that are none or off the map."""
    for i, h in enumerate(hexes):
        for message in board.grid.flaws(h.split(TO, 1)):
            yield Flaw((*path, i), message)


def _kind_flaws(board: Board, path: Path, kinds: Iterable[str]) -> Iterable[Flaw]:
    for i, kind in enumerate(kinds):
        if kind not in board.kinds:
            yield Flaw.unknown((*path, i), "kind of unit", kind, board.kinds)


def _exit_flaws(board: Board, name: str) -> Iterable[Flaw]:
    at, x = ("exits", name), board.exits[name]
    if name in (NONE, OFF, ELIMINATED) or name in board.grid:
        yield Flaw(at, f"no exit can be named {name!r}", key=True)
    if x.side is not None and x.side not in board.sides:
        yield Flaw.unknown((*at, "side"), "side", x.side, board.sides)
    yield from _kind_flaws(board, (*at, "kinds"), x.kinds)
    yield from _spread_flaws(board, (*at, "hexes"), x.hexes)
    if (x.edge is None) != bool(x.hexes):
        help = "write `edge: north`, or the hexes from which units leave: `hexes: [...]`"
        yield Flaw(at, f"{name} needs an edge, or hexes, and not both", help, key=True)


def _terrain_flaws(board: Board) -> Iterable[Flaw]:
    for name, kind in board.terrain_types.items():
        yield from _kind_flaws(board, ("terrain_types", name, "blocks_kinds"), kind.blocks_kinds)
    seen: dict[str, str] = {}
    for name, hexes in board.terrain.items():
        if name not in board.terrain_types:
            yield Flaw.unknown(("terrain", name), "kind of terrain", name, board.terrain_types, key=True)
        yield from _hex_flaws(board, ("terrain", name), hexes)
        for i, h in enumerate(hexes):
            if seen.setdefault(h, name) != name:
                yield Flaw(("terrain", name, i), f"{h} is {seen[h]} already")


def _unit_flaws(board: Board) -> Iterable[Flaw]:
    if not board.units:
        yield Flaw(("units",), "there are no units")
    there: dict[str, str] = {}
    for name, u in board.units.items():
        at: Path = ("units", name)
        if u.side not in board.sides:
            yield Flaw.unknown((*at, "side"), "side", u.side, board.sides)
        if u.kind not in board.kinds:
            yield Flaw.unknown((*at, "kind"), "kind of unit", u.kind, board.kinds)
        if u.at == OFF:
            continue
        wrong = board.grid.flaws([u.at])
        for message in wrong:
            yield Flaw((*at, "at"), message, f"write {OFF!r} for a unit that is not on the map")
        if wrong or u.kind not in board.kinds:
            continue
        if (terrain := board.blocked.get(u.at)) is not None:
            yield Flaw((*at, "at"), f"{name} cannot stand on {u.at}: it is {terrain}")
        for other in [o for o, h in there.items() if h == u.at]:
            leads = board.kinds[u.kind].leader or board.kinds[board.units[other].kind].leader
            if board.units[other].side != u.side or not leads:
                yield Flaw((*at, "at"), f"{other} stands on {u.at} already")
        there[name] = u.at


def _objective_flaws(board: Board, name: str, o: BannerObjective) -> Iterable[Flaw]:
    at: Path = ("objectives", name)
    if name == NONE:
        yield Flaw(at, f"no objective can be named {name!r}", key=True)
    if not o.hexes:
        yield Flaw(at, f"{name} has no hexes", key=True)
    yield from _hex_flaws(board, (*at, "hexes"), o.hexes)
    for i, h in enumerate(o.hexes):
        if (terrain := board.blocked.get(h)) is not None:
            yield Flaw((*at, "hexes", i), f"nobody can occupy {h}: it is {terrain}")
    for key, side in (("side", o.side), ("held", o.held)):
        if side is not None and side not in board.sides:
            yield Flaw.unknown((*at, key), "side", side, board.sides)
    yield from _kind_flaws(board, (*at, "kinds"), o.kinds)
    for other, p in board.objectives.items() if o.kind in KEPT else ():
        if p.kind in KEPT and {*p.kinds} != {*o.kinds} and not {*p.hexes}.isdisjoint(o.hexes):
            message = f"{name} and {other} are temporary, have a hex in common, and are for other kinds of units"
            yield Flaw((*at, "kinds"), message, "let one of them be of another kind, or have other hexes")
    if o.held is not None and o.side not in (None, o.held):
        yield Flaw((*at, "held"), f"{name} is an objective of the {o.side} side alone")

"""A player-turn's choices as orders that a player would write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from vclogic_encodings.napoleonics.planning.paths import Paths
from vclogic_encodings.napoleonics.planning.turn import PlayerTurn

from vclogic.model.fluents import Value
from vclogic.model.step_text import StepText, Values
from vclogic.model.transition import Chosen
from vclogic.terms.atoms import TRUE, constant
from vclogic.terms.build import eq
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort


def orders(turn: PlayerTurn, paths: Paths, chosen: Chosen, values: Values) -> list[StepText]:
    """The orders of a turn, each in its order; one line where there are none."""
    numbers = {x.name: n for x, n in chosen.items() if n}
    start = _start(turn, values)
    steps = [*_first(turn, numbers, values), *_moves(turn, paths, numbers, values), *_fights(turn, set(numbers))]
    gained = start.args["gained"]
    if gained or steps:
        return [start, *steps] if gained else steps
    return [replace(start, text=f"{turn.side}: the turn passes without orders")]


def _start(turn: PlayerTurn, values: Values) -> StepText:
    """The order for the start of the turn: the objectives that it brings the side."""
    fluents, side = turn.game.fluents, turn.side
    at = Substitution({fluent: constant(fluent.sort, x) for fluent, x in values.items()})
    then = {fluent: at(new) for fluent, new in turn.started.items()}
    before = {name: values[fluents.objective[name]] for name in turn.game.board.objectives}
    after = {name: then.get(fluents.objective[name]) for name in before}
    taken = [n for n, new in after.items() if new is not None and before[n] != side and eq(new, side) is TRUE]
    text = f"{side}: the turn " + ("begins" if turn.begins else "goes on")
    text += f" and brings the side {' and '.join(taken)}" if taken else ""
    clauses = (c.clause for n in taken for c in turn.game.objectives[n].cites[:1])
    args = {"side": side, "gained": " ".join(taken)}
    return StepText(side, "start_turn", args, text, tuple(dict.fromkeys(clauses)))


def _first(turn: PlayerTurn, numbers: Mapping[str, int], values: Values) -> Iterator[StepText]:
    """The orders that come before a unit leaves a hex, so that the hex is not vacated: Reading `vacated_when`."""
    moves, fluents = turn.moves, turn.game.fluents
    if moves.waiting is None:
        return
    assert isinstance(moves.waiting.sort, EnumSort)
    moving = list(_made(turn, numbers, values))
    left = [i for i, u in enumerate(moving) if values[fluents.at[u]] in fluents.watched]
    later = moving[left[0] + 1 :] if left else []
    waiting = [moves.waiting.sort.members[numbers[moves.waiting.name]]] if moves.waiting.name in numbers else []
    for u in (*later, *waiting):
        if not values[fluents.ordered[u]]:
            text = f"{turn.side}: {u} ordered, to move after the others"
            yield StepText(turn.side, "order", {"units": u}, text, ("movement-note/1",))


def _made(turn: PlayerTurn, numbers: Mapping[str, int], values: Values) -> Mapping[str, str]:
    """The target of each unit, in the order of the moves."""
    moves, fluents = turn.moves, turn.game.fluents
    chosen = {u: numbers[x.name] for u, x in moves.all.choices.items() if x.name in numbers}
    made = {u: fluents.places.sort.members[n] for u, n in chosen.items()}
    last = {u for u, x in moves.last.items() if x.name in numbers}
    return {u: made[u] for u in _in_order(made, {u: values[fluents.at[u]] for u in made}, last, turn)}


def _moves(turn: PlayerTurn, paths: Paths, numbers: Mapping[str, int], values: Values) -> Iterator[StepText]:
    fluents, board = turn.game.fluents, turn.game.board
    closed = frozenset(str(values[fluents.at[e]]) for e in board.pieces(board.enemy(turn.side)))
    for u, target in _made(turn, numbers, values).items():
        source = str(values[fluents.at[u]])
        *via, _ = paths.from_hex(board.units[u].kind, source, closed)[target]
        through = f" by way of {' and '.join(via)}" if via else ""
        named = [name for name, o in board.objectives.items() if target in o.hexes]
        where = f"to {target}" + (f" ({', '.join(named)})" if named else "")
        where = f"leaves by {target}" if target in board.exits else where
        args = {"unit": u, "from": source, "via": " ".join(via), "to": target}
        clauses = [c.clause for name in named for c in turn.game.objectives[name].cites[:1]]
        text = f"{turn.side}: {u} from {source} {where}{through}"
        yield StepText(turn.side, "move", args, text, tuple(dict.fromkeys(clauses)))


def _in_order(
    made: Mapping[str, str], place: Mapping[str, Value], last: Iterable[str], turn: PlayerTurn
) -> Iterator[str]:
    """The order of the moves: nobody before the hex is free, the last one last."""
    waiting = sorted(made, key=lambda u: (u in last, list(made).index(u)))
    while waiting:
        free = (u for u in waiting if not any(_blocks(turn, o, u, made, place) for o in waiting if o != u))
        u = next(free, waiting[0])
        waiting.remove(u)
        yield u


def _blocks(turn: PlayerTurn, other: str, unit: str, made: Mapping[str, str], place: Mapping[str, Value]) -> bool:
    return place[other] == made[unit] and not turn.game.stand_together(other, unit)


def _fights(turn: PlayerTurn, names: set[str]) -> Iterator[StepText]:
    """The combats and deeds of a turn, the one that ends the game last."""
    fights, enemy = turn.fights, turn.game.board.enemy(turn.side)
    last = {u for u, x in fights.last.items() if x.name in names}
    lost = [(u, _eliminated(enemy, u, e, back=True)) for (u, e), x in fights.backs.items() if x.name in names]
    won = [(u, _eliminated(turn.side, e, u)) for (u, e), x in fights.wins.items() if x.name in names]
    took = [(u, _taken(turn.side, u, name)) for (u, name), x in fights.takes.items() if x.name in names]
    for _, step in sorted([*lost, *won, *took], key=lambda done: done[0] in last):
        yield step


def _eliminated(winner: str, gone: str, by: str, *, back: bool = False) -> StepText:
    text = f"{winner}: {gone} eliminated by {by}" + (" in a battle back" if back else "")
    clauses = ("general-p2/1", *(("general-p3/2",) if back else ()))
    return StepText(winner, "eliminate", {"unit": gone, "by": by}, text, clauses)


def _taken(side: str, unit: str, name: str) -> StepText:
    args = {"unit": unit, "objective": name}
    return StepText(side, "take", args, f"{side}: {name} taken by {unit}", ("general-p2/2",))

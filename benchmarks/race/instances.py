"""Questions as peers get them: plain JSON, made from vclogic's own board, steps and terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vclogic_encodings.axis_allies.rules.victory_cities import city_points

from benchmarks.race.positions import positions
from vclogic.clock import Deadline
from vclogic.encode.linear.affine import Program
from vclogic.encode.linear.terms import compile_program
from vclogic.encode.smt import SmtWriter
from vclogic.encode.unroll import Unrolling, wanted_after
from vclogic.files.boards import read_board
from vclogic.files.registry import data_source
from vclogic.files.trees.nodes import parse
from vclogic.game import Game
from vclogic.model.system import IDLE
from vclogic.model.transition import Scoped, actions_of, then_maybe
from vclogic.progress import silent
from vclogic.query.resolved_question import metric_opponent
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import Problem, prepare
from vclogic.solve.proofs.race import Confined, confine, narrow
from vclogic.solve.proofs.spacer import Clauses
from vclogic.solve.searches.plan_groups import groups
from vclogic.terms.atoms import integer
from vclogic.terms.build import add, not_
from vclogic.terms.expressions.resolve import compile_goal
from vclogic.terms.term import Op, Term

Instance = Mapping[str, Any]
_READY = 60.0  # seconds in which Horn clauses have to be made


@dataclass(frozen=True)
class Question:
    """A question to `vclogic plan`.

    Attributes:
        goal: In the goal language.
        side: Who moves.
        minimize: The metric; None: the first of the game.
        within: The most steps that count.
        opponent: `idle` or `helps`.
        settings: Options of the game.
    """

    goal: str
    side: str
    minimize: str | None = None
    within: int | None = None
    opponent: str = IDLE
    settings: Mapping[str, int | str] = field(default_factory=dict)

    @property
    def asked(self) -> dict[str, Any]:
        """The arguments of `Game.plan`, but for the goal."""
        return {"side": self.side, "minimize": self.minimize, "within": self.within, "opponent": self.opponent}

    @property
    def words(self) -> list[str]:
        """The same on the command line."""
        words = ["--goal", self.goal, "--side", self.side, "--opponent", self.opponent]
        words += ["--minimize", self.minimize] if self.minimize else []
        words += ["--within", str(self.within)] if self.within else []
        for name, value in self.settings.items():
            words += ["--set", f"{name}={value}"]
        return words


def problem(game: Game, question: Question) -> Problem:
    """The question as vclogic gives it to its solvers, without what cannot bear on the goal."""
    system = game.setup.system
    metric = next(m for m in system.metrics if question.minimize in (None, m.name))
    start = dict(system.layout.constants(game.state))
    return prepare(
        metric.transition(question.side, metric_opponent(question.opponent), start),
        start,
        compile_goal(question.goal, system.vocabulary, "goal").term,
        tail=metric.tail,
        metric=metric.name,
        within=question.within,
        laws=[rule.kept for rule in system.invariants],
    )


def board_of(game: Game) -> Any:
    """The board of a game, as its encoding reads it from a file."""
    node = game.setup.board or parse(data_source(game.setup.request.name, "board.yaml"))
    return read_board(game.setup.encoding, node)


# ---- captures


def captures(game: Game, side: str, counted: str, least: int) -> Instance:
    """The map with what is held, and what each area counts for the goal.

    Args:
        game: A position of Axis & Allies at the capture level.
        side: Who captures.
        counted: `vcp` or `territories`.
        least: What the areas held must come to.
    """
    board = board_of(game)
    powers = board.sides[side]
    held = [t for t in board.land if game.value(f'owner("{t}")') in powers]
    points = {t: city_points(board, t) for t in board.cities}
    return {
        "kind": "captures",
        "land": list(board.land),
        "sea": list(board.sea),
        "connections": [list(pair) for pair in board.connections],
        "canals": [{"zones": list(c.zones), "land": list(c.land)} for c in board.canals.values()],
        "sea_range": game.setup.settings.number("sea_range"),
        "held": held,
        "weights": points if counted == "vcp" else dict.fromkeys(board.land, 1),
        "least": least,
    }


# ---- programs of numbers


def armies(game: Game, question: Question) -> dict[str, Instance]:
    """The one program of all steps: without cuts, and with vclogic's own."""
    group = groups(problem(game, question))[-1]
    return {
        "plain": _programs([compile_program(group.claimed, group.cost)]),
        "cuts": _programs([compile_program(group.claimed, group.cost, group.cuts)]),
    }


def steps(game: Game, question: Question) -> Instance:
    """A program for each number of steps up to the limit."""
    return _programs([compile_program(terms, cost) for terms, cost in _lengths(problem(game, question))])


def _lengths(asked: Problem) -> Iterable[tuple[list[Term], Term]]:
    """For each number of steps up to the limit what must hold, and what it costs."""
    for depth in range(1, (asked.within or 0) + 1):
        unrolled = Unrolling(asked.transition, asked.start)
        wanted: Sequence[Any] = [None] * depth
        if isinstance(asked.transition, Scoped):
            wanted = wanted_after(asked.transition, asked.start, [asked.goal], depth)
        terms = [law for later in wanted for law in unrolled.extend(later)]
        yield [*terms, unrolled.holds(asked.goal, depth)], add(integer(0), *unrolled.costs)


def _programs(programs: Sequence[Program]) -> Instance:
    return {"kind": "programs", "programs": [_program(p) for p in programs]}


def _program(program: Program) -> Instance:
    """Columns with their bounds, rows with their weights; one that is impossible has a row that says so."""
    rows: list[Any] = [[list(map(list, r.weights)), r.lo, r.hi] for r in program.rows]
    columns = [list(bounds) for bounds in program.columns]
    if program.impossible:
        columns, rows = [[0, 1]], [[[[0, 1]], 2, None]]
    weights = {} if program.impossible else program.objective.weights
    objective = [[c, k] for c, k in weights.items()]
    return {"columns": columns, "rows": rows, "objective": objective, "constant": program.objective.constant}


# ---- terms as SMT-LIB


def smt(game: Game, question: Question) -> Instance:
    """The steps as SMT-LIB for each number of them, in the form in which vclogic's own z3 gets them."""
    texts = []
    for terms, cost in _lengths(problem(game, question)):
        if any(not t.is_bool for t in cost.args) or cost.op is not Op.LIN:
            raise ValueError("a cost that is no sum of conditions")
        writer = SmtWriter()
        text = writer.assertions(terms)
        weights, constant = cost.payload
        soft = []
        for weight, condition in zip(weights, cost.args, strict=True):
            definition, name = writer.assumption(not_(condition))
            text += definition
            soft.append([name, weight])
        texts.append({"text": text, "soft": soft, "constant": constant})
    return {"kind": "smt", "texts": texts}


def horn(game: Game, question: Question) -> Instance:
    """The steps as Horn clauses, as for vclogic's own Spacer; a model of them proves that the goal never holds.

    Raises:
        ValueError: They cannot be written.
    """
    system = narrow(_bearing(problem(game, question)))
    text = Clauses(system.transition, system.start, system.goal, system.laws).text
    if text is None:
        raise ValueError("no Horn clauses")
    return {"kind": "horn", "text": text}


# ---- events, for breadth-first search


def events(game: Game, question: Question) -> Instance:
    """Single events with what they need and change, over states of numbers; conditions are Python over `s[i]`."""
    asked = problem(game, question)
    start = _bearing(asked).start
    place = {fluent: i for i, fluent in enumerate(start)}
    tail = [asked.regressions.action] if asked.regressions.action else []
    actions = []
    for a in (*actions_of(asked.whole_step).values(), *tail):
        changes = [[place[f], _python(new, place)] for f, new in a.effects if f in place]
        if changes:
            actions.append([_python(a.guard, place), changes])
    numbers = [int(value.payload) for value in start.values()]
    return {"kind": "events", "start": numbers, "goal": _python(asked.goal_at_end, place), "actions": actions}


def _bearing(asked: Problem) -> Confined:
    """What of a system bears on its goal."""
    step = then_maybe(asked.whole_step, asked.regressions.action)
    return confine(asked.goal_at_end, step, asked.whole_start, asked.laws, Effort(Deadline(_READY), silent))


def _python(t: Term, place: Mapping[Term, int]) -> str:
    """A term over the numbers of a state."""
    args = [_python(a, place) for a in t.args]
    match t.op:
        case Op.CONST:
            return str(int(t.payload))
        case Op.VAR:
            return f"s[{place[t]}]"
        case Op.NOT:
            return f"(not {args[0]})"
        case Op.AND | Op.OR:
            return f"({f' {t.op.value} '.join(args)})"
        case Op.ITE:
            return f"({args[1]} if {args[0]} else {args[2]})"
        case Op.LIN:
            weights, constant = t.payload
            return f"({constant} + {' + '.join(f'{k} * {a}' for k, a in zip(weights, args, strict=True))})"
        case Op.GE:
            return f"({args[0]} >= {t.payload})"
        case Op.IN:
            return f"({t.payload} >> {args[0]} & 1)"
    raise ValueError(f"no plain Python for {t.op}")


# ---- what is legal


def moves(game: Game) -> Instance:
    """A written grid (`benchmarks/written_campaigns.py`): its hexes, and where the units of each side are."""
    at: Mapping[str, str] = game.state_dict()["at"]
    known = game.setup.system.layout.families["at"].values
    assert known is not None, "it is a name"
    hexes = [place for place in known.sort.members if place != "off"]
    return {
        "kind": "moves",
        "hexes": hexes,
        "units": [[unit, game.value(f"side({unit})"), place] for unit, place in at.items()],
        "turn": game.value("turn"),
    }


# ---- who has won


def statuses(game: Game) -> Instance:
    """The rules on victory as numbers, and positions, each one capture from the next."""
    system, board = game.setup.system, board_of(game)
    names = list(board.powers)
    owner = system.layout.families["owner"].fluents
    states = positions(system, game.state)
    majority = sum(city_points(board, t) for t in board.cities) // 2 + 1
    return {
        "kind": "status",
        "land": list(board.land),
        "worth": {t: city_points(board, t) for t in board.cities},
        "powers": {name: power.side for name, power in board.powers.items()},
        "major": {side: board.major_victory[side] for side in system.sides},
        "minor": dict.fromkeys(system.sides, majority),
        "states": [[names[s[system.layout.slot[owner[(t,)]]]] for t in board.land] for s in states],
        "bids": [s[system.layout.slot[system.layout.by_name["bid"]]] for s in states],
    }

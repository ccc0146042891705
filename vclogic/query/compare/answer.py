"""The answer of a comparison of two rule sets: where they stand, and what each says where they differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from vclogic.clock import grace_period
from vclogic.document_keys import AFTER, TEXT_ONLY
from vclogic.encode.python.evaluator import failed
from vclogic.files.setup import Setup
from vclogic.model.fluents import State, Value
from vclogic.model.sayings import sentences
from vclogic.model.system import System
from vclogic.query.answers import Recorded, SearchAnswer, Step
from vclogic.query.compare.points import ComparisonPoint, ComparisonPoints
from vclogic.query.reach.answer import ProofText
from vclogic.query.replay import as_events
from vclogic.query.status.progress import value_of
from vclogic.solve import budgets
from vclogic.solve.backends.session import Effort


@dataclass(frozen=True)
class SideRuling:
    """The answer of one rule set in a comparison.

    Attributes:
        game: What it is called: `encoding/scenario`, or `encoding: title`.
        settings: The options and readings in which it differs from the other one.
        value: Its answer; None where that is undefined. For an event: whether it is allowed.
        text: Why, for an event that is refused.
        cites: Clause ids.
    """

    game: str
    settings: Mapping[str, int | str]
    value: Value | None = None
    text: str = ""
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Comparison(SearchAnswer):
    """A disagreement between two rule sets, or the proof that there is none.

    Attributes:
        a: The first one, and what it says where they differ.
        b: The second one.
        status: `equal`, `differ` or `unknown`.
        on: What they disagree on, or what was compared; None: everything.
        others: What else they disagree on in that position.
        position: What has changed there since the start, as the first one has it. Where they do not differ: the
            fewest changes to a well-formed position in which they would, if one is known; where they are `equal`, no
            play from this start leads there, otherwise that is not known.
        changed: The same in sentences: for `a` as the first one has it, for `b` as the second one has it.
        steps: A record that leads there.
        shortest: Whether no shorter record shows a difference; None where they do not differ.
        record: The same as events of a position file of the first one; None where they do not differ.
        proof: Why they never disagree, for `equal`.
        replayed: Whether both have played the record in Python and then disagreed; None without one.
    """

    status: Literal["equal", "differ", "unknown"]
    on: str | None
    others: tuple[str, ...] = ()
    position: Mapping[str, Value] | None = None
    changed: Mapping[str, tuple[str, ...]] = field(default_factory=dict, metadata=TEXT_ONLY)
    steps: tuple[Step, ...] = ()
    shortest: bool | None = field(default=None, metadata=AFTER)
    record: Recorded | None = None
    a: SideRuling
    b: SideRuling
    proof: ProofText | None = None
    replayed: bool | None = None


@dataclass(frozen=True)
class ComparedGame:
    """One side of a comparison: a game and its position."""

    setup: Setup
    state: State

    @property
    def system(self) -> System:
        """The rule set."""
        return self.setup.system

    def says(self, point: ComparisonPoint, state: State, which: str) -> Value | None:
        """Its answer in one of its states; None if it is undefined."""
        return value_of(self.system, state, point.a if which == "a" else point.b)


@dataclass(frozen=True)
class Compared:
    """Two games and the settings of their comparison.

    Attributes:
        a: The first game.
        b: The second game.
        on: What to compare; None: everything.
        within: The largest number of steps.
        numbers: How many values of each numeric argument are compared.
        effort: The resources.
        assumptions: What the answer rests on.
    """

    a: ComparedGame
    b: ComparedGame
    on: str | None
    within: int | None
    numbers: int
    effort: Effort
    assumptions: tuple[str, ...]

    @property
    def share(self) -> Effort:
        """The share of the resources for the question over all positions."""
        return self.effort.part(budgets.COMPARED_POSITIONS)


# ---- where they stand


def differing(
    asked: Compared, points: Iterable[ComparisonPoint], state_a: State, state_b: State
) -> list[ComparisonPoint]:
    """The points on which they disagree in a given position of each."""
    same = state_a == state_b and asked.a.system.layout.fluents == asked.b.system.layout.fluents
    looked = (m for m in points if not (same and m.same))
    return [
        m for m in looked if _comparable(asked.a.says(m, state_a, "a")) != _comparable(asked.b.says(m, state_b, "b"))
    ]


def _comparable(answer: Value | None) -> tuple[str, Value | None]:
    """An answer in a form that compares across sorts: true is not 1."""
    return type(answer).__name__, answer


# ---- answers


def answer(asked: Compared, points: ComparisonPoints) -> Comparison:
    """The answer `unknown`: who is compared, and what that rests on."""
    a, b = asked.a.setup, asked.b.setup
    of_a, of_b = ({**s.settings.options, **s.settings.readings} for s in (a, b))
    only = [n for n in of_a if n in of_b and of_a[n] != of_b[n]]
    first, second = (SideRuling(s.game, {n: v[n] for n in only}) for s, v in ((a, of_a), (b, of_b)))
    notes = [f"not compared: {x}" for x in dict.fromkeys(points.left_out)]
    few = "the smallest value is" if asked.numbers == 1 else f"the {asked.numbers} smallest values are"
    steps = f"a step is an event that both rule sets allow; of each number in it only {few} tried"
    rests_on = (steps, *notes, *asked.assumptions)
    return Comparison(game=a.game, a=first, b=second, status="unknown", on=asked.on, assumptions=rests_on)


def equal(asked: Compared, proof: ProofText, points: ComparisonPoints) -> Comparison:
    """They never differ."""
    return replace(answer(asked, points), status="equal", proof=proof)


_ORDER = ("outcome", "winner", "expression", "observable", "event")


@grace_period()
def differ(
    asked: Compared,
    there: Sequence[ComparisonPoint],
    state_a: State,
    state_b: State,
    steps: tuple[Step, ...],
    points: ComparisonPoints,
    *,
    shortest: bool = True,
) -> Comparison:
    """They differ after some steps, which each has played.

    Args:
        asked: What was asked.
        there: The points on which they disagree then.
        state_a: The state of the first one then.
        state_b: The state of the second one.
        steps: The steps.
        points: All points.
        shortest: Whether no shorter record shows a difference.
    """
    first, *others = sorted(there, key=lambda m: _ORDER.index(m.kind))
    unsaid = answer(asked, points)
    new = {"a": _changed_facts(asked.a, state_a), "b": _changed_facts(asked.b, state_b)}
    return replace(
        unsaid,
        status="differ",
        on=first.name,
        others=tuple(m.name for m in others),
        a=_side_ruling(unsaid.a, asked.a, first, state_a, "a"),
        b=_side_ruling(unsaid.b, asked.b, first, state_b, "b"),
        position=new["a"],
        changed={which: facts_in_words(side, new[which]) for which, side in (("a", asked.a), ("b", asked.b))},
        steps=steps,
        record=Recorded(tuple(as_events(steps))),
        shortest=shortest,
        replayed=True,
    )


def _changed_facts(side: ComparedGame, state: State) -> Mapping[str, Value]:
    """The facts in a state of a rule set that differ from its start."""
    now, before = (side.system.layout.values(s) for s in (state, side.state))
    return {f.name: x for f, x in now.items() if x != before[f]}


def facts_in_words(side: ComparedGame, facts: Mapping[str, Value]) -> tuple[str, ...]:
    """Facts of a rule set in sentences."""
    return tuple(sentences(side.system.in_words.said(name, x) for name, x in facts.items()))


def _side_ruling(
    ruling: SideRuling, side: ComparedGame, point: ComparisonPoint, state: State, which: str
) -> SideRuling:
    """The answer of one of them in the end, and its reason."""
    says = side.says(point, state, which)
    text, cites = "", point.cites_a if which == "a" else point.cites_b
    if point.pair and not says:
        broken = failed(side.system, state, point.pair.a if which == "a" else point.pair.b)
        values = side.system.layout.values(state)
        text = "; ".join(r.said(values) for r in broken)
        cites = tuple(c for r in broken for c in r.cites)
    return replace(ruling, value=says, text=text, cites=tuple(dict.fromkeys(c.clause for c in cites)))

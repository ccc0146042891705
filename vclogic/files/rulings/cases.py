"""Rulings as data: positions with what must hold in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.position import game_of
from vclogic.files.rulings.expected import Expectation, goals_of
from vclogic.files.scenario import default_scenario
from vclogic.files.setup import Layer, Memo, Setup, SetupSources, assemble
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.located import Node
from vclogic.files.trees.schema import Texts


@dataclass(frozen=True)
class Refusal:
    """The step of the record that must be refused.

    Attributes:
        step: Its number, counted from 1; the steps of its set-up count, too.
        cites: Ids of clauses that the refusal must cite.
        message: Text that the message must contain, if any.
    """

    step: int
    cites: Texts = ()
    message: str | None = None


@dataclass(frozen=True)
class UnderReadings:
    """The ending that a ruling expects under other Readings, in place of its usual one.

    Attributes:
        readings: The Readings, with their values.
        expect: Goals that must all hold at the end of the record.
        expect_error: The step that must be refused, in place of goals.
    """

    readings: Mapping[str, Any]
    expect: Texts = ()
    expect_error: Refusal | None = None


@dataclass(frozen=True)
class Ruling:
    """A ruling as a file holds it; its position, options and readings as in a position file.

    Attributes:
        name: What it rules, in a line; unique in its game, or in a file of one's own.
        cites: Ids of the clauses it rests on.
        setup: The set-up of the file that it begins with.
        position: The position, laid over the set-up; left out: that, or the start.
        options: Options that it sets.
        readings: Readings that it sets.
        expect: Goals that must all hold at the end of the record.
        expect_error: The step that must be refused, in place of goals.
        per_reading: What it expects under other Readings.
    """

    name: str
    cites: Texts = ()
    setup: str | None = None
    position: Any = None
    options: Mapping[str, Any] = field(default_factory=dict)
    readings: Mapping[str, Any] = field(default_factory=dict)
    expect: Texts = ()
    expect_error: Refusal | None = None
    per_reading: tuple[UnderReadings, ...] = ()


@dataclass(frozen=True)
class Ending:
    """The expected end of a ruling's record.

    Attributes:
        node: Where it stands: `expect`, `expect_error` and, of others than the first ending, `readings`.
        expect: Goals that must all hold; empty where a step must be refused, or only the record expects something.
        refusal: The step that must be refused, or None.
        readings: The Readings that it is about; none: those that the ruling has anyway.
    """

    node: Node
    expect: tuple[str, ...]
    refusal: Refusal | None
    readings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Case:
    """A ruling.

    Attributes:
        encoding: The game's name.
        name: What it rules, in a line.
        cites: Ids of the clauses it rests on.
        endings: What it expects at the end: under its own Readings, then under others.
        node: The ruling in its file.
        layers: What lies over the scenario: the set-up of its file, then its own position and settings.
        memo: What the rulings of a game share.
        own: Whether it is one of the game's own rulings, not one of a file of somebody else.
    """

    encoding: str
    name: str
    cites: tuple[str, ...]
    endings: tuple[Ending, ...]
    node: Node
    layers: tuple[Layer, ...]
    memo: Memo = field(compare=False, repr=False)
    own: bool = False

    @property
    def file(self) -> str:
        """The file that it stands in."""
        return self.node.where.file

    @property
    def line(self) -> int | None:
        """Its line in the file, counted from 1."""
        return self.node.where.find()[0]

    @property
    def expect(self) -> tuple[str, ...]:
        """Goals that must hold at the end of the record under its own Readings."""
        return self.endings[0].expect

    @property
    def refusal(self) -> Refusal | None:
        """The step that must be refused under its own Readings, or None."""
        return self.endings[0].refusal

    def setup(self, ending: Ending | None = None) -> Setup:
        """The position that it rules on, with its record.

        Args:
            ending: Under the Readings of this ending; None: under its own.

        Raises:
            InputError: Everything that is wrong with the position.
        """
        findings = Findings()
        ending = ending or self.endings[0]
        scenario = self._scenario(findings)
        other = (Layer(Node({"readings": ending.node.section("readings").tree}, ending.node.where)),)
        layers = (*self.layers, *(other if ending.readings else ()))
        with findings.catch():
            setup = assemble(
                SetupSources(self.encoding, scenario or default_scenario(self.encoding), layers), self.memo
            )
            if ending.refusal and ending.refusal.step > len(setup.record):
                message = f"the record has {len(setup.record)} steps: there is no step {ending.refusal.step}"
                place = ending.node.section("expect_error").section("step")
                findings.add(place.diagnostic("out-of-range", message))
        findings.stop()
        return setup

    def _scenario(self, findings: Findings) -> str | None:
        """The scenario that the last layer which names one names; None: none does."""
        scenario = None
        for layer in self.layers:
            named = layer.section("game")
            if named.tree is None:
                continue
            with findings.catch():
                game, there = game_of(layer.node)
                scenario = there or scenario
                if game != self.encoding:
                    message = f"a ruling of {quoted(self.encoding)} cannot be about {quoted(game)}"
                    help = "give it a file of its own, or leave out the game at the head of this file"
                    findings.add(named.diagnostic("wrong-game", message, help=help))
        findings.stop()
        return scenario

    def expectations(self, setup: Setup, ending: Ending) -> tuple[Expectation, ...]:
        """All that is expected, in the order of the record; the record is played to the end, or to what is refused.

        Raises:
            InputError: What is expected is not written as it has to be.
        """
        between = setup.expected
        if ending.refusal:
            place, step = ending.node.section("expect_error"), ending.refusal.step
            self._check_tried(between)
            refused = Expectation(
                step - 1,
                place.where,
                refused=setup.record[step - 1],
                label=f"step {step}",
                cites=ending.refusal.cites,
                message=ending.refusal.message,
            )
            return (*(e for e in between if e.after < step), refused)
        findings = Findings()
        node = ending.node.section("expect")
        ends = goals_of(node, len(setup.record), findings) if ending.expect else []
        findings.stop()
        return (*between, *ends)

    def _check_tried(self, between: Iterable[Expectation]) -> None:
        """Check that each expectation in the record is looked at: under some Readings nothing before it is refused.

        Raises:
            InputError: One is not.
        """
        steps = [ending.refusal.step for ending in self.endings if ending.refusal]
        if len(steps) < len(self.endings):
            return
        findings = Findings()
        for e in between:
            if e.after >= max(steps):
                message = f"this is never looked at: step {max(steps)}, before it, is refused"
                place = e.where.find()
                findings.add(Diagnostic("out-of-range", message, e.where.file, *place, "put it before that step"))
        findings.stop()


def expecting(ruling: Ruling | UnderReadings, node: Node) -> Iterator[InputError]:
    """The faults of a ruling's expected ending by itself."""
    if ruling.expect and ruling.expect_error:
        about = f"the ruling {quoted(ruling.name)}" if isinstance(ruling, Ruling) else "it"
        message = f"{about} has both 'expect' and 'expect_error'"
        help = "leave one out; within a record, `- expect: ...` and `- refused: ...` may stand side by side"
        yield InputError(node.diagnostic("given-twice", message, help=help))
    if ruling.expect_error and ruling.expect_error.step < 1:
        place = node.section("expect_error").section("step")
        yield InputError(place.diagnostic("out-of-range", "steps are counted from 1"))

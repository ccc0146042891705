"""Rulings as data: positions with the goals that must hold in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vclogic.errors import InputError, quoted
from vclogic.files.findings import Findings
from vclogic.files.nodes import parse
from vclogic.files.position import KEYS, check_keys, game_of
from vclogic.files.registry import case_files, data_source
from vclogic.files.scenario import default_scenario
from vclogic.files.schema import Texts, check_as
from vclogic.files.setup import Layer, Memo, Request, Setup, assemble
from vclogic.files.tree import Node


@dataclass(frozen=True)
class Refusal:
    """The step of the record that must be refused.

    Attributes:
        step: Its number, counted from 1.
        cites: Ids of clauses that the refusal must cite.
        message: Text that the message must contain, if any.
    """

    step: int
    cites: Texts = ()
    message: str | None = None


@dataclass(frozen=True)
class Ruling:
    """A ruling as a file holds it; its position, options and readings as in a position file.

    Attributes:
        name: What it rules, in a line; unique in its game.
        cites: Ids of the clauses it rests on.
        position: The position; left out: the start.
        options: Options that it sets.
        readings: Readings that it sets.
        expect: Goals that must all hold at the end of the record.
        expect_error: The step that must be refused, in place of goals.
    """

    name: str
    cites: Texts
    position: Any = None
    options: Mapping[str, Any] = field(default_factory=dict)
    readings: Mapping[str, Any] = field(default_factory=dict)
    expect: Texts = ()
    expect_error: Refusal | None = None


@dataclass(frozen=True)
class Case:
    """A ruling.

    Attributes:
        encoding: The game's name.
        name: What it rules, in a line; unique in its game.
        cites: Ids of the clauses it rests on.
        expect: Goals that must all hold at the end of the record; empty where a step must be refused.
        refusal: The step that must be refused, or None.
        node: The ruling in its file.
        memo: What the rulings of a game share.
    """

    encoding: str
    name: str
    cites: tuple[str, ...]
    expect: tuple[str, ...]
    refusal: Refusal | None
    node: Node
    memo: Memo = field(compare=False, repr=False)

    @property
    def file(self) -> str:
        """The file that it stands in."""
        return self.node.where.file

    @property
    def line(self) -> int | None:
        """Its line in the file, counted from 1."""
        return self.node.where.find()[0]

    @property
    def places(self) -> tuple[tuple[int | None, int | None], ...]:
        """Line and column of each thing that it expects."""
        if self.refusal:
            return (self.node.section("expect_error").where.find(),)
        expect = self.node.section("expect")
        if not isinstance(expect.tree, list):
            return (expect.where.find(),)
        return tuple(expect.where.under(i).find() for i in range(len(expect.tree)))

    def setup(self) -> Setup:
        """The position that it rules on, with its record.

        Raises:
            InputError: Everything that is wrong with the position.
        """
        findings = Findings()
        layers = [Layer(self.node, self.encoding)]
        name, scenario = self.encoding, None
        position = self.node.section("position")
        with findings.catch():
            if position.tree is not None:
                check_keys(position, KEYS, findings)
                layers.insert(0, Layer(position, self.encoding))
                if position.section("game").tree is not None:
                    name, scenario = game_of(position)
        if name != self.encoding:
            message = f"a ruling of {quoted(self.encoding)} cannot be about {quoted(name)}"
            findings.add(position.section("game").diagnostic("wrong-game", message))
            findings.stop()
        request = Request(self.encoding, scenario or default_scenario(self.encoding), tuple(layers))
        with findings.catch():
            setup = assemble(request, self.memo)
            if self.refusal and self.refusal.step > len(setup.record):
                message = f"the record has {len(setup.record)} steps: there is no step {self.refusal.step}"
                place = self.node.section("expect_error").section("step")
                findings.add(place.diagnostic("out-of-range", message))
        findings.stop()
        return setup


def load_cases(encoding: str) -> tuple[Case, ...]:
    """The rulings of an encoding, in the order of their files; `Case.setup` reads their positions.

    Raises:
        InputError: There is no such encoding, or everything that is wrong with the files' form.
    """
    findings = Findings()
    memo = Memo()
    cases: dict[str, Case] = {}
    for file in case_files(encoding):
        with findings.catch():
            for item in parse(data_source(encoding, file)).parts("a list of rulings", findings):
                with findings.catch():
                    case = _case(encoding, item, memo)
                    if case.name in cases:
                        first = cases[case.name]
                        hint = f"it stands first in {first.file}, line {first.line}"
                        message = f"two rulings are named {quoted(case.name)}"
                        raise InputError(item.section("name").diagnostic("given-twice", message, help=hint))
                    cases[case.name] = case
    findings.stop()
    return tuple(cases.values())


def _case(encoding: str, node: Node, memo: Memo) -> Case:
    ruling = check_as(Ruling, node)
    refusal = ruling.expect_error
    if bool(ruling.expect) == bool(refusal):
        message = f"the ruling {quoted(ruling.name)} needs either 'expect' or 'expect_error'"
        raise InputError(node.diagnostic("missing-key", message))
    if refusal and refusal.step < 1:
        place = node.section("expect_error").section("step")
        raise InputError(place.diagnostic("out-of-range", "steps are counted from 1"))
    return Case(encoding, ruling.name, ruling.cites, ruling.expect, refusal, node, memo)

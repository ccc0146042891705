"""Try rulings: those of a game, and anybody's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from vclogic.document_keys import AFTER, IF_ANY, LAST, then
from vclogic.encode.python.evaluator import failed, interpret
from vclogic.errors import BROKEN_RULES, Diagnostic, InputError
from vclogic.files.blame import failure
from vclogic.files.coverage import FILE, load_coverage
from vclogic.files.position import is_path, load_setup
from vclogic.files.registry import has_file, is_installed, is_text, lacks_board, packages, rulebook_of
from vclogic.files.rulings.case_files import Skipped, cases_of, find_case_files, load_cases
from vclogic.files.rulings.cases import Case, Ending
from vclogic.files.rulings.expected import Expectation
from vclogic.files.scenario import split_game
from vclogic.files.setup import Memo, Setup
from vclogic.files.trees.findings import Findings
from vclogic.model.fluents import State
from vclogic.query.ask.clauses import clauses_of
from vclogic.query.explain import failing, failing_atoms
from vclogic.query.replay import play_record
from vclogic.query.status.answer import TracedStep
from vclogic.query.status.progress import StatusView, traced, value_of
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.expressions.resolve import compile_goal

UNSEEN = "it could not be looked at"
"""The result of an expectation where its position, or the record before it, is wrong."""

OTHERWISE = "it is refused otherwise"
"""The beginning of a result where an event is refused, but not by the clauses or in the words expected."""


@dataclass(frozen=True)
class CheckedExpectation:
    """One thing that a ruling expects, and what is so.

    Attributes:
        expected: What it expects.
        got: What was found; the same where it is as expected.
        holds: Whether it is as expected.
        after: How many steps of the record come before it.
        event: The last of these steps, as in a record; None: there is none.
        readings: The Readings that it is about; none: those that the ruling has anyway.
        line: Its line in the file, counted from 1.
        column: Its column there.
        changed: Of what is not as expected: the last step before it that changed what it asks about; or the refused
            event, which is allowed, with what it would change. None: no step does.
    """

    expected: str
    got: str
    holds: bool
    after: int = 0
    event: str | None = None
    readings: Mapping[str, str] = field(default_factory=dict)
    line: int | None = None
    column: int | None = None
    changed: TracedStep | None = None

    @property
    def looked_at(self) -> bool:
        """True if it could be looked at."""
        return self.got != UNSEEN


@dataclass(frozen=True)
class CaseResult:
    """The result of one ruling.

    Attributes:
        name: The ruling.
        cites: Clause ids.
        source: The game, or the file of one's own, that was tried.
        tried: Everything that it expects, one thing after another.
        file: The file that it stands in.
        line: Its line there, counted from 1.
        problems: Why not all could be looked at: what is wrong with its position or its record, or a failure inside
            the rules (`broken-rules`).
    """

    name: str
    cites: tuple[str, ...] = field(metadata=then("status", "expected", "got"))
    source: str = field(metadata=AFTER)
    tried: tuple[CheckedExpectation, ...] = field(metadata=LAST)
    file: str | None = field(default=None, metadata=then("lines"))
    line: int | None = field(default=None, metadata=AFTER)
    problems: tuple[Diagnostic, ...] = ()

    @property
    def status(self) -> Literal["passed", "failed"]:
        """`passed` if all is as expected."""
        return "failed" if self.problems or not all(t.holds for t in self.tried) else "passed"

    @property
    def expected(self) -> tuple[str, ...]:
        """Its expectations, one after another."""
        return tuple(t.expected for t in self.tried)

    @property
    def got(self) -> tuple[str, ...]:
        """The result of each expectation; the same text where it is as expected."""
        return tuple(t.got for t in self.tried)

    @property
    def lines(self) -> tuple[int | None, ...]:
        """The line of each of them."""
        return tuple(t.line for t in self.tried)


@dataclass(frozen=True)
class Missed:
    """Something that every game has to do, and one does not.

    Attributes:
        game: The game.
        demand: What is demanded, in a sentence.
        message: What is wrong, where, and what to do about it.
    """

    game: str
    demand: str
    message: str


@dataclass(frozen=True)
class Demanded:
    """The demands on every game, beside that its rulings hold, tried on some games.

    Attributes:
        games: The games.
        tried: How many times something was tried: each demand of each scenario.
        missed: What is not so.
        not_decided: What was not found out, and why.
    """

    games: tuple[str, ...]
    tried: int
    missed: tuple[Missed, ...]
    not_decided: tuple[str, ...]


@dataclass(frozen=True)
class Tested:
    """The results of the rulings of games and files.

    Attributes:
        sources: The games and files that were named or found, in their order.
        cases: Each ruling, in the order of the sources.
        skipped: Files of a folder that hold no rulings.
        demanded: What every game has to do beside that; None: it was not asked for.
    """

    sources: tuple[str, ...] = field(metadata=AFTER | then("expectations"))
    cases: tuple[CaseResult, ...]
    skipped: tuple[Skipped, ...] = field(default=(), metadata=AFTER)
    demanded: Demanded | None = field(default=None, metadata=IF_ANY)

    @property
    def passed(self) -> int:
        """The number of rulings with the expected result."""
        return sum(c.status == "passed" for c in self.cases)

    @property
    def failed(self) -> int:
        """The number of rulings with another result."""
        return len(self.cases) - self.passed

    @property
    def expectations(self) -> Mapping[str, int]:
        """The number of expectations, and of those that failed."""
        tried = [t for c in self.cases for t in c.tried]
        return {"all": len(tried), "failed": sum(not t.holds for t in tried)}

    @property
    def broken(self) -> int:
        """Over how many rulings the rules broke down."""
        return sum(any(d.code == BROKEN_RULES for d in c.problems) for c in self.cases)


def test_game(encoding: str) -> Tested:
    """Try every ruling of an encoding.

    Args:
        encoding: Its name.

    Raises:
        InputError: There is no such encoding, or a file of rulings has a wrong form.
    """
    return Tested((encoding,), tuple(try_case(case, encoding, tracing=True) for case in load_cases(encoding)))


def test_all(targets: Iterable[str], *, cites: bool) -> Tested:
    """Try the rulings of games, files and folders.

    Args:
        targets: Names of games, paths of files of rulings, folders that hold some, or `-` for standard input.
        cites: Whether the clauses that a game's own rulings cite are compared, too, with those that decide; those of
            files of one's own always are.

    Raises:
        InputError: There is no such game or file, or everything that is wrong with the files' form, or with the
            lines of a rulebook.
    """
    findings = Findings()
    memo = Memo()
    cases: list[tuple[str, Case]] = []
    sources: dict[str, None] = {}
    skipped: list[Skipped] = []
    for target in dict.fromkeys(targets):
        with findings.catch():
            if is_installed(target) or not is_path(target):
                name = split_game(target)[0]
                sources[name] = None
                if _is_whole_text(name):  # what is wrong with it is told once, not by each ruling
                    load_setup(name)
                cases += [(name, case) for case in load_cases(name)]
                continue
            for found in find_case_files(target, findings):
                if isinstance(found, Skipped):
                    skipped.append(found)
                    continue
                name = found.node.where.file
                sources[name] = None
                with findings.catch():
                    cases += [(name, case) for case in cases_of(found.node, found.encoding, memo)]
    for case in {case.encoding: case for _, case in cases}.values():
        with findings.catch():  # what is wrong with a text is told once, not at each ruling on it
            if _is_whole_text(case.encoding):
                load_setup(case.encoding, memo=case.memo)
    findings.stop()
    tried = tuple(try_case(case, source, tracing=True, cites=cites or not case.own) for source, case in cases)
    return Tested(tuple(sources), tried, tuple(skipped))


def _is_whole_text(name: str) -> bool:
    """True if a game is written as text, and there is a board to play it on."""
    return is_text(name) and not lacks_board(name)


def try_case(case: Case, source: str = "", *, tracing: bool = False, cites: bool = False) -> CaseResult:
    """Try one ruling; it fails, with the reason, if its position cannot be read or the rules fail on it.

    Args:
        source: The game or file that was tried.
        tracing: Whether to say of what fails which step changed it last; that takes longer.
        cites: Whether the clauses that it cites are compared with those that decide what it expects; that, too.
    """
    tried: list[CheckedExpectation] = []
    decide: dict[str, None] = {}
    wanted = _to_decide(case) if cites else ()
    problems: list[Diagnostic] = []
    for ending in case.endings:
        trial = _Trial(case, ending, tracing)
        try:
            trial.run()
            if wanted:
                decide |= trial.deciding(wanted)
        except InputError as error:
            problems += error.diagnostics
        # The rules may raise anything; an error that is not theirs is a bug of vclogic and goes on.
        except Exception as error:
            fault = failure(error, packages())
            if fault is None:
                raise
            problems.append(fault.diagnostic)
        tried += trial.results()
    if wanted and not problems and all(t.holds for t in tried):
        tried += _cited(case, wanted, decide)
    return CaseResult(
        case.name, case.cites, source, tuple(tried), case.file, case.line, tuple(dict.fromkeys(problems))
    )


class _Trial:
    """One ruling under some Readings.

    Args:
        case: The ruling.
        ending: What it expects at the end, with the Readings.
        tracing: Whether to say of what fails which step changed it last.
    """

    def __init__(self, case: Case, ending: Ending, tracing: bool):
        self._case = case
        self._ending = ending
        self._tracing = tracing
        self._asked: tuple[Expectation, ...] | None = None
        self._found: list[CheckedExpectation] = []
        self._events: tuple[str, ...] = ()

    def results(self) -> list[CheckedExpectation]:
        """The results; expectations that could not be looked at are there, too."""
        if self._asked is None:
            return [self._unseen(text) for text in _asked_in_words(self._ending)]
        unseen = [self._unseen(_wanted(e), e) for e in self._asked[len(self._found) :]]
        return [*self._found, *unseen]

    def run(self) -> None:
        """Play the record and look at each expectation where it stands.

        Raises:
            InputError: The position, an expectation or a step is wrong.
        """
        setup = self._setup = self._case.setup(self._ending)
        system, record = setup.system, setup.record
        self._asked = self._case.expectations(setup, self._ending)
        self._events = tuple(str(step.event) for step in record)
        goals = _compiled(setup, self._asked)
        states = self._states = [setup.initial]

        def play(to: int) -> None:
            for number in range(len(states), to + 1):
                states.append(play_record(system, states[-1], [record[number - 1]], first=number))

        for expectation, goal in zip(self._asked, goals, strict=True):
            play(expectation.after)
            self._found.append(self._tried(setup, expectation, goal, states))
        if self._ending.refusal is None:
            play(len(record))

    def deciding(self, wanted: Sequence[str]) -> dict[str, None]:
        """Ids of the clauses that decide what is expected, once it has been looked at.

        That its steps are allowed is a part of what a ruling says: they are looked at, the last one first, as long as
        a clause is missing.

        Args:
            wanted: The clauses that should be among them.
        """
        found: dict[str, None] = {}
        for e in self._asked or ():
            asked = e.goal if e.refused is None else e.refused.event
            assert asked is not None
            found |= clauses_of(self._setup, self._states[: e.after + 1], asked, wanted)
        for number in range(len(self._states) - 1, 0, -1):
            if all(c in found for c in wanted):
                break
            found |= clauses_of(self._setup, self._states[:number], self._setup.record[number - 1].event)
        return found

    def _tried(self, setup: Setup, e: Expectation, goal: Goal | None, states: list[State]) -> CheckedExpectation:
        state, wanted = states[e.after], _wanted(e)
        got = wanted
        if goal is None:
            got = _refusal(setup, state, e) or wanted
        elif not interpret(goal.term, setup.system.layout.slot, state):
            got = failing_atoms(setup.system, state, goal.text)
        found = self._unseen(wanted, e)
        holds = got is wanted
        changed = None if holds or not self._tracing else self._changed(setup, e, goal, states)
        return replace(found, got=got, holds=holds, changed=changed)

    def _unseen(self, wanted: str, e: Expectation | None = None) -> CheckedExpectation:
        """The entry of an expectation that was not looked at."""
        after = e.after if e else 0
        event = self._events[after - 1] if after else None
        line, column = e.where.find() if e else (None, None)
        return CheckedExpectation(wanted, UNSEEN, False, after, event, self._ending.readings, line, column)

    def _changed(self, setup: Setup, e: Expectation, goal: Goal | None, states: list[State]) -> TracedStep | None:
        """The last step that changed what a goal asks about; or what the event would change that is not refused."""
        system = setup.system
        view = self._case.memo.get(("view", id(system)), lambda: StatusView(system))
        if goal is None:
            assert e.refused is not None
            try:
                after = play_record(system, states[e.after], [e.refused])
            except InputError:
                return None  # it is refused, but otherwise
            (step,) = traced(system, [states[e.after], after], [e.refused], view)
            return replace(step, step=e.after + 1)
        asked = failing(system, states[e.after], goal.text).values()
        now = [value_of(system, states[e.after], part) for part in asked]
        for number in range(e.after, 0, -1):
            if [value_of(system, states[number - 1], part) for part in asked] != now:
                (step,) = traced(system, states[number - 1 : number + 1], [setup.record[number - 1]], view)
                return replace(step, step=number)
        return None


def _to_decide(case: Case) -> tuple[str, ...]:
    """The clauses that should decide what a ruling expects: those that it cites; no code need encode an example."""
    if (book := rulebook_of(case.encoding)) is not None:
        return tuple(c for c in case.cites if c not in book.left_out)
    examples = load_coverage(case.encoding).examples if has_file(case.encoding, FILE) else ()
    return tuple(c for c in case.cites if c not in examples)


def _cited(case: Case, wanted: Sequence[str], decide: Mapping[str, None]) -> Iterator[CheckedExpectation]:
    """Check that the clauses that a ruling cites decide its expectations."""
    line, column = case.node.section("cites").where.find()
    expected, holds = f"decided by {', '.join(wanted)}", all(c in decide for c in wanted)
    got = expected if holds else f"decided by {', '.join(decide) or 'no clause'}"
    yield CheckedExpectation(expected, got, holds, line=line, column=column)


def _asked_in_words(ending: Ending) -> tuple[str, ...]:
    """The expectations at the end, where the position is not known."""
    if ending.refusal is None:
        return ending.expect
    return (_refused_so(f"step {ending.refusal.step}", ending.refusal.cites, ending.refusal.message),)


def _compiled(setup: Setup, asked: Sequence[Expectation]) -> list[Goal | None]:
    """The goals among what is expected, compiled; faults are located in their file."""
    goals: list[Goal | None] = []
    findings = Findings()
    for e in asked:
        if e.goal is None:
            goals.append(None)
            continue
        try:
            goals.append(compile_goal(e.goal, setup.system.vocabulary))
        except InputError as error:
            line, column = e.where.find()
            for d in error.diagnostics:
                findings.add(replace(d, file=e.where.file, line=line, column=column))
    findings.stop()
    return goals


def _wanted(e: Expectation) -> str:
    return e.goal if e.goal is not None else _refused_so(e.label, e.cites, e.message)


def _refused_so(what: str, cites: Sequence[str], message: str | None) -> str:
    by = f" by {', '.join(cites)}" if cites else ""
    said = f", with the words {message!r}" if message else ""
    return f"{what} is refused{by}{said}"


def _refusal(setup: Setup, state: State, e: Expectation) -> str | None:
    """The event or message in place of the refusal that is expected; None if it is refused as expected."""
    assert e.refused is not None
    system = setup.system
    try:
        play_record(system, state, [e.refused], first=e.after + 1)
    except InputError as error:
        said = " ".join(d.message for d in error.diagnostics)
        broken = failed(system, state, system.action_in(state, e.refused.event))
        cited = {c.clause for requirement in broken for c in requirement.cites}
        if cited.issuperset(e.cites) and (e.message or "") in said:
            return None
        return f"{OTHERWISE}: {said}"
    return f"{e.label} is allowed"

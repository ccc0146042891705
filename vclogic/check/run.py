"""The checks of a game: all families one after the other, within a time limit; witnesses as files."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import islice, product
from random import Random
from typing import Literal

from vclogic.check import absence, dead_play, event_rules, outcomes, readings, sentences, ways
from vclogic.check.catalogue import UNTOLD, Suppression, chosen, load_suppressions
from vclogic.check.family import CheckFamily, declared
from vclogic.check.findings import Checked, CheckedRules, Cleared, Finding, FindingKey, Scope, Undecided
from vclogic.check.history import explored, unreached
from vclogic.check.oracle import Oracle
from vclogic.choices import choice
from vclogic.clock import TIME_UP, TimeUp, check_deadline, grace_period, until
from vclogic.errors import Diagnostic, InputError
from vclogic.files.blame import their_code, undeclared
from vclogic.files.outcomes import OUTCOMES
from vclogic.files.output import check_output, write_text
from vclogic.files.setup import Memo, Setup, assemble
from vclogic.files.write import write_position
from vclogic.model.actions import Action, Event, Schema
from vclogic.model.event_terms import Spoken, of_positions
from vclogic.model.fluents import State
from vclogic.model.system import ANY, IDLE, System
from vclogic.provenance import CodePlace
from vclogic.query.question import Request
from vclogic.query.resolved_question import ResolvedQuestion, check_choices
from vclogic.solve import budgets
from vclogic.solve.backends.session import Effort
from vclogic.terms.term import Term
from vclogic.words import amount, joined

# ---- the checks of a game


_WITNESS = re.compile(r"VC\d+-\d+\.yaml")


def check(
    request: Request,
    scope: Literal["positions", "reachable"],
    asked: tuple[Sequence[str], Sequence[str]],
    *,
    smallest: bool = True,
) -> Checked:
    """Find the faults of a game's rule set.

    Args:
        request: The game, the moment that witnesses are compared with, and how long it may take.
        scope: How far to look.
        asked: Codes to look for, and codes to leave out.
        smallest: Whether witnesses are as small as can be; False: any will do, which is quicker.

    Raises:
        InputError: A choice is wrong, or the encoding's `checks.yaml` is.
    """
    select, ignore = asked
    of_file = request.setup.encoding.codes  # a game that is no file of another program has no faults of one
    left_out = (*UNTOLD, *(() if of_file else sentences.FLAWS))
    codes = tuple(c for c in chosen(select or of_file, ignore) if c not in left_out)
    setup, state, settings = request.setup, request.state, request.setup.chosen_in_words
    metric = check_choices(setup.system, None, IDLE, timeout=request.timeout)
    if _is_own(setup):  # whether what the game says of all its boards and outcomes is out of date, its own ones tell
        codes = tuple(c for c in codes if c != "VC001")
    suppressions, rests_on = _suppressions(setup, scope), _assumptions(setup, settings, scope)
    with their_code(setup.encoding.name, "checked", only_theirs=False), request.effort() as effort:
        try:
            rules = checked_rules(setup, state)
            # Rules that break down are reported at their line, before a solver is asked about them.
            if not {*codes} <= {*sentences.FLAWS}:  # faults of a file are told by what it says
                smoke_build(rules.system)
        except TimeUp:
            return nothing_checked(setup.game, codes, scope, effort, rests_on)

        def ask(effort: Effort) -> ResolvedQuestion:
            return ResolvedQuestion(setup.game, rules.system, state, settings, None, ANY, metric, effort)

        return check_rules(
            rules,
            codes,
            effort=effort,
            scope=scope,
            ask=ask,
            suppressions=suppressions,
            assumptions=rests_on,
            smallest=smallest,
        )


def _is_own(setup: Setup) -> bool:
    """True if a board or outcomes of one's own take the place of the game's."""
    return setup.board is not None or any(x.section(OUTCOMES).tree is not None for x in setup.request.layers)


def checked_rules(setup: Setup, state: State) -> CheckedRules:
    """A game's rule set, and what builds it under other Readings."""
    memo = Memo()

    @cache
    def under(reading: str, value: str) -> System:
        request = setup.request._replace(overrides=(*setup.request.overrides, (reading, value)))
        return assemble(request, memo).system

    def write(witness: State) -> str | None:
        try:
            return write_position(setup, witness)
        except ValueError:
            return None

    return CheckedRules(
        setup.game,
        setup.system,
        state,
        setup.encoding.readings,
        setup.settings.readings,
        under,
        write,
    )


def _suppressions(setup: Setup, scope: str) -> tuple[Suppression, ...]:
    """The suppressions that apply; those of a scenario are not for another board that takes its place."""
    values = {**setup.settings.options, **setup.settings.readings}
    scenario = setup.scenario if setup.board is None else None
    usual = scope == "positions" and not setup.chosen_in_words  # a rulebook accepts what is found without choices
    found = (s for s in load_suppressions(setup.request.name) if s.applies(scenario, scope, values))
    return tuple(s if usual or s.block is None else replace(s, quiet=True) for s in found)


def _assumptions(setup: Setup, settings: tuple[str, ...], scope: str) -> tuple[str, ...]:
    said = "whether play leads there is asked of all events of the rules, whoever decides them"
    played = (said, *setup.system.assumed) if scope == "reachable" else ()
    return (*played, *setup.system.notes, *settings)


def check_folder(folder: str, inputs: Iterable[str]) -> None:
    """Refuses a folder for witnesses where a file would be overwritten that the game is read from.

    Raises:
        InputError: It may not.
    """
    read = tuple(inputs)
    try:
        names = sorted(os.listdir(folder))
    except OSError:  # it may not be read, only written
        names = []
    for name in names:
        if _WITNESS.fullmatch(name):
            check_output(os.path.join(folder, name), read, choice("witnesses"))


def write_witnesses(answer: Checked, folder: str) -> dict[int, str]:
    """Writes each witness as a position file.

    Args:
        answer: What was found.
        folder: An existing folder.

    Returns:
        For each finding with a file, by its place in the answer, the file.

    Raises:
        InputError: A file cannot be written.
    """
    files: dict[int, str] = {}
    for i, f in enumerate(answer.findings):
        if f.witness is not None and f.witness.position is not None:
            files[i] = os.path.join(folder, f"{f.code}-{i + 1}.yaml")
            write_text(files[i], f"# {f.code}: {' '.join(f.message.split())}\n{f.witness.position}")
    return files


_MOST = 20  # of each kind


def smoke_build(system: System) -> None:
    """Builds some of everything, and rejects terms that reference undeclared fluents.

    Raises:
        InputError: A term references another one.
        Exception: Whatever the encoding raises.
    """
    found = undeclared(system, ((name, (), terms) for name, terms in _built(system)))
    for rule in (r for r in system.rules if r.step):
        for strange in Spoken(system, rule.kept).strange():
            place = rule.made[0] if rule.made else None
            message = f"the rule {rule.name} speaks of {strange}"
            where = (place.file, place.line) if place else ()
            found.append(Diagnostic("unknown-name", message, *where))
    for metric in system.metrics:
        metric.transition(None, ANY, system.layout.constants(system.layout.state(system.completed({}))))
    if found:
        raise InputError(dict.fromkeys(found))


def _built(system: System) -> Iterator[tuple[str, list[Term]]]:
    for observable in system.observables:
        for names in islice(product(*(d.sort.members for d in observable.parameters)), _MOST):
            value = observable.partial(*names)
            yield f"the observable {observable.name}", [value.value, value.defined]
    for schema in system.events:
        for action in _some(system, schema):
            needs = [r.term for r in action.requirements]
            yield f"the event {schema.name}", [*needs, *(t for effect in action.effects for t in effect)]
    for rule in system.rules:
        yield f"the rule {rule.name}", of_positions(rule)
    for table in system.tables:
        for entry in table.entries:
            yield f"the table {table.title!r}", [entry.row, entry.value.value, entry.value.defined]


def _some(system: System, schema: Schema) -> Iterator[Action]:
    """Ground events of a kind: all of them, or where they are many some that are drawn."""
    number, random = math.prod(len(p.values) for p in schema.parameters), Random(schema.name)
    for i in range(number) if number <= _MOST else [random.randrange(number) for _ in range(_MOST)]:
        given = []
        for p in schema.parameters:
            i, at = divmod(i, len(p.values))
            given.append((p.name, p.values[at]))
        yield system.action(Event(schema.name, tuple(given)))


# ---- the families


FAMILIES = declared(outcomes, sentences, readings, ways, event_rules, dead_play, absence)


def check_rules(
    rules: CheckedRules,
    codes: Sequence[str],
    *,
    effort: Effort,
    scope: Scope = "positions",
    ask: Callable[[Effort], ResolvedQuestion] | None = None,
    suppressions: Iterable[Suppression] = (),
    assumptions: tuple[str, ...] = (),
    smallest: bool = True,
) -> Checked:
    """Find the faults of a rule set.

    Args:
        rules: The rule set.
        codes: The codes to look for.
        effort: What may be spent; what is not decided by then is `unknown`.
        scope: `positions`; or `reachable`, to look for play from the start that leads to each witness.
        ask: Makes a question about play from the start, given what may be spent on it; None: none is asked.
        suppressions: What the game says is no matter, and why.
        assumptions: What the answer rests on.
        smallest: Whether witnesses are as small as can be.

    Returns:
        Every finding, and every check that could not be decided with its bound.
    """
    found: list[Finding] = []
    cleared: tuple[Cleared, ...] = ()
    with until(effort.deadline), Oracle(rules, codes, effort, ask=ask, scope=scope, smallest=smallest) as oracle:
        for i, family in enumerate(FAMILIES):
            oracle.allot(1 if i == len(FAMILIES) - 1 else budgets.ONE_FAMILY_SHARE)
            effort.progress(f"looking at {family.over}")
            found += _looked(oracle, family)
        suppressions = tuple(suppressions)
        found = [suppressed(f, suppressions) for f in found]
        oracle.allot(1)
        with suppress(TimeUp):  # what is not looked for in play stays a finding over positions
            if scope == "reachable" and ask is not None:
                found, cleared = explored(oracle, found)
            elif scope == "positions":
                found, cleared = unreached(oracle, found)
    # Sorting findings asks no solver: it is done though the time may be up.
    with grace_period():
        if "VC001" in codes:
            found += stale(suppressions, found, codes, oracle.undecided)
        return Checked(
            game=rules.game,
            scope=scope,
            findings=tuple(sorted(found, key=lambda f: (f.code, f.rule))),
            checked=tuple(codes),
            unknown=tuple(dict.fromkeys(oracle.undecided)),
            cleared=cleared,
            assumptions=assumptions,
            play=oracle.play_looked_at,
            looked_at=_looked_at(oracle),
            elapsed_s=effort.elapsed_s,
        )


_EVERY_POSITION = ("VC207", "VC208", "VC209")


def _looked_at(oracle: Oracle) -> str:
    """The extent of a check: what it looked at, and what it did not, in a line."""
    system = oracle.system
    seen = [amount(len(system.outcomes), "outcome"), amount(len(system.events), "kind of event")]
    seen += [amount(len(system.passages), "numbered sentence")] if system.passages else []
    seen += [amount(len(oracle.rules.readings), "Reading")] if oracle.rules.readings else []
    whole = oracle.play_looked_at and oracle.play.complete
    open_ = [c for c in _EVERY_POSITION if oracle.wants(c)]
    missed = [f"{', '.join(open_)}, which take every position of play"] if open_ and not whole else []
    missed += [] if system.passages else ["sentences, since the text is no rulebook"]
    missed.append("changes that no ruling would notice")
    return f"{joined(seen)}; not {joined(missed)}"


def nothing_checked(
    game: str, codes: Sequence[str], scope: Scope, effort: Effort, assumptions: tuple[str, ...]
) -> Checked:
    """The answer where the time was up before the rule set was built; arguments as in `check_rules`."""
    over = {code: family.over for family in FAMILIES for code in family.codes}
    reason = "the time was up while the rules were built"
    return Checked(
        game=game,
        scope=scope,
        findings=(),
        checked=tuple(codes),
        unknown=tuple(Undecided(code, over[code], reason) for code in codes if code in over),
        cleared=(),
        assumptions=assumptions,
        elapsed_s=effort.elapsed_s,
    )


def _looked(oracle: Oracle, family: CheckFamily) -> list[Finding]:
    """The findings of a family; where the time is up before its end, its codes are undecided."""
    found: list[Finding] = []
    try:
        check_deadline()
        for finding in family.look(oracle):  # what was found stays where the time is up in the middle
            found.append(finding)
    except TimeUp:
        for code in family.codes:
            if oracle.wants(code):
                oracle.give_up(FindingKey(code, family.over, (), ()), TIME_UP)
    return found


def _fits(s: Suppression, finding: Finding) -> bool:
    """True if a suppression covers a finding."""
    inside = s.block is None or any(p.file == s.file and p.line in s.block for p in finding.places)
    if not inside and not {*s.clauses} & {*finding.cites}:
        return False
    pattern = ".*".join(map(re.escape, s.rule.split("*")))
    return finding.code == s.code and re.fullmatch(pattern, finding.rule, re.DOTALL) is not None


def suppressed(finding: Finding, suppressions: Iterable[Suppression]) -> Finding:
    """The finding, with the reason of the first suppression that fits it."""
    reason = next((s.reason for s in suppressions if _fits(s, finding)), None)
    return replace(finding, suppressed=reason)


def stale(
    suppressions: Iterable[Suppression],
    found: Iterable[Finding],
    codes: Sequence[str],
    undecided: Iterable[Undecided],
) -> Iterator[Finding]:
    """VC001: suppressions of codes that were looked for and decided, and of which nothing was found."""
    found, undecided = list(found), list(undecided)
    for s in suppressions:
        used = s.quiet or any(_fits(s, f) for f in found)
        open_ = any(s.code == u.code for u in undecided)
        if s.code in codes and not used and not open_:
            name, of = ("checks.yaml", s.rule) if s.block is None else ("", ", ".join(s.clauses))
            about = FindingKey("VC001", f"{s.code} {of}", (), (CodePlace(s.file, s.line or 1, name),))
            message = f"{s.code} is not found for {of}, so there is nothing to accept: this entry is out of date"
            yield about.finding(message, scope="rules")

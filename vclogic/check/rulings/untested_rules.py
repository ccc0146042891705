"""Changes that no ruling tells: small ones of the rules, and other Readings, that all rulings let pass."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from vclogic.check.catalogue import UNTOLD, chosen
from vclogic.check.findings import Checked, Finding, Undecided
from vclogic.check.oracle import Oracle
from vclogic.check.rulings.rule_difference import Difference, Telling
from vclogic.check.rulings.rules_with_rulings import RuledText, Variant, variants_of
from vclogic.check.rulings.suggested_rulings import PastedRuling
from vclogic.check.run import checked_rules
from vclogic.clock import TimeUp, check_deadline, grace_period
from vclogic.errors import Diagnostic, InputError, RulesError, did_you_mean, quoted
from vclogic.files.blame import their_code
from vclogic.files.output import write_text
from vclogic.files.rulings.cases import Case
from vclogic.files.setup import Layer, Memo
from vclogic.files.source import instead, read_text
from vclogic.files.trees.located import Node
from vclogic.query.question import Request
from vclogic.query.test.rulings import try_case
from vclogic.solve import budgets
from vclogic.words import amount, joined


@dataclass
class TriedChange:
    """The results of the changes that were looked at, to be told in a line."""

    counts: Counter[str] = field(default_factory=Counter)
    rulings: int = 0
    failing: int = 0
    undecided: list[Undecided] = field(default_factory=list)

    def __str__(self) -> str:
        said = [f"{self.counts[what]} {what}" for what in ORDER if self.counts[what]]
        fail = f" ({self.failing} more fail as it stands, and tell nothing)" if self.failing else ""
        tried = f"{amount(self.counts.total(), 'changes')}: {joined(said)}" if said else "nothing to change"
        return f"{amount(self.rulings, 'rulings')}{fail}; {tried}"


ORDER = NOTICED, EQUAL, UNREAD, APART, IN_QUOTES, TOLD, OPEN, LATE = (
    "noticed by a ruling or by one to paste",
    "without a difference in any position",
    "that cannot be read as rules",
    "that make another board, where positions cannot be compared",
    "in quotes, where they cannot be changed",
    "asked about",
    "not decided",
    "not looked at for want of time",
)


@dataclass(frozen=True)
class Untold:
    """The changes that no ruling tells.

    Attributes:
        checked: The questions as findings.
        before: What the files that rulings are written into hold.
        after: What they hold with the rulings, and today's answers.
    """

    checked: Checked
    before: Mapping[str, str]
    after: Mapping[str, str]

    def write(self) -> None:
        """Writes the rulings.

        Raises:
            InputError: A file cannot be written, or somebody has changed it meanwhile; then nothing is written.
        """
        for file, text in self.before.items():
            if (read_text(file).text if os.path.exists(file) else "") != text:
                message = f"{quoted(file)} has been changed while the rulings were looked at: nothing is written"
                raise InputError(Diagnostic("unwritable", message, file, help="do it once more"))
        for file, text in self.after.items():
            write_text(file, text)


def untold(request: Request, asked: tuple[Sequence[str], Sequence[str]], wanted: Sequence[str] = ()) -> Untold:
    """VC801 and VC504: what no ruling tells apart, each with the ruling that would, and today's answer.

    A ruling that was made for one is taken as given for the next, so that nothing is asked twice.

    Args:
        request: The game at its start.
        asked: Codes to look for, and codes to leave out.
        wanted: The ids of those that are looked at; none: all.

    Raises:
        InputError: It is no file whose lines can be changed, its rulings cannot be read, or there is no such id.
    """
    setup, codes = request.setup, [c for c in chosen(*asked) if c in UNTOLD]
    ruled, tried = RuledText.of(setup), TriedChange()
    with their_code(setup.encoding.name, "checked", only_theirs=False), request.effort() as effort:
        variants = _named([v for v in variants_of(ruled) if v.key.code in codes], wanted)
        with Oracle(checked_rules(setup, setup.initial), codes, effort) as oracle:
            found = tuple(_told(_Search(ruled, oracle, tried), variants))
        with grace_period():
            checked = Checked(
                game=setup.game,
                scope="rules",
                findings=found,
                checked=tuple(codes),
                unknown=tuple(dict.fromkeys(tried.undecided)),
                cleared=(),
                assumptions=(*setup.system.notes, *setup.chosen_in_words),
                rulings=str(tried),
                elapsed_s=effort.elapsed_s,
            )
            after = ruled.texts(ruled.added)
            return Untold(checked, {f: ruled.now(f) for f in after}, after)


def _told(search: _Search, variants: Sequence[Variant]) -> Iterator[Finding]:
    """The questions, as long as there is time."""
    counts, ruled = search.tried.counts, search.ruled
    for number, variant in enumerate(variants):
        search.oracle.effort.progress(f"looking at {variant.told}")
        try:
            check_deadline()
            what, found = search.look_at(variant)
        except TimeUp:
            counts[LATE] += len(variants) - number
            return
        counts[what] += 1
        if found is not None:
            ruled.added.append((variant, found.ruling))
            yield _finding(ruled, variant, found)


def _named(variants: Sequence[Variant], wanted: Sequence[str]) -> list[Variant]:
    known = {v.id: v for v in variants}
    if not wanted:
        return [*variants]
    wrong = [w for w in wanted if w not in known]
    if wrong:
        help = did_you_mean(wrong[0], known) or "the ids stand behind `rule:` in what `check --rulings` prints"
        raise InputError(
            Diagnostic("unknown-name", f"there is no question {quoted(wrong[0])}", "--accept", help=help)
        )
    return [known[w] for w in dict.fromkeys(wanted)]


def _finding(ruled: RuledText, variant: Variant, found: Difference) -> Finding:
    answers = f"{found.asked} As it stands: {found.now}; {variant.otherwise}: {found.instead}"
    message = f"{variant.told}. {answers}".replace("....", "...")
    ruling = "\n".join([*ruled.lines(found.ruling), f"  # {variant.otherwise}: {found.ruling.other}"])
    return variant.key.finding(message, witness=found.witness, ruling=ruling)


# ---- what becomes of it


class _Search:
    """Looks at one change after the other.

    Args:
        ruled: The rules.
        oracle: Decides whether changes make a difference.
        tried: Learns what could not be decided.
    """

    def __init__(self, ruled: RuledText, oracle: Oracle, tried: TriedChange):
        self.ruled, self.oracle, self.tried = ruled, oracle, tried
        cases = ruled.cases()
        self.kept = {c.name for c in cases if try_case(c).status == "passed"}
        tried.rulings, tried.failing = len(self.kept), len(cases) - len(self.kept)
        self._last = ""  # the ruling that noticed a change last: it may notice the next one, too

    def look_at(self, variant: Variant) -> tuple[str, Difference | None]:
        """The result of a change; and where no ruling notices a difference, that difference."""
        check_deadline()
        if not (variant.edits or variant.reading):
            return IN_QUOTES, None
        memo = Memo()
        with instead(self.ruled.texts((), variant)):
            try:
                setup = self.ruled.loaded(memo, [(variant.reading, variant.instead)] if variant.reading else ())
            except (InputError, RulesError):
                return UNREAD, None
        if self._noticed(variant, self.ruled.added, memo):
            return NOTICED, None
        self.oracle.allot(budgets.ONE_FAMILY_SHARE)
        with Oracle(self.oracle.rules, UNTOLD, self.oracle.effort) as oracle:
            telling = Telling(oracle, setup.system, self.oracle)
            if not telling.comparable:
                return APART, None
            found = telling.first(variant.key, self._title(variant), variant.focus)
        if found is None:
            self.tried.undecided += oracle.undecided
            return (OPEN if oracle.undecided or telling.left_out else EQUAL), None
        if variant.reading:
            under = {variant.reading: variant.now}
            found = replace(found, ruling=replace(found.ruling, under=under))
        ruling = (variant, found.ruling)
        if not self._holds(ruling) or not self._noticed(variant, [ruling], memo):
            why = "the position where it differs cannot be said as a ruling"
            self.tried.undecided.append(Undecided(variant.key.code, variant.id, why))
            return OPEN, None
        return TOLD, found

    def _title(self, variant: Variant) -> str:
        taken = {*self.kept, *(r.title for _, r in self.ruled.added)}
        titles = (variant.title if n == 1 else f"{variant.title} ({n})" for n in range(1, 99))
        return next(t.replace(" #", " ") for t in titles if t not in taken)

    def _holds(self, ruling: tuple[Variant, PastedRuling]) -> bool:
        """True if a ruling that is to be pasted holds as the rules are."""
        with instead(self.ruled.texts([ruling])):
            return any(try_case(c).status == "passed" for c in self.ruled.cases() if c.name == ruling[1].title)

    def _noticed(self, variant: Variant, added: Sequence[tuple[Variant, PastedRuling]], memo: Memo) -> bool:
        """True if some ruling fails with the change, those that are added included."""
        names = self.kept | {r.title for _, r in added}
        with instead(self.ruled.texts(added, variant)):
            try:
                cases = [c for c in self.ruled.cases(memo) if c.name in names]
            except InputError:
                return True
            cites = {c.clause for c in variant.key.cites}
            cases.sort(key=lambda c: (c.name != self._last, cites.isdisjoint(c.cites)))
            for case in cases:
                check_deadline()
                for tried in _forced(case, variant):
                    if try_case(tried).status == "failed":
                        self._last = case.name
                        return True
        return False


def _forced(case: Case, variant: Variant) -> Iterator[Case]:
    """A ruling as it is tried with a change: as it is, or under the other value of the Reading."""
    if not variant.reading:
        yield case
        return
    value = case.setup().settings.readings[variant.reading]
    other = {variant.now: variant.instead, variant.instead: variant.now}.get(value)
    if other is not None:
        layer = Layer(Node({"readings": {variant.reading: other}}, case.node.where))
        yield replace(case, layers=(*case.layers, layer))

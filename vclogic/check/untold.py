"""What no ruling tells: small changes of the rules, and other Readings, that every ruling lets pass (VC801, VC504)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from vclogic.check.catalogue import UNTOLD, chosen
from vclogic.check.findings import Checked, Finding, FindingKey
from vclogic.check.oracle import Oracle
from vclogic.check.pasted import PastedRuling, PastePlace, below_sentence, end_of_list, ruling_files
from vclogic.check.run import checked_rules
from vclogic.check.telling import Difference, Telling
from vclogic.clock import TimeUp, granted, look
from vclogic.errors import Diagnostic, InputError, RulesError, did_you_mean, quoted
from vclogic.files.blame import their_code
from vclogic.files.findings import Findings
from vclogic.files.output import write_text
from vclogic.files.position import is_path, load_setup
from vclogic.files.registry import is_rulebook
from vclogic.files.rulebooks import rulebook
from vclogic.files.rulings.case_files import Skipped, cases_of, find_case_files, load_cases, no_rulings
from vclogic.files.rulings.cases import Case
from vclogic.files.setup import Layer, Memo, Setup
from vclogic.files.source import instead, read_text
from vclogic.files.tree import Node, Quoted
from vclogic.files.typed import sources_of
from vclogic.provenance import CodePlace
from vclogic.query.question import Request
from vclogic.query.test import try_case
from vclogic.rulebook.changes import DEFINED, GIVEN, Change, Edit, changes_of, edited
from vclogic.rulebook.source import RulesSource
from vclogic.words import amount, joined

READING, CHANGE = UNTOLD
_SHORT = 100
_WORDS = {"==": "exactly", ">=": "at least", ">": "more than", "<=": "at most", "<": "less than"}


@dataclass(frozen=True)
class Variant:
    """The rules with one thing otherwise.

    Attributes:
        id: What it is called, to accept it.
        key: The finding that it would be.
        line: Its line in the file.
        said: The line as a reader is asked about it.
        now: What stands there, or the value of the Reading.
        instead: What would.
        edits: What is changed in the file.
        reading: The Reading that it is about; empty: a line is changed.
        focus: The name of the definition or event whose line it is.
        weight: The smaller, the sooner it is looked at.
    """

    id: str
    key: FindingKey
    line: int
    said: str
    now: str
    instead: str
    edits: tuple[Edit, ...] = ()
    reading: str = ""
    focus: str = ""
    weight: int = 0

    @property
    def title(self) -> str:
        """The title of a ruling that tells it."""
        if self.reading:
            return f"The Reading {self.reading}: {self.now}, not {self.instead}"
        return f"With {self.now}, not {self.instead}: {self.said}" if self.instead else f"Not without: {self.now}"

    @property
    def told(self) -> str:
        """What no ruling tells from what."""
        if self.reading:
            return f"no ruling tells the Reading {self.reading}={self.now} from {self.reading}={self.instead}"
        if not self.instead:
            return f"no ruling tells whether this is needed: {self.now}"
        now, instead = (f"{text} ({_WORDS[text]})" if text in _WORDS else text for text in (self.now, self.instead))
        return f"no ruling tells {now} from {instead} in: {self.said}"

    @property
    def otherwise(self) -> str:
        """How it would be, before an answer."""
        if self.reading:
            return f"with {self.reading}={self.instead}"
        return f"with {self.instead}" if self.instead else "without it"


@dataclass
class Ruled:
    """A rulebook, or a position file with rules as text, with the rulings about it.

    Attributes:
        setup: It at the start.
        file: The file whose lines are changed.
        text: What it holds.
        added: Rulings that are taken as given from now on.
        places: Where rulings about each line are written, as far as somebody asked.
    """

    setup: Setup
    file: str
    text: str
    added: list[tuple[Variant, PastedRuling]] = field(default_factory=list)
    places: dict[int, PastePlace] = field(default_factory=dict)

    @staticmethod
    def of(setup: Setup) -> Ruled:
        """A game's file.

        Raises:
            InputError: It has no file of one's own, or more than the start is given.
        """
        files = [layer.node.where.file for layer in setup.request.layers]
        if len(files) > 1 or (files and not is_path(files[0])):
            message = "rulings are looked at from the start of a game: leave --at out"
            raise InputError(Diagnostic("usage", message))
        file = files[0] if files else setup.request.name
        if not (files or is_rulebook(file)):
            help = "name a rulebook, or a position file with rules under `outcomes:`"
            raise InputError(Diagnostic("usage", f"{quoted(file)} is no file whose lines could be changed", help=help))
        return Ruled(setup, file, read_text(file).text)

    @property
    def is_book(self) -> bool:
        """Whether its rulings stand in blocks of it."""
        return is_rulebook(self.file)

    @property
    def sources(self) -> list[RulesSource]:
        """Its lines of rules."""
        if self.is_book:
            return [s for s in rulebook(self.file).book.sources if s.file == self.file]
        return [s for s in sources_of(self.setup.system, self.setup.texts) if s.file == self.file]

    def loaded(self, memo: Memo, reading: Sequence[tuple[str, str]] = ()) -> Setup:
        """It as its files are now."""
        overrides = (*self.setup.request.overrides, *reading)
        return load_setup(self.file, overrides=overrides, memo=memo)

    def cases(self, memo: Memo | None = None) -> tuple[Case, ...]:
        """The rulings about it, as its files are now.

        Args:
            memo: What they share with it.
        """
        if self.is_book:
            found_there = load_cases(self.file)
            return found_there if memo is None else tuple(replace(c, memo=memo) for c in found_there)
        found: list[Case] = []
        findings = Findings()
        files = [f for f in (self.file, *ruling_files(self.file)) if f != self.file or self._expects]
        files += [p.file for p in self._places() if p.file not in files]
        for file in files:
            for each in find_case_files(file, findings):
                if not isinstance(each, Skipped):
                    found += cases_of(each.node, each.encoding, memo or Memo())
        findings.stop()
        return tuple(found)

    @property
    def _expects(self) -> bool:
        """Whether the record of the position file expects something itself."""
        return no_rulings(self.setup.request.layers[0].node) is None

    def _places(self) -> list[PastePlace]:
        return [self.place(variant) for variant, _ in self.added]

    def place(self, variant: Variant) -> PastePlace:
        """Where a ruling about a change is written."""
        if variant.line not in self.places:
            self.places[variant.line] = self._place(variant)
        return self.places[variant.line]

    def _place(self, variant: Variant) -> PastePlace:
        if self.is_book:
            return below_sentence(self.text, self.file, variant.line)
        files = ruling_files(self.file)
        stem, ending = os.path.splitext(self.file)
        return end_of_list(files[0] if files else f"{stem}_rulings{ending}", self.file)

    def lines(self, ruling: PastedRuling) -> list[str]:
        """A ruling as the file has it."""
        return ruling.lines(rulebook(self.file).book) if self.is_book else ruling.listed()

    def texts(
        self, rulings: Iterable[tuple[Variant, PastedRuling]] = (), edits: Iterable[Edit] = ()
    ) -> dict[str, str]:
        """What its files hold with some rulings more and some edits.

        Args:
            rulings: The rulings, each with what it is about.
            edits: Edits of the file itself.
        """
        lines: dict[PastePlace, list[str]] = {}
        for variant, ruling in rulings:
            lines.setdefault(self.place(variant), []).extend(self.lines(ruling))
        found: dict[str, list[Edit]] = {self.file: [*edits]}
        for place, added in lines.items():
            found.setdefault(place.file, []).append(place.edit(added))
        return {f: edited(self.now(f), made) for f, made in found.items() if made}

    def now(self, file: str) -> str:
        """What a file holds; nothing where it is not there."""
        return self.text if file == self.file else read_text(file).text if os.path.exists(file) else ""


@dataclass
class Tried:
    """What became of the changes that were looked at, to be told in a line."""

    counts: Counter[str] = field(default_factory=Counter)
    rulings: int = 0
    failing: int = 0

    def __str__(self) -> str:
        said = [f"{self.counts[what]} {what}" for what in ORDER if self.counts[what]]
        fail = f" ({self.failing} more fail as it stands, and tell nothing)" if self.failing else ""
        tried = f"{amount(self.counts.total(), 'changes')}: {joined(said)}" if said else "nothing to change"
        return f"{amount(self.rulings, 'rulings')}{fail}; {tried}"


ORDER = NOTICED, EQUAL, UNREAD, IN_QUOTES, TOLD, OPEN, LATE = (
    "noticed by a ruling",
    "without a difference in any position",
    "that cannot be read as rules",
    "in quotes, where they cannot be changed",
    "asked about",
    "not decided",
    "not looked at for want of time",
)


@dataclass(frozen=True)
class Untold:
    """What no ruling tells.

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
    ruled, tried = Ruled.of(setup), Tried()
    found: list[Finding] = []
    with their_code(setup.encoding.name, "checked", only_theirs=False), request.effort() as effort:
        with Oracle(checked_rules(setup, setup.initial), codes, effort) as oracle:
            for finding in _told(oracle, ruled, wanted, tried):
                found.append(finding)
        with granted():
            checked = Checked(
                game=setup.game,
                scope="rules",
                findings=tuple(found),
                checked=tuple(codes),
                unknown=tuple(dict.fromkeys(oracle.undecided)),
                cleared=(),
                assumptions=(*setup.system.notes, *setup.chosen_in_words),
                rulings=str(tried),
                elapsed_s=effort.elapsed_s,
            )
            after = ruled.texts(ruled.added)
            return Untold(checked, {f: ruled.now(f) for f in after}, after)


def _told(oracle: Oracle, ruled: Ruled, wanted: Sequence[str], tried: Tried) -> Iterator[Finding]:
    """The questions, as long as there is time."""
    cases = ruled.cases()
    kept = {c.name for c in cases if try_case(c).status == "passed"}
    tried.rulings, tried.failing = len(kept), len(cases) - len(kept)
    variants = _named([v for v in variants_of(ruled) if oracle.wants(v.key.code)], wanted)
    search = _Search(oracle, ruled, kept)
    for number, variant in enumerate(variants):
        oracle.effort.progress(f"looking at {variant.told}")
        try:
            look()
            what, found = search.look_at(variant)
        except TimeUp:
            tried.counts[LATE] += len(variants) - number
            return
        tried.counts[what] += 1
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
        raise InputError(Diagnostic("unknown-name", f"there is no question {quoted(wrong[0])}", "--accept", help=help))
    return [known[w] for w in dict.fromkeys(wanted)]


def _finding(ruled: Ruled, variant: Variant, found: Difference) -> Finding:
    message = f"{variant.told}. {found.asked} As it stands: {found.now}; {variant.otherwise}: {found.instead}"
    *lines, last = ruled.lines(found.ruling)
    ruling = "\n".join([*lines, f"{last}  # {variant.otherwise}: {found.ruling.other}"])
    return variant.key.finding(message, witness=found.witness, ruling=ruling)


# ---- what is changed


def variants_of(ruled: Ruled) -> list[Variant]:
    """The changes of the lines of a file, and the other values of its Readings, the most telling first."""
    found = [v for source in ruled.sources for v in _lines(ruled, source)]
    found += _data(ruled)
    found += _readings(ruled)
    return sorted(found, key=lambda v: v.weight)


def _lines(ruled: Ruled, source: RulesSource) -> Iterator[Variant]:
    begins = [0]
    for line in ruled.text.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    numbers: Counter[int] = Counter()

    def place(at: int) -> int | None:
        line, column = source.text.count("\n", 0, at) + 1, at - source.text.rfind("\n", 0, at)
        there, right = source.place(line, column)
        return None if there is None or right is None else begins[there - 1] + right - 1

    for c in changes_of(source, ruled.setup.system.sides):
        line = source.line(c.at)
        numbers[line] += 1
        edits = [(place(begin), place(end), new, source.text[begin:end]) for begin, end, new in c.edits]
        known = tuple((a, b, new) for a, b, new, old in edits if a is not None and b is not None
                      and ruled.text[a:b].split() == old.split())
        name = f"{line}.{numbers[line]}"
        key = FindingKey(CHANGE, name, source.cites(c.statement), source.made(c.at))
        said = _around(source.line_of(source.text.rfind("\n", 0, c.at) + 1), c)
        there = known if len(known) == len(edits) else ()
        yield Variant(name, key, line, said, c.now, c.instead, there, "", _focus(c), c.weight)


def _focus(change: Change) -> str:
    """The name of the definition or event that a line is about; empty: it is about neither."""
    content = change.statement.content
    return getattr(getattr(content, "name", None), "text", "") if change.weight != GIVEN else ""


def _around(line: str, change: Change) -> str:
    """A line, or what of it is around a change where it is long."""
    if len(line) <= _SHORT:
        return line
    at = line.find(change.now)
    begin = max(0, min(at - _SHORT // 2, len(line) - _SHORT))
    found = line[begin : begin + _SHORT]
    return f"{'...' if begin else ''}{found}{'...' if begin + _SHORT < len(line) else ''}"


def _data(ruled: Ruled) -> Iterator[Variant]:
    """The numbers in the board of a file."""
    board = ruled.setup.board
    if board is None or board.where.file != ruled.file:
        return
    begins = [0]
    for line in ruled.text.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    for path, number in _numbers(board.tree, ()):
        line, column = board.where.find(path)
        if line is None or column is None:
            continue
        at = begins[line - 1] + column - 1
        if not ruled.text.startswith(number, at):
            continue
        for i, other in enumerate(n for n in (int(number) - 1, int(number) + 1) if n >= 0):
            key = FindingKey(CHANGE, f"{line}.{column}.{i}", (), (CodePlace(ruled.file, line, ""),))
            said = " ".join(map(str, path))
            edit = (at, at + len(number), str(other))
            yield Variant(key.rule, key, line, said, number, str(other), (edit,), "", "", GIVEN)


def _numbers(tree: object, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    parts: Iterable[tuple[str | int, object]] = ()
    if isinstance(tree, dict):
        parts = tree.items()
    elif isinstance(tree, list):
        parts = enumerate(tree)
    elif isinstance(tree, str) and tree.isdigit() and not isinstance(tree, Quoted):
        yield path, tree
    for step, part in parts:
        yield from _numbers(part, (*path, step))


def _readings(ruled: Ruled) -> Iterator[Variant]:
    settings = ruled.setup.settings
    for reading in ruled.setup.encoding.readings:
        now = settings.readings[reading.name]
        place = reading.made[0] if reading.made else None
        for other in reading.values:
            if other != now and place is not None and place.file == ruled.file:
                name = f"{reading.name}={other}"
                key = FindingKey(READING, name, reading.cites, reading.made)
                yield Variant(name, key, place.line, "", now, other, reading=reading.name, weight=DEFINED)


# ---- what becomes of it


class _Search:
    """Looks at one change after the other.

    Args:
        oracle: Answers questions about the rules as they are.
        ruled: The rules.
        kept: The rulings that hold.
    """

    def __init__(self, oracle: Oracle, ruled: Ruled, kept: set[str]):
        self.oracle, self.ruled, self.kept = oracle, ruled, kept
        self._last = ""  # the ruling that noticed a change last: it may notice the next one, too

    def look_at(self, variant: Variant) -> tuple[str, Difference | None]:
        """What becomes of a change, and where no ruling notices a difference, that."""
        look()
        if not (variant.edits or variant.reading):
            return IN_QUOTES, None
        memo = Memo()
        with instead(self.ruled.texts((), variant.edits)):
            try:
                setup = self.ruled.loaded(memo, [(variant.reading, variant.instead)] if variant.reading else ())
            except (InputError, RulesError):
                return UNREAD, None
        if self._noticed(variant, self.ruled.added, memo):
            return NOTICED, None
        telling = Telling(self.oracle, setup.system, lambda: Oracle(self.oracle.rules, UNTOLD, self.oracle.effort))
        if not telling.comparable:
            return UNREAD, None
        before = len(self.oracle.undecided)
        found = telling.first(variant.key, self._title(variant), variant.focus)
        if found is None:
            unsure = len(self.oracle.undecided) > before or telling.left_out
            return (OPEN if unsure else EQUAL), None
        if variant.reading:
            under = {variant.reading: variant.now}
            found = replace(found, ruling=replace(found.ruling, under=under))
        ruling = (variant, found.ruling)
        if not self._holds(ruling) or not self._noticed(variant, [ruling], memo):
            self.oracle.give_up(variant.key, "the position where it differs cannot be said as a ruling")
            return OPEN, None
        return TOLD, found

    def _title(self, variant: Variant) -> str:
        taken = {*self.kept, *(r.title for _, r in self.ruled.added)}
        titles = (variant.title if n == 1 else f"{variant.title} ({n})" for n in range(1, 99))
        return next(t.replace(" #", " ") for t in titles if t not in taken)

    def _holds(self, ruling: tuple[Variant, PastedRuling]) -> bool:
        """Whether a ruling that is to be pasted holds as the rules are."""
        with instead(self.ruled.texts([ruling])):
            return any(try_case(c).status == "passed" for c in self.ruled.cases() if c.name == ruling[1].title)

    def _noticed(self, variant: Variant, added: Sequence[tuple[Variant, PastedRuling]], memo: Memo) -> bool:
        """Whether some ruling fails with the change, those that are added included."""
        names = self.kept | {r.title for _, r in added}
        with instead(self.ruled.texts(added, variant.edits)):
            try:
                cases = [c for c in self.ruled.cases(memo) if c.name in names]
            except InputError:
                return True
            cites = {c.clause for c in variant.key.cites}
            cases.sort(key=lambda c: (c.name != self._last, cites.isdisjoint(c.cites)))
            for case in cases:
                look()
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



"""The rulings of a rulebook: blocks of lines such as `play attack NW`, as the trees that files of rulings hold.

A title at the margin
  board FILE.yaml                      the board on which it is played, where the rulebook takes one
  given FACT is VALUE, FACT is VALUE   before all that is tried, as is under
  under READING is VALUE
  play EVENT ARGUMENTS                 as in the event's first line
  refused EVENT ARGUMENTS              the event is illegal here; the play goes on without it
  expect CONDITION
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.model.rules import Option, Reading
from vclogic.rulebook.board.world import OVER, ROUND, TURN, World
from vclogic.rulebook.declarations import EventRule
from vclogic.rulebook.markdown.book import Book
from vclogic.rulebook.markdown.file import Block
from vclogic.rulebook.play.arguments import EventArgument, arguments_of
from vclogic.rulebook.play.game import PASS
from vclogic.rulebook.play.timing import PHASE
from vclogic.rulebook.statements import RememberedFact

WORDS = ("given", "board", "under", "play", "refused", "expect")
"""What the lines below a title begin with."""
_LINES = "below a title stand lines with board, given, under, play, refused or expect"
_FACT = re.compile(r"\s*([^(]+?)\s*(?:\((.*)\))?\s*$", re.DOTALL)
Arguments = Mapping[str, EventArgument]


@dataclass
class Mark:
    """A place in a file, counted from 0."""

    line: int
    column: int


@dataclass
class RulingText:
    """A ruling of a rulebook.

    Attributes:
        tree: It, as files of rulings hold it.
        marks: The places of its parts, by their path.
        mark: Where it begins.
    """

    tree: dict[str, Any]
    mark: Mark
    marks: dict[tuple[str | int, ...], Mark] = field(default_factory=dict)

    @property
    def position(self) -> dict[str, Any]:
        """Its position."""
        found: dict[str, Any] = self.tree.setdefault("position", {})
        return found


def rulings_of(book: Book, worlds: Callable[[str | None], World]) -> Iterator[RulingText]:
    """The rulings of a rulebook.

    Args:
        book: The rulebook.
        worlds: What it declares, by the file of the board that a ruling is played on; None: its own.

    Raises:
        InputError: Everything in them that cannot be read.
    """
    reader = _Reader(book, worlds)
    for block in book.rulings:
        yield from reader.block(block)
    if reader.wrong:
        raise InputError(reader.wrong)


class _Reader:
    def __init__(self, book: Book, worlds: Callable[[str | None], World]):
        self.book = book
        self.wrong: list[Diagnostic] = []
        self._worlds = cache(worlds)
        self._on: str | None = ""

    def play_on(self, board: str | None) -> None:
        """Look up names on a board.

        Raises:
            InputError: There is none, or it is faulty.
        """
        if self._on == board:
            return
        world, self._on = self._worlds(board), board
        self.world = world
        self.facts = {f.name.text: f.asked_of for _, _, f in world.each(RememberedFact)}
        self.facts |= dict.fromkeys((TURN, ROUND, PHASE, OVER), ())
        self.events: dict[str, Arguments] = {PASS: {}, **{name: {} for name in world.ends}}
        self.actor = {world.movers.name: EventArgument(world.movers.name, world.movers)}
        for source, _, rule in world.each(EventRule):
            arguments = arguments_of(rule, source, world.kinds)
            self.events[rule.name.text] = {a.name: a for a in arguments}

    def block(self, block: Block) -> Iterator[RulingText]:
        """The rulings of a block."""
        now: RulingText | None = None
        for number, line in enumerate(block.text.splitlines()):
            text = line.split(" #")[0].rstrip()
            mark = Mark(block.line + number - 1, block.indent + len(line) - len(line.lstrip()))
            if not text.strip():
                continue
            if not line[0].isspace():
                if now is not None:
                    yield self.whole(now)
                now = RulingText({"name": text, "cites": [s.clause for s in block.sentences]}, mark)
            elif now is None:
                self.report(mark, "a ruling begins with its title, at the margin", _LINES)
            else:
                try:
                    self.line(now, text.strip(), mark)
                except InputError as error:
                    self.wrong += error.diagnostics
        if now is not None:
            yield self.whole(now)

    def whole(self, ruling: RulingText) -> RulingText:
        """A ruling with all its lines, one of which has to try something."""
        record = ruling.position.get("record", ())
        told = any(d.line is not None and d.line > ruling.mark.line for d in self.wrong)
        if (
            not told
            and "expect" not in ruling.tree
            and not any("refused" in step or "expect" in step for step in record)
        ):
            message = f"the ruling {quoted(ruling.tree['name'])} tries nothing"
            self.report(ruling.mark, message, "write below it: expect CONDITION, or refused EVENT")
        return ruling

    def report(self, mark: Mark, message: str, help: str | None = None) -> None:
        """Note a mistake."""
        self.wrong += self.error(mark, message, help).diagnostics

    def error(self, mark: Mark, message: str, help: str | None = None) -> InputError:
        """A mistake."""
        return InputError(Diagnostic("unreadable", message, self.book.file, mark.line + 1, mark.column + 1, help))

    def line(self, now: RulingText, text: str, mark: Mark) -> None:
        """Add a line to a ruling."""
        word, _, rest = text.partition(" ")
        tree = now.tree
        if word not in WORDS or not rest:
            help = did_you_mean(word, WORDS) or _LINES
            raise self.error(mark, f"{quoted(text)} says nothing that can be tried", help)
        rest, mark = rest.strip(), Mark(mark.line, mark.column + len(word) + 1)
        if word == "board":
            if len(tree) > 2:
                raise self.error(mark, "the board stands behind what is played on it", "put it below the title")
            now.position["board"] = rest
            now.marks["position", "board"] = mark
            return
        try:
            self.play_on(now.position.get("board") if "position" in tree else None)
        except InputError as error:
            raise InputError(self._at(d, mark) for d in error.diagnostics) from error
        if word in ("given", "under") and ("record" in now.position or "expect" in tree):
            message = f"{word} stands behind what is tried already, and a ruling has one start"
            raise self.error(mark, message, "put it above, or begin another ruling for it")
        if word == "given":
            for part in _parts(rest):
                self.given(now, part, mark)
        elif word == "under":
            name, value = self.equation(rest, mark)
            section = self.section(name, value, mark)
            tree.setdefault(section, {})[name] = value
            now.marks[section, name] = mark
        elif word == "expect":
            tree.setdefault("expect", []).append(rest)
            now.marks["expect", len(tree["expect"]) - 1] = mark
        else:
            self.add_event(now, word, rest, mark)

    def _at(self, wrong: Diagnostic, mark: Mark) -> Diagnostic:
        """A flaw of a board, at the line of the ruling where it has no place of its own."""
        if wrong.line is not None:
            return wrong
        help = "write below the title: board FILE.yaml" if wrong.code == "no-board" else wrong.help
        return replace(wrong, file=self.book.file, line=mark.line + 1, column=mark.column + 1, help=help)

    def add_event(self, now: RulingText, word: str, phrase: str, mark: Mark) -> None:
        """Add an event to the record; what was expected so far stands before it."""
        record = now.position.setdefault("record", [])
        for n, goal in enumerate(now.tree.pop("expect", [])):
            now.marks["position", "record", len(record)] = now.marks.pop(("expect", n))
            record.append({"expect": goal})
        now.marks["position", "record", len(record)] = mark
        event = self.event(phrase, mark)
        record.append(event if word == "play" else {"refused": event})

    # ---- facts

    def equation(self, text: str, mark: Mark) -> tuple[str, str]:
        """The two sides of `is`."""
        name, found, value = text.partition(" is ")
        if not found:
            raise self.error(mark, f"{quoted(text)} says of no fact what it is", "write FACT is VALUE")
        return name.strip(), _bare(value)

    def section(self, name: str, value: str, mark: Mark) -> str:
        """The section of a name with a value: of Readings or of options, as files of rulings call them."""
        world = self.world
        choices: tuple[Reading | Option, ...] = (*world.readings, *world.options)
        known = {c.name: [*map(str, c.values)] for c in choices}
        if name not in known:
            help = did_you_mean(name, known) or 'a rulebook has them by lines such as: reading NAME "question"'
            raise self.error(mark, f"there is no Reading or option {quoted(name)}", help)
        if value not in known[name]:
            message = f"{name} cannot be {quoted(value)}"
            raise self.error(mark, message, f"it can be: {', '.join(known[name])}")
        return "readings" if any(r.name == name for r in world.readings) else "options"

    def given(self, now: RulingText, text: str, mark: Mark) -> None:
        """Add a fact to the position."""
        fact, value = self.equation(text, mark)
        found = _FACT.match(fact)
        if found is None:
            raise self.error(mark, f"{quoted(fact)} is no fact", "write given FACT(NAME, ...) is VALUE")
        path = [found[1], *(_parts(found[2]) if found[2] else [])]
        if path[0] not in self.facts:
            help = did_you_mean(path[0], [f for f in self.facts if f != OVER])
            raise self.error(mark, f"there is no fact {quoted(path[0])}", help)
        asked_of = [w.text.split()[-1] for w in self.facts[path[0]]]
        if len(path) - 1 != len(asked_of):
            whole = f"{path[0]}({', '.join(asked_of)})" if asked_of else path[0]
            raise self.error(
                mark, f"{quoted(fact)} is no fact", f"write {whole} is VALUE, with the names for each kind"
            )
        here = now.position.setdefault("state", {})
        for step in path[:-1]:
            here = here.setdefault(step, {})
            if not isinstance(here, dict):
                raise self.error(mark, f"{quoted(fact)} is given twice")
        here[path[-1]] = value
        now.marks["position", "state", *path] = mark

    # ---- events

    def event(self, phrase: str, mark: Mark) -> str | dict[str, Any]:
        """An event as a record has it."""
        words = phrase.split()
        names = [" ".join(words[:n]) for n in range(len(words), 0, -1)]
        name = next((n.replace(" ", "_") for n in names if n.replace(" ", "_") in self.events), None)
        if name is None:
            help = did_you_mean(words[0], self.events)
            raise self.error(mark, f"there is no event {quoted(words[0])}", help)
        rest = words[len(name.split("_")) if phrase.startswith(name.replace("_", " ")) else 1 :]
        found: dict[str, Any] = {}
        if rest[:1] == ["by"]:
            rest = self.member(rest[1:], self.actor, found, mark)
        for argument in self.events[name].values():
            if argument.default is not None and not self.given_here(rest, argument):
                continue
            if _is_named(argument):
                if rest[:1] != [argument.name]:
                    known = self.events[name].values()
                    help = " ".join(f"{a.name} {a.kind.name.upper()}" if _is_named(a) else a.name for a in known)
                    raise self.error(
                        mark, f"{quoted(argument.name)} is missing in {quoted(phrase)}", f"write {name} {help}"
                    )
                rest = rest[1:]
            rest = self.members(rest, argument, found, mark)
        if rest:
            raise self.error(mark, f"{quoted(' '.join(rest))} means nothing in {quoted(phrase)}")
        return {name: found} if found else name

    def given_here(self, words: list[str], argument: EventArgument) -> bool:
        """True if some words begin with an argument that may be left out."""
        if _is_named(argument):
            return words[:1] == [argument.name]
        texts = (" ".join(words[:n]).strip("'\"") for n in range(len(words), 0, -1))
        return any(argument.kind.domain.find(t) is not None for t in texts)

    def members(self, words: list[str], argument: EventArgument, found: dict[str, Any], mark: Mark) -> list[str]:
        """Read the members that some words begin with, several with `and` between them; returns those behind it."""
        several: list[Any] = []
        more = True
        while more:
            words = self.member(words, {argument.name: argument}, found, mark)
            several.append(found[argument.name])
            more = argument.each and words[:1] == ["and"]
            words = words[more:]
        if len(several) > 1:
            found[argument.name] = several
        return words

    def member(self, words: list[str], of: Arguments, found: dict[str, Any], mark: Mark) -> list[str]:
        """Read the member of a kind that some words begin with; returns those behind it."""
        ((argument, kind),) = ((name, a.kind) for name, a in of.items())
        for n in range(len(words), 0, -1):
            member = kind.domain.find(" ".join(words[:n]).strip("'\""))
            if member is not None:
                found[argument] = member
                return words[n:]
        help = did_you_mean(words[0], kind.members) if words else None
        said = quoted(words[0]) if words else "nothing"
        raise self.error(mark, f"there is no {kind.name} {said}", help)


def phrase(book: Book, world: World, name: str, given: Mapping[str, object]) -> str:
    """An event as the lines of rulings have it.

    Args:
        book: The rulebook.
        world: What it declares, on its board.
        name: The event.
        given: Its arguments.
    """
    reader = _Reader(book, lambda _: world)
    reader.play_on(None)
    known = reader.events[name]
    words = [name, *(f"by {given[actor]}" for actor in reader.actor if actor in given and actor not in known)]
    for name, argument in known.items():
        if name in given and given[name] != argument.default:
            words += [name] if _is_named(argument) else []
            words.append(str(given[name]))
    return " ".join(words)


def _is_named(argument: EventArgument) -> bool:
    """True if the name of an argument stands before it, since its kind is called otherwise."""
    return argument.name != argument.kind.name or argument.kind.numbers


def _parts(text: str) -> list[str]:
    """The parts between commas that stand in no parentheses and in no quotes."""
    found, depth, within = [""], 0, ""
    for char in text:
        if char in "'\"" and within in ("", char):
            within = "" if within else char if not found[-1][-1:].isalnum() else ""
        depth += ((char == "(") - (char == ")")) * (not within)
        if char == "," and depth == 0 and not within:
            found.append("")
        else:
            found[-1] += char
    return [_bare(part) for part in found]


def _bare(text: str) -> str:
    """A name without the quotes around it."""
    text = text.strip()
    whole = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1] if whole else text

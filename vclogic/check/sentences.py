"""The sentences of a rulebook against the lines that say the same."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import prod

from vclogic.check.family import LookCost, looks_for
from vclogic.check.findings import Finding, FindingKey
from vclogic.check.moments_said import other_moments
from vclogic.check.oracle import Oracle
from vclogic.model.rules import Observable, Passage, Rule
from vclogic.model.system import System, TextFlaw
from vclogic.provenance import CodePlace, Places
from vclogic.terms.atoms import TRUE, constant
from vclogic.terms.build import eq
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import IntSort
from vclogic.terms.sums import collect
from vclogic.terms.term import Term
from vclogic.words import NUMBER, joined, number_of, numbers_in

Told = Iterator[tuple[str, Places]]
"""What one has and the other lacks, in words, with the place that it is told at."""

_BOUNDS = (
    (1, rf"(?:more than|exceeds?) ({NUMBER})"),
    (1, rf"(?:at most|no more than|not more than|up to) ({NUMBER})"),
    (1, rf"({NUMBER})(?: \w+)? at most|({NUMBER}) or (?:fewer|less)"),
    (0, rf"(?:at least|no fewer than|no less than) ({NUMBER})"),
    (0, rf"({NUMBER})(?: \w+)? at least|({NUMBER}) or more"),
    (0, rf"(?:fewer than|less than) ({NUMBER})"),
)
"""Words that part the numbers in two: at the number that they name (0), or above it (1)."""
_ALLOWED = re.compile(r"at most|no more|not more|up to|or fewer|or less")
_TOTAL = re.compile(rf"\b(?:the|all|these|those) {NUMBER}(?![\w-])")
_TOUCHING = re.compile(r"\b(?:adjacent|neighbours?|next to|border|touch)")
_ORDINALS = ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_ANYBODY = re.compile(
    r"\b(?:side|each|every|who|whoever|he|it|its|they|their|them|that|others?|enem(?:y|ies)|both|either|one|players?"
    r"|nobody|neither|opponents?|turns)\b",
    re.IGNORECASE,
)
_LEVEL = ["as many", "equal", "ties?", "even", "same"]
_EITHER = ["or", "either", "any", "unless", "nor", "neither", "no", "not", "without"]

_COMPARED = re.compile(r"(>=|<=|==|!=|>|<)\s*(\d+)(?!\s*\*|\w)")
_SPAN = re.compile(r"(\d+) to (\d+)")
_LITERAL = re.compile(r"(?<![\w.])\d+(?!\w)")
_LEAST_OR_MOST = re.compile(r"\bm(?:in|ax)\((\d+),")
_AMOUNT = re.compile(r"(\d+) *\*|\* *(\d+)|(?:by|becomes|means) (\d+)|\bif\([^()]*(?:\([^()]*\))?[^()]*, (\d+), ")
_JUDGING = re.compile(r"\b(?:wins?|loses?|means|if|needs|then|becomes|rises|falls)\b")
_MEANS = re.compile(r"(?:except )?\w+\(([^)]*)\) means (.*)")
_WON = re.compile(r"(.+?) (wins?|loses?) (.*)")
_OF_ANY = re.compile(r"\b(?:side|power|enemy|owner|holder)\b")
_OTHERS = re.compile(r"\b(?:enemy|other|not|nobody)\b|!=|\bno\(")
_NEGATED = re.compile(r"\bno\(|\bnot\b|^never\b")
_AS_MANY, _MORE = re.compile(r">= *[^\d\s]"), re.compile(r"> *[^\d\s=]")
_POINTS = re.compile(r"\bpoints?\b", re.IGNORECASE)
_MOST_NAMES = 100  # what a value is asked of
_SHORT = 4  # letters of a side's name that has no other ending in a sentence, such as US
_RATIO = re.compile(r"\d+ ?(?::|to) ?\d+(?: or (?:more|less|better|worse|higher|lower))?")
_OR_MORE = re.compile(r"\bor (?:more|fewer|less|better|worse|higher|lower|greater|later|earlier)\b", re.IGNORECASE)
_CITED = re.compile(
    r"\[[\d., ]+\]|\b(?:see|rules?|sections?|sentences?|paragraphs?|clauses?|§|as in|under|by) *(\d+(?:\.\d+)*)\b"
    r"|\b(\d+(?:\.\d+)+)\b",
    re.IGNORECASE,
)
"""What may be the number of another sentence."""
_ENDED = re.compile(r"(?<=[.;!?])\s+(?=[A-Z])")
_PLACED = re.compile(r"\b(?:row|column|file|rank)\(")
"""What a line says of the places of a board, whose numbers no sentence tells."""


@looks_for("VC605", "VC701", "VC703", "VC704", "VC705", over="the sentences of the text", cost=LookCost.TEXT)
def of_the_text(oracle: Oracle) -> Iterator[Finding]:
    """VC701, VC703 to VC705: sentences without lines, with odd numbers, or unlike their lines; what counts twice."""
    system = oracle.system
    sides = tuple(dict.fromkeys((*system.sides, *(p for powers in system.sides.values() for p in powers))))
    known = frozenset(n for p in system.passages for n in (*numbers_in(p.text), *p.listed))
    written = frozenset(n for p in system.passages for n in _written_in(p))
    clauses = frozenset(c.clause for p in system.passages for c in p.cites)
    for passage in system.passages:
        subject = f"sentence[{passage.name}]"
        if not passage.lines and oracle.wants("VC701"):
            message = f"no line of the rules says the sentence {passage.name}: {passage.text}"
            yield FindingKey("VC701", subject, passage.cites, passage.made).finding(message, scope="rules")
        if passage.lines and oracle.wants("VC703"):
            text = _CITED.sub(lambda m: "" if m[0][0] == "[" or (m[1] or m[2]) in clauses else m[0], passage.text)
            told = _Comparison(replace(passage, text=text), sides, known, written).differences()
            for message, place in dict.fromkeys(told):
                yield FindingKey("VC703", subject, passage.cites, place).finding(message, scope="rules")
        for message, place in passage.borders if oracle.wants("VC605") else ():
            yield FindingKey("VC605", subject, passage.cites, place).finding(message, scope="rules")
        for message, place in passage.odd if oracle.wants("VC705") else ():
            yield FindingKey("VC705", subject, passage.cites, place).finding(message, scope="rules")
    for rule in (*system.doubled, *_points_twice(system)) if oracle.wants("VC704") else ():
        yield FindingKey("VC704", rule.name, rule.cites, rule.made).finding(rule.text, scope="rules")


FLAWS = tuple(f"VC90{n}" for n in range(1, 10))
"""The codes of faults of a file that a game was made from."""


@looks_for(*FLAWS, over="the file that the game was made from", cost=LookCost.TEXT)
def of_the_file(oracle: Oracle) -> Iterator[Finding]:
    """VC901 to VC909: the faults of the file that the game was made from, at its lines."""
    told: set[str] = set()
    for flaw in oracle.system.flaws:
        key = FindingKey(flaw.code, flaw.about, (), (flaw.place,))
        if oracle.wants(flaw.code) and (not flaw.together or (flaw.code not in told and _at_once(oracle, key, flaw))):
            told |= {flaw.code} if flaw.together else set()
            yield key.finding(flaw.message, scope="rules")


def _at_once(oracle: Oracle, key: FindingKey, flaw: TextFlaw) -> bool:
    """True if a position meets the outcomes that a fault is about, where relationships are as at the start."""
    system = oracle.system
    judged = Substitution(system.written)  # whether it would be met now, not whether it once was
    met = [judged(o.now) for o in system.outcomes if {c.clause for c in o.cites} & {*flaw.together}]
    kept = [f for family in system.families if family.name == "relation" for f in family.fluents.values()]
    answer = oracle.possible(*met, *(eq(f, constant(f.sort, system.initial[f])) for f in kept))
    if answer.verdict == "unknown":
        oracle.give_up(key, oracle.bound(answer))
    return answer.verdict == "sat"


def _points_twice(system: System) -> Iterator[Rule]:
    """Points of a game that hold all of some other points twice: points of one kind are never weighed."""
    named: dict[str, dict[Term, int]] = {}
    made: dict[str, Observable] = {}
    for o in system.observables:
        if _POINTS.search(o.text) and prod(len(d.sort.members) for d in o.parameters) <= _MOST_NAMES:
            for names in product(*(d.sort.members for d in o.parameters)):
                value = o.partial(*names).value
                if isinstance(value.sort, IntSort) and not value.is_const:
                    name = f"{o.name}({', '.join(names)})" if names else o.name
                    named[name], made[name] = dict(collect([(1, value)], 0)[0]), o
    for name, (other, part) in product(named, named.items()):
        if all(named[name].get(t) == 2 * k for t, k in part.items()):
            told = f"{name} counts {other} twice: all that is in it, with twice as many points"
            yield Rule(name, TRUE, told, made[name].cites, made=_written(made[name]))


def _written(value: Observable) -> Places:
    """The places where the code of a game works a value out."""
    code = getattr(inspect.unwrap(getattr(value.term, "__func__", value.term)), "__code__", None)
    return () if code is None else (CodePlace(code.co_filename, code.co_firstlineno, code.co_qualname),)


def _parted(text: str) -> set[int]:
    """The numbers at which comparisons in some lines part all numbers in two: from it on, and below it."""
    found: set[int] = {1} if re.search(r"\b(some|no)\(", text) else set()
    for operator, digits in _COMPARED.findall(text):
        n = int(digits)
        found |= {n + (operator in (">", "<="))} if operator not in ("==", "!=") else {n, n + 1}
    for least, most in _SPAN.findall(text):
        found |= {int(least), int(most) + 1}
    return found | {n for digits in _LEAST_OR_MOST.findall(text) for n in (int(digits), int(digits) + 1)}


def _written_in(passage: Passage) -> set[int]:
    """The numbers that the lines of a passage say, or that its table and members give."""
    text = "\n".join((*(text for text, _ in passage.lines), *passage.behind))
    found = {int(n) for n in _LITERAL.findall(text)} | passage.listed
    found |= {int(most) - int(least) + 1 for least, most in _SPAN.findall(text)}
    return found | {int(n) + 1 for operator, n in _COMPARED.findall(text) if operator in (">", "<=")}


@dataclass(frozen=True)
class _Words:
    """Some sentences, by what is compared of them."""

    text: str

    @cached_property
    def numbers(self) -> dict[int, str]:
        """The numbers that they speak of, each with its word."""
        return numbers_in(self.text)

    @cached_property
    def exact(self) -> dict[int, str]:
        """The numbers that a line has to have as they are: neither bounds, nor how many there are of all."""
        bounds = {word for phrase in self.bounds.values() for word in phrase.split()}
        found = numbers_in(_TOTAL.sub("", self.text.lower()))
        pair = _TOUCHING.search(self.text.lower())  # "two areas are adjacent where ..."
        return {n: word for n, word in found.items() if word not in bounds and not (n == 2 and pair)}

    @cached_property
    def bounds(self) -> dict[int, str]:
        """The numbers at which they part the numbers in two, each with the words."""
        found: dict[int, str] = {}
        for above, pattern in _BOUNDS:
            for m in re.finditer(rf"(?<![\w.-])(?:{pattern})(?![\w-])", self.text.lower()):
                found[number_of(next(g for g in m.groups() if g)) + above] = m[0]
        return found

    @cached_property
    def ordinals(self) -> set[int]:
        """The places in a row that they speak of, such as `second`."""
        return {n for n, word in enumerate(_ORDINALS, 2) if self.has(word)}

    def has(self, *words: str) -> bool:
        """True if one of the words, which are patterns, stands there."""
        return re.search(rf"\b(?:{'|'.join(words)})\b", self.text, re.IGNORECASE) is not None


class _Comparison:
    """A passage: its sentences against its lines.

    Args:
        passage: The passage.
        sides: The sides and powers.
        known: The numbers that any sentence of the rulebook speaks of, or that are listed there.
        written: The numbers that any line of it says.
    """

    def __init__(self, passage: Passage, sides: Sequence[str], known: Set[int], written: Set[int]):
        self.passage, self.known, self.written = passage, known, written
        self.words = _Words(_RATIO.sub("", passage.text))
        self.own = "\n".join(text for text, _ in passage.lines)
        self.all = "\n".join((self.own, *passage.behind))
        self.sides = sides
        stems = {side: side.rstrip("s") if len(side) > _SHORT else side for side in sides}
        self.named = [s for s in sides if re.search(rf"\b{re.escape(stems[s])}", passage.text, re.IGNORECASE)]
        # Of a people sentences use other forms: Allied and the Allies, French and France.
        self.roots = {side: side[: max(_SHORT, len(side) - 3)] if len(side) > _SHORT else side for side in sides}

    def differences(self) -> Told:
        """All of them."""
        if not self.passage.left_out and not re.search(r"\bweight\b|\bby chance\b", self.own):
            yield from self._unsaid()
        yield from self._rounds()
        yield from self._added()
        yield from self._sides()
        yield from self._winners()
        yield from other_moments(self.passage)
        for text, place in self.passage.lines:
            yield from ((message, place) for message in self._line(text))

    def _unsaid(self) -> Told:
        """Numbers and bounds of the sentences that no line has."""
        words = self.words
        parted = _parted(self.own if _COMPARED.search(self.own) else self.all)
        for cut, said in words.bounds.items():
            # What an event needs is about the position before it, which has one fewer than the sentence allows.
            near = {cut - 1, cut} if "needs" in self.own and _ALLOWED.search(said) else {cut}
            if cut > 0 and not near & parted:
                yield f"the sentence says `{said}`, and its block does not", self.passage.made
        written = self.written if self._agrees else _written_in(self.passage)
        for n, word in words.exact.items():
            # What one sentence says, the block of another may.
            each = len(self.sides) if words.has("each", "both", "every") else 1
            if n > 1 and written.isdisjoint((n, n * each)):
                yield f"the sentence says `{word}`, and its block does not", self.passage.made

    @property
    def _agrees(self) -> bool:
        """True if each number that a line about winning compares with stands in the sentences."""
        said = {*self.words.numbers, *self.words.ordinals, *self.passage.listed, 0}
        won = (text for text, _ in self.passage.lines if _WON.match(text))
        return all(
            not said.isdisjoint({int(n), int(n) + {">": 1, "<": -1}.get(operator, 0)})
            for text in won
            for operator, n in _COMPARED.findall(text)
        )

    def _rounds(self) -> Told:
        """Another number of rounds than the game has, where the sentences tell how long it lasts."""
        there = re.search(r"^rounds (\d+)", self.all, re.MULTILINE)
        if there is None:
            return
        text = self.words.text.lower()
        said = re.findall(rf"\b(?:there are|lasts?|after|each of) (?:the )?({NUMBER}) rounds\b", text)
        lasts = {number_of(word): f"{word} rounds" for word in said}
        if re.search(r"\bat the end\b(?! of)", self.own):
            ended = re.findall(rf"\bafter the ({'|'.join(_ORDINALS)}) round\b", text)
            lasts |= {_ORDINALS.index(word) + 2: f"the {word} round" for word in ended}
        if lasts and int(there[1]) not in lasts:
            yield (
                f"the sentence says `{next(iter(lasts.values()))}`, and the line `rounds {there[1]}`",
                self.passage.made,
            )

    def _added(self) -> Told:
        """Numbers of lines that no sentence has."""
        words = self.words
        said = {*words.numbers, *words.ordinals, *words.bounds, *self.passage.listed}
        said |= {2} if words.has("both") else set()
        for text, place in self.passage.lines:
            if _PLACED.search(text):
                continue
            needed = text.startswith("needs")
            for operator, digits in _COMPARED.findall(text):
                n = int(digits)
                about = said if operator in (">=", ">") and not needed else said | self.known
                near = {">": {n + 1}, "<=": {n + 1}, "<": {n - 1}}.get(operator, set())
                if needed or operator in ("==", "!="):
                    near = {n - 1, n + 1}
                if n > 1 and not {n, *near} & about:
                    yield f"the line says `{operator} {n}`, and the sentence has no such number", place
                elif (
                    operator == ">"
                    and not _NEGATED.search(text)
                    and n in words.exact
                    and n + 1 not in [*words.bounds, *words.numbers]
                ):
                    yield f"the sentence says `{words.exact[n]}`, and the line asks for more than {n}", place
            for found in _AMOUNT.findall(text):
                n = int(next(digits for digits in found if digits))
                if n > 1 and n not in said:
                    yield f"the line says {n}, and the sentence has no such number", place

    def _sides(self) -> Told:
        """Sides that only one of the two names."""
        judging = [(text, place) for text, place in self.passage.lines if _JUDGING.search(text)]
        if not judging or not self.named:
            return
        there = [s for s in self.sides if re.search(rf"\b{re.escape(s)}\b", self.own)]
        strange = [s for s in there if not self._speaks_of(s)]
        if strange and not _OF_ANY.search(self.own) and not self.passage.left_out:
            for side in self.named:
                in_block = re.search(rf"\b{re.escape(self.roots[side])}", self.all, re.IGNORECASE)
                if not in_block and not any(side in cell for cell in self.passage.cells):
                    yield f"the sentence speaks of {side}, and its block does not", self.passage.made
        if _ANYBODY.search(self.passage.text):
            return
        for text, place in judging:
            for side in strange:
                if re.search(rf"\b{re.escape(side)}\b", text):
                    yield f"the line speaks of {side}, and the sentence does not", place

    def _speaks_of(self, side: str) -> bool:
        """True if the sentences name a side, in whatever form."""
        return re.search(rf"\b{re.escape(self.roots[side])}", self.passage.text, re.IGNORECASE) is not None

    def _winners(self) -> Told:
        """The winners, one after the other, where the sentences and the lines name as many."""
        names = "|".join(map(re.escape, self.sides))
        said = re.findall(rf"\b({names})(?: side)? (?:also )?wins?\b", self.words.text)
        won = [(m[1], place) for text, place in self.passage.lines if (m := _WON.match(text)) and m[2][:3] == "win"]
        rest = sum(who.startswith("otherwise") for who, _ in won)  # it stands last, in sentences too
        won = [(who, place) for who, place in won if not who.startswith("otherwise")]
        said = said[: len(won)] if len(said) == len(won) + rest else said
        if len(said) == len(won) and all(who in self.sides for who, _ in won):
            for sentence, (who, place) in zip(said, won, strict=True):
                if sentence != who:
                    yield f"the sentence says that {sentence} wins, and the line says that {who} does", place
        other = re.search(rf"\b(?:{names})\b", self.all) if self.sides else None
        if self.words.has("enem(?:y|ies)", "opponents?", "other side") and not other and not _OTHERS.search(self.all):
            yield "the sentence speaks of the enemy, and its block does not", self.passage.made

    def _line(self, text: str) -> Iterator[str]:
        """The differences in one line."""
        words = self.words
        meant = _MEANS.match(text)
        if meant and meant[1] in self.sides and words.has("its own", "their own") and "enemy" not in text:
            others = [s for s in self.sides if re.search(rf"\b{re.escape(s)}\b", meant[2])]
            if others and meant[1] not in others:
                yield f"the sentence gives {meant[1]} something for its own, and the line speaks of {joined(others)}"
        more = words.has("more", "most") and not words.has("at least", "or more", *_LEVEL)
        if more and _AS_MANY.search(text) and not _MORE.search(text) and not _NEGATED.search(text):
            yield "the sentence says `more`, and the line is content with as many"
        won = _WON.match(text)
        if won is None:
            return
        yield from self._connective(won[3])
        if won[1] == "side" and not re.search(r"\b(?:enemy|other|nobody)\b|!=", text):
            wins, loses = words.has("w[io]ns?", "winners?"), words.has("los(?:es?|t)")
            if loses and not wins and won[2] == "wins":
                yield "the sentence says who loses, and the line that this side wins"
            if wins and not loses and won[2] == "loses":
                yield "the sentence says who wins, and the line that this side loses"

    def _connective(self, condition: str) -> Iterator[str]:
        """An `or` of a line where the sentence about it has `and`, and the other way round.

        A list of cases is told in other words, and what one sentence of several says is nothing about another's.
        """
        said = [x for x in _ENDED.split(self.passage.text) if re.search(r"\b(?:w[io]ns?|los(?:es?|t))\b", x)]
        either, both = re.findall(r"\bor\b", condition), re.findall(r"\band\b", condition)
        if len(said) != 1 or len(either) + len(both) != 1:
            return
        words = _Words(_OR_MORE.sub("", _RATIO.sub("", said[0])))
        if either and words.has("and", "both") and not words.has(*_EITHER):
            yield "the line says `or`, and the sentence does not"
        if both and words.has("or", "either") and not words.has("and", "both", "but", "while", "with"):
            yield "the sentence says `or`, and the line `and`"

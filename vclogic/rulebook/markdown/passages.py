"""The numbered sentences of a rulebook, each with the lines that say the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from vclogic.model.citation import Citation
from vclogic.model.rules import Passage
from vclogic.provenance import CodePlace
from vclogic.rulebook.board.borders import unlike
from vclogic.rulebook.declarations import Accept, KindOf, LeftOut, MarkPlaces, Rounds, Rows, Sides, TurnIs
from vclogic.rulebook.markdown.book import Book
from vclogic.rulebook.source import RulesSource, Sentence
from vclogic.rulebook.statements import Definition, NamedGroup, Statement

_SAID = re.compile(r'"[^"\n]*"|#.*')
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+")
_FAR = 8  # no list of sentences leaves out more numbers
_Line = tuple[RulesSource, Statement]


def passages(book: Book) -> Iterator[Passage]:
    """The sentences of a rulebook; those that share a line are one passage."""
    # That a finding is accepted, or a place drawn, says nothing of the rules.
    lines = [(s, line) for s in book.sources for line in s.lines if not isinstance(line.content, Accept | MarkPlaces)]
    defined: dict[str, list[_Line]] = {}
    for source, statement in lines:
        if isinstance(statement.content, Definition):
            defined.setdefault(statement.content.name.text, []).append((source, statement))
    always = [_plain(source, s) for source, s in lines if isinstance(s.content, Rounds)]
    odd = dict(_odd(book.page.sentences))
    cited = [{c.clause for c in source.cites(statement)} for source, statement in lines]
    saying: dict[str, list[int]] = {}  # the lines that cite a sentence, or stand in a block of its
    for i, ((source, _), of) in enumerate(zip(lines, cited, strict=True)):
        for clause in of | {s.clause for s in source.sentences}:
            saying.setdefault(clause, []).append(i)
    for sentences in _together(book.page.sentences, cited):
        clauses = {s.clause for s in sentences}
        # A line that cites another sentence says something of that of its block, too.
        own = [lines[i] for i in sorted({i for c in clauses for i in saying.get(c, ())})]
        made = (CodePlace(book.file, sentences[0].line, ""),)
        found = [part for source, statement in own for part in _parts(source, statement)]
        yield Passage(
            name=", ".join(s.clause for s in sentences),
            text=" ".join(s.text for s in sentences),
            cites=tuple(Citation(book.file, s.clause) for s in sentences),
            made=made,
            lines=tuple(found),
            behind=(*(_plain(s, t) for s, t in _behind([text for text, _ in found], defined)), *always),
            listed=frozenset(n for line in own for n in _listed(*line, any("table" in s.text for s in sentences))),
            cells=frozenset(c for line in own for c in _cells(*line)),
            left_out=any(isinstance(s.content, LeftOut) for _, s in own),
            borders=tuple(
                (message, (CodePlace(source.file, line, ""),))
                for source, statement in own
                for message, line in unlike(source, statement, " ".join(s.text for s in sentences))
            ),
            odd=tuple((odd[s], (CodePlace(book.file, s.line, ""),)) for s in sentences if s in odd),
        )


def _together(sentences: Iterable[Sentence], cited: Iterable[set[str]]) -> list[list[Sentence]]:
    """The sentences, those together that a line cites together."""
    groups = [[s] for s in sentences]
    of_clause: dict[str, list[int]] = {}  # the groups that have a sentence of a number
    for i, (s,) in enumerate(groups):
        of_clause.setdefault(s.clause, []).append(i)
    for clauses in cited:
        first, *others = sorted({i for c in clauses for i in of_clause.get(c, ())}) or [-1]
        for i in others:
            groups[first] += groups[i]
            for s in groups[i]:
                of_clause[s.clause] = sorted({first if n == i else n for n in of_clause[s.clause]})
            groups[i] = []
    return [g for g in groups if g]


def _odd(sentences: Sequence[Sentence]) -> Iterator[tuple[Sentence, str]]:
    """Numbers that sentences hardly have: of another chapter, below one above, or far above it.

    Printed rules count by digits, too: 17.1, 17.11, 17.12, 17.2.
    """
    known = {s.clause for s in sentences}
    before: Sentence | None = None
    for s in sentences:
        (*chapter, number), why, down = _counted(s.clause), "", False
        if s.chapter and not _within(s.clause, s.chapter) and any(_within(c, s.chapter) for c in known):
            why = f"under the heading {s.chapter}"
        elif before is not None:
            *above, last = _counted(before.clause)
            far = chapter == above and number > last + _FAR and not s.clause.startswith(before.clause)
            down = (*above, last) > (*chapter, number) and not (before.clause < s.clause and _beside(before, known))
            why = f"after {before.clause}" if down or (far and not _beside(s, known)) else ""
        if why:
            yield s, f"the sentence {s.clause} stands {why}"
        if down or not why:
            before = s


def _beside(sentence: Sentence, known: Set[str]) -> bool:
    """True if the number before or after a sentence's stands somewhere."""
    *above, last = _counted(sentence.clause)
    return any(".".join(map(str, (*above, last + n))) in known for n in (-1, 1))


def _within(clause: str, chapter: str) -> bool:
    """True if a sentence's number continues that of a chapter."""
    rest = clause.removeprefix(chapter)
    return rest != clause and (not rest[:1].isdigit() or "." in chapter)


def _counted(clause: str) -> tuple[int, ...]:
    return tuple(map(int, _NUMBER.findall(clause)))


def _plain(source: RulesSource, statement: Statement) -> str:
    return _SAID.sub("", source.text[statement.at : statement.end])


def _parts(source: RulesSource, statement: Statement) -> Iterator[tuple[str, tuple[CodePlace, ...]]]:
    """The lines of a statement, without what is said to players, each with its place."""
    at = statement.at
    for line in source.text[statement.at : statement.end].splitlines(keepends=True):
        plain = " ".join(_SAID.sub("", line).split())
        if plain:
            yield plain, source.made(at)
        at += len(line)


def _behind(texts: Iterable[str], defined: Mapping[str, Sequence[_Line]]) -> Iterator[_Line]:
    """The definitions of words in some lines, and of words in those."""
    todo = list(texts)
    seen: set[str] = set()
    while todo:
        for word in _WORD.findall(todo.pop()):
            if word in defined and word not in seen:
                seen.add(word)
                yield from defined[word]
                todo += (_plain(*line) for line in defined[word])


def _listed(source: RulesSource, statement: Statement, tabled: bool) -> Iterator[int]:
    """Numbers that a statement says without writing them.

    Args:
        tabled: Whether its sentences name the table.
    """
    content = statement.content
    if isinstance(content, Sides):
        yield from (len(content.names), *(len(powers) for _, powers in content.names))
    if isinstance(content, NamedGroup | KindOf):
        yield len(content.members)
    if isinstance(content, Rows):
        yield from (len(content.rows), *(len(row) for row in content.rows), sum(map(len, content.rows)))
        if content.size is not None:
            yield from (*content.size, content.size[0] * content.size[1])
    if isinstance(content, TurnIs):
        yield len(content.phases)
    read = isinstance(content, KindOf) and not content.members
    if source.table is not None and (tabled or read):
        yield from (len(source.table.rows), len(source.table.head))
        yield from (int(n) for row in source.table.rows for cell in row for n in _NUMBER.findall(cell.text))
        for column in zip(*([c.text for c in row] for row in source.table.rows), strict=False):
            yield from (len(set(column)), *Counter(column).values())  # files of a board, pieces of each side


def _cells(source: RulesSource, statement: Statement) -> Iterator[str]:
    """The cells of a table that a statement reads."""
    content = statement.content
    if source.table is not None and isinstance(content, KindOf) and not content.members:
        yield from (cell.text for row in source.table.rows for cell in row)

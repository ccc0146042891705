"""The moments at which sentences say that somebody wins, against those of their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vclogic.model.rules import Passage
from vclogic.provenance import Places

_OWN = r"(?:its|his|her|their)(?: own)?"
_ANY = "a|each|every|the|any"
_SAID = (
    ("at once", re.compile(r"\b(?:at once|immediately|instantly|as soon as|the moment)\b")),
    ("at the end of a turn", re.compile(rf"\bat the end of (?:{_ANY}|{_OWN}) turns?\b")),
    ("at the start of a turn", re.compile(rf"\bat the (?:start|beginning) of (?:{_ANY}|{_OWN}) turns?\b")),
    ("at the end of a round", re.compile(rf"\bat the end of (?:{_ANY}) rounds?\b")),
    ("at the start of a round", re.compile(rf"\bat the (?:start|beginning) of (?:{_ANY}) rounds?\b")),
    ("at the end", re.compile(r"\bat the end(?: of (?:the )?(?:game|play))?(?! of\b)")),
    ("at the end", re.compile(r"\bafter (?:the )?[\w-]+ (?:rounds?|turns?)\b")),
)
_MOMENT = re.compile(r"\b(?:at once|at the (?:start|end)(?: of a (?:turn|round))?)(?= of | if |$|, )")
_WON = re.compile(r"(?:otherwise )?.+? (?:wins?|loses?) |table ")
_ABOUT = re.compile(r"\b(?:wins?|won|winners?|los(?:es?|t))\b")
_ENDED = re.compile(r"(?<=[.;!?])\s+(?=[A-Z])")


def other_moments(passage: Passage) -> Iterator[tuple[str, Places]]:
    """Lines that judge at another moment than the one that the sentence about winning names.

    Sentences that name several, or the turn or round by its number, are not compared.
    """
    said = {m for s in _ENDED.split(passage.text.lower()) if _ABOUT.search(s) for m in _named(s)}
    if len(said) != 1:
        return
    (moment,) = said
    judged = [(m[0], place) for text, place in passage.lines if _WON.match(text) and (m := _MOMENT.search(text))]
    if len({line for line, _ in judged}) == 1 and judged[0][0] != moment:
        yield f"the sentence says `{moment}`, and the line `{judged[0][0]}`", judged[0][1]


def _named(sentence: str) -> Iterator[str]:
    """The moments that a sentence names."""
    for moment, pattern in _SAID:
        if pattern.search(sentence):
            yield moment
            sentence = pattern.sub("", sentence)

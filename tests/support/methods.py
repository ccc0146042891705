"""The methods for planning problems without those that look for proofs: what they find is compared with the truth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from vclogic.model.actions import Action
from vclogic.progress import untold
from vclogic.solve.backends.session import Effort, Session
from vclogic.solve.problem import Problem, Search
from vclogic.solve.searches import bmc
from vclogic.solve.strategy import METHODS, Question, proof_after, proof_first
from vclogic.terms.term import Term


def cheapest(
    problem: Problem,
    parties: Sequence[Mapping[Term, Action]],
    effort: Effort,
    *,
    first: bool,
    certify: bool = False,
) -> Search:
    """What the methods know in the end that look for plans, without a pause for a proof."""
    question = Question(problem, effort, parties, first, certify, math.inf)
    known = Search()
    for method in METHODS:
        if method not in (proof_first, proof_after):
            known = method(question, known)
    return known


def step_by_step(
    problem: Problem, session: Session, *, low: int = 0, known: Search | None = None, first: bool = False
) -> Search:
    """What bounded model checking finds."""
    before = replace(known or Search(), lower_bound=low)
    *_, found = bmc.search(problem, session, untold, known=before, first=first)
    assert found is not None
    return found

"""A slice of a step: the part that determines the next values of a few fluents; others are unconstrained.

A slice suffices to prove that every step preserves a property of these fluents, and it is much smaller than the whole
step: events with the same effect on them are represented by one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from vclogic.model.transition import Transition, unpriced
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import all_of, and_, any_of, count, implies, ite, le, not_, or_
from vclogic.terms.rewrite import NEGATIVE, Substitution, polarities, substitute
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Op, Term, variables

_ALIKE = 8  # choices that do the same to some fluents: of more it is left open what each of them needs
_Branches = dict[Term, Term]
"""For each choice what becomes of a fluent if it is made."""


class StepSlices:
    """Computes slices of a transition.

    Args:
        transition: The whole transition, not scoped.
    """

    def __init__(self, transition: Transition):
        self._whole = transition
        self._choices = set(transition.choices)
        self._bound = {law: self._chosen([law]) for law in transition.legality}
        self._alone = self._one_of()
        self._needs: dict[Term, list[Term]] = {}
        for law, bound in self._bound.items():
            for c in bound & self._alone if len(bound & self._alone) == 1 else ():
                self._needs.setdefault(c, []).append(law)

    def _chosen(self, terms: Iterable[Term]) -> set[Term]:
        return self._choices.intersection(variables(*terms))

    def _one_of(self) -> set[Term]:
        """The choices of which the laws allow at most one, if a law says so for most of them."""
        counted = next((b for law, b in self._bound.items() if len(b) > 1 and _at_most_one(law, b)), set[Term]())
        apart: dict[Term, set[Term]] = {}
        for law, bound in self._bound.items():
            if len(bound) == 2 and _not_both(law, bound):
                for c in (v for v in variables(law) if v in bound and v not in counted):
                    apart.setdefault(c, set()).update(bound)
        for c, others in apart.items():
            if counted and others >= counted:
                counted = counted | {c}
        return counted

    def near(self, fluents: Iterable[Term]) -> Transition:
        """The slice for some fluents: one step without the choices that do not influence them.

        It over-approximates the step: laws about other choices are dropped.
        """
        following = {f: self._whole.next[f] for f in fluents if f in self._whole.next}
        branches = {f: self._branches(f, t) for f, t in following.items()}
        known = {f: b for f, b in branches.items() if b is not None}
        if len(known) == len(branches):
            return self._grouped(known)
        return self._cut(following)

    def _cut(self, following: Mapping[Term, Term]) -> Transition:
        """The step without the choices that do not occur in the fluents' next values."""
        bearing = self._chosen(following.values())
        choices = dict.fromkeys(c for c in self._whole.choices if c in bearing)
        legality = []
        for law, bound in self._bound.items():
            if bound and bound.isdisjoint(bearing):
                continue
            others = bound - bearing
            if others:
                signs = polarities([law])
                never = {c: FALSE for c in others if c.is_bool and signs[c] == NEGATIVE}
                law = Substitution(never)(law)
                choices |= dict.fromkeys(v for v in variables(law) if v in others)
            legality.append(law)
        return unpriced(choices, legality, following)

    # ---- choices of which one is made at the most

    def _branches(self, fluent: Term, following: Term) -> _Branches | None:
        """The value that each choice gives a fluent; None if its next value is not such a case split."""
        found: _Branches = {}
        while True:
            if following.op is Op.ITE and following.args[0] in self._alone:
                made, new, following = following.args
                found.setdefault(made, new)
            elif following.op is Op.OR and not self._alone.isdisjoint(following.args):
                for made in (t for t in following.args if t in self._alone):
                    found.setdefault(made, TRUE)
                following = any_of(t for t in following.args if t not in self._alone)
            elif following.op is Op.AND and (denied := [t for t in following.args if self._denied(t)]):
                for t in denied:
                    found.setdefault(t.args[0], FALSE)
                following = all_of(t for t in following.args if t not in denied)
            else:
                break
        left = [v for v in variables(following) if v in self._alone]
        if len(left) > _ALIKE:
            return None
        none = dict.fromkeys(left, FALSE)
        for made in left:
            found.setdefault(made, substitute(following, {**none, made: TRUE}))
        return found if substitute(following, none) is fluent else None

    def _denied(self, t: Term) -> bool:
        return t.op is Op.NOT and t.args[0] in self._alone

    def _grouped(self, branches: Mapping[Term, _Branches]) -> Transition:
        """The step with choices of the same effect on the fluents represented by one."""
        effects: dict[Term, list[tuple[Term, Term]]] = {}
        for f, found in branches.items():
            for c, new in found.items():
                effects.setdefault(c, []).append((f, new))
        groups: dict[tuple[tuple[Term, Term], ...], list[Term]] = {}
        for c, done in effects.items():
            groups.setdefault(tuple(done), []).append(c)
        following = {f: f for f in branches}
        legality = [law for law, bound in self._bound.items() if not bound]
        choices: dict[Term, None] = {}
        for effect, alike in groups.items():
            first = alike[0]
            legality.append(implies(first, self._needed(alike)))
            read = variables(legality[-1], *(new for _, new in effect))
            choices |= dict.fromkeys([first, *(v for v in read if v in self._choices)])
            for f, new in effect:
                following[f] = ite(first, new, following[f])
        legality.append(le(count(group[0] for group in groups.values()), 1))
        return unpriced(choices, legality, following)

    def _needed(self, alike: Sequence[Term]) -> Term:
        """The condition for making one of some choices, as far as the slice keeps it."""
        if len(alike) > _ALIKE:
            return TRUE
        none = dict.fromkeys(self._alone, FALSE)
        return any_of(all_of(substitute(law, {**none, c: TRUE}) for law in self._needs.get(c, ())) for c in alike)

    def with_numbers(self, fluents: Iterable[Term]) -> list[Term]:
        """Some fluents, and the Int fluents that influence them and might leave their sorts.

        That these stay within their sorts must be proved as well before it is assumed.
        """
        found, seen = list(fluents), 0
        while seen < len(found):
            seen = len(found)
            found += [v for v in self.read(found)[seen:] if self._may_leave(v)]
        return found

    def _may_leave(self, fluent: Term) -> bool:
        following = self._whole.next.get(fluent, fluent)
        return isinstance(fluent.sort, IntSort) and not fluent.lo <= following.lo <= following.hi <= fluent.hi

    def read(self, fluents: Iterable[Term]) -> list[Term]:
        """The fluents that influence the next values of some fluents, these first."""
        part = self.near(fluents)
        found = dict.fromkeys(fluents)
        found |= dict.fromkeys(variables(*part.next.values(), *part.legality))
        return [v for v in found if v not in self._choices]


def _at_most_one(law: Term, choices: Collection[Term]) -> bool:
    return all(c.is_bool for c in choices) and law is le(count(choices), 1)


def _not_both(law: Term, choices: Collection[Term]) -> bool:
    """True if a law says exactly that two choices are not both made."""
    return all(c.is_bool for c in choices) and law in (not_(and_(*choices)), or_(*map(not_, choices)))

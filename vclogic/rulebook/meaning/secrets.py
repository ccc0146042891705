"""Secret facts of a text: whose each is, what depends on it, and when it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from vclogic.model.fluents import Family
from vclogic.model.position import Listing, Thing
from vclogic.model.rules import Observable, Outcome
from vclogic.model.view import View
from vclogic.rulebook.meaning.remembered import Update
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.term import Term, variables

HIDDEN = "what the other side has in secret is not shown until the end"


class Secrets:
    """The facts that sides keep from each other.

    Attributes:
        shown: Bool: whether all of them have been shown, since the game is over.
    """

    def __init__(self) -> None:
        self.shown: Term = FALSE
        self._of: dict[Term, frozenset[str]] = {}
        self._families: list[tuple[Family, int]] = []

    def add(self, family: Family, owner: int, side_of: Callable[[str], str | None]) -> None:
        """Learn a secret fact.

        Args:
            owner: The number of its index that tells whose secret it is.
            side_of: The side of a side or power.
        """
        self._families.append((family, owner))
        self._of |= {fluent: frozenset([side_of(index[owner]) or ""]) for index, fluent in family.fluents.items()}

    def spread(self, changes: Iterable[Update]) -> None:
        """Make all facts secret that change with secret ones: they would tell."""
        known = [(c, c.reads) for c in changes]
        while True:
            before = dict(self._of)
            for change, reads in known:
                self._of[change.fluent] = self._sides({change.fluent, *reads})
            self._of = {fluent: sides for fluent, sides in self._of.items() if sides}
            if self._of == before:
                return

    def known(self, view: str, *terms: Term) -> Term:
        """Bool: whether a side can know what some terms are."""
        return TRUE if self._sides(variables(*terms)) <= {view} else self.shown

    @property
    def there(self) -> bool:
        """True if there are secret facts."""
        return bool(self._families)

    def seen_of(self, observable: Observable) -> Callable[..., Term]:
        """When a side can know a value that lines define, for its arguments."""

        def seen(view: str, *names: str) -> Term:
            value = observable.partial(*names)
            return self.known(view, value.value, value.defined)

        return seen

    def kept_from(self, outcome: Outcome, over: Term) -> Outcome:
        """An outcome that is hidden from whoever cannot know where it stands.

        Args:
            over: Bool: whether the game has ended by the texts, which all can see.
        """
        if not self._of:
            return outcome
        terms = [outcome.condition.value, outcome.condition.defined, outcome.need, outcome.have]
        moment = (v for v in variables(outcome.timing) if v not in variables(over) or outcome.timing is v)
        read = [*(t for t in terms if t is not None), *moment]
        if not self._sides(variables(*read)):
            return outcome
        open_ = outcome.need is None or not self._sides(variables(outcome.need))
        shown = outcome if open_ else replace(outcome, have=None, need=None)
        return replace(shown, seen=lambda view: self.known(view, *read))

    def listings(self, now: View) -> Iterator[Listing]:
        """The secret parts of the position: each side sees its own."""
        for family, owner in self._families:
            things = []
            for index, fluent in family.fluents.items():
                rest = [name for i, name in enumerate(index) if i != owner]
                seen = lambda view, fluent=fluent: self.known(view, fluent)  # noqa: E731
                things.append(Thing(", ".join(rest) or family.name, now(fluent), side=index[owner], seen=seen))
            yield Listing(f"{family.name}, in secret", family.name, "about", things, hidden=HIDDEN)

    def _sides(self, fluents: Iterable[Term]) -> frozenset[str]:
        return frozenset().union(*(self._of.get(f, frozenset()) for f in fluents))

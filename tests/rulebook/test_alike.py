"""Values of facts that some terms cannot tell apart."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from vclogic.rulebook.meaning.alike import AlikeValues
from vclogic.terms.atoms import constant, integer, var
from vclogic.terms.build import add, all_of, any_of, in_mask, ite, not_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

PLACE = EnumSort("place", ("a", "b", "c", "d", "e"))
UNITS = tuple(var(f"at[{u}]", PLACE) for u in ("Foot", "Horse"))
ANYWHERE = 2 ** len(PLACE.members) - 1


@st.composite
def told(draw: st.DrawFn) -> Term:
    """What is asked of the places of units, or one of these places itself."""
    tests = [in_mask(u, draw(st.integers(0, ANYWHERE))) for u in UNITS for _ in range(2)]
    tests = [not_(t) if draw(st.booleans()) else t for t in tests]
    kind = draw(st.sampled_from(("all", "any", "sum", "place")))
    if kind == "place":
        return ite(tests[0], draw(st.sampled_from(UNITS)), constant(PLACE, "a"))
    if kind == "sum":
        return add(*(ite(t, integer(1), integer(0)) for t in tests))
    return all_of(tests) if kind == "all" else any_of(tests)


@examples(500, usual=60)
@given(st.lists(told(), min_size=1, max_size=4), st.sets(st.sampled_from(UNITS), max_size=1))
def test_what_has_the_same_key_becomes_the_same(terms: list[Term], exact: set[Term]) -> None:
    alike, found = AlikeValues(terms, exact), dict[object, tuple[Term, ...]]()
    for one in PLACE.members:
        for two in PLACE.members:
            facts = dict(zip(UNITS, (constant(PLACE, one), constant(PLACE, two)), strict=True))
            became = tuple(map(Substitution(facts), terms))
            assert found.setdefault(alike.key(facts), became) == became


def test_only_what_is_asked_tells_places_apart() -> None:
    foot, horse = UNITS
    alike = AlikeValues([in_mask(foot, 0b00011)], {horse})
    keys = [{alike.key({u: constant(PLACE, p)}) for p in PLACE.members} for u in UNITS]
    assert [len(k) for k in keys] == [2, 5]

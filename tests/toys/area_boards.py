"""Pictures of small boards of areas, drawn by lot."""

from __future__ import annotations

from itertools import combinations
from typing import Literal

from hypothesis import strategies as st

from vclogic.draw.signs import LINES, SHAPES
from vclogic.model.picture import Arrow, Caption, Party, Picture, Region, RegionNote, Sign, Troops, Way

PARTIES = (
    Party("Reds", "R", "Left"),
    Party("Blues", "B", "Right"),
    Party("Pinks", "P", "Left"),
    Party("Greens", "G", "Third"),
)
KINDS: tuple[tuple[str, Sign], ...] = (("foot guards", "foot"), ("horse", "horse"), ("elves", ""), ("orcs", ""))
KINDS = (*KINDS, *((f"kind of {s}", s) for s in (*LINES, *SHAPES)))
NAMES = ("Home", "The Old Harbour Beyond the Hills", "Donaudampfschifffahrtsland", "W", "Saint-Jean-sur-Mer", "12")
AREAS: tuple[Literal["land", "sea", "closed"], ...] = ("land", "land", "sea", "closed")
WAYS: tuple[Way, ...] = ("land", "sea", "air")


@st.composite
def pictures(draw: st.DrawFn, most: int = 9) -> Picture:
    """A board with units, marks and moves; some regions have places, or all, or none."""

    count = draw(st.integers(1, most))
    is_placed = draw(st.booleans())
    owners = st.sampled_from([None, *(p.name for p in PARTIES)])
    forces = st.lists(
        st.builds(
            lambda party, kind, n: Troops(party.name, kind[0], n, kind[1]),
            st.sampled_from(PARTIES),
            st.sampled_from(KINDS),
            st.integers(1, 120),
        ),
        max_size=7,
    )
    regions = []
    for i in range(count):
        at = draw(st.tuples(st.integers(0, 9), st.integers(0, 6))) if is_placed else None
        kind = draw(st.sampled_from(AREAS))
        land = kind == "land"
        regions.append(
            Region(
                name=f"region {i}",
                kind=kind,
                label=f"{draw(st.sampled_from(NAMES))} {i}",
                at=at,
                owner=draw(owners) if land else None,
                badges=("Old Town 5", "IC") if land and draw(st.booleans()) else (),
                becomes=draw(owners) if land and draw(st.booleans()) else None,
                forces=tuple(sorted(draw(forces), key=lambda f: f.party)) if kind != "closed" else (),
                battle="83.2 %" if land and draw(st.booleans()) else "",
            )
        )
    names = [r.name for r in regions]
    links = tuple(p for p in combinations(names, 2) if draw(st.integers(0, 3)) == 0)
    arrows = []
    for n in range(draw(st.integers(0, 3)) if count > 1 else 0):
        party = draw(st.sampled_from(PARTIES))
        start, end = draw(st.permutations(names))[:2]
        moved = tuple(draw(forces)[:2])
        arrows.append(
            Arrow(start, end, (), party.mark, draw(st.sampled_from(WAYS)), n + 1, party=party.name, forces=moved)
        )
    marks = tuple(RegionNote(n, (n,), "1, 2", double=True) for n in names if draw(st.integers(0, 3)) == 0)
    captions = tuple(Caption(a.step, "", (f"{a.party} move",)) for a in arrows)
    return Picture(
        (), PARTIES, tuple(regions), links, False, tuple(arrows), captions, marks=marks, title="drawn by lot"
    )

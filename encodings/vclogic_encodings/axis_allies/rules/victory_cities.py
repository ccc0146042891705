"""Victory cities: who starts with which, and what they are worth."""

from __future__ import annotations

from vclogic_encodings.axis_allies.board import Board
from vclogic_encodings.axis_allies.citing import cite, encodes
from vclogic_encodings.axis_allies.fluents import Fluents

from vclogic.model.citation import Cites
from vclogic.model.memoized import memoized
from vclogic.terms.build import count, total
from vclogic.terms.term import Term

LISTED = tuple(
    f"city-{city}/1"
    for city in (
        *("Moscow", "Stalingrad", "Leningrad", "Novosibirsk", "Vladivostok"),
        *("Berlin", "Rome", "Paris", "Kiev", "Oslo"),
        *("London", "Toronto", "Calcutta", "Sydney", "Cairo"),
        *("Tokyo", "Changchun", "Shanghai", "Singapore", "Manila"),
        *("Washington", "LosAngeles", "Chicago", "Chongqing", "Honolulu"),
    )
)
"""The lines of the list of cities, by nation; `board.yaml` says what is in them."""


def city_clause(board: Board, territory: str) -> Cites:
    """The line of the rule text that lists the city of a territory, if it has one."""
    city = board.territories[territory].city
    return cite(city.clause) if city and city.clause else ()


@encodes("VC/1")
@memoized
def victory_points(fluents: Fluents, party: str) -> Term:
    """The victory city points of all cities that a side controls or a power owns."""
    return total((city_points(fluents.board, t), fluents.held(party, t)) for t in fluents.board.cities)


@encodes("VC/1")
@memoized
def city_count(fluents: Fluents, party: str) -> Term:
    """The number of victory cities that a side controls or a power owns."""
    return count(fluents.held(party, t) for t in fluents.board.cities)


@encodes(*LISTED)
def city_points(board: Board, territory: str) -> int:
    """The points of the city in a territory; 0 without a city."""
    city = board.territories[territory].city
    return points_of_rank(board, city.rank) if city else 0


@encodes("VC/2", "VC-p2/1")
def points_of_rank(board: Board, rank: str) -> int:
    """The points of a city by its rank: capital, major, moderate or minor."""
    return board.ranks[rank]


@encodes("VC-p2/2")
def starts_with(board: Board, nation: str, territory: str) -> bool:
    """Each nation starts with cities of its own."""
    return board.cities[territory].nation == nation

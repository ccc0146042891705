"""A toy game whose one number depends on Readings as a tree of looks at them says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product

from vclogic.files.setup import Setup, SetupSources, built
from vclogic.game import Game
from vclogic.model.citation import Citation
from vclogic.model.fluents import Family
from vclogic.model.memoized import memoized
from vclogic.model.rules import Observable, Reading
from vclogic.model.system import Encoding, Settings, System
from vclogic.moment import Loaded, small
from vclogic.terms.atoms import boolean, integer
from vclogic.terms.build import add
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import IntSort

NAMES = ("a", "b", "c", "d")
VALUES = ("usual", "other", "third")
POINTS = Family("points", IntSort(0, 3), "the points")
READINGS = tuple(
    Reading(n, {v: f"{n} as {v}" for v in VALUES[: 3 if n == "a" else 2]}, "usual", "", (Citation("book", f"{n}/1"),))
    for n in NAMES
)


@dataclass(frozen=True)
class Look:
    """A look at a Reading, and what follows for each of its values.

    Attributes:
        name: The Reading.
        then: For each value: another look, or the number (None: undefined); for a value that is left out the rules
            break down.
    """

    name: str
    then: Mapping[str, Look | int | None]

    def number(self, readings: Mapping[str, str]) -> int | None:
        """The number under some Readings."""
        found = self.then[readings[self.name]]
        return found.number(readings) if isinstance(found, Look) else found


class Rules:
    """The rules under some settings; numbers are kept, so that a Reading is looked up once only."""

    def __init__(self, tree: Look | int, settings: Settings):
        self._tree = tree
        self._settings = settings

    @memoized
    def number(self) -> Partial:
        """The number that is asked for."""
        tree = self._tree
        extra = tree if isinstance(tree, int) else tree.number(self._settings.readings)
        return Partial(add(POINTS.fluent, integer(extra or 0)), boolean(extra is not None))


def encoding_of(tree: Look | int, *, at_once: bool) -> Encoding:
    """The game.

    Args:
        tree: What its number depends on.
        at_once: Whether Readings are looked up while the rule set is built, or when somebody asks.
    """

    def build(board: object, settings: Settings) -> System:
        rules = Rules(tree, settings)
        if at_once:
            rules.number()
        number = Observable("number", (), lambda: rules.number(), "the number", (Citation("book", "1/1"),))
        return System(
            sides={"Red": ("Red",), "Blue": ("Blue",)},
            families=(POINTS,),
            initial={POINTS.fluent: 0},
            rules=(),
            invariants=(),
            outcomes=(),
            observables=(number,),
            events=(),
            metrics=(),
        )

    return Encoding("toy", "toy", (), (), READINGS, object, lambda board: (), build)


def game_of(tree: Look | int, *, at_once: bool = False, **readings: str) -> Game:
    """The game at its start."""
    encoding = encoding_of(tree, at_once=at_once)
    settings = encoding.settings(readings)
    system, noted = built(encoding, None, settings)
    initial = system.layout.state(system.completed({}))
    request, base = SetupSources("toy", "start"), system.layout.values(initial)
    setup = Setup(encoding, "start", system, settings, initial, (), request, None, readings, base, (), noted=noted)
    return Game(Loaded(setup), small(initial))


def smallest_by_trying_all(tree: Look | int, used: Mapping[str, str]) -> dict[frozenset[tuple[str, str]], int | None]:
    """The smallest sets of other Readings that change the number, by trying all, with the number under each."""

    def number(readings: Mapping[str, str]) -> int | None:
        return tree if isinstance(tree, int) else tree.number(readings)

    found: dict[frozenset[tuple[str, str]], int | None] = {}
    for chosen in _sets(used):
        if number({**used, **dict(chosen)}) != number(used) and not any(part < chosen for part in found):
            found[chosen] = number({**used, **dict(chosen)})
    return found


def _sets(used: Mapping[str, str]) -> Iterator[frozenset[tuple[str, str]]]:
    """All sets of other Readings, smaller ones first."""
    others = {r.name: [v for v in r.values if v != used[r.name]] for r in READINGS}
    for size in range(1, len(NAMES) + 1):
        for names in combinations(NAMES, size):
            yield from (frozenset(zip(names, values, strict=True)) for values in product(*(others[n] for n in names)))

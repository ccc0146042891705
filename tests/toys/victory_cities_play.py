"""Random positions and legal records of Axis & Allies, and what a test wants to know of a moment in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random

from tests.oracles.placement_limits import CITIES, ORDER, Land
from vclogic.conformance.games import legal_event
from vclogic.encode.python.evaluator import apply, failed
from vclogic.files.position import load_setup
from vclogic.files.setup import Memo, Setup
from vclogic.model.actions import Event
from vclogic.model.fluents import State, Value
from vclogic.model.system import System
from vclogic.terms.domain import Domain
from vclogic.terms.term import Term

MEMO = Memo()
Settings = tuple[tuple[str, str], ...]
KINDS = (
    "attack",
    "attack_fails",
    "emergency",
    "capture",
    "capture",
    "purchase",
    "purchase",
    "place",
    "place",
    "end_turn",
    "end_turn",
)
"""Kinds of events of a record, as often as they are tried."""


@cache
def setup_of(settings: Settings = ()) -> Setup:
    """The start of the game under some options and readings."""
    return load_setup("axis_allies", None, settings, memo=MEMO)


def random_settings(rng: Random) -> Settings:
    """Most switches as they are, some others."""
    encoding = setup_of().encoding
    chosen: list[tuple[str, str]] = []
    words = [(o.name, [str(v) for v in o.values]) for o in encoding.options if isinstance(o.values, tuple)]
    for name, values in [*words, *((r.name, list(r.values)) for r in encoding.readings)]:
        if rng.random() < 0.3:
            chosen.append((name, rng.choice(values)))
    return tuple(chosen)


def domain(system: System, family: str) -> Domain:
    """The names that a family is indexed by."""
    return system.layout.families[family].indices[0]


@cache
def city_table() -> Mapping[str, tuple[str, int]]:
    """Nation and points of the city of each territory that has one, after the rule text."""
    territories = domain(setup_of().system, "owner")
    return {territories.resolve(t): (n, p) for n, cities in CITIES.items() for t, p in cities.items()}


@dataclass(frozen=True)
class Moment:
    """A state of a game, with what happened since the start of its record.

    Attributes:
        setup: The game; the record starts from `start`.
        start: The state before the record.
        history: What happened.
        state: The state now.
    """

    setup: Setup
    start: State
    history: tuple[Event, ...]
    state: State

    @property
    def system(self) -> System:
        """The rule set."""
        return self.setup.system

    @cached_property
    def values(self) -> Mapping[str, Value]:
        """The value of each fluent by name."""
        return {v.name: x for v, x in self.system.layout.values(self.state).items()}

    @property
    def turn(self) -> str:
        """Whose turn it is."""
        return str(self.values["turn"])

    @property
    def land(self) -> tuple[str, ...]:
        """The territories."""
        return domain(self.system, "owner").sort.members

    def at(self, territory: str) -> Land:
        """What the limits of a territory depend on."""
        v, units = self.values, domain_of_units(self.system)
        return Land(
            owner=str(v[f"owner[{territory}]"]),
            owner_at_start=str(v[f"owner_at_turn_start[{territory}]"]),
            ipc=ipc_of(territory),
            city=city_table().get(territory),
            complex=str(v[f"complexes[{territory}]"]),
            placed={u: n for u in units if (n := int(v[f"placed[{territory}, {u}]"]))},
        )

    def refused(self, event: Event) -> list[set[str]]:
        """The clauses of each requirement that an event breaks now."""
        return [{c.clause for c in r.cites} for r in failed(self.system, self.state, self.system.action(event))]

    def after(self, *events: Event) -> Moment:
        """The moment after some events, each of which must be allowed."""
        moment = self
        for event in events:
            action = moment.system.action(event)
            assert not moment.refused(event), event
            state = apply(moment.system, moment.state, action)
            moment = Moment(moment.setup, moment.start, (*moment.history, event), state)
        return moment


def domain_of_units(system: System) -> tuple[str, ...]:
    """The kinds of units."""
    return system.layout.families["placed"].indices[1].sort.members


@cache
def ipc_of(territory: str) -> int:
    """The IPC value of a territory: what its loss takes from its owner's income."""
    system = setup_of().system
    owner = system.layout.by_name[f"owner[{territory}]"]
    values = dict(system.initial)
    income = system.vocabulary["ipc"]
    sums = [_value(system, income.partial("Russians").value, {**values, owner: p}) for p in ("Russians", "Germans")]
    return sums[0] - sums[1]


def _value(system: System, term: Term, values: Mapping[Term, Value]) -> int:
    from vclogic.encode.python.evaluator import interpret

    return interpret(term, system.layout.slot, system.layout.state(system.completed(values)))


# ---- events by name


def event(name: str, *args: Value) -> Event:
    """An event with all its arguments, in order."""
    schema = setup_of().system.schemas[name]
    return Event(name, tuple((p.name, x) for p, x in zip(schema.parameters, args, strict=True)))


END = Event("end_turn")


def capture(power: str, territory: str, destroy: str = "no") -> Event:
    """A capture."""
    return event("capture", power, territory, destroy)


def purchase(power: str, unit: str, count: int = 1, at: str = "none") -> Event:
    """A purchase."""
    return event("purchase", power, unit, count, at)


def place(power: str, unit: str, count: int, territory: str) -> Event:
    """A placement."""
    return event("place", power, unit, count, territory)


# ---- positions and records


def random_position(setup: Setup, rng: Random, *, first_round: bool = False) -> State:
    """A well-formed position: some captures, some complexes bought, any turn."""
    system, given = setup.system, dict[Term, Value]()
    layout = system.layout
    taken = rng.choice((0.05, 0.3, 0.6))
    for t in domain(system, "owner").sort.members:
        if rng.random() < taken:
            given[layout.by_name[f"owner[{t}]"]] = rng.choice(ORDER)
        if system.initial[layout.by_name[f"complexes[{t}]"]] == "none" and rng.random() < 0.2:
            given[layout.by_name[f"complexes[{t}]"]] = "bought"
    given[layout.by_name["turn"]] = rng.choice(ORDER)
    given[layout.by_name["round"]] = 1 if first_round else rng.randint(1, 4)
    for p in ORDER:
        given[layout.by_name[f"treasury[{p}]"]] = rng.randrange(120)
    return layout.state(system.completed(given))


def beginning(settings: Settings, rng: Random, *, first_round: bool = False) -> Moment:
    """The start of the game, or a random position."""
    setup = setup_of(settings)
    state = setup.initial if rng.random() < 0.3 else random_position(setup, rng, first_round=first_round)
    return Moment(setup, state, (), state)


def some_event(moment: Moment, kind: str, rng: Random) -> Event | None:
    """An event of a kind that is allowed now, or None if none is found."""
    schema = moment.system.schemas[kind]
    fixed: dict[str, Value] = {}
    if kind in ("emergency", "attack_fails"):
        attacked = [t for t in moment.land if moment.values[f"attacked[{t}]"]]
        attacked = [t for t in attacked if t in city_table() or kind == "attack_fails"]
        if not attacked:
            return None
        fixed["territory"] = rng.choice(attacked)
        fixed["power"] = moment.turn if kind == "attack_fails" else moment.values[f"owner[{fixed['territory']}]"]
    elif any(p.name == "power" for p in schema.parameters):
        fixed["power"] = moment.turn
    declared = [t for t in moment.land if moment.values[f"declared[{t}]"]]
    if kind == "place" and declared and rng.random() < 0.5:
        fixed |= {"unit": "complex", "count": 1, "territory": rng.choice(declared)}
    if kind == "capture" and rng.random() < 0.3:
        fixed["destroy_complex"] = "yes"
    return legal_event(moment.system, moment.state, schema, rng, fixed)


def record(start: Moment, length: int, rng: Random, kinds: Sequence[str] = KINDS) -> list[Moment]:
    """A random legal record: the start, and the moment after each event."""
    moments = [start]
    if rng.random() < 0.3 and (bid := some_event(start, "bid", rng)):
        moments.append(start.after(bid))
    while len(moments) <= length:
        for kind in rng.sample(kinds, len(kinds)):
            if found := some_event(moments[-1], kind, rng):
                moments.append(moments[-1].after(found))
                break
        else:
            break
    return moments

"""The victories of a map in the order in which the engine looks at them, each as a line of a rulebook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from vclogic.triplea.attachments import FilePlace
from vclogic.triplea.expressions import FALSE, PROPERTY, TRUE, Expressions, all_of, any_of, inverted, number_of
from vclogic.triplea.game import GameMap
from vclogic.triplea.naming import listed, prose, quoted_name
from vclogic.triplea.rules import Trigger

CITIES, PRODUCTION = "cities", "production_of"
ROUND_ENDS = "at the end of a round"
_LEVELS = (  # the property that switches it on, the end of the name of its threshold, its default, what is counted
    ("Total Victory", "Total Victory VCs", 18, CITIES),
    ("Honorable Surrender", "Honorable Victory VCs", 15, CITIES),
    ("Projection of Power", "Projection of Power VCs", 13, CITIES),
    ("Economic Victory", "Economic Victory", 200, PRODUCTION),
)
SWITCHES = (*(title for title, *_ in _LEVELS), "Triggered Victory", "Use Triggers", "Pacific Theater")
"""The properties that switch victories on."""
JAPANESE, POINTS, _ENOUGH = "Japanese", "victory_points", 22
_PLAYERS = 32  # slots of the engine's table of players
_CAPITALS = {"Axis": ("Germans", "Japanese"), "Allies": ("Russians", "British", "Americans")}


@dataclass(frozen=True)
class WayToWin:
    """A way to win.

    Attributes:
        name: The outcome.
        winners: The players who win.
        moment: When it is judged.
        condition: What is needed.
        sentence: It in words.
        rule: The rule of the engine that says so, as its history names it.
        threshold: What is counted and how many are needed at least, of a sum; None: no sum is asked for.
        asked: The property that says how many, of a sum.
        trigger: The trigger, of a triggered one.
        steps: The steps of the engine at which a triggered one is looked at; none: at the end of the round.
        alliance: Whose it is, of a sum; else empty.
    """

    name: str
    winners: tuple[str, ...]
    moment: str
    condition: str
    sentence: str
    rule: str
    threshold: tuple[str, int] | None = None
    asked: str | None = None
    trigger: Trigger | None = None
    steps: tuple[str, ...] = ()
    alliance: str = ""


@dataclass
class Victories:
    """All ways to win.

    Args:
        expressions: The conditions of the map.
        keys: The keys of its notifications.

    Attributes:
        found: The ways to win, in the engine's order; those of steps behind those of the end of the round.
        asked: Properties that are asked for, each with where it stands.
        silent: Triggers whose victory nobody announces, since their key is missing.
    """

    expressions: Expressions
    keys: frozenset[str]
    found: list[WayToWin] = field(default_factory=list)
    asked: dict[str, FilePlace] = field(default_factory=dict)
    silent: list[Trigger] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.game.ends_rounds:
            self.found += self._points()
            self.found += self._sums()
            self.found += self._triggered(at_steps=False)
            self.found += self._capitals()
        self.found += self._triggered(at_steps=True)

    @property
    def triggers(self) -> Sequence[Trigger]:
        """All triggers with a victory."""
        return self.expressions.conditions.victories

    @property
    def game(self) -> GameMap:
        """The map."""
        return self.expressions.game

    def switch(self, name: str) -> str:
        """The condition that a property is set, which becomes an option where players may change it.

        Args:
            name: Its name.
        """
        found = self.game.properties.get(name)
        if found is not None and found.editable:
            self.asked[name] = found.place
        return self.expressions.option(name)

    # ---- points of the Pacific

    def _points(self) -> Iterator[WayToWin]:
        """The victory points of the Japanese, where they are counted."""
        on = self.switch("Pacific Theater")
        alliance = next((a for a in engine_order(self.game.alliances) if JAPANESE in self.game.alliances[a]), None)
        if on != FALSE and alliance is not None and self.game.points is not None:
            condition = all_of((on, f"{POINTS} >= {_ENOUGH}"))
            told = f"{prose(alliance)} wins at the end of a round where Japan has {_ENOUGH} victory points"
            winners = tuple(self.game.alliances[alliance])
            yield WayToWin("pacific_theater", winners, ROUND_ENDS, condition, told, "Pacific Theater")

    # ---- cities and production

    def _sums(self) -> Iterator[WayToWin]:
        earlier: list[tuple[str, str, int, str]] = []
        for title, suffix, default, measure in _LEVELS:
            on = self.switch(title)
            if on == FALSE:
                continue
            for alliance in engine_order(self.game.alliances):
                need, least = self._threshold(f"{alliance} {suffix}", default)
                enough = f"{measure}({quoted_name(alliance)}) >= {need}"
                first = [c for a, m, n, c in earlier if a != alliance and self._both(measure, least, m, n)]
                earlier.append((alliance, measure, least, all_of((on, enough))))
                condition = all_of((on, enough, inverted(any_of(first))))
                counted = "victory cities" if measure == CITIES else "production"
                name = title.lower().replace(" ", "_")
                enough_words = f"{counted} of {need.replace('_', ' ')} or more"
                told = f"{prose(alliance)} wins by {title} at the end of a round with {enough_words}"
                yield WayToWin(
                    name,
                    tuple(self.game.alliances[alliance]),
                    ROUND_ENDS,
                    condition,
                    told,
                    title,
                    (measure, least),
                    f"{alliance} {suffix}",
                    alliance=alliance,
                )

    def _threshold(self, name: str, default: int) -> tuple[str, int]:
        """A threshold as a line has it, and the least that it can be."""
        found = self.game.properties.get(name)
        value = self.game.number(name, default)
        if found is None or not found.editable or found.low is None:
            return str(value), value
        self.asked[name] = found.place
        return self.expressions.words.word(name, what=PROPERTY), found.low

    def _both(self, measure: str, need: int, other: str, there: int) -> bool:
        """True if two alliances may have enough at once."""
        all_there = sum(t.cities if measure == CITIES else t.production for t in self.game.territories.values())
        return measure != other or need + there <= all_there

    # ---- triggers

    def _triggered(self, *, at_steps: bool) -> Iterator[WayToWin]:
        switch = "Use Triggers" if at_steps else "Triggered Victory"
        before = any_of(v.condition for v in self.found) if not at_steps else FALSE
        for trigger in self.expressions.conditions.victories:
            if bool(trigger.when) != at_steps:
                continue
            there = trigger.key in self.keys
            if not there:
                self.silent.append(trigger)
            condition = all_of(
                (self.switch(switch), self.expressions.fires(trigger), TRUE if there else "announced == yes")
            )
            condition = all_of((condition, inverted(before)))
            names = [self.expressions.conditions.rules[k].name for k in trigger.conditions]
            told = f"{listed(trigger.winners)} win by {prose(trigger.name)}, which asks for {listed(names)}"
            steps: dict[str, list[str]] = {}
            for side, step in trigger.when:
                steps.setdefault(moment_of(self.game, side, step) or ROUND_ENDS, []).append(f"{side}:{step}")
            for moment, at in (steps or {ROUND_ENDS: []}).items():
                yield WayToWin(
                    "victory",
                    trigger.winners,
                    moment,
                    condition,
                    f"{told}, {moment}",
                    "Triggered Victory",
                    trigger=trigger,
                    steps=tuple(at),
                )

    # ---- the old rule of capitals

    def _capitals(self) -> Iterator[WayToWin]:
        game = self.game
        if game.is_on("WW2V2") or game.is_on("WW2V3") or len(game.players) > 5:
            return
        if not {p for of in _CAPITALS.values() for p in of} <= {*game.players}:
            return
        before = inverted(any_of(v.condition for v in self.found))
        held = {p: self._capital(p) for of in _CAPITALS.values() for p in of}
        axis, allies = ([held[p] for p in _CAPITALS[a]] for a in ("Axis", "Allies"))
        lost = number_of([inverted(c) for c in allies], (2, None))
        for alliance, condition in (
            ("Axis", all_of((*axis, lost))),
            ("Allies", all_of((*allies, *(inverted(c) for c in axis)))),
        ):
            if alliance in game.alliances and condition != FALSE:
                winners = tuple(game.alliances[alliance])
                told = f"{alliance} wins at the end of a round with its own capitals and two of the other's lost"
                yield WayToWin("capitals", winners, ROUND_ENDS, all_of((condition, before)), told, "capitals")

    def _capital(self, player: str) -> str:
        """The condition that a player owns a capital of his."""
        capitals = [t.name for t in self.game.territories.values() if player in t.capitals]
        return any_of(f"owner({quoted_name(c)}) == {quoted_name(player)}" for c in capitals)


def moment_of(game: GameMap, side: str, step: str) -> str | None:
    """When a step comes: before battles it is as the turn begins, from then on as it ends; None: in nobody's turn.

    Args:
        game: The map.
        side: Whether `before` or `after` it.
        step: Its name.
    """
    at = next((i for i, s in enumerate(game.steps) if s.name == step), None)
    player = None if at is None else game.steps[at].player
    if at is None or player not in game.order:
        return None
    own = [i for i, s in enumerate(game.steps) if s.player == player and not s.once]
    battle = next((i for i in own if game.steps[i].delegate == "BattleDelegate"), own[-1])
    early = at < battle or (at == battle and side == "before")
    return f"at the {'start' if early else 'end'} of a turn of {quoted_name(player)}"


def engine_order(alliances: Mapping[str, Sequence[str]]) -> list[str]:
    """The alliances in the order in which the engine goes through them: by the hashes of Java's strings.

    The engine makes a set of the alliances of all players, and these stand in a table of their own. Names of one
    slot stay in the order in which they came.

    Args:
        alliances: The players of each.
    """
    of: dict[str, list[str]] = {}
    for alliance, players in alliances.items():
        for player in players:
            of.setdefault(player, []).append(alliance)
    came = [a for player in _slots(of, len(of), _PLAYERS) for a in _slots(of[player], len(of[player]))]
    return _slots(dict.fromkeys(came), len(came))


def _slots(names: Iterable[str], room: int, least: int = 16) -> list[str]:
    """Names in the order of the slots of a table that has room for so many."""
    slots = least
    while room > slots * 3 // 4:
        slots *= 2

    def slot(name: str) -> int:
        found = 0
        for unit in name:
            found = (31 * found + ord(unit)) & 0xFFFFFFFF
        return (found ^ (found >> 16)) & (slots - 1)

    return sorted(names, key=slot)

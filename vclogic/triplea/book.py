"""A map as a rulebook in Markdown: to be loaded as a game, to be read, changed and kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from vclogic.triplea.conditions import UNJUDGED, MapConditions
from vclogic.triplea.effects import CITY, OWNER, PRODUCTION, RELATION, SWITCH, TriggerEffects, left_out_of_triggers
from vclogic.triplea.expressions import PROPERTY, Expressions, all_of, any_of, pair_name
from vclogic.triplea.game import ALLIED, NEUTRAL, WAR, GameMap
from vclogic.triplea.naming import cell, listed, prose, quoted_name
from vclogic.triplea.sentences import sentence
from vclogic.triplea.turning import NOW, Turning
from vclogic.triplea.victories import POINTS, Victories, WayToWin

OBJECTIVE = "objectiveAttachment"
"""How the names of national objectives begin: conditions that pay."""
_RULES_OF_A_BLOCK = 25
MOST_UNITS, MOST_ROUNDS, MOST_MOVES = 999, 999, 3
SEA_RANGE = "sea_range"


class MapBook:
    """The rulebook of a map.

    Args:
        game: The map.
        keys: The keys of its notifications; None: it has none at all.

    Attributes:
        notified: Whether it has notifications.
        expressions: Its conditions as expressions.
        turning: What triggers change as turns begin and end.
        victories: The ways to win.

    Raises:
        InputError: Everything in its conditions that the engine refuses.
    """

    def __init__(self, game: GameMap, keys: Iterable[str] | None = None):
        self.game, self.notified = game, keys is not None
        self.conditions = MapConditions(game)
        turned = {e.about for e in TriggerEffects(self.conditions).told if e.kind == SWITCH}
        for key in turned:
            rule = self.conditions.rules[key]
            self.conditions.rules[key] = replace(rule, switch=rule.switch is not False)
        self.expressions = Expressions(self.conditions)
        self._lines = {key: self.expressions.rule(rule) for key, rule in self.conditions.rules.items()}
        self.turning = Turning(self.expressions)
        self.victories = Victories(self.expressions, frozenset(keys or ()))
        if self.turning.told:
            self.victories.switch("Use Triggers")

    # ---- sides

    @cached_property
    def sides(self) -> Mapping[str, Sequence[str]]:
        """Each side with its players: the alliances, and whoever is in none alone."""
        sides: dict[str, list[str]] = {}
        placed: set[str] = set()
        for alliance, members in self.game.alliances.items():
            own = [m for m in members if m not in placed]
            if own:
                sides[alliance] = own
                placed.update(own)
        for player in self.game.players:
            if player not in placed:
                sides.setdefault(player, []).append(player)
        return sides

    @cached_property
    def alone(self) -> bool:
        """True if each side is a player of the same name: then sides have no powers."""
        return all([*of] == [side] for side, of in self.sides.items())

    @property
    def player_kind(self) -> str:
        """The kind that players are."""
        return "side" if self.alone else "power"

    def turn_of(self, step: int) -> str | None:
        """The player on turn at a step of the round, counted from 0; None: nobody."""
        steps = self.game.steps[step : step + 1]
        return next((s.player for s in steps if s.player in self.game.order), None)

    # ---- the text

    def text(self) -> str:
        """The whole rulebook."""
        parts = [f"# {prose(self.game.name)}", self._about()]
        parts += self._sides()
        parts += self._board()
        parts += self._facts()
        parts += self._options()
        parts += self._sums()
        parts += self._rules()
        parts += self._victories()
        parts += self._captures()
        return "\n\n".join(p for p in parts if p) + "\n"

    def _about(self) -> str:
        file = prose(self.game.file.rpartition("/")[2])
        return (
            f"What bears on victory in {file}, a map of TripleA, as the engine of August 2026 reads it. Written by "
            "vclogic; it may be changed and kept."
        )

    def _sides(self) -> Iterator[str]:
        yield "## 1 Sides and turns"
        alliances = "; ".join(f"{prose(s)}: {listed(of)}" for s, of in self.sides.items())
        yield f"**1.1** The players by alliance: {alliances}."
        if self.alone:
            sides = f"sides {', '.join(map(quoted_name, self.sides))}"
        else:
            of = (f"{quoted_name(s)}: {', '.join(map(quoted_name, of))}" for s, of in self.sides.items())
            sides = f"sides {'; '.join(of)}"
        order = self.game.order or list(self.game.players)
        rounds = [f"rounds {MOST_ROUNDS}"] if self.asks_rounds else []
        turns = f"turn order {', '.join(map(quoted_name, order))}"
        yield _block(sides, turns, "turn is any number of events", *rounds)

    @property
    def asks_rounds(self) -> bool:
        """True if a condition asks which round it is."""
        rules = self.conditions.rules.values()
        return any(r.rounds is not None or any(n.rounds >= 0 for n in r.relations) for r in rules)

    def _board(self) -> Iterator[str]:
        touching: dict[str, list[str]] = {t: [] for t in self.game.territories}
        for one, other in self.game.connections:
            touching[one].append(other)
            touching[other].append(one)
        rows = [
            (
                t.name,
                self.game.owners[t.name],
                t.cities,
                t.production,
                _water(t.water, t.impassable),
                ", ".join(map(_in_list, touching[t.name])),
            )
            for t in self.game.territories.values()
        ]
        yield "## 2 The map"
        yield "**2.1** Territories, who owns them at the start, their weight as victory cities, and their production."
        yield _table(("territory", "owned", "city", "production", "terrain", "borders"), rows)
        players = f"{self.player_kind} or {NEUTRAL}" if NEUTRAL not in self.game.players else self.player_kind
        yield _block(
            "areas territory, from the table",
            f"fact owner(territory): {players}, starts owned(territory)",
            *self.turning.below(OWNER),
            *self._worth(),
        )

    def _worth(self) -> Iterator[str]:
        """The worth of land, where triggers change it."""
        for kind, (column, most) in {
            CITY: ("city", max(t.cities for t in self.game.territories.values())),
            PRODUCTION: ("production", max(t.production for t in self.game.territories.values())),
        }.items():
            values = [int(e.value) for e in self.turning.told if e.kind == kind]
            if values:
                yield f"fact {NOW[kind]}(territory): 0 to {max(most, *values)}, starts {column}(territory)"
                yield from self.turning.below(kind)

    def _facts(self) -> Iterator[str]:
        number = 2
        e = self.expressions
        if e.relations_asked:
            yield f"**2.{number}** Relationships between players at the start."
            number += 1
            pairs = self.game.relation.items()
            yield _table(
                ("pair", "first", "second", "at_first", "since_round"),
                [(pair_name(a, b), a, b, kind, since) for (a, b), (kind, since) in pairs],
            )
            first = min((0, *(since for _, since in self.game.relation.values())))
            kinds = list(dict.fromkeys((*self.game.relations, *(kind for _, (kind, _) in pairs))))
            types = {w: [t for t, a in self.game.relations.items() if a == w] for w in (ALLIED, WAR)}
            yield _block(
                "kind pair, from the table",
                f"fact relation(pair): {' or '.join(map(quoted_name, kinds))}, starts at_first(pair)",
                *self.turning.below(RELATION),
                f"fact since(pair): {first} to {MOST_ROUNDS}, starts since_round(pair)",
                *(self.turning.since() if self.asks_rounds else ()),
                *(
                    f"{word}(pair) means {any_of(f'relation(pair) == {quoted_name(t)}' for t in types[w])}"
                    for w, word in ((ALLIED, "allied_pair"), (WAR, "war_pair"))
                ),
            )
        if e.stacks:
            yield f"**2.{number}** Units of which a condition asks how many there are."
            number += 1
            yield _table(("stack", "at_first"), [*self._at_first()])
            yield _block(
                "kind stack, from the table", f"fact units(stack): 0 to {MOST_UNITS}, starts at_first(stack)"
            )
        points = any(v.name == "pacific_theater" for v in self.victories.found)
        if points:
            yield f"**2.{number}** The victory points of the Japanese, which a position tells."
            number += 1
            yield _block(f"fact {POINTS}: 0 to {MOST_UNITS}, starts {self.game.points}")
        switches = [r for r in self.conditions.rules.values() if r.switch is not None]
        if switches:
            yield f"**2.{number}** Switches of conditions, which triggers may turn."
            number += 1
            yield _table(("rule", "at_first"), [(r.key, str(r.switch).lower()) for r in switches])
            yield _block(
                "kind rule, from the table",
                "fact on(rule)",
                *self.turning.below(SWITCH),
                *(f"start on({quoted_name(r.key)}) is true" for r in switches if r.switch),
            )
        yield from self._technologies(number)

    def _at_first(self) -> Iterator[tuple[str, int]]:
        """Each stack with its number at the start."""
        by_player: dict[str, list[tuple[tuple[str, str, str], int]]] = {}
        for key, number in self.game.units.items():
            by_player.setdefault(key[1], []).append((key, number))
        for stack, name in self.expressions.stacks.items():
            yield name, min(stack.amount(self.game, by_player.get(stack.player, ())), MOST_UNITS)

    def _technologies(self, number: int) -> Iterator[str]:
        asked = dict.fromkeys(t for r in self.conditions.rules.values() for s in r.techs for t in s.names)
        if asked:
            yield f"**2.{number}** Technologies of which a condition asks who has them."
            known = known_technologies(self.game)
            starts = (
                f"start knows({quoted_name(p)}, {quoted_name(t)}) is true"
                for p in self.game.players
                for t in asked
                if t in known.get(p, ())
            )
            yield _block(
                f"kind tech: {', '.join(map(quoted_name, asked))}", f"fact knows({self.player_kind}, tech)", *starts
            )

    def _options(self) -> Iterator[str]:
        lines: list[str] = []
        names = dict.fromkeys(
            (*self.victories.asked, *(o for r in self.conditions.rules.values() for o in r.options))
        )
        for name in names:
            found = self.game.properties.get(name)
            if found is None or not found.editable:
                continue
            word = self.expressions.words.word(name, what=PROPERTY)
            if found.is_number:
                lines.append(f'option {word} "{prose(name)}"\n  {found.low} to {found.high}, default {found.value}')
            else:
                yes, no = (", default" if found.on else "", "" if found.on else ", default")
                lines.append(f'option {word} "{prose(name)}"\n  yes "it is set"{yes}\n  no "it is not set"{no}')
        if self.victories.silent:
            lines.append(
                'option announced "Does a victory count whose message is missing in notifications.properties?"\n'
                '  no "the engine says nothing, and nobody has won", default "as the engine does"\n'
                '  yes "it counts all the same"'
            )
        if lines:
            yield "## 3 Options"
            yield "**3.1** Options of the map that bear on victory."
            yield _block(*lines)

    def _sums(self) -> Iterator[str]:
        yield "## 4 Conditions"
        yield "**4.0** The victory cities and the production of an alliance are those of what its players own."
        own, of_powers = "owner(territory) == side", "some(power of side where owner(territory) == power)"
        held = own if self.alone else of_powers
        lines = []
        changed = {e.kind for e in self.turning.told}
        city, production = (NOW[k] if k in changed else k for k in (CITY, PRODUCTION))
        for word, of in (("cities", city.replace(CITY, "city")), ("production_of", production)):
            lines.append(f"{word}(side) means sum({of}(territory) for territory where {held})")
            for alliance, members in self.game.alliances.items():
                if alliance in self.sides and {*members} != {*self.sides[alliance]}:
                    owned = any_of(f"owner(territory) == {quoted_name(m)}" for m in members)
                    head = f"except {word}({quoted_name(alliance)}) means"
                    lines.append(f"{head} sum({of}(territory) for territory where {owned})")
        yield _block(*lines)

    def _rules(self) -> Iterator[str]:
        keys = list(self._lines)
        for begin in range(0, len(keys), _RULES_OF_A_BLOCK):
            some = keys[begin : begin + _RULES_OF_A_BLOCK]
            told = []
            lines = []
            for number, key in enumerate(some, begin + 1):
                rule = self.conditions.rules[key]
                told.append(f"**4.{number}** {sentence(rule)} (line {rule.attachment.place.line}).")
                lines.append(f"{self.expressions.word(key)} means {self._lines[key]} [4.{number}]")
            yield "\n".join(told)
            yield _block(*lines)

    def _victories(self) -> Iterator[str]:
        yield "## 5 Victory"
        groups: dict[tuple[str, ...], str] = {}
        for number, victory in enumerate(self.victories.found, 1):
            yield f"**5.{number}** {victory.sentence}."
            who, lines = self._winner(victory, groups)
            yield _block(*lines, f"{who} wins {victory.name} {victory.moment} if {victory.condition}")
        if not self.victories.found:
            yield _block('left out "the options of this map switch no victory on: nobody ever wins"')

    def _winner(self, victory: WayToWin, groups: dict[tuple[str, ...], str]) -> tuple[str, list[str]]:
        """The winner, as a line says it, and the lines before it that declare a group of players."""
        winners = tuple(p for p in self.game.players if p in victory.winners)
        single = len(winners) == 1 and victory.trigger is not None
        if single and (self.alone or quoted_name(winners[0]) == winners[0]):
            return quoted_name(winners[0]) + ("" if self.alone else " alone"), []
        for side, of in self.sides.items():
            if {*of} == {*winners} and not single:
                return quoted_name(side), []
        if winners in groups:
            return f"{groups[winners]} alone", []
        rest = f" and {len(winners) - 1} more" if len(winners) > 1 else ""
        groups[winners] = self.expressions.words.word(f"{winners[0]}{rest}", what="winners")
        return f"{groups[winners]} alone", [f"group {groups[winners]}: {', '.join(map(quoted_name, winners))}"]

    def _captures(self) -> Iterator[str]:
        kind, coasts = self.player_kind, self.game.has_coasts
        yield "## 6 Play"
        by_sea = (
            " Land is beside land over the sea, too: from a sea zone that touches the one over at most "
            f"`{SEA_RANGE}` sea moves to a sea zone that touches the other."
        )
        yield (
            "**6.1** A player takes land beside land of his alliance from whoever is not of it."
            f"{by_sea if coasts else ''} How units move and fight is not told: a plan is about who owns what."
        )
        near = f"some(near territory where adjacent(territory, near) and held({kind}, near))"
        yield _block(
            self._friendly(),
            f"held({kind}, territory) means some(other {kind} where owner(territory) == other "
            f"and friendly({kind}, other))",
            *(self._by_sea() if coasts else ()),
            f"event capture by {kind} territory",
            '  needs terrain(territory) == land, else "nobody takes {territory}"',
            f'  needs not held({kind}, territory), else "an ally of {{{kind}}} owns {{territory}}"',
            f"  needs {near}{f' or by_sea({kind}, territory)' if coasts else ''},",
            f'      else "no land of {{{kind}}} or an ally is {"near enough" if coasts else "beside"} {{territory}}"',
            f"  then owner(territory) becomes {kind}",
            *(f'left out "{why}"' for why in self.left_out()),
        )

    def _by_sea(self) -> Iterator[str]:
        """The land that a player can come to over the sea: sea zones at so many moves, each from those nearer."""
        kind = self.player_kind
        zone = "near territory where adjacent(zone, near)"
        yield (
            f'option {SEA_RANGE} "How many sea moves may a capture go, from a sea zone beside land of the alliance '
            f'to one beside the land that is taken? With 0 both are one zone."\n  0 to {MOST_MOVES}, default 2'
        )
        yield f"at_sea_0({kind}, zone territory) means some({zone} and owner(near) == {kind})"
        canals = self.game.canals
        if canals:
            yield f"canal({kind}, zone territory, near territory) means true"
        for (one, other), banks in canals.items():
            held = all_of(f"held({kind}, {quoted_name(b)})" for b in banks)
            for x, y in ((one, other), (other, one)):
                yield f"except canal({kind}, {quoted_name(x)}, {quoted_name(y)}) means {held}"
        way = f" and canal({kind}, zone, near)" if canals else ""
        for moves in range(1, MOST_MOVES + 1):
            nearer = f"at_sea_{moves - 1}({kind}, zone)"
            yield (
                f"at_sea_{moves}({kind}, zone territory) means {nearer} or {SEA_RANGE} >= {moves} and "
                f"some({zone} and terrain(near) == sea{way} and at_sea_{moves - 1}({kind}, near))"
            )
        yield (
            f"beside_sea({kind}, territory) means some(zone territory where adjacent(zone, territory) and "
            f"terrain(zone) == sea and at_sea_{MOST_MOVES}({kind}, zone))"
        )
        other = f"other {kind} where friendly({kind}, other)"
        yield f"by_sea({kind}, territory) means some({other} and beside_sea(other, territory))"

    def _friendly(self) -> str:
        kind = self.player_kind
        head = f"friendly({kind}, other {kind}) means"
        if self.expressions.has_relations and self.expressions.relations_asked:
            return (
                f"{head} {kind} == other or some(pair where (first(pair) == {kind} and second(pair) == other or "
                f"first(pair) == other and second(pair) == {kind}) and allied_pair(pair))"
            )
        return f"{head} {kind} == other" + ("" if self.alone else f" or side({kind}) == side(other)")

    # ---- what else is told

    def first_conditions(self, most: int) -> list[str]:
        """The conditions that players ask for first: those of victories, what these ask for, and objectives.

        Args:
            most: So many at most.
        """
        rules = self.conditions.rules
        found = dict.fromkeys(k for v in self.conditions.victories for k in v.conditions)
        for key in list(found):
            found |= dict.fromkeys(rules[key].conditions)
        found |= dict.fromkeys(k for k, r in rules.items() if r.name.startswith(OBJECTIVE))
        return list(found)[:most]

    def options(self, properties: Mapping[str, int | bool]) -> dict[str, int | str]:
        """The options of the rulebook for values of the map's properties; of those that players may change.

        Args:
            properties: The values.
        """
        found: dict[str, int | str] = {}
        asked = {*self.victories.asked, *(o for r in self.conditions.rules.values() for o in r.options)}
        for name, value in properties.items():
            prop = self.game.properties.get(name)
            if prop is not None and prop.editable and name in asked:
                word = self.expressions.words.word(name, what=PROPERTY)
                found[word] = value if prop.is_number else "yes" if str(value).lower() == "true" else "no"
        return found

    def left_out(self) -> Iterator[str]:
        """The parts that bear on victory and are not in the rulebook, or are in a map maker's own words."""
        yield "how units move, fight, are bought and placed is left out"
        yield from left_out_of_triggers(self.conditions)
        unjudged = Counter(o.name for r in self.conditions.rules.values() for o in r.unjudged)
        for name, number in unjudged.items():
            holds = "1 condition asks" if number == 1 else f"{number} conditions ask"
            yield f"{holds} for {name} ({UNJUDGED[name]}), which is taken as not met"
        for (kind, name), option in self.conditions.unknown.items():
            yield f"the option {prose(name)} of {prose(kind)} (line {option.place.line}) is not known and not read"


def known_technologies(game: GameMap) -> dict[str, set[str]]:
    """The technologies that players have at the start."""
    found: dict[str, set[str]] = {}
    for a in game.attachments:
        if a.kind == "TechAttachment":
            found.setdefault(a.to, set()).update(o.name for o in a.options if o.value.lower() == "true")
    return found


def _water(water: bool, impassable: bool) -> str:
    return "sea" if water else "impassable" if impassable else "land"


def _in_list(name: str) -> str:
    return f'"{cell(name)}"' if "," in name else cell(name)


def _block(*lines: str) -> str:
    return "```vclogic\n" + "\n".join(lines) + "\n```"


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = (" | ".join(cell(str(c)) for c in row) for row in (head, ["---"] * len(head), *rows))
    return "\n".join(f"| {line} |" for line in lines)

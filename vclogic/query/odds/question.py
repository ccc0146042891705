"""The odds of a battle: read what a player asks, let the game count, and say what is certain."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from vclogic.choices import choice
from vclogic.clock import TIME_UP, TimeUp, until
from vclogic.document_keys import TEXT_ONLY
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.position import is_path
from vclogic.files.trees.findings import Findings
from vclogic.model.battles import Battle, BattleEnd, BattleRules, Chance, Conduct, Named, Odds, Units, in_words
from vclogic.query.answers import SearchAnswer
from vclogic.query.odds.forces import MOST, Forces, found_in, read_force, read_order
from vclogic.query.question import GameQuestion, Request, option, value
from vclogic.query.resolved_question import any_of_sides, check_numbers
from vclogic.watchdog import long_calls

if TYPE_CHECKING:
    from vclogic.draw.svg import SvgText


@dataclass(frozen=True, kw_only=True)
class BattleOdds(SearchAnswer):
    """The odds of a battle.

    Attributes:
        status: `computed`; or `unknown`, if the time was up.
        place: Where it is; null: some place.
        attacker: The power that attacks; null: any.
        at_sea: Whether it is for a sea zone.
        landing: Whether the land units come from the sea.
        attackers: The units that attack: a number for each kind.
        guns: The ships that bombard.
        defenders: The units that defend.
        conduct: What the two sides decide in the battle.
        odds: What the dice make of it; null if the time was up.
        hold: The chance that a defender is left: one less the chance that none is. Null if the time was up.
        both: The part of it in which attackers are left too: they retreat, or neither side can hit the other.
        currency: What values are in, such as `IPC`.
        named: Each kind of unit in the singular and plural, in the order in which they are listed.
    """

    status: Literal["computed", "unknown"]
    place: str | None
    attacker: str | None
    at_sea: bool
    landing: bool
    attackers: Units
    guns: Units
    defenders: Units
    conduct: Conduct
    odds: Odds | None
    hold: Chance | None
    both: Chance | None
    currency: str
    named: Named = field(metadata=TEXT_ONLY)

    def svg(self) -> SvgText:
        """The survivors as a bar chart; notebooks show it.

        Raises:
            ValueError: Nothing is known, as the time was up.
        """
        if self.odds is None:
            raise ValueError(f"there is nothing to draw: {self.reason}")

        from vclogic.draw.battle import battle_chart  # no odds need a picture

        attack = in_words(self.attackers, self.named)
        if self.guns:
            attack += f", bombardment by {in_words(self.guns, self.named)}"
        heads = (f"Attack: {attack}", f"Defence: {in_words(self.defenders, self.named)}")
        return battle_chart(self.title, heads, self.odds, self.named)

    @property
    def title(self) -> str:
        """The battle in a line."""
        what = "a landing" if self.landing else "a battle at sea" if self.at_sea else "a battle on land"
        return f"{what} in {self.place}" if self.place else what

    def _repr_svg_(self) -> str | None:
        return str(self.svg()) if self.odds is not None else None


_FEW = 2
"""More units of a kind than this do not change what can happen."""
_SMALL = 24
"""Units of both sides together for which exact fractions are quick."""


@value()
class OddsQuestion(GameQuestion["BattleOdds"]):
    """The chances of a battle: its ends, the losses to expect, and the survivors.

    Attributes:
        attack: The units that attack: a number for each kind, or a text such as `armour: 3, fighter: 2`.
        defend: The units that defend, likewise, antiaircraft guns included; None: those that stand at the place.
        at: Where it is; without a place it is at sea where there are ships in it.
        side: The side or power that attacks; None: an enemy of those who stand at the place.
        guns: Ships that bombard: they fire once for a landing, and are not in the battle otherwise.
        landing: Whether the land units come from the sea, so that they cannot retreat.
        attackers_fall: The order in which the attacker loses kinds of units, in a list or with commas; others
            fall after them.
        defenders_fall: The same for the defender.
        keep: Whether the attacker keeps one land unit as long as anything else can be lost.
        rounds: The attacker retreats after so many rounds; None: never.
        retreat_at: The attacker retreats once it has at most so many units; None: never.
        exact: Whether to count in fractions, which takes longer.
    """

    attack: Forces = option("Who attacks, such as 'armour: 3, fighter: 2'.", "UNITS")
    defend: Forces | None = option("Who defends. Needed only without --at.", "UNITS", default=None)
    at: str | None = option(
        "Where; by default against those who stand there. Positions are the GAME.", "PLACE", default=None
    )
    _: KW_ONLY
    side: str | None = option("Who attacks, where units of both sides are in PLACE.", "SIDE|POWER", default=None)
    guns: Forces = option("Ships that bombard for a landing, such as 'battleship: 1'.", "UNITS", default="")
    landing: bool = option("The land units come from the sea: they cannot retreat.", default=False)
    attackers_fall: str | Sequence[str] = option(
        "Whom the attacker loses first: 'infantry, armour'.", "KINDS", default=()
    )
    defenders_fall: str | Sequence[str] = option("Whom the defender loses first.", "KINDS", default=())
    keep: bool = option("The attacker does not keep a land unit to the last.", default=True)
    rounds: int | None = option("The attacker retreats after N rounds.", "N", default=None)
    retreat_at: int | None = option("The attacker retreats once it has N units or fewer.", "N", default=None)
    exact: bool = option("Count in fractions, which takes longer.", default=False)

    def answer(self, request: Request) -> BattleOdds:
        """The chances to take the place and to clear it, losses, and every end; `unknown` if the time was up.

        Expected losses are in units and money.

        Raises:
            InputError: Everything that is wrong with the units and choices, or dice decide no battles in this game.
        """
        rules = request.setup.system.battles
        if rules is None:
            message = f"no dice decide battles in {request.setup.encoding.name}: it has no odds"
            raise InputError(Diagnostic("not-for-this-game", message))
        check_numbers(timeout=self.timeout)
        return _OddsTask(request, rules, self).answer()


class _OddsTask:
    def __init__(self, request: Request, rules: BattleRules, question: OddsQuestion):
        self.request = request
        self.rules = rules
        self.question = question
        self.findings = Findings()

    def answer(self) -> BattleOdds:
        battle, conduct = self._read()
        found, reason = None, ""
        try:
            deadline = self.request.deadline
            with until(deadline), long_calls(deadline.left):
                found = _certain(self.rules, battle, conduct, self.rules.odds(battle, conduct, self.question.exact))
        except TimeUp:
            reason = TIME_UP
        return BattleOdds(
            game=self.request.setup.game,
            status="unknown" if found is None else "computed",
            place=battle.place or None,
            attacker=battle.attacker or None,
            at_sea=battle.at_sea,
            landing=battle.landing,
            attackers=battle.attackers,
            guns=battle.guns,
            defenders=battle.defenders,
            conduct=conduct,
            odds=found,
            hold=None if found is None else _without(found.clear),
            both=None if found is None else _both(found.endings),
            currency=self.rules.currency,
            assumptions=(*self.rules.assumptions, *self.request.setup.changed_in_words),
            elapsed_s=time.monotonic() - self.request.began,
            reason=reason,
            named=self.rules.words.named,
        )

    # ---- what is asked

    def _read(self) -> tuple[Battle, Conduct]:
        """The battle, and how it is fought."""
        question, words, findings = self.question, self.rules.words, self.findings
        attackers = read_force(question.attack, choice("attack"), words, findings)
        if not attackers and not findings:
            help = f"write {choice('attack', 'armour: 3')}"
            findings.add(Diagnostic("bad-value", "nobody attacks", choice("attack"), help=help))
        guns = read_force(question.guns, choice("guns"), words, findings)
        conduct = Conduct(
            read_order(question.attackers_fall, choice("attackers_fall"), words, findings),
            read_order(question.defenders_fall, choice("defenders_fall"), words, findings),
            question.keep,
            self._limit(question.rounds, 1, "rounds"),
            self._limit(question.retreat_at, 1, "retreat_at"),
        )
        place = self._place()
        attacker, there = self._standing(place)
        defenders = (
            there if question.defend is None else read_force(question.defend, choice("defend"), words, findings)
        )
        findings.stop()
        naval = any(u in words.naval for u in (*attackers, *defenders))
        at_sea = self.rules.at_sea(place) if place else naval and not (question.landing or guns)
        battle = Battle(attackers, defenders, guns, place, attacker, at_sea, question.landing or bool(guns))
        for message in words.refused(battle, conduct):
            findings.add(Diagnostic("cannot-fight", message))
        findings.stop()
        return battle, conduct

    def _limit(self, n: int | None, least: int, option: str) -> int | None:
        if n is not None and not least <= n <= MOST:
            message = f"{option}: expected a whole number from {least} to {MOST}, found {n}"
            self.findings.add(Diagnostic("out-of-range", message, choice(option)))
        return n

    def _place(self) -> str:
        """The place, or nothing."""
        at = self.question.at
        if at is None:
            if self.question.defend is None:
                help = (
                    f"write {choice('defend', 'infantry: 4')}, or {choice('at', 'PLACE')} for those who stand there"
                )
                message = "who defends? neither units nor a place are named"
                self.findings.add(Diagnostic("missing-option", message, help=help))
            return ""
        with self.findings.catch(choice("at")):
            try:
                return found_in(at, self.rules.words.places)
            except InputError as error:
                if not is_path(at):
                    raise
                help = "a position file is the GAME: `vclogic odds FILE --attack ... --at PLACE`"
                raise InputError(replace(error.diagnostics[0], help=help)) from None
        return ""

    def _standing(self, place: str) -> tuple[str, Units]:
        """The power that attacks, as far as that is known, and who stands against it at the place."""
        power = self._power()
        if not place:
            return power, {}
        system = self.request.setup.system
        values = system.layout.values(self.request.state)

        def standing(power: str) -> Units:
            there = self.rules.standing(values, place, power)
            return {u: n for u in self.rules.words.named if (n := there.get(u, 0))}

        against = {p: standing(p) for p in (powers[0] for powers in system.sides.values())}
        against = {p: units for p, units in against.items() if units}
        if self.question.defend is not None:
            return power or (next(iter(against)) if len(against) == 1 else ""), {}
        if power:
            units = standing(power)
            if not units and against:
                message = f"nobody stands against the {power} in {place}"
                self.findings.add(
                    Diagnostic("bad-value", message, choice("side"), help="name who attacks, or leave it out")
                )
            return power, units
        if len(against) > 1:
            help = f"say who attacks: {any_of_sides(system)}"
            message = f"units of more than one side are in {place}"
            self.findings.add(Diagnostic("missing-side", message, choice("at"), help=help))
        return next(iter(against.items()), ("", {}))

    def _power(self) -> str:
        """The power that attacks, by itself or as the first of a side; nothing where none is named."""
        given, system = self.question.side, self.request.setup.system
        if given is None:
            return ""
        powers = [p for of in system.sides.values() for p in of]
        called = {**dict.fromkeys(powers, ""), **system.aliases, **dict.fromkeys(system.sides, "")}
        folded = {name.casefold(): name for name in called}
        name = folded.get(given.casefold(), given)
        name = called.get(name) or name
        if name in system.sides:
            return system.sides[name][0]
        if name in powers:
            return name
        help = did_you_mean(given, called)
        self.findings.add(Diagnostic("unknown-name", f"unknown side {quoted(given)}", choice("side"), help=help))
        return ""


# ---- what is certain


def _certain(rules: BattleRules, battle: Battle, conduct: Conduct, found: Odds) -> Odds:
    """The same odds, with 0 and 1 only for what is impossible or certain: a float may round to them."""
    if len(found.endings) == 1 and all(x in (0, 1) for x in (found.take, found.clear, found.draw)):
        return replace(found, endings=(replace(found.endings[0], chance=type(found.take)(1)),))
    chances = (found.take, found.clear, found.draw)
    doubtful = [isinstance(x, float) and min(x, 1 - x) <= found.error for x in chances]
    if not any(doubtful):
        return found
    known = _possible(rules, battle, conduct)
    exact = (None, None, None) if known is None else (known.take, known.clear, known.draw)
    settled = [_settled(x, y) if d else x for x, y, d in zip(chances, exact, doubtful, strict=True)]
    return replace(found, take=settled[0], clear=settled[1], draw=settled[2])


def _settled(chance: Chance, exact: Chance | None) -> float:
    """0 or 1 where that is exact, else a number between them."""
    if exact is not None and exact in (0, 1):
        return float(exact)
    return min(max(float(chance), math.nextafter(0.0, 1.0)), math.nextafter(1.0, 0.0))


def _possible(rules: BattleRules, battle: Battle, conduct: Conduct) -> Odds | None:
    """Exact odds that are 0 or 1 where those of the battle are; None where that takes too long.

    Without a limit of rounds or units at which the attacker retreats, it is the kinds of units that matter: a few of
    each tell what can happen.
    """
    free = conduct.rounds is None and conduct.retreat_at is None
    if free:
        few = _few(battle.attackers), _few(battle.defenders), _few(battle.guns)
        battle = replace(battle, attackers=few[0], defenders=few[1], guns=few[2])
    if sum((*battle.attackers.values(), *battle.defenders.values())) > _SMALL:
        return None
    return rules.odds(battle, conduct, True)


def _without(chance: Chance) -> Chance:
    """One less a chance; 1 only where that is 0."""
    return 1 - chance if isinstance(chance, Fraction) or chance in (0, 1) else _settled(1 - chance, None)


def _both(endings: Sequence[BattleEnd]) -> Chance:
    """The chance that both sides have units left."""
    there = [e.chance for e in endings if any(e.attackers.values()) and any(e.defenders.values())]
    exact = all(isinstance(e.chance, Fraction) for e in endings)
    return sum(there, Fraction(0)) if exact else math.fsum(there)


def _few(units: Units) -> dict[str, int]:
    return {u: min(n, _FEW) for u, n in units.items()}

"""The strongest attack on one place: the attackers with the largest chance, among all that the laws of a turn allow.

More attackers never make a chance smaller. So of two compositions that differ in one kind the larger one is the
stronger, and only compositions that none exceeds matter. They are found one by one, each as a solution of the laws
that is not covered by those before, until there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from vclogic.clock import Deadline, TimeUp, check_deadline
from vclogic.encode.linear.terms import compile_program
from vclogic.model.battles import Fight, Units
from vclogic.model.counter import Counterattacks, Known
from vclogic.model.fluents import numbered
from vclogic.model.transition import Transition
from vclogic.progress import untold
from vclogic.solve.backends.highs import Engines, Minimization, minimize
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import any_of, ge, linear, not_
from vclogic.terms.rewrite import Substitution, substitute
from vclogic.terms.term import Op, Term, variables

Take = Callable[[Fight, Units, Units], float]


"""The chance to win a fight, given the attackers and the ships that bombard."""


@dataclass(frozen=True)
class Attackers:
    """The attackers in one fight.

    Attributes:
        fight: The fight.
        attackers: Per kind how many.
        guns: Per kind the ships that bombard.
        chance: The chance to win it.
    """

    fight: Fight
    attackers: Units
    guns: Units
    chance: float


@dataclass(frozen=True)
class Strongest:
    """The strongest attack.

    Attributes:
        chance: The chance that it takes the place: the product over its fights.
        step: The turn.
        forces: Its fights; the first is for the place itself, the others must be won first.
        chosen: Its choices, those that are not zero.
        at_most: No attack has a greater chance; more than `chance` where the time was up before that was known.
    """

    chance: float
    step: Transition
    forces: tuple[Attackers, ...]
    chosen: Mapping[Term, int]
    at_most: float


def strongest(
    step: Transition,
    state: Mapping[Term, Term],
    take: Take,
    deadline: Deadline,
    engines: Engines,
    floor: float = 0.0,
    enough: float = 1.0,
) -> Strongest | None:
    """The strongest attack in the first fight of a step.

    Args:
        step: The turn of the attacker; its first fight is for the place, the others may be fought before.
        state: The value of each fluent as it begins.
        take: The chance to win a fight; more attackers never make it smaller.
        engines: The processes that solve programs.
        floor: Attacks with no more chance than this need not be found.
        enough: An attack with more chance than this will do, if there is one.

    Returns:
        The attack; None if none has a chance of more than the floor. Where the time is up, the best that was found.
    """
    return _AttackSearch(step, state, take, engines).run(deadline, floor, enough)


class _FightTerms:
    """One fight, with its numbers as terms over the choices alone."""

    def __init__(self, fight: Fight, here: Substitution):
        self.fight = fight
        self.won = here(fight.won)
        self.attackers = {u: here(n) for u, n in fight.attackers.items()}
        self.guns = {u: here(n) for u, n in fight.guns.items()}
        self.numbers = (*self.attackers.values(), *self.guns.values())

    def force(self, values: Substitution, take: Take) -> Attackers:
        """The attackers in a solution."""
        attackers, guns = ({u: values(n).lo for u, n in sums.items()} for sums in (self.attackers, self.guns))
        attackers, guns = ({u: n for u, n in units.items() if n} for units in (attackers, guns))
        return Attackers(self.fight, attackers, guns, take(self.fight, attackers, guns))

    def more(self, force: Attackers) -> list[Term]:
        """The ways to attack with more of some kind than a force."""
        return [
            *(ge(n, force.attackers.get(u, 0) + 1) for u, n in self.attackers.items()),
            *(ge(n, force.guns.get(u, 0) + 1) for u, n in self.guns.items()),
        ]


class _AttackSearch:
    """The search for one place."""

    def __init__(self, step: Transition, state: Mapping[Term, Term], take: Take, engines: Engines):
        first, *others = step.fights
        here = Substitution({**state, first.won: TRUE})
        self._step, self._take, self._engines = step, take, engines
        self._laws = [law for law in map(here, step.legality) if law is not TRUE]
        self._choices = [c for c in step.choices if c is not first.won]
        self._place = _FightTerms(first, here)
        self._others = [side for side in (_FightTerms(fight, here) for fight in others) if side.won is not FALSE]
        self._best: Strongest | None = None

    def run(self, deadline: Deadline, floor: float, enough: float) -> Strongest | None:
        """See `strongest`."""
        if FALSE in self._laws:
            return None
        bound = self._bound()
        if bound <= floor:
            return None
        covered: list[Term] = []
        try:
            greedy = None if self._others else self._greedy()
            if greedy is not None:
                found = self._found_attack(greedy)
                if found.chance >= bound or found.chance > enough:
                    return replace(found, at_most=bound) if found.chance > floor else None
                covered.append(self._uncovered(found))
            while (values := self._solution(covered, deadline)) is not None:
                found = self._found_attack(values)
                if found.chance >= bound or found.chance > enough:
                    return replace(found, at_most=bound) if found.chance > floor else None
                covered.append(self._uncovered(found))
            bound = self._best.chance if self._best else 0.0
        except TimeUp:
            pass
        best = self._best
        if bound <= floor or (best is None and bound <= 0):
            return None
        if best is None:
            return Strongest(0.0, self._step, (), {}, bound)
        return replace(best, at_most=max(bound, best.chance))

    def _found_attack(self, chosen: Mapping[Term, int]) -> Strongest:
        """An attack that was found."""
        values = Substitution({c: numbered(c, chosen.get(c, 0)) for c in self._choices})
        fought = [side for side in self._others if values(side.won) is TRUE]
        forces = tuple(side.force(values, self._take) for side in (self._place, *fought))
        chance = 1.0
        for force in forces:
            chance *= force.chance
        made = {c: n for c, n in chosen.items() if n} | {self._place.fight.won: 1}
        found = Strongest(chance, self._step, forces, made, chance)
        if self._best is None or chance > self._best.chance:
            self._best = found
        return found

    def _bound(self) -> float:
        """A bound on the chance: that of the most of each kind together."""
        most = [_most(n, self._laws) for n in self._place.numbers]
        attackers = dict(zip(self._place.attackers, most, strict=False))
        guns = dict(zip(self._place.guns, most[len(attackers) :], strict=True))
        return self._take(self._place.fight, attackers, guns)

    # ---- solutions of the laws

    def _uncovered(self, found: Strongest) -> Term:
        """The conditions of a stronger attack than one that was found: more of some kind, or fewer fights first."""
        assert self._best is not None
        place, *first = found.forces
        more = self._place.more(place)
        if place.chance > self._best.chance:
            sides = {side.fight.place: side for side in self._others}
            for force in first:
                side = sides[force.fight.place]
                more += [not_(side.won), *side.more(force)]
        return any_of(more)

    def _solution(self, covered: Sequence[Term], deadline: Deadline) -> Mapping[Term, int] | None:
        """A solution of the laws that is not covered yet, with many attackers; None if there is none.

        Raises:
            TimeUp: That was not found out in time.
        """
        check_deadline()
        if FALSE in covered:
            return None
        claimed = [*self._laws, *covered]
        weights = [(-1, n) for n in self._place.numbers] + [(1, side.won) for side in self._others]
        program = compile_program(claimed, linear(weights))
        outcome = minimize(Minimization(program, claimed), deadline, untold, self._engines)
        if outcome.status == "infeasible":
            return None
        if not outcome.values:
            raise TimeUp
        return {c: n for c, n in outcome.values.items() if c in self._free}

    @property
    def _free(self) -> set[Term]:
        return set(self._choices)

    def _greedy(self) -> dict[Term, int] | None:
        """A solution in which each choice in turn is as large as the laws allow on their own; None if that fails."""
        laws = dict(enumerate(self._laws))
        about: dict[Term, list[int]] = {}
        for i, law in laws.items():
            for v in variables(law):
                about.setdefault(v, []).append(i)
        chosen: dict[Term, int] = {}
        for choice in self._choices:
            for number in range(choice.hi, choice.lo - 1, -1):
                put = {choice: numbered(choice, number)}
                then = {i: substitute(laws[i], put) for i in about.get(choice, ())}
                if FALSE not in then.values():
                    laws |= then
                    chosen[choice] = number
                    break
            else:
                return None
        return chosen


def _most(number: Term, laws: Iterable[Term]) -> int:
    """An upper bound of a sum of choices, by its own bounds and by laws that bound sums of some of them."""
    if number.op is not Op.LIN or any(k < 0 for k in number.payload[0]):
        return number.hi
    left = {x: k * x.hi for k, x in zip(number.payload[0], number.args, strict=True)}
    each = dict(zip(number.args, number.payload[0], strict=True))
    total = int(number.payload[1])
    for summed, limit in laws_of_sums(laws):
        shared = [x for x in summed if x in left]
        least = min((summed[x] / each[x] for x in shared), default=1)
        if shared and limit / least < sum(left[x] for x in shared):
            total += int(limit / least)
            for x in shared:
                del left[x]
    return min(total + int(sum(left.values())), number.hi)


def laws_of_sums(laws: Iterable[Term]) -> Iterable[tuple[dict[Term, int], int]]:
    """Per law that bounds a sum from above: the positive weights in the sum, and the bound of that part."""
    for law in laws:
        below = law.op is Op.NOT
        test = law.args[0] if below else law
        if test.op is not Op.GE or test.args[0].op is not Op.LIN:
            continue
        ks, c = test.args[0].payload
        sign = 1 if below else -1
        limit = test.payload - 1 - c if below else c - test.payload
        parts = [(sign * k, x) for k, x in zip(ks, test.args[0].args, strict=True)]
        limit += sum(-k * x.hi for k, x in parts if k < 0)
        yield {x: k for k, x in parts if k > 0}, limit


class Threats:
    """The attacks on a side in answer to one of its turns.

    Args:
        counter: The rules of such attacks.
        state: The state after the turn.
        engines: The processes that solve programs, where that is needed.

    Attributes:
        state: The state after the turn.
    """

    def __init__(self, counter: Counterattacks, state: Known, engines: Engines):
        self.state = state
        self._counter, self._engines = counter, engines
        self._turns: dict[str, Known | None] = {}

    def next_turn(self, power: str) -> Known | None:
        """The state in which a power's next turn begins; None if the game is over by then."""
        if power not in self._turns:
            self._turns[power] = self._counter.next_turn(self.state, power)
        return self._turns[power]

    def on(
        self, place: str, power: str, deadline: Deadline, floor: float = 0.0, enough: float = 1.0
    ) -> Strongest | None:
        """The strongest attack of a power on a place; see `strongest`."""
        state = self.next_turn(power)
        if state is None:
            return None
        best: Strongest | None = None
        for first in (False, True):
            step = self._counter.turn(state, power, place, first)
            if step is None or (best is not None and (best.chance >= 1 or best.chance > enough)):
                continue
            least = floor if best is None else max(floor, best.at_most)
            found = strongest(step, state, self._counter.take, deadline, self._engines, least, enough)
            if found is not None:
                best = found if best is None or found.chance > best.chance else replace(best, at_most=found.at_most)
        return best

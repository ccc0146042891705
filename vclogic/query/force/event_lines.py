"""A winner's play of single events as cases for a reader: which events answer which positions; and its check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from vclogic.clock import ANSWERING, Deadline, TimeUp, check_deadline, grace_period, until
from vclogic.encode.python.evaluator import interpret
from vclogic.explore.arena import FINAL, TURN
from vclogic.model.actions import Event
from vclogic.model.fluents import State, value
from vclogic.model.step_text import decider, step_text
from vclogic.query.answers import Step
from vclogic.query.force.answer import LinesChecked, TurnTaken, Variation, case_at
from vclogic.query.force.event_duel import EventDuel
from vclogic.query.force.line_check import WrongLine
from vclogic.query.replay import as_steps, state_after, turn_of

_MOST = 500  # cases that are told
_SEEDS = 8  # positions whose answers are tried for all others
_DEEP = 40  # cases within cases
_CHECK = 5.0  # seconds for playing them
Path = tuple[int, ...]
"""Edges, one after the other."""


@dataclass(frozen=True)
class Reached:
    """A node that one party comes to.

    Attributes:
        node: The node.
        left: How many turns the side that wants the goal has left, if it is in one then with that one.
        path: The edges that lead there.
    """

    node: int
    left: int
    path: Path = ()


class EventLines:
    """Puts the winner's play into cases.

    Args:
        duel: All positions.
        wins: Whether the side that wants the goal wins.
        turns: How many turns it has.

    Attributes:
        wins: As given.
        turns: As given.
        partial: Whether cases are missing.
    """

    def __init__(self, duel: EventDuel, *, wins: bool, turns: int):
        self.duel, self.wins, self.turns = duel, wins, turns
        self.partial, self._number = False, 0
        self._layout = duel.resolved.system.layout

    def variations(self) -> tuple[Variation, ...]:
        """The cases from the start."""
        start = Reached(0, self.turns)
        if self._decides(0):
            return tuple(self._cases([start], 0))
        return tuple(self._cases(self._replies([start]), 0))

    # ---- play

    def _decides(self, node: int) -> bool:
        """True if the winner decides at a node."""
        owner = int(self.duel.game.owner[node])
        return owner != FINAL and (owner == self.duel.ours) is self.wins

    def _over(self, at: Reached) -> bool:
        """True if no answer is needed any more: the goal is there, nothing can happen, or the turns are over."""
        duel, place = self.duel, int(self.duel.place[at.node])
        return bool(duel.reached[at.node] or duel.game.owner[at.node] == FINAL or (at.left == 0 and duel.own[place]))

    def _replies(self, starts: Iterable[Reached]) -> list[Reached]:
        """The nodes to which the loser's events lead: where the winner has to answer."""
        found: dict[int, Reached] = {}
        queue, seen = list(starts), set[tuple[int, int]]()
        for at in queue:
            check_deadline()
            for edge in self.duel.edges(at.node):
                left = at.left - int(self.duel.turns[edge])
                to = Reached(int(self.duel.game.target[edge]), left, (*at.path, edge))
                if (to.node, left) in seen or self._over(to):
                    continue
                seen.add((to.node, left))
                if not self._decides(to.node):
                    queue.append(to)
                elif to.node not in found or (left < found[to.node].left) is self.wins:
                    found[to.node] = to  # with what is worst for the winner
        return list(found.values())

    def _good(self, edge: int, left: int) -> bool:
        """True if the winner still wins after an edge, with so many turns left before it."""
        duel, left = self.duel, left - int(self.duel.turns[edge])
        far = int(duel.far[duel.game.target[edge]])
        return (
            left >= 0 and far // TURN <= left if self.wins else int(duel.least[duel.game.target[edge]]) // TURN > left
        )

    def _answer(self, at: Reached) -> Path:
        """The events of the winner, until another decides or all is over."""
        queue: list[Reached] = [Reached(at.node, at.left)]
        seen, last = {at.node}, Path()
        for now in queue:
            check_deadline()
            if now.node != at.node and (self._over(now) or not self._decides(now.node)):
                return now.path
            edges = [e for e in self.duel.edges(now.node) if self._good(e, now.left)]
            if self.wins:
                edges = [min(edges, key=self.duel.through)]
            for edge in edges:
                to = int(self.duel.game.target[edge])
                last = (*now.path, edge)
                if to not in seen:
                    seen.add(to)
                    queue.append(Reached(to, now.left - int(self.duel.turns[edge]), last))
        return last  # it goes on for ever

    def _follow(self, at: Reached, events: Sequence[Event]) -> Reached | None:
        """The node to which the events of an answer lead from elsewhere; None if they do not win there."""
        duel, node, left, path = self.duel, at.node, at.left, list[int]()
        for event in events:
            if not self._decides(node) or self._over(Reached(node, left)):
                return None
            edge = next((e for e in duel.edges(node) if duel.event(e) == event), None)
            if edge is None or not self._good(edge, left):
                return None
            left -= int(duel.turns[edge])
            node = int(duel.game.target[edge])
            path.append(edge)
        if self._decides(node) and not self._over(Reached(node, left)):
            return None
        nearer = not self.wins or duel.far[node] < duel.far[at.node]
        return Reached(node, left, tuple(path)) if nearer else None

    # ---- cases

    def _cases(self, asked: list[Reached], depth: int) -> list[Variation]:
        """The answers of the winner from each of some nodes; the last case answers all that no other does."""
        if not asked:
            return []
        answers = {self._events(self._answer(at)) for at in asked[:_SEEDS]}
        accepted = {a: {at.node: to for at in asked if (to := self._follow(at, a))} for a in answers if a}
        usual = max(accepted, key=lambda a: (len(accepted[a]), [str(e) for e in a]), default=())
        good = accepted.get(usual, {})
        left, cases = asked, list[Variation]()
        while others := [at for at in left if at.node not in good]:
            seed = others[0]
            answer = self._events(self._answer(seed))
            fits = {at.node: to for at in left if (to := self._follow(at, answer))}
            fits.setdefault(seed.node, self._to(seed, self._answer(seed)))
            when = self._when(seed, [at for at in left if at.node not in fits])
            group = [at for at in left if all(self._values(at)[f] == v for f, v in when.items())]
            cases.append(self._case(when, group, fits, depth))
            left = [at for at in left if at not in group]
        if left:
            cases.append(self._case({}, left, good, depth))
        return cases

    def _case(
        self, when: Mapping[str, object], group: Sequence[Reached], to: Mapping[int, Reached], depth: int
    ) -> Variation:
        self._number += 1
        first = group[0]
        after = [to[at.node] for at in group]
        going = [Reached(at.node, at.left) for at in after if not self._over(at) and not self._decides(at.node)]
        partial = bool(going) and (self._number > _MOST or depth > _DEEP)
        self.partial |= partial
        then = [] if partial else self._cases(self._replies(going), depth + 1)
        return Variation(
            when=dict(sorted(when.items())),  # type: ignore[arg-type]
            such_as=self._turns_of(first.path),
            turns=self._turns_of(to[first.node].path),
            reached=all(bool(self.duel.reached[at.node]) for at in after),
            then=tuple(then),
            partial=partial,
        )

    def _when(self, seed: Reached, others: Sequence[Reached]) -> dict[str, object]:
        """Facts by which a position is told from others."""
        mine, found = self._values(seed), dict[str, object]()
        while others:
            differ = {f: sum(self._values(at)[f] != v for at in others) for f, v in mine.items()}
            best = max(differ, key=lambda f: differ[f])
            if not differ[best]:
                raise WrongLine("a position is answered in two ways")
            found[best] = mine[best]
            others = [at for at in others if self._values(at)[best] == mine[best]]
        return found

    def _values(self, at: Reached) -> dict[str, object]:
        state = self._state(at.node)
        return {f.name: value(f.sort, n) for f, n in zip(self._layout.fluents, state, strict=True)}

    def _state(self, node: int) -> State:
        return tuple(self.duel.explored.states[self.duel.place[node]].tolist())

    def _events(self, path: Path) -> tuple[Event, ...]:
        return tuple(e for e in map(self.duel.event, path) if e is not None)

    def _to(self, at: Reached, path: Path) -> Reached:
        left = at.left - sum(int(self.duel.turns[e]) for e in path)
        return Reached(int(self.duel.game.target[path[-1]]), left, path)

    def _turns_of(self, path: Path) -> tuple[TurnTaken, ...]:
        """Edges as turns in words."""
        system, found = self.duel.resolved.system, list[TurnTaken]()
        for edge in path:
            event = self.duel.event(edge)
            if event is None:
                continue
            values = self._layout.values(self._state(int(self.duel.game.source[edge])))
            text = step_text(system.action(event), values)
            turn = turn_of(system, values)
            actor = text.actor or str(values[self.duel.resolved.metric.clock[0]])
            before: tuple[Step, ...] = ()
            if found and (found[-1].turn, found[-1].actor) == (turn, actor):
                before = found.pop().steps
            found.append(TurnTaken(turn, actor, (*before, *as_steps([text], len(before), turn))))
        return tuple(found)


@dataclass(frozen=True)
class _Moment:
    """A moment of a play that is checked.

    Attributes:
        state: The state.
        left: How many turns the side that wants the goal has left, if it is in one then with that one.
        cases: What the winner does from here.
        complete: Whether no case is missing.
        answered: Whether the winner has just acted.
    """

    state: State
    left: int
    cases: Sequence[Variation]
    complete: bool = True
    answered: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        """The same for moments from which play is the same."""
        return self.state, self.left, id(self.cases), self.answered


class EventCheck:
    """Plays cases against every legal event, by the rules of records, event by event.

    Args:
        duel: What is asked.
        wins: Whether the side that wants the goal wins.
        turns: How many turns it has.
    """

    def __init__(self, duel: EventDuel, *, wins: bool, turns: int):
        ask = duel.resolved
        self._system, self._clock, self._goal, self._side = ask.system, ask.metric.clock, ask.goal.term, ask.side
        self._events, self._start, self._left, self._wins = duel.explored.events, ask.state, turns, wins
        self._each_a_turn = duel.few
        self._seen: set[tuple[object, ...]] = set()
        self._replies = self._ends = 0

    def check(self, cases: Sequence[Variation]) -> LinesChecked:
        """Play them, as far as there is time.

        Raises:
            WrongLine: They do not do what they should: a bug in vclogic.
        """
        every = True
        try:
            with until(Deadline(_CHECK)), grace_period(ANSWERING):
                self._play([_Moment(self._start, self._left, cases)])
        except TimeUp:
            every = False
        return LinesChecked(len(self._seen), self._replies, every, recorded=self._ends)

    def _play(self, todo: list[_Moment]) -> None:
        while todo:
            check_deadline()
            at = todo.pop()
            if at.key in self._seen:
                continue
            self._seen.add(at.key)
            if self._is_over(at):
                continue
            found = [
                (e, state) for e in self._events if (state := state_after(self._system, at.state, e)) is not None
            ]
            if not found and self._wins:
                raise WrongLine("nothing can happen, and the goal is not reached")
            self._ends += not found
            others = [state for e, state in found if self._ours(at.state, e) is not self._wins]
            if at.answered and not at.cases and len(others) < len(found) and not self._wins:
                continue  # the others go on for ever, alone
            # Where both may act, the situation chooses, which is against the side that wants the goal.
            asked = len(others) < len(found) and (self._wins or not at.answered)
            if asked:
                todo.append(self._moment_after(at))
            if self._wins or not asked:
                self._replies += len(others) if self._each_a_turn else 0
                todo += [replace(self._after(at, state), answered=False) for state in others]

    def _moment_after(self, at: _Moment) -> _Moment:
        """The moment after what the cases answer."""
        self._replies += not self._each_a_turn
        case = case_at(at.cases, self._system.layout, at.state)
        if case is None and at.complete:
            raise WrongLine("no case says what to do")
        steps = () if case is None else [s for turn in case.turns for s in turn.steps]
        for step in steps:
            event = Event(step.action, tuple(step.args.items()))
            state = state_after(self._system, at.state, event)
            if state is None or self._ours(at.state, event) is not self._wins:
                raise WrongLine(f"the answer {event} is not legal")
            at = self._after(at, state)
        if case is None:
            return replace(at, cases=(), answered=True)
        return replace(at, cases=case.then, complete=at.complete and not case.partial, answered=True)

    def _is_over(self, at: _Moment) -> bool:
        """True if a play has come to its end, as it should."""
        reached = self._reached(at.state)
        late = at.left == 0 and self._own(at.state)
        if reached is not self._wins and (reached or late):
            raise WrongLine("the goal is reached" if reached else "the turns are over without the goal")
        self._ends += reached or late
        return reached or late

    def _reached(self, state: State) -> bool:
        return bool(interpret(self._goal, self._system.layout.slot, state))

    def _own(self, state: State) -> bool:
        whose = str(self._system.layout.values(state)[self._clock[0]])
        return self._system.side_of(whose) == self._side

    def _ours(self, state: State, event: Event) -> bool:
        who = decider(self._system.action_in(state, event).actor, self._system.layout.values(state))
        return who is not None and self._system.side_of(who) == self._side

    def _after(self, at: _Moment, state: State) -> _Moment:
        """The moment after an event that leads to a state."""
        now, then = self._system.layout.values(at.state), self._system.layout.values(state)
        ended = any(now[f] != then[f] for f in self._clock)
        return replace(at, state=state, left=at.left - (self._own(at.state) and (ended or self._reached(state))))

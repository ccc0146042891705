# mypy: disable-error-code="misc, assignment, index, no-any-return, operator"
"""Random small rulebooks, and a plain interpreter of them that shares nothing with vclogic.

Each expression is made as its text together with a Python function of a position and of what its variables stand for;
None is what is not defined.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise, product
from random import Random
from typing import Any

Facts = dict[Any, Any]
"""A position: fluents as tuples of a fact's name and its names, and turn, round, phase, over."""
Names = dict[str, Any]
"""What variables stand for."""
Scope = tuple[tuple[str, str], ...]
"""The variables that stand for something, each with its kind."""
Met = frozenset[tuple[str, str]]
Event = tuple[str, tuple[tuple[str, Any], ...]]

STAGES = (
    *("at once", "at the end of a turn", "at the end of a round", "at the end"),
    *("at the start of a round", "at the start of a turn"),
)


@dataclass(frozen=True)
class Expr:
    """An expression: its text and its value."""

    text: str
    of: Callable[[Facts, Names], Any]


@dataclass(frozen=True)
class Fact:
    """A fact: what it is asked of, its values, and how it starts."""

    name: str
    kinds: tuple[str, ...]
    sort: str
    values: tuple[Any, ...]
    within: str = ""
    """The group of spots that it is asked of alone."""


@dataclass(frozen=True)
class Line:
    """A line that changes a fact: its places, what kind of change, to what, for whom, if what, and when."""

    fact: Fact
    at: tuple[Expr, ...]
    kind: str
    value: Expr
    binder: tuple[str, str, Expr] | None
    when: Expr
    moment: str = ""
    of: str = ""


@dataclass(frozen=True)
class EventOf:
    """An event: who decides it, its arguments, and what it needs and does."""

    name: str
    by: str
    arguments: tuple[tuple[str, str], ...]
    phase: str
    any_time: bool
    needs: tuple[Expr, ...]
    lines: tuple[Line, ...]
    weight: int = 1


@dataclass(frozen=True)
class WinOf:
    """A way to win: who (`side`: each), what, when, and if what; rows stand in a table."""

    name: str
    who: str
    moment: str
    of: str
    when: Expr
    loses: bool = False


def quoted(name: str) -> str:
    """A name as expressions have it."""
    return f"'{name}'" if " " in name else name


TRUE = Expr("true", lambda s, v: True)


@dataclass(repr=False)
class Rulebook:
    """A random rulebook: its text, and what it means."""

    random: Random
    lines: list[str] = field(default_factory=list)
    sides: dict[str, tuple[str, ...]] = field(default_factory=dict)
    kinds: dict[str, tuple[str, ...]] = field(default_factory=dict)
    near: dict[str, set[str]] = field(default_factory=dict)
    facts: dict[str, Fact] = field(default_factory=dict)
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    walls: set[frozenset[str]] = field(default_factory=set)
    start: Facts = field(default_factory=dict)
    begins: dict[str, Expr] = field(default_factory=dict)
    """How facts start that others decide, but where a line says it of some."""
    said: set[Any] = field(default_factory=set)
    events: list[EventOf] = field(default_factory=list)
    changes: list[Line] = field(default_factory=list)
    wins: list[WinOf] = field(default_factory=list)
    definitions: dict[str, tuple[tuple[str, ...], Callable[[Facts, tuple[Any, ...]], Any]]] = field(
        default_factory=dict
    )
    heirs: dict[str, tuple[tuple[str, ...], Callable[[Facts, tuple[Any, ...]], Any]]] = field(default_factory=dict)
    """Definitions whose value is a side or nobody."""
    chosen: dict[str, str] = field(default_factory=dict)
    choices: dict[str, tuple[str, ...]] = field(default_factory=dict)
    every: list[tuple[tuple[str, ...], Expr]] = field(default_factory=list)
    order: tuple[str, ...] = ()
    mover: str = "side"
    one: bool = True
    phases: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    """The event that ends each phase, or the turn."""
    rounds: int | None = None
    passing: str = ""
    table: list[str] = field(default_factory=list)

    # ---- the text

    def __repr__(self) -> str:
        return f"chosen: {self.chosen}\n{self.text}"

    @property
    def text(self) -> str:
        """The file."""
        return "\n".join(["# A game", "", *self.table, "", "```vclogic", *self.lines, "```", ""])

    def add(self, line: str, *below: str) -> None:
        """Add a statement."""
        self.lines += [line, *(f"  {b}" for b in below)]

    def side_of(self, mover: str) -> str:
        """The side of a power, or the side itself."""
        return next(s for s, powers in self.sides.items() if mover in powers)

    # ---- expressions

    def pick(self, *of: Any) -> Any:
        """One of some things."""
        return self.random.choice(of)

    def chance(self, share: float) -> bool:
        """True so often."""
        return self.random.random() >= 1 - share  # what shrinks has less of it

    def named(
        self,
        kind: str,
        scope: Scope,
        facts: tuple[str, ...],
        *,
        sure: bool = False,
        raw: bool = False,
        within: str = "",
    ) -> Expr:
        """A member of a kind: a variable, its name, or what a fact says; None where that is none, unless raw."""
        found = [Expr(n, lambda s, v, n=n: v[n]) for n, k in scope if k == kind] * 3
        members = self.groups[within] if within and kind == "spot" else self.kinds[kind]
        found += [Expr(quoted(m), lambda s, v, m=m: m) for m in members[:2]]
        if not sure:
            for f in (self.facts[n] for n in facts):
                if kind in f.sort.split(" or ") and len(f.kinds) == 1:
                    inner = self.named(f.kinds[0], scope, (), sure=True, within=f.within)
                    members = self.kinds[kind]

                    def said(s: Facts, v: Names, f: Fact = f, inner: Expr = inner, members: Any = members) -> Any:
                        x = s.get((f.name, inner.of(s, v)))
                        return x if raw or x in members else None

                    found.append(Expr(f"{f.name}({inner.text})", said))
        return self.pick(*found)

    def asked(self, fact: Fact, scope: Scope, facts: tuple[str, ...]) -> Expr:
        """The value of a fact; None where what it is asked of is no such name."""
        at = [self.named(k, scope, facts, within=fact.within) for k in fact.kinds]
        text = f"{fact.name}({', '.join(a.text for a in at)})" if at else fact.name

        def value(s: Facts, v: Names) -> Any:
            names = [a.of(s, v) for a in at]
            return s.get((fact.name, *names))

        return Expr(text, value)

    def name(self, scope: Scope, facts: tuple[str, ...], depth: int) -> Expr:
        """A side or nobody: a fact, a definition, or what `if` chooses; no bare name."""
        known = [self.asked(self.facts[f], scope, ()) for f in facts if self.facts[f].sort == "side or nobody"]
        for name, (kinds, value) in self.heirs.items():
            at = [self.named(k, scope, facts) for k in kinds]

            def called(s: Facts, v: Names, at: list[Expr] = at, value: Any = value) -> Any:
                names = tuple(a.of(s, v) for a in at)
                return None if None in names else value(s, names)

            known.append(Expr(f"{name}({', '.join(a.text for a in at)})" if at else name, called))
        if known and (depth <= 0 or self.chance(0.5)):
            return self.pick(*known)
        c = self.condition(scope, facts, depth - 1)
        single = [Expr(m, lambda s, v, m=m: m) for m in (*self.sides, "nobody")]
        deeper = [self.name(scope, facts, depth - 1)] if depth > 0 else []
        a, b = self.pick(*single[:-1]), self.pick(*single, *known, *deeper)
        if self.chance(0.5):
            a, b = b, a
        return Expr(f"if({c.text}, {a.text}, {b.text})", lambda s, v: a.of(s, v) if c.of(s, v) else b.of(s, v))

    def number(self, scope: Scope, facts: tuple[str, ...], depth: int) -> Expr:
        """A number."""
        r = self.random
        if depth <= 0 or self.chance(0.3):
            found = [Expr(str(n), lambda s, v, n=n: n) for n in (0, 1, 2)]
            found += [Expr(n, lambda s, v, n=n: v[n]) for n, k in scope if k == "number"] * 2
            if self.rounds:
                found.append(Expr("round", lambda s, v: s["round"]))
            found += [self.asked(self.facts[f], scope, facts) for f in facts if self.facts[f].sort == "number"] * 2
            for name, (kinds, value) in self.definitions.items():
                at = [self.named(k, scope, facts) for k in kinds]
                text = f"{name}({', '.join(a.text for a in at)})" if at else name

                def called(s: Facts, v: Names, at: list[Expr] = at, value: Any = value) -> Any:
                    names = tuple(a.of(s, v) for a in at)
                    return None if None in names else value(s, names)

                found.append(Expr(text, called))
            return self.pick(*found)
        a, b = self.number(scope, facts, depth - 1), self.number(scope, facts, depth - 1)
        kind = r.choice(["+", "-", "max", "min", "if", "count", "sum", "holds", "*", "/", "way"])
        if kind == "way":
            return self.way(scope, facts)
        if kind == "/":
            word = self.pick("down", "up")

            def divided(s: Facts, v: Names) -> Any:
                x, y = a.of(s, v), b.of(s, v)
                if x is None or not y:
                    return None
                return x // y if word == "down" else -(-x // y)

            return Expr(f"{word}({a.text} / ({b.text}))", divided)
        if kind in ("+", "-", "max", "min"):
            text = f"{kind}({a.text}, {b.text})" if kind[0] == "m" else f"({a.text} {kind} {b.text})"
            work = {"+": lambda x, y: x + y, "-": lambda x, y: x - y, "max": max, "min": min}[kind]

            def joined(s: Facts, v: Names) -> Any:
                x, y = a.of(s, v), b.of(s, v)
                return None if x is None or y is None else work(x, y)

            return Expr(text, joined)
        if kind == "*":
            return Expr(f"2 * {a.text}", lambda s, v: None if a.of(s, v) is None else 2 * a.of(s, v))
        if kind == "if":
            c = self.condition(scope, facts, depth - 1)
            return Expr(f"if({c.text}, {a.text}, {b.text})", lambda s, v: a.of(s, v) if c.of(s, v) else b.of(s, v))
        if kind == "holds":
            c, d = self.condition(scope, facts, depth - 1), self.condition(scope, facts, depth - 1)
            return Expr(f"count(({c.text}), {d.text})", lambda s, v: bool(c.of(s, v)) + bool(d.of(s, v)))
        text, each, inside = self.binder(scope, facts, depth - 1, guarded=self.chance(0.6))
        if kind == "count":
            return Expr(f"count({text})", lambda s, v: sum(1 for _ in each(s, v)))
        of = self.number(inside, facts, depth - 2)

        def total(s: Facts, v: Names) -> Any:
            values = [of.of(s, w) for w in each(s, v)]
            return None if None in values else sum(values)

        return Expr(f"sum({of.text} for {text})", total)

    def way(self, scope: Scope, facts: tuple[str, ...]) -> Expr:
        """What the cheapest way costs between two places."""
        ends, through, cost = self.ways_between(scope, facts)
        return Expr(f"cheapest({ends} through {through})", cost)

    def ways_between(self, scope: Scope, facts: tuple[str, ...]) -> tuple[str, str, Callable[[Facts, Names], Any]]:
        """Ways with costs of 0 to 2, walls and stops: their ends, what they lead over, and what one costs."""
        a, b = self.named("spot", scope, facts), self.named("spot", scope, facts)
        step, last = f"step{len(scope)}", f"last{len(scope)}"
        inside = (*scope, (step, "spot"))
        fits, dear, stop = (self.condition(inside, facts, 0) for _ in range(3))
        walled = self.chance(0.5) and bool(self.walls)
        low = 1 if walled else self.random.randint(0, 1)
        over = f"{step} spot from {last} where not wall({last}, {step}) and" if walled else f"{step} spot where"
        text = f"{over} ({fits.text}) for if({dear.text}, 2, {low}) until {stop.text}"

        def cost(s: Facts, v: Names) -> Any:
            begin, end = a.of(s, v), b.of(s, v)
            if begin is None or end is None:
                return None
            entered: dict[str, tuple[bool, int]] = {}  # whether one may go on, and the price
            for p in self.near:
                w = {**v, step: p}
                if fits.of(s, w):
                    entered[p] = not stop.of(s, w), 2 if dear.of(s, w) else low
            known = {(begin, True): 0}
            for _ in range(2 * len(self.near) + 2):
                for (here, on), paid in list(known.items()):
                    for p in self.near[here] & entered.keys() if on else ():
                        if not (walled and frozenset((here, p)) in self.walls):
                            goes_on, price = entered[p]
                            known[p, goes_on] = min(known.get((p, goes_on), 99), paid + price)
            return min((paid for (p, _), paid in known.items() if p == end), default=None)

        return f"{a.text}, {b.text}", text, cost

    def binder(
        self, scope: Scope, facts: tuple[str, ...], depth: int, *, guarded: bool
    ) -> tuple[str, Callable[[Facts, Names], Iterator[Names]], Scope]:
        """A variable with what it ranges over: its text, what it stands for in turn, and the scope inside."""
        kind = self.pick(*self.kinds)
        name = kind if kind not in dict(scope) else f"other{len(scope)}"
        text = kind if name == kind else f"{name} {kind}"
        members = self.kinds[kind]
        group = self.pick("", *self.groups) if kind == "spot" else ""
        if group:
            text, members = f"{text} in {group}", self.groups[group]
        inside = (*scope, (name, kind))
        c = self.condition(inside, facts, depth - 1) if guarded else TRUE
        if guarded:
            text += f" where {c.text}"

        def each(s: Facts, v: Names) -> Iterator[Names]:
            for m in members:
                if c.of(s, {**v, name: m}):
                    yield {**v, name: m}

        return text, each, inside

    def condition(self, scope: Scope, facts: tuple[str, ...], depth: int) -> Expr:
        """A condition."""
        r = self.random
        if depth > 0 and self.chance(0.4):
            a, b = self.condition(scope, facts, depth - 1), self.condition(scope, facts, depth - 1)
            kind = r.choice(["and", "or", "not"])
            if kind == "not":
                return Expr(f"not ({a.text})", lambda s, v: not a.of(s, v))
            test = all if kind == "and" else any
            return Expr(f"(({a.text}) {kind} ({b.text}))", lambda s, v: test([a.of(s, v), b.of(s, v)]))
        kind = r.choice(
            ["number", "number", "flag", "turn", "name", "two", "near", "in", "some", "path", "choice", "far", "way"]
        )
        if kind == "two":
            x, y, sign = self.name(scope, facts, depth), self.name(scope, facts, depth), self.pick("==", "!=")
            if "at" in facts and self.chance(0.3):
                x, y = (self.asked(self.facts["at"], scope, ()) for _ in range(2))

            def same(s: Facts, v: Names) -> bool:
                one, other = x.of(s, v), y.of(s, v)
                return None not in (one, other) and (one == other) == (sign == "==")

            return Expr(f"{x.text} {sign} {y.text}", same)
        if kind == "flag" and any(self.facts[f].sort == "flag" for f in facts):
            f = self.facts[self.pick(*(f for f in facts if self.facts[f].sort == "flag"))]
            x = self.asked(f, scope, facts)
            return Expr(x.text, lambda s, v: bool(x.of(s, v)))
        if kind == "turn":
            x = self.named(self.mover, scope, ())
            return Expr(f"turn == {x.text}", lambda s, v: s["turn"] == x.of(s, v))
        if kind == "name":
            named = [self.facts[f] for f in facts if " or " in self.facts[f].sort]
            if named:
                f = self.pick(*named)
                x, sign = self.asked(f, scope, ()), self.pick("==", "!=")
                kinds = [k for k in f.sort.split(" or ") if k in self.kinds]
                single = [k for k in f.sort.split(" or ") if k not in self.kinds]
                y = self.pick(
                    *(self.named(k, scope, (), sure=True) for k in kinds),
                    *(Expr(m, lambda s, v, m=m: m) for m in single),
                )
                return Expr(
                    f"{x.text} {sign} {y.text}",
                    lambda s, v: x.of(s, v) is not None and (x.of(s, v) == y.of(s, v)) == (sign == "=="),
                )
        if kind in ("near", "far"):
            a, b = self.named("spot", scope, facts), self.named("spot", scope, facts)
            if kind == "near":
                return Expr(
                    f"adjacent({a.text}, {b.text})",
                    lambda s, v: None not in (a.of(s, v), b.of(s, v)) and b.of(s, v) in self.near[a.of(s, v)],
                )
            n = r.randint(0, 2)

            def within(s: Facts, v: Names) -> bool:
                x, y = a.of(s, v), b.of(s, v)
                far = None if x is None or y is None else self.distance(x, y)
                return far is not None and far <= n

            return Expr(f"distance({a.text}, {b.text}) <= {n}", within)
        if kind == "way" and depth > 0:
            ends, through, cost = self.ways_between(scope, facts)
            most = self.number(scope, facts, 0)

            def reached(s: Facts, v: Names) -> bool:
                paid, n = cost(s, v), most.of(s, v)
                return paid is not None and n is not None and paid <= n

            return Expr(f"reaches({ends} within {most.text} through {through})", reached)
        if kind == "in":
            a, g = self.named("spot", scope, facts), self.pick(*self.groups)
            return Expr(f"{a.text} in {g}", lambda s, v: a.of(s, v) in self.groups[g])
        if kind == "some" and depth > 0:
            word = self.pick("some", "no")
            text, each, _ = self.binder(scope, facts, depth - 1, guarded=True)
            return Expr(f"{word}({text})", lambda s, v: any(True for _ in each(s, v)) == (word == "some"))
        if kind == "path" and depth > 0:
            a, g = self.named("spot", scope, facts), self.pick(*self.groups)
            step = f"step{len(scope)}"
            c = self.condition((*scope, (step, "spot")), facts, depth - 1)

            def path(s: Facts, v: Names) -> bool:
                fits = {p for p in self.kinds["spot"] if c.of(s, {**v, step: p})}
                seen, new = {a.of(s, v)} & fits, deque({a.of(s, v)} & fits)
                while new:
                    for p in self.near[new.popleft()] & fits - seen:
                        seen.add(p)
                        new.append(p)
                return bool(seen & {*self.groups[g]})

            return Expr(f"connected({a.text}, {g} through {step} spot where {c.text})", path)
        if kind == "choice" and self.choices:
            name = self.pick(*self.choices)
            value = self.pick(*self.choices[name])
            return Expr(f"{name} == {value}", lambda s, v: self.chosen[name] == value)
        a, b, sign = (
            self.number(scope, facts, depth),
            self.number(scope, facts, depth),
            r.choice([">=", "<", "==", "!="]),
        )

        def compared(s: Facts, v: Names) -> bool:
            x, y = a.of(s, v), b.of(s, v)
            if x is None or y is None:
                return False
            return bool({">=": x >= y, "<": x < y, "==": x == y, "!=": x != y}[sign])

        return Expr(f"{a.text} {sign} {b.text}", compared)

    def distance(self, a: str, b: str) -> int | None:
        """How many steps two places lie apart."""
        far, new = {a: 0}, deque([a])
        while new:
            here = new.popleft()
            for p in self.near[here] - far.keys():
                far[p] = far[here] + 1
                new.append(p)
        return far.get(b)

    # ---- play

    def due(self, s: Facts) -> bool:
        """Whether chance has something to decide."""
        return any(self.can(e, s, v) for e in self.events if e.by == "chance" for _, v in self.ways(e))

    def ways(self, e: EventOf) -> Iterator[tuple[Event, Names]]:
        """An event with each of its arguments."""
        members = {n: self.kinds.get(k, (1, 2)) for n, k in e.arguments}
        if e.by == self.mover:
            members = {self.mover: self.kinds[self.mover], **members}
        for chosen in product(*members.values()):
            v = dict(zip(members, chosen, strict=True))
            yield (e.name, tuple(sorted(v.items()))), v

    def can(self, e: EventOf, s: Facts, v: Names) -> bool:
        """Whether an event can happen, but for whether chance decides first and the game is won."""
        actor = v.get(self.mover) if e.by == self.mover else e.by if e.by in self.kinds[self.mover] else None
        if s["over"] or (actor is not None and not e.any_time and actor != s["turn"]):
            return False
        if (e.phase and s["phase"] != e.phase) or not self.ends_here(e.name, s):
            return False
        if any(e.name not in but and not c.of(s, {}) for but, c in self.every):
            return False
        return all(n.of(s, v) for n in e.needs) and self.changed(e, s, v) is not None

    def ends_here(self, name: str, s: Facts) -> bool:
        """Whether an event can end the phase that it is, if it is one that ends any."""
        return name not in self.ends or not self.phases or self.ends[self.phases.index(s["phase"])] == name

    def changed(self, e: EventOf, s: Facts, v: Names) -> Facts | None:
        """The facts that an event changes; None: it would make one what it cannot be."""
        becomes: dict[Any, set[Any]] = {}
        rises: dict[Any, int] = {}
        for line in e.lines:
            each = [v]
            if line.binder is not None:
                name, kind, c = line.binder
                each = [w for m in self.kinds[kind] if c.of(s, w := {**v, name: m})]
            for w in each:
                names = [a.of(s, w) for a in line.at]
                if None in names or not line.when.of(s, w):
                    continue
                amount, key = line.value.of(s, w), (line.fact.name, *names)
                if key not in s:
                    continue  # the fact is not asked of it
                if amount is None or (" or " in line.fact.sort and amount not in line.fact.values):
                    return None
                if line.kind == "becomes":
                    becomes.setdefault(key, set()).add(amount)
                else:
                    rises[key] = rises.get(key, 0) + (amount if line.kind == "rises by" else -amount)
        found = {}
        for key in becomes.keys() | rises.keys():
            if len(becomes.get(key, ())) > 1:
                return None
            new = next(iter(becomes[key])) if key in becomes else s[key]
            new = new + rises[key] if key in rises else new
            if new not in self.facts[key[0]].values:
                return None
            found[key] = new
        return found

    def turn_ends(self, s: Facts) -> Facts:
        """How the end of a turn changes the clock."""
        last = s["turn"] == self.order[-1]
        found: Facts = {"phase": self.phases[0]} if self.phases else {}
        if last and self.rounds and s["round"] == self.rounds:
            return {"over": True}
        following = dict(pairwise((*self.order, self.order[0])))
        found["turn"] = following[s["turn"]]
        if last and self.rounds:
            found["round"] = s["round"] + 1
        return found

    def after(self, s: Facts, event: Event) -> Facts | None:
        """The position after an event; None: it is not legal."""
        if self.ended(s):
            return None
        name, given = event
        v = dict(given)
        e = next((e for e in self.events if e.name == name), None)
        chance = e is not None and e.by == "chance"
        if not chance and self.due(s):
            return None
        if e is None:
            new = self.own(name, s, v[self.mover])
        elif self.can(e, s, v):
            new = self.changed(e, s, v)
            whole = self.one and not e.any_time and e.by
            if new is not None and e.name in self.ends:
                new |= self.phase_ends(s)
            elif new is not None and whole:
                settled = {**s, **new}
                self.look("at once", s, dict(settled), settled)
                new |= {} if self.due(settled) else self.turn_ends(s)
        else:
            new = None
        return None if new is None else self.remembered(s, {**s, **new})

    def own(self, name: str, s: Facts, actor: str) -> Facts | None:
        """What the end of a turn or phase, or passing, changes; None: it is not legal."""
        if s["over"] or actor != s["turn"] or any(name not in but and not c.of(s, {}) for but, c in self.every):
            return None
        if name == "pass":
            if not self.passing:
                return None
            # Passing waits for what another side can do at any time, too.
            decided = [e for e in self.events if e.by not in ("", "chance") and e.name not in self.ends]
            if self.passing != "always" and any(self.can(e, s, v) for e in decided for _, v in self.ways(e)):
                return None
        elif name in self.ends and self.ends_here(name, s):
            return self.phase_ends(s)
        else:
            return None
        return self.turn_ends(s)

    def phase_ends(self, s: Facts) -> Facts:
        """What the end of a phase changes, or of a turn without phases."""
        if self.phases and s["phase"] != self.phases[-1]:
            return {"phase": self.phases[self.phases.index(s["phase"]) + 1]}
        return self.turn_ends(s)

    def legal(self, s: Facts) -> list[Event]:
        """The legal events."""
        made = [e.name for e in self.events]
        names = [n for n in dict.fromkeys((*self.ends, "pass")) if n not in made]
        own: list[Event] = [(n, ((self.mover, m),)) for n in names for m in self.kinds[self.mover]]
        each = [event for e in self.events for event, _ in self.ways(e)]
        return [event for event in (*each, *own) if self.after(s, event) is not None]

    def decides(self, event: Event, s: Facts) -> str | None:
        """The side that decides an event in a position; None: nobody does."""
        by = next((e.by for e in self.events if e.name == event[0]), self.mover)
        actor = dict(event[1])[self.mover] if by == self.mover else s["turn"] if by == "turn" else by
        return self.side_of(actor) if actor in self.kinds[self.mover] else None

    def weight(self, event: Event) -> int:
        """How likely chance is to take an event."""
        return next(e.weight for e in self.events if e.name == event[0])

    def winner(self, s: Facts) -> str | None:
        """The side that has won, `draw` where the game has ended otherwise; None while it goes on.

        Where two sides win at one moment, it is `open` who has won.
        """
        sides = {side for _, side in self.met(s)} & {*self.sides}
        if len(sides) > 1:
            return "open"
        return next(iter(sides), "draw" if self.ended(s) else None)

    # ---- what follows an event

    def happens(self, moment: str, of: str, old: Facts, new: Facts) -> bool:
        """Whether a moment happens in an event."""
        if moment == "at once":
            return True
        ends = bool(new["over"] and not old["over"])
        if moment == "at the end":
            return ends
        moved = old["turn"] != new["turn"]
        if moment == "at the end of a turn":
            whose = (of,) if of in self.kinds[self.mover] else self.sides.get(of, self.kinds[self.mover])
            return (moved or ends) and old["turn"] in whose
        if moment == "at the start of a turn":
            whose = (of,) if of in self.kinds[self.mover] else self.sides.get(of, self.kinds[self.mover])
            return moved and new["turn"] in whose
        first = moved and new["turn"] == self.order[0]
        return first or (ends and moment == "at the end of a round")

    def remembered(self, old: Facts, new: Facts) -> Facts:
        """The position with what is remembered at the moments of an event."""
        event, new, clock = dict(new), dict(new), {k: old[k] for k in ("turn", "round", "phase")}
        for stage in STAGES:
            passing = stage.startswith("at the end of a")
            already = passing and self.at_once({**new, **clock})
            self.look(stage, old, event, new)
            here = self.at_once({**new, **(clock if stage in STAGES[:3] else {})})
            if passing and ((here and not already) or new["met"] != old["met"]):
                return {**new, **clock}  # the game ends in the turn that would have passed
            if (here and self.at_once(new)) or new["met"] != old["met"]:
                return new
        if any(c.moment != "at once" for c in self.changes) or any(
            w.moment not in ("at once", "at the end") for w in self.wins
        ):
            self.look("at once", old, event, new, again=True)
        return new

    def at_once(self, s: Facts) -> bool:
        """Whether an outcome is met that is judged at every moment."""
        return any(w.moment == "at once" and w.when.of(s, v) for w, _, v in self.each_win())

    def look(
        self, stage: str, old: Facts, event: Facts, new: Facts, *, again: bool = False, only: Fact | None = None
    ) -> None:
        """Make the changes of a moment, of one fact or of all, and remember who has won at it."""
        clock = {k: old[k] for k in ("turn", "round", "phase")} if stage.startswith("at the end of a") else {}
        for fact in self.facts.values() if only is None else (only,):
            lines = [
                c for c in self.changes if c.fact is fact and c.moment == stage and (not again or c.kind == "becomes")
            ]
            then = {**new, **clock}
            for names in product(*(self.kinds[k] for k in fact.kinds)):
                v = dict(zip(fact.kinds, names, strict=True))
                if (fact.name, *names) not in new:
                    continue
                value = new[(fact.name, *names)]
                for c in sorted(lines, key=lambda c: c.kind != "becomes"):
                    of = v.get(c.of, c.of)
                    amount = c.value.of(then, v)
                    if self.happens(stage, of, old, event) and c.when.of(then, v) and amount is not None:
                        value = {
                            "becomes": lambda x, y: y,
                            "rises by": lambda x, y: x + y,
                            "falls by": lambda x, y: x - y,
                        }[c.kind](value, amount)
                if fact.sort == "number":
                    value = min(max(value, fact.values[0]), fact.values[-1])
                new[(fact.name, *names)] = value
        if stage not in ("at once", "at the end"):
            now, earlier = {**new, **clock}, STAGES[: STAGES.index(stage)]
            ended = any(
                w.when.of(now, v) if w.moment == "at once" else w.moment in earlier and (w.name, side) in new["met"]
                for w, side, v in self.each_win()
                if w.moment != "at the end"
            )
            for w, side, v in self.each_win():
                if (
                    not ended
                    and w.moment == stage
                    and self.happens(stage, v.get(w.of, w.of), old, event)
                    and w.when.of({**new, **clock}, v)
                ):
                    new["met"] = new["met"] | {(w.name, side)}

    def each_win(self) -> Iterator[tuple[WinOf, str, Names]]:
        """Each way to win with who wins by it."""
        for w in self.wins:
            for who in self.sides if w.who == "side" else (w.who,):
                winner = next(s for s in self.sides if s != who) if w.loses else who
                yield w, winner, {"side": who}

    def met(self, s: Facts) -> Met:
        """The outcomes that are met."""
        found = {*s["met"]}
        found |= {(w.name, side) for w, side, v in self.each_win() if w.moment == "at once" and w.when.of(s, v)}
        if s["over"] and not found:
            found = {(w.name, side) for w, side, v in self.each_win() if w.moment == "at the end" and w.when.of(s, v)}
        return frozenset(found)

    def ended(self, s: Facts) -> bool:
        """Whether the game has ended."""
        return bool(s["over"] or self.met(s))

    def first(self) -> Facts:
        """The position at the start, which is looked at for what is remembered at once."""
        new = dict(self.start)
        for fact in self.facts.values():
            for names in product(*(self.kinds[k] for k in fact.kinds)):
                key = (fact.name, *names)
                if fact.name in self.begins and key in new and key not in self.said:
                    value = self.begins[fact.name].of(new, dict(zip(fact.kinds, names, strict=True)))
                    new[key] = new[key] if value is None else value
            self.look("at once", self.start, self.start, new, only=fact)
        return new

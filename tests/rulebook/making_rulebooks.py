# mypy: disable-error-code="misc, assignment, index, no-any-return, operator"
"""Makes random small rulebooks, as a strategy of Hypothesis: a text that shows a fault shrinks to a short one."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from tests.rulebook.random_rulebooks import TRUE, EventOf, Expr, Fact, Line, Rulebook, Scope, WinOf

_MOMENTS = (
    *("at once", "at once", "at the end of a turn", "at the start of a turn", "at the end of a round"),
    *("at the start of a round", "at the end"),
)


def rulebooks(sides: int | None = None, *, chance: bool = False) -> st.SearchStrategy[Rulebook]:
    """Random rulebooks.

    Args:
        sides: How many sides they have, who can win; None: some two or three, and perhaps nobody can.
        chance: Whether all that nobody decides is the event `die`, which chance decides.
    """
    return st.randoms(use_true_random=False).map(lambda random: made(random, sides, chance=chance))


def made(random: Random, sides: int | None = None, *, chance: bool = False) -> Rulebook:
    """A random rulebook; see `rulebooks`."""
    b = Rulebook(random)
    _sides(b, sides)
    _board(b)
    _kinds(b)
    _facts(b)
    _definitions(b)
    for n in range(b.random.randint(1, 4)):
        _event(b, f"e{n}", by=b.mover if chance else "")
    if chance:
        _event(b, "die", by="chance")
    for name in dict.fromkeys(b.ends):
        if name not in ("end_phase", "end_turn") and b.chance(0.5):
            _event(b, name, by=b.pick("turn", b.mover))
    if not any(e.by for e in b.events):
        _event(b, "act", by=b.mover)
    if b.chance(0.2):
        but = b.pick((), (b.events[0].name,), ("end_turn", "end_phase", "pass"))
        c = b.condition((), tuple(b.facts), 1)
        b.add(f'every event {"but " + ", ".join(but) + " " if but else ""}needs {c.text}, else "it is not the time"')
        b.every.append((but, c))
    _wins(b, at_least=int(sides is not None))
    return b


def _sides(b: Rulebook, number: int | None) -> None:
    names = ("Reds", "Blues", "Greens")[: number or b.pick(2, 2, 2, 3)]
    if b.chance(0.3):
        b.mover = "power"
        b.sides = {n: (f"{n[0]}one", f"{n[0]}two") for n in names[:2]}
        b.add("sides " + "; ".join(f"{n}: {', '.join(p)}" for n, p in b.sides.items()))
        b.kinds["power"] = tuple(p for own in b.sides.values() for p in own)
    else:
        b.sides = {n: (n,) for n in names}
        b.add(f"sides {', '.join(names)}")
    b.kinds["side"] = tuple(b.sides)
    b.order = b.kinds[b.mover]
    if b.chance(0.4):
        b.order = tuple(b.random.sample(b.order, b.random.randint(2, len(b.order))))
        b.add(f"turn order {', '.join(b.order)}")
    b.one = b.chance(0.5)
    if not b.one and b.chance(0.4):
        b.phases = ("march", "fire")
        b.ends = b.pick(("end_phase", "end_phase"), ("march_on", "end_phase"), ("march_on", "done"), ("done", "done"))
    elif not b.one:
        b.ends = b.pick(("end_turn",), ("done",))
    parts = b.phases or ("one event" if b.one else "any number of events",)
    usual = ("end_phase", "end_turn")
    until = [f" until {n}" if n not in usual else "" for n in b.ends] or [""]
    b.add(f"turn is {', '.join(map(''.join, zip(parts, until, strict=True)))}")
    if b.chance(0.7):
        b.rounds = b.random.randint(1, 3)
        b.add(f"rounds {b.rounds}")
    b.passing = b.pick("", "always", "if nothing else is legal")
    if b.passing:
        b.add(f"pass {b.passing}")
    b.start = {"turn": b.order[0], "round": 1, "phase": (b.phases or ("",))[0], "over": False, "met": frozenset()}


def _board(b: Rulebook) -> None:
    sort = b.pick("grid", "areas", "hexes")
    if sort == "areas":
        spots = ("Ford", "Old Mill", "Hill", "St James")[: b.random.randint(3, 4)]
        b.near = {s: set() for s in spots}
        rows = []
        for i, s in enumerate(spots):
            others = [t for t in spots[:i] if b.chance(0.6)] or [*spots[:i][:1]]
            for t in others:
                b.near[s].add(t)
                b.near[t].add(s)
            rows.append(f"| {s} | {', '.join(others)} |")
        b.table += ["| spot | borders |", "| --- | --- |", *rows]
        b.add("areas spot, from the table")
    else:
        columns, height = b.pick((2, 2), (3, 2), (2, 3), (3, 1))
        at = {(c, r): f"{'ABC'[c]}{r + 1}" for c in range(columns) for r in range(height)}
        if sort == "grid":
            way = b.pick("", ", with diagonals", ", diagonals only")
            spots, rows = tuple(at[c, r] for r in range(height) for c in range(columns)), range(height)
            b.add(f"grid spot{way}", *(" ".join(at[c, r] for c in range(columns)) for r in rows))
            for (c, r), name in at.items():
                b.near[name] = {
                    other
                    for (x, y), other in at.items()
                    if other != name
                    and max(abs(x - c), abs(y - r)) == 1
                    and {"": x == c or y == r, ", with diagonals": True, ", diagonals only": x != c and y != r}[way]
                }
        else:
            lower = b.pick("odd", "even")
            b.add(f"hexes spot, {lower} columns lower, {columns} by {height}")
            down = {c: (c % 2 == 0) == (lower == "odd") for c in range(columns)}  # the first column is number 1
            high = {(c, r): 2 * r + down[c] for c, r in at}
            for (c, r), name in at.items():
                b.near[name] = {
                    at[x, y]
                    for x, y in at
                    if (x == c and abs(y - r) == 1) or (abs(x - c) == 1 and abs(high[x, y] - high[c, r]) == 1)
                }
            spots = tuple(at[c, r] for r in range(height) for c in range(columns))
    b.kinds["spot"] = spots
    pairs = sorted({tuple(sorted((x, y))) for x in spots for y in b.near[x]})
    if pairs and b.chance(0.5):
        walls = b.random.sample(pairs, min(2, len(pairs)))
        b.walls = {frozenset(w) for w in walls}
        b.add("edges wall: " + ", ".join(f"{x} and {y}" for x, y in walls))
    some = tuple(b.random.sample(spots, 2))
    b.groups["Front"] = some
    b.add("group Front: " + ", ".join(some))
    if b.chance(0.5):
        b.groups["the rear"] = tuple(s for s in spots if s != spots[0])
        b.add(f"group the rear: spot where spot != {_quoted(spots[0])}")
    if b.chance(0.1):
        b.groups["Nowhere"] = ()
        b.add(f"group Nowhere: spot where spot == {_quoted(spots[0])} and spot == {_quoted(spots[1])}")


def _quoted(name: str) -> str:
    return f"'{name}'" if " " in name else name


def _kinds(b: Rulebook) -> None:
    b.kinds["pawn"] = ("P1", "P2")
    b.add("kind pawn: P1, P2")
    if b.chance(0.4):
        b.add('reading tie "Who wins a tie?"', 'nobody "nobody does", default "it is fair"', 'first "the first does"')
        b.choices["tie"] = ("nobody", "first")
        b.chosen["tie"] = b.pick("nobody", "first")


def _facts(b: Rulebook) -> None:
    """Facts of each sort, some of which change at moments, from what stands above them alone."""
    sorts = [
        ("men", "number"),
        ("gold", "number"),
        ("held", "flag"),
        ("at", "spot or off"),
        ("owner", "side or nobody"),
    ]
    for name, sort in sorts:
        if name != "men" and b.chance(0.3):
            continue
        kinds = {
            "men": b.pick(("side", "spot"), ("spot",), ("side",)),
            "gold": b.pick((), ("side",)),
            "held": b.pick((), ("spot",), ("side",)),
            "at": ("pawn",),
            "owner": ("spot",),
        }[name]
        low = b.pick(0, 0, -2)
        values: tuple[Any, ...] = (False, True)
        if sort == "number":
            values = tuple(range(low, b.random.randint(2, 4) + 1))
        elif " or " in sort:
            values = tuple(m for part in sort.split(" or ") for m in b.kinds.get(part, (part,)))
        within = "Front" if kinds == ("spot",) and b.chance(0.3) else ""
        fact = Fact(name, kinds, sort, values, within)
        above = tuple(b.facts)
        first = b.pick(*values)
        said = {"number": f": {values[0]} to {values[-1]}", "flag": ""}.get(sort, f": {sort}")
        among = f" in {within}" if within else ""
        head = f"fact {name}{'(' + ', '.join(kinds) + among + ')' if kinds else ''}{said}"
        if above and b.chance(0.15):
            starts = _new_value(b, fact, tuple((k, k) for k in kinds), above, "becomes")
            if sort == "number":
                starts = _limited(starts, values[0], values[-1])
            first = False if sort == "flag" else max(values[0], min(0, values[-1])) if sort == "number" else values[0]
            head += f", starts {starts.text}"
            b.begins[name] = starts
        elif sort == "flag":
            first = False
        elif b.chance(0.8):
            head += f", starts {_quoted(str(first))}"
        else:
            first = max(values[0], min(0, values[-1])) if sort == "number" else values[0]
        b.facts[name] = fact
        for names in _all(b, kinds):
            if not within or names[0] in b.groups[within]:
                b.start[(name, *names)] = first
        below = []
        if b.chance(0.35):
            scope = tuple((k, k) for k in kinds)
            for i in range(b.random.randint(1, 2)):
                below.append(_change(b, fact, scope, above, first=i == 0))
        b.add(head, *below)
        if kinds and b.chance(0.4):
            _start(b, fact)


def _limited(of: Expr, low: int, high: int) -> Expr:
    """A number within a range."""

    def value(s: Any, v: Any) -> Any:
        n = of.of(s, v)
        return None if n is None else max(low, min(high, n))

    return Expr(f"max({low}, min({high}, {of.text}))", value)


def _all(b: Rulebook, kinds: tuple[str, ...]) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = [()]
    for kind in kinds:
        found = [(*names, m) for names in found for m in b.kinds[kind]]
    return found


def _start(b: Rulebook, fact: Fact) -> None:
    value = b.pick(*fact.values)
    text = (
        {True: "true", False: "false"}.get(value, _quoted(str(value))) if fact.sort == "flag" else _quoted(str(value))
    )
    fixed = {k: b.pick(*b.kinds[k]) for k in fact.kinds}
    each = fact.kinds[-1]
    members = b.kinds[each]
    given = ", ".join(_quoted(fixed[k]) if k != each else each for k in fact.kinds)
    line = f"start {fact.name}({given}) is {text} for {each}"
    if each == "spot" and b.chance(0.5):
        members, line = b.groups["Front"], f"{line} in Front"
    b.add(line)
    for m in members:
        key = (fact.name, *(m if k == each else fixed[k] for k in fact.kinds))
        if key in b.start:
            b.start[key] = value
            b.said.add(key)


def _new_value(b: Rulebook, fact: Fact, scope: Scope, facts: tuple[str, ...], kind: str) -> Expr:
    if fact.sort == "number":
        return b.number(scope, facts, 1 if kind == "becomes" else b.pick(0, 0, 1))
    if fact.sort == "flag":
        c = b.condition(scope, facts, 1)
        return Expr(f"({c.text})", c.of) if b.chance(0.4) else b.pick(TRUE, Expr("false", lambda s, v: False))
    first, last = fact.sort.split(" or ")
    if first == "side" and b.chance(0.3):
        return b.name(scope, facts, 1)
    return b.pick(
        b.named(first, scope, facts, raw=True),
        b.named(first, scope, facts, raw=True),
        Expr(last, lambda s, v, m=last: m),
    )


def _kind(b: Rulebook, fact: Fact) -> str:
    return str(b.pick("rises by", "falls by", "becomes")) if fact.sort == "number" else "becomes"


def _change(b: Rulebook, fact: Fact, scope: Scope, above: tuple[str, ...], *, first: bool) -> str:
    """A line below a fact; two of them never say different things at one moment."""
    kind = _kind(b, fact)
    if not first:
        if fact.sort != "number":
            before = next(c for c in reversed(b.changes) if c.fact is fact)
            moment, of, value = before.moment, before.of, before.value
            when = b.condition(scope, _read(b, fact, moment, above), 1)
            b.changes.append(Line(fact, (), "becomes", value, None, when, moment, of))
            return f"becomes {value.text} {_when(moment, of)} if {when.text}"
        kind = b.pick("rises by", "falls by")
    moment, of = _moment(b, scope)
    read = _read(b, fact, moment, above)
    value, when = _new_value(b, fact, scope, read, kind), b.condition(scope, read, 1)
    b.changes.append(Line(fact, (), kind, value, None, when, moment, of))
    return f"{kind} {value.text} {_when(moment, of)} if {when.text}"


def _read(b: Rulebook, fact: Fact, moment: str, above: tuple[str, ...]) -> tuple[str, ...]:
    """The facts that a change reads: those above, and at times the fact itself, as it was."""
    # At once an event looks twice, but once at what reads itself: that a constructor may see, and no text tells.
    return (*above, fact.name) if moment != "at once" and b.chance(0.5) else above


def _moment(b: Rulebook, scope: Scope) -> tuple[str, str]:
    moment = b.pick(*_MOMENTS)
    if moment == "at the end" and not b.rounds:
        moment = "at once"
    of = ""
    if moment.endswith("turn") and b.chance(0.5):
        whose = [n for n, k in scope if k in ("side", b.mover)]
        of = b.pick(*whose, *b.order, *(s for s, powers in b.sides.items() if {*powers} & {*b.order}))
        if of in ("side", "power") and {*b.order} != {*b.kinds[b.mover]}:
            of = ""  # somebody has no turn
    return moment, of


def _when(moment: str, of: str) -> str:
    return f"{moment} of {of}" if of else moment


def _definitions(b: Rulebook) -> None:
    plain = tuple(f for f in b.facts if not any(c.fact.name == f for c in b.changes))
    if b.chance(0.5):
        _heirs(b, plain)
    if b.chance(0.5):
        _rate(b, plain)
    for name in ("worth", "total")[: b.random.randint(0, 2)]:
        kinds: tuple[str, ...] = b.pick((), ("side",), ("spot",))
        scope = tuple((k, k) for k in kinds)
        asked = f"{name}({', '.join(kinds)})" if kinds else name
        base = b.number(scope, plain, 2)
        cases: list[tuple[str, Expr, Expr]] = []
        if kinds == ("side",) and b.chance(0.3):  # by cases
            each = [(m, b.number((), plain, 1)) for m in b.kinds["side"][:2]]
            for m, value in each:
                b.add(f"{name}({m}) means {value.text}")

            def said(s: Any, v: Any, each: Any = each) -> Any:
                return next((x.of(s, {}) for m, x in each if m == v["side"]), None)

            base = Expr("", said)
        else:
            b.add(f"{asked} means {base.text}")
        for _ in range(b.random.randint(0, 2)):
            about = b.pick(kinds[0], b.pick(*b.kinds[kinds[0]])) if kinds else ""
            inside = scope if about in kinds else ()
            value, when = b.number(inside, plain, 1), b.condition(inside, plain, 1)
            b.add(f"except {name}{'(' + _quoted(about) + ')' if kinds else ''} means {value.text} if {when.text}")
            cases.append((about, value, when))

        def meaning(s: Any, names: Any, kinds: Any = kinds, base: Expr = base, cases: Any = cases) -> Any:
            v = dict(zip(kinds, names, strict=True))
            found = [x.of(s, v) for about, x, when in cases if about in ("", *kinds, *names) and when.of(s, v)]
            return (found[0] if len({*found}) == 1 else None) if found else base.of(s, v)

        b.definitions[name] = kinds, meaning


def _rate(b: Rulebook, plain: tuple[str, ...]) -> None:
    """A definition that is read off a table, by a ratio or a number."""
    kinds: tuple[str, ...] = b.pick((), ("side",), ("spot",))
    scope = tuple((k, k) for k in kinds)
    x, y = b.number(scope, plain, 1), b.number(scope, plain, 1)
    first, second, third = (b.number(scope, plain, 1) for _ in range(3))
    nought, rest, ratio = b.chance(0.5), b.chance(0.5), b.chance(0.5)
    most = f"2{':1' if ratio else ''} or more{' and 1:0' if ratio and nought else ''}"
    rows = [f"{most}  {first.text}", f"more than 0 to less than 2  {second.text}"]
    rows += [f"otherwise  {third.text}"] if rest else []
    b.add(
        f"table rate{'(' + ', '.join(kinds) + ')' if kinds else ''}, by {x.text}{f' : {y.text}' if ratio else ''}",
        *rows,
    )

    def meaning(s: Any, names: Any) -> Any:
        v = dict(zip(kinds, names, strict=True))
        n, of = x.of(s, v), y.of(s, v) if ratio else 1
        if n is None or of is None or of < 0 or (of == 0 and not (nought and n > 0)):
            return None
        row = first if of == 0 or n >= 2 * of else second if n > 0 else third if rest else None
        return None if row is None else row.of(s, v)

    b.definitions["rate"] = kinds, meaning


def _heirs(b: Rulebook, plain: tuple[str, ...]) -> None:
    """A definition whose value is a side or nobody, with an exception."""
    kinds: tuple[str, ...] = b.pick((), ("side",), ("spot",))
    scope = tuple((k, k) for k in kinds)
    asked = f"({', '.join(kinds)})" if kinds else ""
    base = b.pick(b.name(scope, plain, 1), Expr(b.pick(*b.sides), lambda s, v: None))
    if base.text in b.sides:
        base = Expr(base.text, lambda s, v, m=base.text: m)
    b.add(f"heir{asked} means {base.text}")
    other, when = b.pick("nobody", *b.sides), b.condition(scope, plain, 1)
    excepted = b.chance(0.5)
    if excepted:
        b.add(f"except heir{asked} means {other} if {when.text}")

    def meaning(s: Any, names: Any) -> Any:
        v = dict(zip(kinds, names, strict=True))
        return other if excepted and when.of(s, v) else base.of(s, v)

    b.heirs["heir"] = kinds, meaning


def _event(b: Rulebook, name: str, by: str = "") -> None:
    by = by or b.pick(b.mover, b.mover, b.mover, b.pick(*b.order), "", "chance", "turn")
    some: list[tuple[str, str]] = []
    for _ in range(b.random.randint(0, 2)):
        kind = b.pick("spot", "spot", "pawn", "side", "number")
        argument = {"number": "many"}.get(kind, kind)
        if argument in dict(some) or (argument == by):
            argument = f"to{len(some)}"
        some.append((argument, kind))
    phase = b.pick(*b.phases) if b.phases and by and name not in b.ends and b.chance(0.5) else ""
    any_time = by == b.mover and name not in b.ends and b.chance(0.15)
    words = ["event", name, *(["by", by] if by else [])]
    words += [f"{n} 1 to 2" if k == "number" else n if n == k else f"{n} {k}" for n, k in some]
    line = " ".join(words) + (f" in {phase}" if phase else "") + (", at any time" if any_time else "")
    scope = (*(((by, by),) if by == b.mover else ()), *some)
    facts = tuple(b.facts)
    needs = tuple(b.condition(scope, facts, 1) for _ in range(b.random.randint(by in ("", "chance"), 2)))
    below = [f"needs {c.text}" + (', else "it cannot be"' if b.chance(0.5) else "") for c in needs]
    lines = tuple(_effect(b, scope, below) for _ in range(b.random.randint(1, 3)))
    weight = b.random.randint(1, 3) if by == "chance" else 1
    if weight > 1:
        below.append(f"weight {weight}")
    b.add(line, *below)
    b.events.append(EventOf(name, by, tuple(some), phase, any_time, needs, lines, weight))


def _effect(b: Rulebook, scope: Scope, below: list[str]) -> Line:
    fact, facts = b.facts[b.pick(*b.facts)], tuple(b.facts)
    binder, inside, behind = None, scope, ""
    if b.chance(0.25):
        name = b.pick(*b.kinds)
        if name not in dict(scope):
            c = b.condition((*scope, (name, name)), facts, 1)
            binder, inside, behind = (name, name, c), (*scope, (name, name)), f" for {name} where {c.text}"
    at = tuple(b.named(k, inside, facts, within=fact.within) for k in fact.kinds)
    kind = _kind(b, fact)
    value = _new_value(b, fact, inside, facts, kind)
    when = b.condition(inside, facts, 1) if b.chance(0.25) else TRUE
    target = f"{fact.name}({', '.join(a.text for a in at)})" if at else fact.name
    below.append(f"then {target} {kind} {value.text}{behind}" + (f" if {when.text}" if when is not TRUE else ""))
    return Line(fact, at, kind, value, binder, when)


def _wins(b: Rulebook, *, at_least: int) -> None:
    facts = tuple(b.facts)
    above: list[Any] = []
    for n in range(b.random.randint(at_least, 3)):
        who = b.pick("side", *b.sides, "nobody")
        loses = who != "nobody" and len(b.sides) == 2 and b.chance(0.2)
        scope: Scope = (("side", "side"),) if who == "side" else ()
        when = b.condition(scope, facts, 2)
        moment, of = _moment(b, scope)
        if moment == "at once" and b.chance(0.5):
            when = Expr(f"({when.text}) and ({(c := b.condition(scope, facts, 1)).text})", _both(when, c))
        b.add(f"{who} {'loses' if loses else 'wins'} w{n} {_when(moment, of)} if {when.text}")
        found = WinOf(f"w{n}", who, moment, of, when, loses)
        b.wins.append(found)
        above = [*above, found] if above and (above[0].moment, above[0].of) == (moment, of) else [found]
    if above and b.chance(0.4) and above[0].of != "side":
        lines, when = list(above), b.condition((), facts, 1) if b.chance(0.5) else TRUE
        b.add("otherwise Blues wins rest" + (f" if {when.text}" if when is not TRUE else ""))

        def rest(s: Any, v: Any) -> bool:
            held = any(w.when.of(s, {"side": x}) for w in lines for x in (b.sides if w.who == "side" else ("",)))
            return not held and bool(when.of(s, {}))

        b.wins.append(WinOf("rest", "Blues", above[0].moment, above[0].of, Expr("", rest)))
    if b.chance(0.3):
        _table(b, facts)


def _both(a: Expr, c: Expr) -> Any:
    return lambda s, v: a.of(s, v) and c.of(s, v)


def _table(b: Rulebook, facts: tuple[str, ...]) -> None:
    moment = b.pick("at the end" if b.rounds else "at the end of a round", "at the end of a turn")
    x, y = b.number((), facts, 1), b.number((), facts, 1)
    if b.chance(0.5):
        b.add(
            f"table level {moment}, by {x.text}",
            "3 or more  Reds wins big",
            "2 to 9  Blues wins",
            "5  nobody wins five",
        )

        def row(s: Any, v: Any) -> str:
            n = x.of(s, {})
            return (
                ""
                if n is None
                else "five"
                if n == 5
                else "big"
                if n > 9
                else "both"
                if n >= 3
                else "level"
                if n == 2
                else ""
            )

        # 3 or more and 2 to 9 overlap without nesting
        rows: tuple[tuple[str, str, tuple[str, ...]], ...] = (
            ("big", "Reds", ("big", "both")),
            ("level", "Blues", ("level", "both")),
            ("five", "nobody", ("five",)),
        )
    else:
        b.add(
            f"table level {moment}, by {x.text} : {y.text}",
            "more than 1:1  Reds wins",
            "1:1 or less  nobody wins draw",
        )

        def row(s: Any, v: Any) -> str:
            n, of = x.of(s, {}), y.of(s, {})
            return "" if n is None or of is None or of <= 0 else "level" if n > of else "draw"

        rows = (("level", "Reds", ("level",)), ("draw", "nobody", ("draw",)))
    for name, who, of_rows in rows:
        b.wins.append(WinOf(name, who, moment, "", Expr("", lambda s, v, r=of_rows: row(s, v) in r)))

"""Random texts of rules over random records, against a small interpreter that shares nothing with the parser."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import vclogic
from tests.fixtures.pace import examples

SIDES = ("Japan", "US")
UNITS = {"Japan": ("22nd Regiment", "89th Regiment"), "US": ("1st Marines", "7th Marines")}
GAME = vclogic.load("okinawa/small")
AT_START = {side: GAME.value(f"units_on_map({side})") for side in SIDES}
START: dict[str, Any] = {name: GAME.value(name) for name in ("round", "turn", "over")}

Env = dict[Any, Any]
"""What names stand for: facts of the game and of the text, and the variable `side`."""


@dataclass(frozen=True)
class Expr:
    """An expression: its text, and its value for what names stand for; None where it is not defined."""

    text: str
    of: Callable[[Env], Any]


def _int(n: int) -> Expr:
    return Expr(str(n), lambda env: n)


def _named(side: str, env: Env) -> str:
    """The side that a name or the variable stands for."""
    return str(env["side"] if side == "side" else side)


def _units(side: str) -> Expr:
    return Expr(f"units_on_map({side})", lambda env: env["units", _named(side, env)])


def _fact(name: str) -> Expr:
    return Expr(name, lambda env: env[name])


def _called(name: str, side: str) -> Expr:
    return Expr(f"{name}({side})", lambda env: env["defs"][name](env, _named(side, env)))


def _turn(side: str) -> Expr:
    return Expr(f"turn == {side}", lambda env: env["turn"] == _named(side, env))


def numbers(facts: tuple[str, ...], sides: tuple[str, ...], calls: tuple[str, ...]) -> st.SearchStrategy[Expr]:
    """Numbers over some facts, sides and definitions of a side."""
    called = [_called(name, s) for name in calls for s in sides]
    known = [_fact("round"), *map(_units, sides), *map(_fact, facts), *called]
    leaf = st.one_of(st.integers(0, 4).map(_int), st.sampled_from(known))

    def deeper(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        def both(a: Expr, b: Expr, c: Expr, kind: str) -> Expr:
            def value(env: Env) -> Any:
                x, y, z = a.of(env), b.of(env), c.of(env)
                if kind == "if":
                    return None if x is None else (y if x >= 2 else z)
                if x is None or y is None:
                    return None
                return {"+": x + y, "-": x - y, "max": max(x, y), "min": min(x, y), "count": (x > y) + (y > 1)}[kind]

            text = {
                "+": f"({a.text} + {b.text})",
                "-": f"({a.text} - {b.text})",
                "max": f"max({a.text}, {b.text})",
                "min": f"min({a.text}, {b.text})",
                "count": f"count({a.text} > {b.text}, {b.text} > 1)",
                "if": f"if({a.text} >= 2, {b.text}, {c.text})",
            }[kind]
            if kind == "if":  # where its condition is not defined, it does not hold

                def chosen(env: Env) -> Any:
                    x = a.of(env)
                    return b.of(env) if x is not None and x >= 2 else c.of(env)

                return Expr(text, chosen)
            if kind == "count":

                def counted(env: Env) -> int:
                    x, y = a.of(env), b.of(env)
                    return (x is not None and y is not None and x > y) + (y is not None and y > 1)

                return Expr(text, counted)
            return Expr(text, value)

        return st.builds(both, inner, inner, inner, st.sampled_from(["+", "-", "max", "min", "count", "if"]))

    return st.recursive(leaf, deeper, max_leaves=4)


def conditions(
    facts: tuple[str, ...], flags: tuple[str, ...], sides: tuple[str, ...], calls: tuple[str, ...]
) -> st.SearchStrategy[Expr]:
    """Conditions over some facts."""
    number = numbers(facts, sides, calls)

    def compared(a: Expr, b: Expr, sign: str) -> Expr:
        def value(env: Env) -> bool:
            x, y = a.of(env), b.of(env)
            if x is None or y is None:
                return False
            return bool({">=": x >= y, "<": x < y, "==": x == y, "!=": x != y}[sign])

        return Expr(f"{a.text} {sign} {b.text}", value)

    leaf = st.one_of(
        st.builds(compared, number, number, st.sampled_from([">=", "<", "==", "!="])),
        st.sampled_from([*map(_turn, sides), *map(_fact, flags)]),
    )

    def deeper(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        def joined(a: Expr, b: Expr, word: str) -> Expr:
            if word == "not":
                return Expr(f"not ({a.text})", lambda env: not a.of(env))
            test = all if word == "and" else any
            return Expr(f"(({a.text}) {word} ({b.text}))", lambda env: test((a.of(env), b.of(env))))

        return st.builds(joined, inner, inner, st.sampled_from(["and", "or", "not"]))

    return st.recursive(leaf, deeper, max_leaves=3)


MOMENTS = (
    *("at once", "at the end", "at the end of a turn", "at the end of a turn of Japan", "at the end of a turn of US"),
    *("at the start of a turn", "at the start of a turn of US", "at the end of a round", "at the start of a round"),
)
STAGES = (
    *("at once", "at the end of a turn", "at the end of a round", "at the end"),
    *("at the start of a round", "at the start of a turn"),
)


@dataclass
class Text:
    """A text with what it means."""

    lines: list[str] = field(default_factory=list)
    changes: list[tuple[str, str, str, Expr, Expr]] = field(default_factory=list)
    """Fact, kind, moment, value, condition."""
    defs: dict[str, Callable[[Env, str], Any]] = field(default_factory=dict)
    wins: list[tuple[str, str, str, Expr, bool]] = field(default_factory=list)
    """Outcome, side (or each), moment, condition, whether it is what else is so."""


@st.composite
def texts(draw: st.DrawFn) -> Text:
    """A random text: a definition with exceptions, two numbers and a flag that remember, and outcomes."""
    text = Text(["instead of victory, automatic_victory"])
    base = draw(numbers((), ("side",), ()))
    text.lines.append(f"worth(side) means {base.text}")
    cases: list[tuple[str | None, Expr, Expr]] = []
    for _ in range(draw(st.integers(0, 2))):
        who = draw(st.sampled_from(("side", *SIDES)))
        value, when = draw(numbers((), ("US",), ())), draw(conditions((), (), SIDES, ()))
        text.lines.append(f"except worth({who}) means {value.text} if {when.text}")
        cases.append((None if who == "side" else who, value, when))

    def worth(env: Env, side: str) -> Any:
        inner = {**env, "side": side}
        said = [v.of(inner) for who, v, when in cases if who in (None, side) and when.of(inner)]
        return (said[0] if len(set(said)) == 1 else None) if said else base.of(inner)

    text.defs["worth"] = worth
    for fact, above in (("a", ()), ("b", ("a",))):
        text.lines.append(f"fact {fact}: 0 to 5, starts 1")
        for _ in range(draw(st.integers(1, 2))):
            kind, moment = draw(st.sampled_from(["rises by", "falls by", "becomes"])), draw(st.sampled_from(MOMENTS))
            value = draw(numbers(above, SIDES, ("worth",)))
            when = draw(conditions(above, (), SIDES, ("worth",)))
            if kind == "becomes" and any(c[0] == fact and c[1] == kind for c in text.changes):
                kind = "rises by"  # two lines may not say different things at one moment
            text.lines.append(f"  {kind} {value.text} {moment} if {when.text}")
            text.changes.append((fact, kind, moment, value, when))
    text.lines.append("fact held")
    moment, when = draw(st.sampled_from(MOMENTS)), draw(conditions(("a", "b"), (), SIDES, ("worth",)))
    text.lines.append(f"  becomes true {moment} if {when.text}")
    text.changes.append(("held", "becomes", moment, Expr("true", lambda env: True), when))
    above_moment = ""
    for n in range(draw(st.integers(1, 3))):
        who = draw(st.sampled_from(("side", *SIDES, "nobody")))
        sides = SIDES if who != "side" else ("side", "US")
        when, moment = draw(conditions(("a", "b"), ("held",), sides, ("worth",))), draw(st.sampled_from(MOMENTS))
        text.lines.append(f"{who} wins w{n} {moment} if {when.text}")
        text.wins.append((f"w{n}", who, moment, when, False))
        above_moment = moment
    if draw(st.booleans()):
        text.lines.append("otherwise US wins rest")
        text.wins.append(("rest", "US", above_moment, Expr("", lambda env: True), True))
    return text


def _stage(moment: str) -> str:
    return moment.removesuffix(" of Japan").removesuffix(" of US")


def _happens(moment: str, old: Env, new: Env) -> bool:
    if moment == "at once":
        return True
    if moment == "at the end":
        return bool(new["over"] and not old["over"])
    if old["turn"] == new["turn"]:
        return False
    if "round" in moment:
        return bool(new["round"] > old["round"])
    of = moment.rpartition(" of ")[2] if moment.endswith(SIDES) else None
    return of in (None, old["turn"] if "end" in moment else new["turn"])


def _changes(text: Text, moments: list[str], old: Env, env: Env, *, again: bool = False) -> None:
    """Make the changes of one stage."""
    for fact in ("a", "b", "held"):
        lines = [c for c in text.changes if c[0] == fact and c[2] in moments and _happens(c[2], old, env)]
        if again:
            lines = [c for c in lines if c[1] == "becomes"]
        clock = {k: old[k] for k in ("turn", "round")} if moments[0].startswith("at the end of a") else {}
        then = {**env, **clock}
        new = env[fact]
        for _, kind, _, value, when in sorted(lines, key=lambda c: c[1] != "becomes"):
            amount = value.of(then)
            if when.of(then) and amount is not None:
                new = amount if kind == "becomes" else new + amount if kind == "rises by" else new - amount
        env[fact] = new if fact == "held" else min(max(new, 0), 5)


def _judge(text: Text, stage: str, old: Env, env: Env) -> None:
    """Remember which outcomes of a stage are met."""
    clock = {k: old[k] for k in ("turn", "round")} if stage.startswith("at the end of a") else {}
    then = {**env, **clock}
    # The first outcome ends the game: what was met before, at once or at an earlier moment, leaves nothing to judge.
    if env["met"] or any(_met(text, n, s, then) for n, w, m, _, _ in text.wins if m == "at once" for s in _sides(w)):
        return
    for name, who, moment, _, _ in text.wins:
        if _stage(moment) == stage and stage not in ("at once", "at the end") and _happens(moment, old, env):
            for side in SIDES if who == "side" else (who,):
                if _met(text, name, side, then):
                    env["met"] |= {(name, side)}


def _sides(who: str) -> tuple[str, ...]:
    """The sides that a line is about."""
    return SIDES if who == "side" else (who,)


def _met(text: Text, name: str, side: str, env: Env) -> bool:
    """Whether the condition of an outcome holds."""
    i = next(i for i, w in enumerate(text.wins) if w[0] == name)
    _, _, moment, when, rest = text.wins[i]
    if not rest:
        return bool(when.of({**env, "side": side}))
    above = []
    for other in reversed(text.wins[:i]):
        if other[2] != moment:
            break
        above.append(other)
    return not any(o[3].of({**env, "side": s}) for o in above for s in (SIDES if o[1] == "side" else (o[1],)))


def _now(text: Text, env: Env) -> dict[tuple[str, str], bool]:
    """Which outcomes are won."""
    found = {}
    for name, who, moment, _, _ in text.wins:
        for side in SIDES if who == "side" else (who,):
            if moment == "at once":
                found[name, side] = _met(text, name, side, env)
            elif moment == "at the end":
                found[name, side] = env["over"] and not _over(text, env) and _met(text, name, side, env)
            else:
                found[name, side] = (name, side) in env["met"]
    late = {w[0] for w in text.wins if w[2] == "at the end"}
    first = any(so for (name, _), so in found.items() if name not in late)  # it has ended the game before
    return {key: so and not (first and key[0] in late) for key, so in found.items()}


def _over(text: Text, env: Env) -> bool:
    """True if an outcome was met that is not judged at the end."""
    once = (_met(text, n, s, env) for n, who, m, _, _ in text.wins if m == "at once" for s in _sides(who))
    return bool(env["met"]) or any(once)


def _played(text: Text, env: Env, event: str) -> Env | None:
    """The position after an event; None: it is refused."""
    if env["over"] or _over(text, env):
        return None
    new = {**env, "met": set(env["met"])}
    if event == "end_turn":
        new["turn"] = SIDES[1 - SIDES.index(env["turn"])]
        new["round"] += new["turn"] == START["turn"]
    elif event == "end_game":
        new["over"] = True
    else:
        side = next(s for s in SIDES if event in UNITS[s])
        if event in env["gone"]:
            return None
        new["gone"] = {*env["gone"], event}
        new["units", side] -= 1
    old = env
    used = {_stage(c[2]) for c in text.changes} | {
        _stage(w[2]) for w in text.wins if w[2] not in ("at once", "at the end")
    }
    over = False
    for stage in STAGES:
        if not over:  # the first outcome ends the game, and nothing changes after that
            _changes(text, [m for m in MOMENTS if _stage(m) == stage], old, new)
            _judge(text, stage, old, new)
        passing = {k: old[k] for k in ("turn", "round")} if stage in STAGES[:3] else {}
        over = over or (_over(text, new) and _over(text, {**new, **passing}))
    if used - {"at once"} and not over:
        _changes(text, ["at once"], old, new, again=True)
    return new


@examples(1000, usual=15)
@given(
    texts(),
    st.lists(
        st.sampled_from(("end_turn", "end_turn", "end_turn", "end_game", *UNITS["Japan"], *UNITS["US"])), max_size=7
    ),
)
def test_status_is_what_the_interpreter_says(text: Text, record: list[str]) -> None:
    game = vclogic.load({"game": "okinawa/small", "outcomes": "\n".join(text.lines)})
    env: Env = {**START, "a": 1, "b": 1, "held": False, "met": set(), "gone": set(), "defs": text.defs}
    env |= {("units", side): n for side, n in AT_START.items()}
    _changes(text, ["at once"], env, env)  # a position that does not say it is looked at once
    for event in (None, *record):
        if event is not None:
            after = _played(text, env, event)
            asked = ("eliminate", {"unit": event}) if event not in ("end_turn", "end_game") else (event, {})
            try:
                game = game.apply(asked[0], **asked[1])
            except vclogic.errors.InputError:
                assert after is None
                continue
            assert after is not None
            env = after
        for side in SIDES:
            assert game.value(f"worth({side})") == text.defs["worth"](env, side)
        assert {name: game.value(name) for name in ("a", "b", "held")} == {n: env[n] for n in ("a", "b", "held")}
        told = {(o.rule, o.side): o.status == "met" for o in game.status().outcomes}
        assert told == _now(text, env)

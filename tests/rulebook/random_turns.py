"""Random rulebooks about turns, rounds and phases of two to four sides, and a plain interpreter of them.

It is written from `docs/rulebook_reference.md` alone and shares nothing with vclogic.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any

State = dict[str, Any]
Event = tuple[str, tuple[tuple[str, str], ...]]
FIRST, LATER = ("at the end of a phase", "at the end of a turn", "at the end of a round"), ("at the end",)
STAGES = ("at once", *FIRST, *LATER, "at the start of a round", "at the start of a turn", "at the start of a phase")
PHASES = ("march", "fire")


@dataclass
class Moment:
    """A moment: its stage, the phase and whose turn it is about."""

    stage: str
    phase: str = ""
    of: tuple[str, ...] = ()
    text: str = ""


@dataclass
class Turns:
    """A random rulebook about time.

    Args:
        random: Where what is random comes from.
        least: How many sides there are at least.
        counting: Whether it counts how often moments come.
        leaving_out: Events that it does not have.
    """

    random: Random
    least: int = 2
    counting: bool = True
    leaving_out: frozenset[str] = frozenset()
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        r = self.random
        self.sides = ("Ant", "Bee", "Cat", "Dog")[: r.randint(self.least, 4)]
        self.order = tuple(r.sample(self.sides, len(self.sides)))
        self.where, self.kind, self.rounds = r.random() < 0.6, r.choice(["one", "many", "phases"]), r.randint(2, 4)
        self.lines.append(f"sides {', '.join(self.sides)}")
        self.lines.append(f"turn order {', '.join(self.order)}" + (" where men(side) >= 1" if self.where else ""))
        turn = {"one": "one event", "many": "any number of events", "phases": ", ".join(PHASES)}[self.kind]
        self.lines += [f"turn is {turn}", f"rounds {self.rounds}", "fact men(side): 0 to 2, starts 1"]
        self.passing = r.choice(["", "always", "if nothing else is legal"])
        self.lines += [f"pass {self.passing}"] if self.passing else []
        names = ("hit", "burn", "give", "yawn", "jump", "die", "strike", "dash", "quit", "back")
        drawn = {n for n in names if r.random() < 0.4} - self.leaving_out
        self.events = {"rest", *drawn} - (set() if self.kind == "phases" else {"dash"})
        self.give = r.choice(["", " if round == 1", " if men(to) >= 1"])
        self.yawn = r.random() < 0.4
        self.begun = bool({"yawn", "die", "back"} & self.events)
        self._events()
        self.counters = [self._moment() for _ in range(3)] if self.counting else []
        for i, m in enumerate(self.counters):
            self.lines += [f"fact c{i}: 0 to 99", f"  rises by 1 {m.text}"]
        self._wins()

    @property
    def text(self) -> str:
        """The file."""
        return "\n".join(["# Turns", "", "```vclogic", *self.lines, "```", ""])

    def _events(self) -> None:
        said = {
            "rest": "event rest by side",
            "hit": "event hit by side target side\n  needs target != side and men(target) >= 1\n"
            "  then men(target) falls by 1",
            "burn": "event burn by side\n  needs men(side) >= 1\n  then men(side) becomes 0",
            "give": f"event give by side to side\n  then turn becomes to{self.give}",
            "yawn": "event yawn by side\n  then round rises by 1"
            + ("\n  then turn becomes side" if self.yawn else ""),
            "jump": f"event jump by side\n  then turn becomes {self.order[0]} if side == {self.order[-2]}",
            "die": "fact thrown\n  becomes false at the start of a round\nevent die by chance side, at any time\n"
            "  needs not thrown\n  then thrown becomes true\n  then turn becomes side",
            "strike": "fact owed(side): 0 to 2\nevent strike by side target side\n  needs owed(target) <= 1\n"
            "  then owed(target) rises by 1\nevent lose by side, at once\n  needs owed(side) >= 1\n"
            "  then owed(side) falls by 1\n  then men(side) falls by 1 if men(side) >= 1",
            "dash": "event dash by side in march\n  then phase becomes fire",
            "back": "event back by side to side\n  then turn becomes to\n  then round rises by 0",
            "quit": "event quit by side, at any time\n  needs men(side) >= 1\n  then men(side) becomes 0",
        }
        for name in said:
            if name in self.events:
                self.lines += said[name].split("\n")

    def _moment(self) -> Moment:
        r = self.random
        stage = r.choice([s for s in STAGES if s != "at once" and ("phase" not in s or self.kind == "phases")])
        phase, text = "", stage
        if "phase" in stage and r.random() < 0.6:
            phase = r.choice(PHASES)
            text = stage.replace("a phase", phase)
        if "turn" in stage or "phase" in stage:
            who = r.choice(self.sides)
            others = tuple(s for s in self.sides if s != who)
            of, more = r.choice([((), ""), ((who,), f" of {who}"), (others, f" of enemy({who})")])
            return Moment(stage, phase, of, text + more)
        return Moment(stage, phase, (), text)

    def _wins(self) -> None:
        r = self.random
        self.loses = len(self.sides) > 2 and r.random() < 0.4
        if self.loses:
            self.lines.append("side loses out at once if men(side) == 0")
        self.moment = self._moment()
        self.who, self.turn, self.number = r.choice(self.sides), r.choice(self.sides), r.randint(1, self.rounds)
        test = f"men({self.who}) >= 1 and turn == {self.turn} and round == {self.number}"
        self.lines.append(f"{self.who} wins it {self.moment.text} if {test}")

    # ---- play

    def start(self) -> State:
        """The position at the start."""
        s: State = {"turn": self.order[0], "round": 1, "phase": PHASES[0], "over": False, "began": self.order[0]}
        s |= {"men": dict.fromkeys(self.sides, 1), "owed": dict.fromkeys(self.sides, 0), "thrown": False}
        return s | {"c": [0, 0, 0], "it": False, "lost": set()}

    def winners(self, s: State) -> set[tuple[str, str]]:
        """What is met."""
        met = {("it", self.who)} if s["it"] else set()
        left = [x for x in self.sides if x not in s["lost"]]
        if self.loses and len(left) <= 1:
            met.add(("out", left[0] if left else "nobody"))
        if self.moment.stage == "at the end" and s["over"] and not met and self._so(s):
            met.add(("it", self.who))
        return met

    def _so(self, s: State) -> bool:
        return bool(s["men"][self.who] >= 1 and s["turn"] == self.turn and s["round"] == self.number)

    def ended(self, s: State) -> bool:
        """Whether the game is over."""
        return s["over"] or bool(self.winners(s))

    def legal(self, s: State) -> list[Event]:
        """The legal events."""
        if self.ended(s):
            return []
        mine, found = s["turn"], list[Event]()
        if "die" in self.events and not s["thrown"]:
            return sorted(("die", (("side", x),)) for x in self.sides)
        if any(s["owed"].values()):
            return sorted(("lose", (("side", x),)) for x in self.sides if s["owed"][x])
        me = ("side", mine)
        found += [(n, (me,)) for n in ("rest", "yawn", "jump") if n in self.events]
        found += [("burn", (me,))] if "burn" in self.events and s["men"][mine] else []
        found += [("dash", (me,))] if "dash" in self.events and s["phase"] == "march" else []
        for x in self.sides:
            found += [("hit", (me, ("target", x)))] if "hit" in self.events and x != mine and s["men"][x] else []
            found += [(n, (me, ("to", x))) for n in ("give", "back") if n in self.events]
            found += [("strike", (me, ("target", x)))] if "strike" in self.events else []
            found += [("quit", (("side", x),))] if "quit" in self.events and s["men"][x] else []
        found += [({"many": "end_turn", "phases": "end_phase"}[self.kind], (me,))] if self.kind != "one" else []
        found += [("pass", (me,))] if self.passing == "always" else []  # resting is always legal
        return sorted(found)

    def after(self, s: State, event: Event) -> State:
        """The position after a legal event."""
        name, given = event[0], dict(event[1])
        n, side = deepcopy(s), given["side"]
        to: str | None = None
        rises = own = False
        if name == "hit":
            n["men"][given["target"]] -= 1
        elif name in ("burn", "quit"):
            n["men"][side] = 0
        elif name == "give":
            so = {"": True, " if round == 1": s["round"] == 1, " if men(to) >= 1": s["men"][given["to"]] >= 1}
            to = given["to"] if so[self.give] else None
        elif name == "back":
            to = given["to"]
        elif name == "yawn":
            rises, to = True, side if self.yawn else None
        elif name == "jump":
            to = self.order[0] if side == self.order[-2] else None
        elif name == "die":
            n["thrown"], to = True, side
        elif name == "strike":
            n["owed"][given["target"]] += 1
        elif name == "lose":
            n["owed"][side] -= 1
            n["men"][side] -= n["men"][side] >= 1
        elif name == "dash":
            n["phase"] = "fire"
        elif name == "end_phase" and s["phase"] == "march":
            n["phase"] = "fire"
            return self.remembered(s, n)
        elif name in ("end_turn", "end_phase", "pass"):
            own = True
        if self.loses:
            n["lost"] |= {x for x in self.sides if not n["men"][x]}
        stays = name == "back"
        self.passes(s, n, to, rises, own, at_any_time=name in ("die", "quit"), dash=name == "dash", stays=stays)
        return self.remembered(s, n)

    def passes(
        self,
        s: State,
        n: State,
        to: str | None,
        rises: bool,
        own: bool,
        *,
        at_any_time: bool,
        dash: bool,
        stays: bool,
    ) -> None:
        """How the turn passes, if it does."""
        order, turn = self.order, s["turn"]

        def plays(x: str) -> bool:
            return not self.where or n["men"][x] >= 1

        def first(x: str) -> str:
            around = order[order.index(x) :] + order[: order.index(x)]
            return next((y for y in around if plays(y)), x)

        def place(x: str) -> int:
            return (order.index(x) - order.index(s["began"])) % len(order)

        given = None if to is None else first(to)
        if at_any_time and to is not None and self.begun and turn == first(s["began"]):
            assert given is not None
            n["phase"] = PHASES[0] if to != turn else n["phase"]
            n["turn"] = n["began"] = given
            return
        whole = own or (self.kind == "one" and not at_any_time)
        out = not plays(turn) and any(plays(x) for x in order if x != turn)
        ends = whole or to is not None or out
        if (to == turn and not out) or (whole and not own and to is None and any(n["owed"].values())):
            ends = False
        if not ends and not rises:
            return
        circle = order[order.index(turn) + 1 :] + order[: order.index(turn)]
        following = next((x for x in circle if plays(x)), None)
        new, over = following or turn, following is None or place(following) < place(turn)
        if rises:
            new, over = first(order[0]), True
        if given is not None:
            new, over = given, rises or (given != turn and place(given) < place(turn))
        over = over and not stays
        if over and s["round"] == self.rounds:
            n["over"] = True
            return
        n["turn"], n["round"] = new, s["round"] + over
        n["phase"] = n["phase"] if dash else PHASES[0]
        n["began"] = new if rises else s["began"]

    # ---- moments

    def happens(self, m: Moment, a: State, b: State) -> bool:
        """Whether a moment happens between two positions."""
        ends, round_over = b["over"] and not a["over"], a["round"] != b["round"]
        of = m.of or self.sides
        if m.stage == "at the end":
            return bool(ends)
        if m.stage == "at the end of a round":
            return bool(round_over or ends)
        if m.stage == "at the start of a round":
            return bool(round_over)
        left = a["turn"] != b["turn"] or round_over
        if m.stage == "at the end of a turn":
            return bool(a["turn"] in of and (left or ends))
        if m.stage == "at the start of a turn":
            return bool(b["turn"] in of and left and not b["over"])
        left = left or a["phase"] != b["phase"]
        if m.stage == "at the end of a phase":
            return bool(m.phase in ("", a["phase"]) and a["turn"] in of and (left or ends))
        return bool(m.phase in ("", b["phase"]) and b["turn"] in of and left and not b["over"])

    def remembered(self, old: State, event: State) -> State:
        """The position with what is remembered at the moments of an event."""
        n = deepcopy(event)
        if self.winners({**n, "over": False}):
            return n  # what is met at once, whoever is on turn, ends the game before anything else
        for stage in STAGES:
            clock = {k: old[k] for k in ("turn", "round", "phase")} if stage in FIRST else {}
            for i, m in enumerate(self.counters):
                n["c"][i] += m.stage == stage and self.happens(m, old, event)
            if stage == "at the start of a round" and event["round"] != old["round"]:
                n["thrown"] = False
            judged = stage == self.moment.stage != "at the end" and self.happens(self.moment, old, event)
            if judged and self._so({**n, **clock}):
                n["it"] = True
                return {**n, **clock}
        return n

"""Invariants by Spacer, z3's engine for constrained Horn clauses.

Its answers are parsed into terms, and the caller must check them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from vclogic.clock import Deadline
from vclogic.encode.smt import numeral
from vclogic.model.transition import Transition
from vclogic.solve.backends.kept import given_up, started
from vclogic.solve.backends.messages import Json
from vclogic.solve.backends.solvers import Watch, new_number
from vclogic.solve.proofs.horn_reader import Unreadable, read
from vclogic.terms.atoms import TRUE
from vclogic.terms.build import in_mask, linear, not_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort, members_of
from vclogic.terms.term import Op, Term, conjuncts, postorder

_CHOICE = "choice"
_MOST_TEXT = 2_000_000  # characters of clauses, beyond which Spacer would not get anywhere


class Spacer:
    """A running query of Spacer, whether a goal is reachable.

    It can run beside a session: see `Session.check`.

    Args:
        clauses: The Horn clauses.
        meant: The term for each fluent in the laws that it finds.
    """

    def __init__(self, clauses: Clauses, meant: Mapping[Term, Term]):
        self._meant = meant
        self._answers: list[Json] = []
        self._clauses = clauses
        self._solver = started("spacer")
        text = clauses.text
        if text is None:
            self.close()
        else:
            self._solver.send({"id": new_number(), "text": text, "assume": []})

    @property
    def done(self) -> bool:
        """True if it has answered, or never will."""
        return bool(self._answers) or not self._solver.alive

    @property
    def failure(self) -> str:
        """Why it will never answer; empty as long as it may."""
        return "" if self._solver.alive else self._solver.failure

    def register(self, watch: Watch) -> None:
        """Let it be watched."""
        self._solver.register(watch, self)

    def handle(self, watch: Watch, events: int) -> None:
        """Keep the answer, if it has come."""
        self._answers += self._solver.handle(watch, events)

    def close(self) -> None:
        """End it."""
        given_up(self._solver)

    def __enter__(self) -> Spacer:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def wait(self, seconds: float) -> None:
        """Wait until it is done, at most so many seconds."""
        deadline = Deadline(seconds)
        with Watch() as watch:
            if not self.done:
                self.register(watch)
            while not self.done and deadline.left > 0:
                for _, events in watch.select(deadline.left):
                    self.handle(watch, events)

    @property
    def laws(self) -> list[Term] | None:
        """The invariant that it claims; None if it claims none or none that can be parsed."""
        if not self._answers or self._answers[0].get("status") != "sat":
            return None
        try:
            found = self._clauses.read(self._answers[0]["functions"]["reach"])
            return [*map(Substitution(self._meant), found)]
        except (Unreadable, KeyError, TypeError):
            return None


class Clauses:
    """A system of constrained Horn clauses over one predicate `reach`, whose arguments are the fluents.

    A fluent is one argument, an Enum one the number of its member.

    Args:
        transition: The step; not scoped.
        start: The constant value of each fluent.
        goal: Bool, over the fluents.
        laws: Known invariants.

    Attributes:
        text: The clauses as SMT-LIB; None if they cannot be encoded.
    """

    def __init__(
        self,
        transition: Transition,
        start: Mapping[Term, Term],
        goal: Term,
        laws: Sequence[Term],
    ):
        self._symbols: dict[Term, str] = {}
        self._sorts: dict[str, str] = {}
        self._fluents = list(start)
        for v in start:
            self._declare(v)
        self._choose(transition)
        self.text = self._write(transition, start, goal, laws)

    def _choose(self, transition: Transition) -> None:
        """Encode the choices as variables; or, if they exclude each other, as values of one: much faster."""
        counts = _at_most_one(transition)
        if not counts:
            self._legality = transition.legality
            for c in transition.choices:
                self._declare(c)
            return
        self._sorts[_CHOICE] = "Int"
        self._legality = tuple(t for t in transition.legality if t not in counts)
        for i, c in enumerate(transition.choices):
            self._symbols[c] = f"(= {_CHOICE} {i})"

    def _declare(self, v: Term) -> None:
        self._symbols[v] = f"x{len(self._sorts)}"
        self._sorts[self._symbols[v]] = "Bool" if v.is_bool else "Int"

    # ---- writing

    def _write(
        self, transition: Transition, start: Mapping[Term, Term], goal: Term, laws: Sequence[Term]
    ) -> str | None:
        used = [*self._legality, *transition.next.values(), goal, *laws]
        if not self._fluents or any(t.op is Op.FIX for t in postorder(used)):
            return None
        sorts = " ".join(self._sorts[self._symbols[f]] for f in self._fluents)
        known = [*laws, *(law for f in self._fluents for law in self._domain(f))]
        within = [law for c in transition.choices for law in self._domain(c)]
        following = {f: transition.next.get(f, f) for f in self._fluents}
        parts = [
            "(set-logic HORN)",
            f"(declare-fun reach ({sorts}) Bool)",
            f"(assert {self._reach(start)})",
            self._clause([*known, *within, *self._legality], following),
            self._clause([*known, goal], None),
        ]
        text = "\n".join(parts) + "\n"
        return text if len(text) <= _MOST_TEXT else None

    def _domain(self, v: Term) -> list[Term | str]:
        """The constraint that a variable has a value of its sort."""
        if v.is_bool:
            return []
        values = members_of(v.mask) if isinstance(v.sort, EnumSort) else [v.lo, v.hi]
        symbol, lo, hi = self._symbols[v], values[0], values[-1]
        gaps = [m for m in range(lo, hi) if m not in values] if isinstance(v.sort, EnumSort) else []
        none = [f"(not (= {symbol} {m}))" for m in gaps]
        return [f"(<= {numeral(lo)} {symbol})", f"(<= {symbol} {numeral(hi)})", *none]

    def _clause(self, body: Sequence[Term | str], state: Mapping[Term, Term] | None) -> str:
        """The clause that the successor of a state under a body is reached (or, for None, that it is an error)."""
        following = [] if state is None else self._arguments(state)
        roots = [t for t in (*body, *following) if isinstance(t, Term)]
        names, lets = self._names(roots)
        conditions = " ".join(t if isinstance(t, str) else names[t] for t in body if t is not TRUE)
        here = self._reach({f: f for f in self._fluents})
        head = f"(reach {' '.join(names[t] for t in following)})" if following else "false"
        bound = " ".join(f"({symbol} {sort})" for symbol, sort in self._sorts.items())
        opening = "".join(f"(let (({name} {value})) " for name, value in lets)
        return f"(assert (forall ({bound}) {opening}(=> (and {here} {conditions}) {head}){')' * len(lets)}))"

    def _arguments(self, state: Mapping[Term, Term]) -> list[Term]:
        """The arguments that stand for a state."""
        return [f if state[f] is f else _as_argument(state[f]) for f in self._fluents]

    def _reach(self, state: Mapping[Term, Term]) -> str:
        arguments = self._arguments(state)
        names, _ = self._names(arguments)
        return f"(reach {' '.join(names[t] for t in arguments)})"

    def _names(self, roots: Sequence[Term]) -> tuple[dict[Term, str], list[tuple[str, str]]]:
        """The expressions of terms, and the definitions that they need."""
        names: dict[Term, str] = {}
        lets: list[tuple[str, str]] = []
        for t in postorder(roots):
            text = self._body(t, names)
            if len(text) > 24:
                lets.append((f"t{len(lets)}", text))
                text = lets[-1][0]
            names[t] = text
        return names, lets

    def _body(self, t: Term, names: Mapping[Term, str]) -> str:
        args = [names[a] for a in t.args]
        match t.op:
            case Op.CONST:
                return str(t.value).lower() if t.is_bool else numeral(t.lo)
            case Op.VAR:
                return self._symbols[t]
            case Op.NOT:
                return f"(not {args[0]})"
            case Op.AND | Op.OR | Op.ITE:
                branches = args if t.is_bool else [args[0], *map(_as_number, t.args[1:], args[1:])]
                return f"({t.op.value} {' '.join(branches)})"
            case Op.LIN:
                ks, c = t.payload
                addends = [_times(k, a, text) for k, a, text in zip(ks, t.args, args, strict=True)]
                return f"(+ {numeral(c)} {' '.join(addends)})"
            case Op.GE:
                return f"(>= {_as_number(t.args[0], args[0])} {numeral(t.payload)})"
            case Op.DIV:
                return f"(div {_as_number(t.args[0], args[0])} {t.payload})"
            case Op.IN:
                return self._membership(t.args[0], t.payload)
        raise AssertionError(f"no clause for {t.op}")

    def _membership(self, v: Term, mask: int) -> str:
        members = members_of(v.mask)
        inside = [m for m in members if mask >> m & 1]
        outside = [m for m in members if not mask >> m & 1]
        few = inside if len(inside) <= len(outside) else outside
        tests = " ".join(f"(= {self._symbols[v]} {m})" for m in few)
        text = f"(or {tests})" if len(few) > 1 else tests
        return text if few is inside else f"(not {text})"

    # ---- reading

    def read(self, text: str) -> list[Term]:
        """Parse Spacer's interpretation of `reach` as laws over the fluents.

        Raises:
            Unreadable: Terms cannot represent it.
        """
        found = read(text, [_as_argument(f) for f in self._fluents])
        return [t for t in conjuncts(found) if t is not TRUE]


def _as_argument(t: Term) -> Term:
    """The Bool or Int term for a value; for an Enum the number of its member."""
    if not isinstance(t.sort, EnumSort):
        return t
    return linear((m, in_mask(t, 1 << m)) for m in members_of(t.mask))


def _as_number(t: Term, text: str) -> str:
    return f"(ite {text} 1 0)" if t.is_bool else text


def _times(k: int, t: Term, text: str) -> str:
    if t.is_bool:
        return f"(ite {text} {numeral(k)} 0)"
    return text if k == 1 else f"(* {numeral(k)} {text})"


def _at_most_one(transition: Transition) -> set[Term]:
    """The laws that state mutual exclusion of choices, if they do so for every two choices."""
    choices = set(transition.choices)
    if not all(c.is_bool for c in choices):
        return set()
    counted = {law: some for law in transition.legality if len(some := _counted(law)) > 1 and some <= choices}
    if choices in counted.values():
        return set(counted)
    apart = {frozenset(pair) for some in counted.values() for pair in combinations(some, 2)}
    for law in transition.legality:
        for part in conjuncts(law):
            if part.op is Op.OR and len(part.args) == 2:
                apart.add(frozenset(not_(t) for t in part.args))
            elif part.op is Op.NOT and part.args[0].op is Op.AND and len(part.args[0].args) == 2:
                apart.add(frozenset(part.args[0].args))
    return set(counted) if all(frozenset(p) in apart for p in combinations(choices, 2)) else set()


def _counted(law: Term) -> set[Term]:
    """The Bool terms of a law "at most one of these"; empty for any other law."""
    if law.op is not Op.NOT or law.args[0].op is not Op.GE or law.args[0].payload != 2:
        return set()
    count = law.args[0].args[0]
    plain = count.op is Op.LIN and set(count.payload[0]) == {1} and count.payload[1] == 0
    return set(count.args) if plain and all(t.is_bool for t in count.args) else set()

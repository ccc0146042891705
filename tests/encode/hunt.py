"""A hunt for faults of encoders, outside CI: `python -m tests.encode.hunt --minutes 30 --seed 1`.

Random terms with numbers around 2^31, 2^32, 2^53, 2^63 and 10^18, zero, negative and huge weights and products go
through every encoder: the interpreter, generated Python, NumPy, z3's own API, SMT-LIB of both dialects in each engine
of z3, the portable one in cvc5, and programs for HiGHS. What they say is compared with plain recursion
(`tests.terms.specs`). Of random rulebooks all positions are looked at once more, breadth first by the interpreter of
the tests, and what `reach` says of random goals is compared with that. Each difference is printed with its seed; the
exit code is 1 if there is any.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from tests.encode.test_big_numbers import EDGES
from tests.encode.test_smt import DIALECTS
from tests.fixtures.budget import processor_time
from tests.fixtures.local_highs import local_highs
from tests.fixtures.smt_checker import Checker, in_state
from tests.oracles.integer_arithmetic import Integers
from tests.rulebook.making_rulebooks import made
from tests.rulebook.random_rulebooks import Facts, Rulebook
from tests.rulebook.test_random_rulebooks import loaded
from tests.terms.specs import KIND, OPERATORS, SHAPES, SORT, Spec, kind_of, meaning, term
from vclogic.clock import Deadline
from vclogic.encode.linear.affine import Unsupported
from vclogic.encode.linear.terms import compile_program
from vclogic.encode.python.batch import batch_function
from vclogic.encode.python.codegen import build_function, interpret
from vclogic.errors import InputError
from vclogic.progress import untold
from vclogic.solve.backends.claims import Claim
from vclogic.solve.backends.cvc5_worker import verdict
from vclogic.solve.backends.highs import Minimization, minimize
from vclogic.terms.atoms import integer, var
from vclogic.terms.build import and_, eq, not_
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Term

State = Mapping[Term, int]
_PATIENCE = 20.0  # seconds for one question
MOST_POSITIONS, GOALS, TERMS_FOR_EACH_RULEBOOK = 1_000, 4, 20


def number(random: Random) -> int:
    """A whole number: small, near an edge, or a product of two that are."""
    kind = random.random()
    if kind < 0.35:
        return random.randint(-3, 3)
    near = [random.choice((1, 1, -1)) * (random.choice(EDGES) + random.randint(-2, 2)) for _ in range(2)]
    return near[0] if kind < 0.85 else near[0] * near[1]


def pool(random: Random) -> list[Term]:
    """A few variables, some of them wide or far from 0."""
    found = random.sample(list(KIND), random.randint(1, 4))
    for i in range(random.randint(0, 2)):
        lo = number(random)
        hi = lo + 3 if random.random() < 0.5 else max(lo + 1, number(random))
        found.append(var(f"wide {i}", IntSort(lo, hi)))
    return found


def expression(random: Random, some: Sequence[Term], kind: str, depth: int) -> Spec:
    """A random expression."""
    if depth == 0 or random.random() < 0.15:
        leaves: list[Spec] = [("var", v) for v in some if kind_of(v) == kind]
        if leaves and random.random() < 0.8:
            return random.choice(leaves)
        sort = SORT.get(kind)
        value = (
            random.randrange(len(sort.members)) if sort else random.randint(0, 1) if kind == "B" else number(random)
        )
        return ("const", kind, value)
    name = random.choice(OPERATORS[kind])
    letters = SHAPES[name].args
    if letters.endswith("*"):
        letters = letters[:-2] + letters[-2] * random.randint(0, 4)
    sort = SORT.get(letters[:1])
    return (name, *[_argument(random, some, letter, sort, depth) for letter in letters])


def _argument(random: Random, some: Sequence[Term], letter: str, sort: EnumSort | None, depth: int) -> Any:
    match letter:
        case "N":
            return expression(random, some, random.choice("IB"), depth - 1)
        case "w" | "W":
            return number(random), expression(random, some, "B" if letter == "w" else random.choice("IB"), depth - 1)
        case "i":
            return number(random)
        case "d":
            return abs(number(random)) + 1
        case "m":
            return random.randint(0, 31)
        case "s" | "S":
            assert sort is not None
            return random.choice(sort.members) if letter == "s" else random.choices(sort.members, k=2)
    return expression(random, some, letter, depth - 1)


def state(random: Random, some: Sequence[Term]) -> State:
    """A random state."""
    found: dict[Term, int] = {}
    for v in some:
        if v.mask:
            found[v] = random.choice([m for m in range(v.hi + 1) if v.mask >> m & 1])
        else:
            found[v] = random.choice((v.lo, v.hi, random.randint(v.lo, v.hi)))
    return found


# ---- all encoders on one term


def differences(random: Random) -> tuple[list[str], Counter[str]]:
    """What differs for one random term, and which encoders were compared."""
    some = pool(random)
    spec = expression(random, some, random.choice("BI"), 3)
    built, states = term(spec), [state(random, some) for _ in range(3)]
    truth = [meaning(spec, s) for s in states]
    slot, rows = {v: i for i, v in enumerate(some)}, [tuple(s.values()) for s in states]
    found: list[str] = []
    seen: Counter[str] = Counter()

    def compare(encoder: str, values: Sequence[int]) -> None:
        seen[encoder] += 1
        if list(values) != truth:
            found.append(f"{encoder}: {list(values)}, not {truth}, of {spec} in {rows}")

    compare("interpreter", [int(interpret([built], slot, row)[0]) for row in rows])
    compare("generated Python", [int(build_function([built], slot)(row)[0]) for row in rows])
    fits = all(abs(x) < 2**63 for row in rows for x in row)
    array = np.array(rows, np.int64 if fits else object).reshape(len(rows), len(some))
    compare("NumPy", [int(x) for x in batch_function([built], slot)(array)[0]])
    value = truth[0]
    asked = (built if value else not_(built)) if built.is_bool else eq(built, integer(value))
    right = [x == value for x in truth]
    whole = Integers()
    told = [whole.possible(and_(in_state(s), asked)) for s in states]
    seen["API of z3"] += 1
    if told != right:
        found.append(f"API of z3: {told}, not {right}, of {spec} = {value} in {rows}")
    for engine, portable in DIALECTS:
        checker = Checker(engine, portable)
        checker.add(asked)
        said = [checker.check(in_state(s)) for s in states]
        seen[f"z3 {engine}{', portable' * portable}"] += 1
        if said != right:
            found.append(f"z3 {engine}, portable={portable}: {said}, not {right}, of {spec} = {value} in {rows}")
    for s, so in zip(states, right, strict=True):
        said_by = verdict(Claim("", (in_state(s), asked)).script, _PATIENCE)
        seen["cvc5"] += said_by != "unknown"
        if said_by not in ("unknown", "sat" if so else "unsat"):
            found.append(f"cvc5: {said_by} of {spec} = {value} in {s}")
    try:
        program = compile_program([in_state(states[0]), asked])
    except Unsupported:
        seen["HiGHS refused"] += 1
    else:
        with local_highs():
            outcome = minimize(Minimization(program, [in_state(states[0]), asked]), Deadline(_PATIENCE), untold)
        seen["HiGHS"] += 1
        if outcome.status == "infeasible":
            found.append(f"HiGHS: no solution of {spec} = {value} in {rows[0]}")
    return found, seen


# ---- all positions of a rulebook


def positions(book: Rulebook) -> list[Facts] | None:
    """Every position that play can reach, by the plain interpreter, breadth first; None: there are too many."""
    first = book.first()
    found, queue = {_key(first): first}, deque([first])
    while queue:
        state = queue.popleft()
        for event in book.legal(state):
            after = book.after(state, event)
            assert after is not None
            if _key(after) not in found:
                if len(found) >= MOST_POSITIONS:
                    return None
                found[_key(after)] = after
                queue.append(after)
    return list(found.values())


def _key(state: Facts) -> str:
    return repr(sorted(state.items(), key=repr))


def unlike(random: Random) -> tuple[list[str], Counter[str]]:
    """What `reach` says of a random rulebook and is not so, and by what it was said."""
    book = made(random)
    found = positions(book)
    seen: Counter[str] = Counter()
    if found is None:
        return [], Counter({"rulebooks of too many positions": 1})
    game, wrong = loaded(book), []
    for _ in range(GOALS):
        goal = book.condition((), tuple(book.facts), 2)
        right = any(goal.of(s, {}) for s in found)
        try:
            answer = game.reach(goal.text, opponent="any", timeout=_PATIENCE)
        except InputError:  # such as of a goal that is undefined everywhere
            seen["goals that are refused"] += 1
            continue
        by = answer.proof.method if answer.proof else "a record" if answer.record else answer.reason
        seen[f"reach: {answer.status}, {by}"] += 1
        if answer.status != "unknown" and (answer.status == "reachable") != right:
            wrong.append(
                f"reach: {goal.text} is {answer.status} ({by}), not so in {len(found)} positions of {book!r}"
            )
    return wrong, seen


def main() -> int:
    """Hunt for so many minutes; the exit code is 1 if something differs."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=30, help="of processor time")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--of", choices=("terms", "positions"), help="both by default")
    asked = options.parse_args()
    seed, wrong = asked.seed * 10**9, 0
    tried: Counter[str] = Counter()
    while processor_time() < 60 * asked.minutes:
        seed += 1
        rulebook = asked.of == "positions" or (asked.of is None and seed % TERMS_FOR_EACH_RULEBOOK == 0)
        found, seen = unlike(Random(seed)) if rulebook else differences(Random(seed))
        tried += seen
        tried["rulebooks" if rulebook else "terms"] += 1
        for line in found:
            wrong += 1
            print(f"seed {seed}: {line}", flush=True)
    print(f"{tried['terms']:,} terms, {tried['rulebooks']:,} rulebooks, {wrong} differences")
    for encoder, number in sorted(tried.items()):
        print(f"  {encoder}: {number:,}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

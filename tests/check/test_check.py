"""Every finding code: a toy rule set that has the fault, and one that does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.toys.four_areas import (
    AREAS,
    CITES,
    FLAG,
    OVER,
    OWNER,
    WINNER,
    act,
    areas,
    changes,
    found,
    lint,
    outcome,
    owns,
    takings,
    toy,
)
from vclogic.check.catalogue import CATALOGUE, UNTOLD, Suppression
from vclogic.model.rules import LevelTable, Reading, Rule
from vclogic.model.system import System
from vclogic.model.transition import one_at_a_time
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import (
    add,
    all_of,
    and_,
    count,
    eq,
    ge,
    gt,
    ite,
    le,
    ne,
    not_,
    scale,
)
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term

RED, BLUE = areas("Red"), areas("Blue")
LINT = str(Path(__file__).parents[1] / "toys" / "four_areas.py")


MORE = [
    *takings(),
    act("Blue takes D", {OWNER["D"]: "Blue"}, not_(OVER.fluent), "Blue"),
    act("Red leaves A", {OWNER["A"]: "none"}, not_(OVER.fluent), "Red"),
]
"""Events that lead to more positions: by `takings` alone D stays nobody's, and A does not become so."""


def test_contradictions_and_gaps() -> None:
    both = [outcome("half", "Red", ge(RED, 2)), outcome("half", "Blue", ge(BLUE, 2))]
    answer = lint(toy(both, MORE, ends=OVER.fluent), "VC101", "VC103")
    (contradiction,) = found(answer, "VC101")
    assert (contradiction.severity, contradiction.scope, contradiction.cites) == ("error", "positions", ("1/1",))
    assert contradiction.rule == "half[Red] and half[Blue]"
    assert [p.file for p in contradiction.places[:2]] == [LINT, __file__]
    assert changes(contradiction) == {"owner[D]": "Blue", "over": True}
    assert contradiction.witness is not None
    assert contradiction.witness.minimal
    (gap,) = found(answer, "VC103")
    assert len(changes(gap)) == 2  # over, and one area of Red's fewer
    clean = [outcome("more", "Red", gt(RED, BLUE)), outcome("more", "Blue", le(RED, BLUE))]
    assert lint(toy(clean, ends=OVER.fluent), "VC101", "VC103").findings == ()


def test_a_gap_points_at_the_outcome_that_is_judged_then_and_lacks_least() -> None:
    never = outcome("never", "Red", ge(RED, 2), timing=FALSE)
    all_red = outcome("all", "Red", ge(RED, 4), have=RED, need=add(4))
    most_blue = outcome("most", "Blue", ge(BLUE, 2), have=BLUE, need=add(2))
    (gap,) = lint(toy([never, all_red, most_blue], ends=OVER.fluent), "VC103").findings
    assert gap.message == "the game is over and nobody has won; most of the Blue side is judged then and not met"
    assert gap.places == most_blue.made
    assert gap.rule == "end of the game"


def test_an_undefined_value_and_level_tables() -> None:
    ratio = Partial(ge(RED, scale(BLUE, 2)), ge(BLUE, 1))
    rows = {"decisive": ge(RED, scale(BLUE, 2)), "marginal": ge(RED, BLUE), "defeat": gt(BLUE, add(RED, 1))}
    rows["rout"] = and_(ge(BLUE, 3), ge(RED, 2))  # there are four areas
    literal = LevelTable("levels", {n: Partial(t) for n, t in rows.items()}, "by ratio", CITES, OVER.fluent)
    mended = LevelTable(
        "mended", {"won": Partial(gt(RED, BLUE)), "lost": Partial(le(RED, BLUE))}, "one of both", CITES, OVER.fluent
    )
    made = toy([outcome("ratio", "Red", ratio, lacks="Blue has nothing")], levels=(literal, mended))
    answer = lint(made, "VC104", "VC105", "VC106", "VC201")
    assert [f.rule for f in found(answer, "VC201")] == ["levels[rout]"]
    (undefined,) = found(answer, "VC106")
    assert "Blue has nothing" in undefined.message
    assert changes(undefined)["owner[C]"] != "Blue"
    assert [f.rule for f in found(answer, "VC104")] == ["levels[decisive, marginal]"]
    (gap,) = found(answer, "VC105")  # Blue is one ahead
    assert gap.rule == "levels"
    assert len(changes(gap)) == 2


def test_rows_without_a_meaning_for_one_reason_are_one_finding() -> None:
    rows = {name: Partial(ge(RED, scale(BLUE, n)), ge(BLUE, 1)) for n, name in ((1, "even"), (2, "double"))}
    rows["none"] = replace(Partial(ge(BLUE, 2)), defined=ge(RED, 1))
    table = LevelTable("levels", rows, "by ratio", CITES, OVER.fluent)
    findings = found(lint(toy([], levels=(table,)), "VC106"), "VC106")
    assert [f.rule for f in findings] == ["levels[even, double]", "levels[none]"]
    assert findings[0].message == "the rows even and double have no meaning in levels"


def test_the_order_of_evaluation() -> None:
    latched = {"won": eq(WINNER.fluent, "Red"), "lost": eq(WINNER.fluent, "Blue")}
    other = {"won": eq(WINNER.fluent, "Blue"), "lost": eq(WINNER.fluent, "Red")}

    def ends(blue: int) -> System:
        judged = [outcome("a", "Red", ge(RED, 2), **latched), outcome("b", "Blue", ge(BLUE, blue), **other)]
        red = ite(and_(eq(WINNER.fluent, "none"), ge(RED, 2)), _holder("Red"), WINNER.fluent)
        new = ite(and_(eq(WINNER.fluent, "none"), not_(ge(RED, 2)), ge(BLUE, blue)), _holder("Blue"), red)
        end = act("end", {OVER.fluent: True, WINNER.fluent: new}, not_(OVER.fluent))
        return toy(judged, [*takings()[:-1], end], winner=WINNER.fluent)

    (order,) = found(lint(ends(2), "VC102"), "VC102")
    assert "Red is recorded" in order.message
    assert order.witness is not None
    assert order.witness.then == ("end",)
    assert changes(order) == {"owner[D]": "Blue"}
    assert lint(ends(3), "VC102").findings == ()


def _holder(side: str) -> Term:
    from vclogic.terms.atoms import member
    from vclogic.terms.sorts import EnumSort

    assert isinstance(WINNER.sort, EnumSort)
    return member(WINNER.sort, side)


def test_who_was_first_to_win_is_never_replaced() -> None:
    def ends(needs: Term) -> System:
        new = ite(and_(needs, ge(RED, 2)), _holder("Red"), WINNER.fluent)
        end = act("end", {OVER.fluent: True, WINNER.fluent: new}, not_(OVER.fluent))
        return toy([outcome("a", "Red", ge(RED, 2))], [*takings()[:-1], end], winner=WINNER.fluent)

    (replaced,) = lint(ends(TRUE), "VC203").findings
    assert replaced.rule == "winner[Blue]"
    assert replaced.witness is not None
    assert (changes(replaced), replaced.witness.then) == ({"winner": "Blue"}, ("end",))
    kept = lint(ends(eq(WINNER.fluent, "none")), "VC203")
    assert (kept.findings, kept.unknown) == ((), ())


def test_what_can_never_be_met_and_what_is_from_the_start() -> None:
    never = outcome("never", "Red", and_(ge(RED, 3), ge(BLUE, 2)))
    at_once = outcome("two", "Red", ge(RED, 2), timing=TRUE)
    law = Rule("law", not_(eq(OWNER["A"], "none")), "A belongs to somebody", CITES)
    idle = Rule("idle", eq(OWNER["A"], "none"), "A belongs to nobody", CITES)
    answer = lint(toy([never, at_once], rules=(idle,), invariants=(law,)), "VC201", "VC202")
    assert [f.rule for f in found(answer, "VC201")] == ["idle", "never[Red]"]
    assert "a fresh run of z3 confirms it" in found(answer, "VC201")[0].proof
    (early,) = found(answer, "VC202")
    assert (early.rule, early.scope) == ("two[Red]", "reachable")
    assert changes(early) == {}


def test_what_lasts() -> None:
    rules = (
        Rule("flag", ne(FLAG.fluent, "none"), "the flag is up", CITES, lasting=False),  # once up, it stays
        Rule("latched", eq(FLAG.fluent, "Red"), "Red raised it", CITES, lasting=True),
        Rule("a", owns("Red", "A"), "Red holds A", CITES, lasting=False),
        Rule("b", owns("Red", "B"), "Red holds B", CITES, lasting=True),  # Blue takes it
    )
    up = ite(eq(FLAG.fluent, "none"), _holder("Red"), FLAG.fluent)
    made = toy([], [*takings(), act("raise", {FLAG.fluent: up})], rules=rules)
    answer = lint(made, "VC203", "VC204")
    (lost,) = found(answer, "VC203")
    assert lost.rule == "b"
    assert lost.witness is not None
    assert (lost.witness.changes, lost.witness.then) == ((), ("Blue takes B",))
    (kept,) = found(answer, "VC204")
    assert kept.rule == "flag"


TIE = Reading("tie", {"red": "a tie is Red's", "blue": "a tie is Blue's"}, "red", "it says so", CITES)
IDLE = Reading("idle", {"yes": "so", "no": "not so"}, "yes", "it says so", CITES)


def test_readings() -> None:
    def under(name: str, value: str) -> System:
        ahead = ge if value == "red" or name == "idle" else gt
        more, less = outcome("more", "Red", ahead(RED, BLUE)), outcome("less", "Blue", not_(ahead(RED, BLUE)))
        return toy([more, less], MORE)

    read = {"tie": "red", "idle": "yes"}
    answer = lint(under("tie", "red"), "VC502", readings=(TIE, IDLE), read=read, under=under)
    (deciding,) = answer.findings
    assert deciding.rule == "reading tie"
    assert len(changes(deciding)) == 2  # over, and D is Blue's
    assert deciding.places[0].line == TIE.made[0].line


# ---- reachable


def test_whether_play_leads_there() -> None:
    outcomes = [outcome("half", "Red", ge(RED, 2)), outcome("half", "Blue", ge(BLUE, 2))]
    outcomes.append(outcome("none", "Blue", eq(areas("Blue"), 0)))
    answer = lint(toy([*outcomes, outcome("all", "Red", ge(RED, 4))]), "VC101", "VC201", scope="reachable")
    rules = {f.rule: f for f in found(answer, "VC101")}
    assert "half[Red] and half[Blue]" not in rules  # D is nobody's for good, so that four areas never are
    (cleared,) = [c for c in answer.cleared if c.rule == "half[Red] and half[Blue]"]
    assert "no record leads there" in cleared.proof
    reached = rules["half[Red] and none[Blue]"]
    assert reached.scope == "reachable"
    assert [s.action for s in reached.steps] == ["Red takes C", "end"]
    assert changes(reached) == {"owner[C]": "Red", "over": True}
    (never,) = found(answer, "VC201")
    assert (never.rule, never.scope) == ("all[Red]", "reachable")
    assert never.message == "the Red side never wins by all, however play goes on from this start"


def test_play_is_asked_of_all_events_not_of_those_that_a_planning_model_knows() -> None:
    """Red takes everything by events that the default metric leaves out: the finding stays, with the record."""
    outcomes = [outcome("half", "Red", ge(RED, 3)), outcome("half", "Blue", not_(owns("Red", "A")))]
    outcomes.append(outcome("most", "Blue", ge(RED, 3)))
    system = toy(outcomes)
    some = [a for a in takings() if a.name in ("Blue takes A", "end")]
    steps = one_at_a_time(some, "moves")
    few = replace(system.metrics[0], transition=lambda s, o, start: steps, events=("Blue takes A", "end"))
    answer = lint(replace(system, metrics=(few,)), "VC101", "VC201", scope="reachable")
    rules = {f.rule: f for f in found(answer, "VC101")}
    assert [s.action for s in rules["half[Red] and most[Blue]"].steps] == ["Red takes C", "end"]
    assert not found(answer, "VC201")
    assert [c.rule for c in answer.cleared] == ["half[Red] and half[Blue]"]  # D is nobody's for good


def test_what_is_not_decided_in_time_is_unknown_not_silent() -> None:
    both = [outcome("half", "Red", ge(RED, 2)), outcome("half", "Blue", ge(BLUE, 2))]
    answer = lint(toy(both), "VC101", timeout=0.001)
    assert answer.findings == ()
    assert [u.code for u in answer.unknown] == ["VC101"]
    assert all("time" in u.reason for u in answer.unknown)
    assert {u.code for u in lint(toy(both), timeout=1e-9).unknown} == set(CATALOGUE) - {"VC001", *UNTOLD}


# ---- suppression, pieces


def test_suppressions_and_stale_ones() -> None:
    both = [outcome("half", "Red", ge(RED, 2)), outcome("half", "Blue", ge(BLUE, 2))]
    given = (
        Suppression("VC101", "half[Red] and *", "the text says so", line=3),
        Suppression("VC101", "other[*]", "it did once", line=6),
        Suppression("VC202", "half[*]", "not looked for", line=9),
    )
    answer = lint(toy(both, MORE), "VC001", "VC101", suppressions=given)
    assert [(f.code, f.suppressed) for f in answer.findings] == [("VC001", None), ("VC101", "the text says so")]
    (stale,) = answer.open
    assert (stale.rule, stale.places[0].line) == ("VC101 other[*]", 6)


def test_fewest_pieces_come_before_fewest_changes() -> None:
    held = all_of([owns("Red", "A"), owns("Red", "B")])
    pieces = count(ne(OWNER[a], "none") for a in AREAS)
    left = act("Red leaves C", {OWNER["C"]: "none"}, not_(OVER.fluent), "Red")
    made = toy([outcome("two", "Red", held), outcome("two", "Blue", held)], [*takings(), left])
    (plainly,) = lint(made, "VC101").findings
    assert changes(plainly) == {"over": True}
    (small,) = lint(replace(made, pieces=pieces), "VC101").findings
    assert changes(small) == {"over": True, "owner[C]": "none"}
    assert small.witness is not None
    assert small.witness.pieces == 2
    assert (small.scope, small.steps) == ("positions", ())


def test_a_position_that_play_leads_to_is_shown_before_a_smaller_one_that_nobody_can_set_up() -> None:
    held = all_of([owns("Red", "A"), owns("Red", "B")])
    pieces = count(ne(OWNER[a], "none") for a in AREAS)  # no event takes one off the board
    (shown,) = lint(toy([outcome("two", s, held) for s in ("Red", "Blue")], pieces=pieces), "VC101").findings
    assert changes(shown) == {"over": True}
    assert shown.scope == "reachable"
    assert [step.action for step in shown.steps] == ["end"]

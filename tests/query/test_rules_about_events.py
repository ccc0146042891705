"""Rules about events: `check` proves them, or shows the position and the event that breaks them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import event as note
from hypothesis import given

from tests.fixtures.all_positions import never_looked_at
from tests.fixtures.efforts import effort
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import examples
from tests.query.reach.test_last_event import Question, questions
from tests.terms.specs import term
from tests.toys.four_areas import (
    CITES,
    HOLDER,
    OVER,
    OWNER,
    ROUND,
    SIDE,
    areas,
    changes,
    found,
    lint,
    outcome,
    toy,
)
from tests.toys.small_systems import all_values
from tests.toys.template_game import installed
from vclogic.check.findings import CheckedRules
from vclogic.check.run import check_rules, smoke_build
from vclogic.cli import main as cli
from vclogic.errors import InputError
from vclogic.files.blame import check_references
from vclogic.model.actions import Action, Parameter, Requirement, Schema
from vclogic.model.event_terms import actor, before, happens
from vclogic.model.rules import Observable, Rule
from vclogic.model.system import ANY, System
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve.backends.session import Effort
from vclogic.terms.atoms import integer, member, var
from vclogic.terms.build import add, and_, eq, ge, implies, le, not_, or_
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Term

RED, BLUE = areas("Red"), areas("Blue")
AREA = OWNER.indices[0]


def take(side: str, area: str) -> Action:
    """A side takes an area that the other one holds."""
    other = "Blue" if side == "Red" else "Red"
    needs = (Requirement(eq(OWNER[area], other), "it is not the other side's"),)
    return Action(
        "take", (("side", side), ("area", area)), side, needs, ((OWNER[area], member(HOLDER, side)),), "taken"
    )


def leave(area: str) -> Action:
    """Blue gives an area up, in the first two rounds."""
    after = member(HOLDER, "none")
    needs = (Requirement(eq(OWNER[area], "Blue"), "it is not Blue's"), Requirement(le(ROUND.fluent, 2), "too late"))
    return Action("leave", (("area", area),), "Blue", needs, ((OWNER[area], after),), f"Blue leaves {area}")


def later(n: Term) -> Action:
    """Some rounds pass."""
    new = add(ROUND.fluent, n)
    return Action(
        "later", (("n", 0),), None, (Requirement(le(new, 6), "the end"),), ((ROUND.fluent, new),), "time passes"
    )


TAKE = Schema("take", (Parameter("side", Domain(SIDE)), Parameter("area", AREA)), take, "a side takes an area")
LEAVE = Schema("leave", (Parameter("area", AREA),), leave, "an area is left")
LATER = Schema("later", (Parameter("n", range(1, 4), term=True),), later, "rounds pass")


def rule(name: str, says: Term) -> Rule:
    return Rule(name, says, f"{name}, as the text has it", CITES, step=True)


def ruled(*rules: Rule, events: tuple[Schema, ...] = (TAKE, LEAVE, LATER)) -> System:
    return toy([outcome("two", "Red", ge(RED, 2))], rules=rules, events=events)


def test_what_every_event_keeps_is_proved() -> None:
    """No finding, and nothing left open: that is the proof."""
    rules = (
        rule("who takes gains", implies(happens("take", side="Red"), ge(RED, add(before(RED), 1)))),
        rule("blue loses nothing to itself", implies(actor("Blue"), ge(RED, 0))),
        rule("rounds only rise", ge(ROUND.fluent, before(ROUND.fluent))),
        rule("three at most", implies(happens("later"), le(ROUND.fluent, add(before(ROUND.fluent), 3)))),
        rule("only time passes", or_(happens("later"), eq(ROUND.fluent, before(ROUND.fluent)))),
        rule("two are two", implies(happens("later", n=2), eq(ROUND.fluent, add(before(ROUND.fluent), 2)))),
    )
    answer = lint(ruled(*rules), "VC205")
    assert (answer.findings, answer.unknown, answer.cleared) == ((), (), ())


def test_what_an_event_breaks_is_shown_with_the_event() -> None:
    answer = lint(
        ruled(rule("blue keeps", ge(BLUE, before(BLUE))), rule("time stands", not_(happens("later", n=3)))), "VC205"
    )
    time, keeps = sorted(found(answer, "VC205"), key=lambda f: f.rule, reverse=True)
    assert (keeps.severity, keeps.scope, keeps.cites) == ("error", "positions", ("1/1",))
    assert keeps.message == "an event breaks the rule blue keeps: blue keeps, as the text has it"
    assert keeps.witness is not None
    assert (changes(keeps), keeps.witness.minimal) == ({}, True)  # Blue has an area at the start
    assert keeps.witness.then in (("taken",), ("Blue leaves C",))
    assert [p.file for p in keeps.places[:1]] == [__file__]
    assert time.witness is not None
    assert time.witness.then == ("time passes",)
    assert answer.unknown == ()


def test_the_smallest_position_from_which_an_event_breaks_it() -> None:
    """Red must have three areas, and one more after the event."""
    four = rule("not all", not_(and_(happens("take", area="A"), eq(RED, 4))))
    (finding,) = found(lint(ruled(four), "VC205"), "VC205")
    assert changes(finding) == {"owner[A]": "Blue", "owner[C]": "Red", "owner[D]": "Red"}
    assert finding.witness is not None
    assert finding.witness.minimal


def test_play_from_the_start_leads_to_it_or_never_does() -> None:
    """Red takes C and Blue takes both back; nobody ever takes D, since nobody holds it."""
    alone = rule("never alone", not_(and_(happens("take", side="Blue"), eq(BLUE, 3))))
    d = rule("nobody takes D", not_(happens("take", area="D")))
    answer = lint(ruled(alone, d), "VC205", scope="reachable")
    (finding,) = found(answer, "VC205")
    assert (finding.rule, finding.scope) == ("never alone", "reachable")
    assert [s.args for s in finding.steps] in (
        [{"side": "Blue", "area": "A"}],
        [{"side": "Blue", "area": "B"}],
    )
    assert finding.witness is not None
    assert finding.witness.then == ("taken",)
    assert len(changes(finding)) == 1
    (cleared,) = answer.cleared
    assert (cleared.code, cleared.rule) == ("VC205", "nobody takes D")
    assert "no record leads there, however long" in cleared.proof


def test_a_rule_about_events_is_no_rule_about_positions() -> None:
    """It is neither met nor never met, and lasts no time."""
    answer = lint(ruled(rule("odd", happens("later"))), "VC201", "VC203", "VC204")
    assert {f.rule for f in answer.findings} == {"two[Red]"}  # the game never ends here, so that nothing is judged


def test_a_rule_that_speaks_of_what_there_is_not_is_bad_input() -> None:
    strange = (
        rule("a", happens("taken")),
        rule("b", happens("take", who="Red")),
        rule("c", happens("take", side="Green")),
        rule("d", actor("Green")),
        rule("e", happens("later", n=4)),
        rule("f", before(var("dawn", BOOL))),
    )
    with pytest.raises(InputError) as caught:
        smoke_build(ruled(*strange))
    assert [d.message for d in caught.value.diagnostics] == [
        "the rule f refers to 'dawn', which is no fluent of the rule set",
        "the rule a speaks of 'taken', which is no event",
        "the rule b speaks of 'who', which take does not take",
        "the rule c speaks of side='Green', which is no such thing",
        "the rule d speaks of 'Green', which is no side or power",
        "the rule e speaks of n=4, which is no such thing",
    ]
    assert all(Path(d.file or "").name == Path(__file__).name and d.line for d in caught.value.diagnostics[1:])
    with pytest.raises(ValueError, match="inside it"):
        before(and_(actor("Red"), OVER.fluent))


def test_an_observable_cannot_have_the_name_of_a_word() -> None:
    with pytest.raises(ValueError, match="cannot be called happens"):
        Observable("happens", (), lambda: integer(0), "what happens")


# ---- random ones


@examples(60)
@given(questions())
def test_a_rule_has_a_finding_where_some_event_breaks_it(q: Question) -> None:
    """Over all positions, reachable or not, with every event that records may hold."""
    q = replace(q, side=None)
    small, system = q.rules.small, q.system
    anywhere = (tuple(values[v] for v in small.fluents) for values in all_values(small.fluents))
    broken = any(q.shows(x) for state in anywhere for x in q.after(state))
    system = replace(system, rules=(rule("law", not_(term(q.goal))),))
    with local_sessions(5):
        answer = check_rules(CheckedRules("small", system, small.start), ("VC205",), effort=effort(20))
    note(f"broken: {broken}")
    assert answer.unknown == ()
    assert len(answer.findings) == broken
    for f in answer.findings:
        assert f.witness is not None
        state = list(small.start)
        for c in f.witness.changes:
            i = [v.name for v in small.fluents].index(c.fluent)
            state[i] = system.layout.state({**system.layout.values(small.start), small.fluents[i]: c.after})[i]
        assert any(q.shows(x) for x in q.after(tuple(state)))


@examples(60)
@given(questions())
def test_play_from_the_start_is_looked_for_by_every_event(q: Question) -> None:
    """A finding stays where play leads to the event, and is cleared where it never does."""
    q = replace(q, side=None)
    small, system = q.rules.small, q.system
    anywhere = (tuple(values[v] for v in small.fluents) for values in all_values(small.fluents))
    broken = any(q.shows(x) for state in anywhere for x in q.after(state))
    reached = any(map(q.shows, q.happened(small.start)))
    system = replace(system, rules=(rule("law", not_(term(q.goal))),))

    def ask(spent: Effort) -> ResolvedQuestion:
        return ResolvedQuestion("small", system, small.start, (), None, ANY, system.metrics[0], spent)

    rules = CheckedRules("small", system, small.start)
    with local_sessions(5), never_looked_at():
        answer = check_rules(rules, ("VC205",), effort=effort(20), scope="reachable", ask=ask)
    note(f"broken: {broken}, by play: {reached}")
    assert answer.unknown == ()
    assert [f.scope for f in answer.findings] == ["reachable"] * reached
    assert [c.rule for c in answer.cleared] == ["law"] * (broken and not reached)
    for f in answer.findings:
        state = small.start
        for step in f.steps:
            (x,) = (y for y in q.after(state) if y.name == step.action and y.number == step.args.get("n"))
            state = x.after
        assert any(map(q.shows, q.after(state)))


# ---- a game of one's own


def test_a_game_of_ones_own_has_a_rule_about_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a player reads it: the rule, the line it stands in, the position and the event."""
    with installed(tmp_path, monkeypatch) as package:
        rules = package / "rules.py"
        text = rules.read_text()
        line = 'Rule("over", self.over(), "a side has won, and nothing is taken any more", cite("1/2")),'
        assert line in text
        gains = 'Rule("own", implies(actor("Red"), ge(self.points("Red"), before(self.points("Red")))), "{}", {}),'
        gains = gains.format("Red loses nothing by what it takes", 'cite("1/1"), step=True')
        held = 'Rule("held", ge(self.points("Red"), before(self.points("Red"))), "Red loses nothing", {}),'
        held = held.format('cite("1/1"), step=True')
        text = text.replace(line, f"{line} {gains} {held}")
        text = text.replace("from vclogic.terms.build import ", "from vclogic.terms.build import implies, ")
        head = "from vclogic.model.event_terms import actor, before\n"
        rules.write_text(text.replace("from vclogic.model.system", head + "from vclogic.model.system", 1))
        assert cli.run(("check", "hill_war", "--select", "VC205", "--scope", "reachable")) == 1
        shown = capsys.readouterr().out
    assert "error[VC205]: an event breaks the rule held: Red loses nothing [1/1]" in shown
    assert "hill_war/rules.py:" in shown
    assert "shown by the start of hill_war/first as it is" in shown
    assert "and then\n    - Blue takes " in shown
    assert "rule: own" not in shown


def test_a_rule_that_does_not_say_that_it_is_about_events_is_bad_input() -> None:
    with pytest.raises(InputError) as caught:
        check_references(ruled(Rule("still", ge(RED, before(RED)), "Red keeps what it has", CITES)))
    first = caught.value.diagnostics[0]
    assert first.message.startswith("the rule still refers to 'before(owner[")
    assert (first.file, first.help) == (__file__, "a rule about events is declared so: Rule(..., step=True)")
    check_references(ruled(rule("still", ge(RED, before(RED)))))

"""Text report of `plan --opponent best`: whether a goal can be forced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.choices import by_command
from vclogic.query.force.answer import Force, LinesChecked, TurnTaken, Variation
from vclogic.report.text.page import bracketed, head, indented, one_line, paragraphs, plain, verdict
from vclogic.report.text.steps import footing, rests_on
from vclogic.words import amount, joined, of_side, verb


def force(answer: Force) -> Group:
    """The report as text."""
    within = amount(answer.horizon.n or 0, answer.horizon.unit)
    asked = f"Can {of_side(answer.side)} force {one_line(answer.goal)} within {within} of theirs?"
    cases = answer.strategy or answer.refutation
    aim = "the goal holds"
    return paragraphs(
        head(asked, answer.game, answer.heading),
        headline(answer),
        variations(cases, aim) if cases else None,
        footing(rests_on(answer), answer.elapsed_s, as_checked(answer.checked)),
    )


def headline(answer: Force) -> Text:
    """The verdict, in a line."""
    return verdict(answer.status, ": " + _because(answer))


def _because(answer: Force) -> str:
    unfinished = f"; {answer.reason}" if answer.reason else ""
    match answer.status:
        case "forced" if not answer.turns and not answer.strategy and not unfinished:
            return "the goal holds already, or comes before their next turn whatever is done"
        case "forced":
            turns = amount(answer.turns or 0, "turn")
            fewest = ", the fewest possible" if answer.turns == answer.at_least else ""
            return f"within {turns} of {of_side(answer.side)}{fewest}, whatever the others do{unfinished}"
        case "refuted":
            within = amount(answer.horizon.n or 0, "turn")
            whatever = f"whatever {of_side(answer.side)} {verb(answer.side, 'does')}"
            return f"{whatever}, the others can prevent it for {within}{unfinished}"
        case _:
            known = f"; it takes at least {amount(answer.at_least, 'turn')}" if answer.at_least else ""
            return f"{answer.reason}; whether it can be forced is open{known}"


_MOST = 8  # cases that are shown of one moment
_MORE = ": --format json lists them all"


def variations(cases: Sequence[Variation], aim: str) -> Group:
    """The cases with what is answered to each, and what follows, further in.

    Args:
        aim: What is so once the answer is given, such as `the goal holds`.
    """
    return Group(*(indented(line, by) if by else line for by, line in _lines(cases, aim, 0)))


def _lines(cases: Sequence[Variation], aim: str, by: int) -> Iterator[tuple[int, RenderableType]]:
    for n, case in enumerate(cases[:_MOST]):
        inner = by
        if case.such_as:
            yield by, _heading(case, alone=len(cases) == 1, last=n == len(cases) - 1)
            inner += 4
        for turn in case.turns:
            yield inner, _turn(turn)
        if case.reached:
            yield inner, Text(f"{aim}.", "green")
        yield from _lines(case.then, aim, inner)
        if case.partial:
            yield inner, Text("For other turns the answer was not put into words.", "yellow")
    if len(cases) > _MOST:
        yield by, Text(f"and {amount(len(cases) - _MOST, 'more case')}{by_command(_MORE)}", "dim")


def _heading(case: Variation, *, alone: bool, last: bool) -> Text:
    actors = list(dict.fromkeys(turn.actor for turn in case.such_as))
    who, does = joined([*map(of_side, actors)]), verb(actors[0], "does") if len(actors) == 1 else "do"
    such = "; ".join(_deeds(turn) for turn in case.such_as)
    if case.when:
        facts = joined([f"{name} is {value}" for name, value in case.when.items()])
        return Text.assemble(("If then ", "bold"), (plain(facts), "bold"), (f" (such as: {plain(such)})", "dim"))
    words = f"Whatever {who} {does}" if alone or not last else "Otherwise"
    return Text.assemble((plain(words), "bold"), (f" (such as: {plain(such)})", "dim"))


def _turn(turn: TurnTaken) -> Text:
    when = ", ".join(f"{name} {value}" for name, value in turn.turn.items() if value != turn.actor)
    clauses = tuple(dict.fromkeys(c for step in turn.steps for c in step.cites))
    return Text.assemble((f"{when}: " if when else "", "cyan"), plain(_deeds(turn)), (bracketed(clauses), "dim"))


def _deeds(turn: TurnTaken) -> str:
    return "; ".join(step.text for step in turn.steps) or f"{turn.actor}: nothing"


def as_checked(checked: LinesChecked | None) -> list[str]:
    """The second check of the lines, in plain sentences."""
    if checked is None:
        return []
    which = "every legal turn" if checked.every else "a sample of the legal turns"
    against = (
        f"Checked: played without a solver against {which}, {amount(checked.replies, 'turn')} in "
        f"{amount(checked.positions, 'position')}; each is answered as shown."
    )
    return [*([against] if checked.replies else []), *_as_records(checked)]


def _as_records(checked: LinesChecked) -> Iterator[str]:
    """The number of lines that were played as records."""
    if checked.recorded:
        were = f"{amount(checked.recorded, 'line')} of play {'was' if checked.recorded == 1 else 'were'}"
        yield f"{were} also played as a record, event by event: the rules accept each event."
    if checked.refused:
        lines, are = amount(checked.refused, "line"), "is no record" if checked.refused == 1 else "are no records"
        yield f"{lines} of play {are}, since the planning model leaves something out: {plain(checked.refusal)}."

"""Text report of `plan`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from vclogic.choices import by_command
from vclogic.model.battles import in_words
from vclogic.model.fluents import Value
from vclogic.query.plan.answer import Plan
from vclogic.query.plan.battles import LOW
from vclogic.query.plan.risks import Battles, Counterattack, ExposedPlace, Exposure, FoughtBattle, TurnExposed
from vclogic.report.text.page import head, indented, one_line, paragraphs, plain, titled, verdict
from vclogic.report.text.steps import by_events, found_footing, rests_on, steps_table
from vclogic.solve.backends.claims import confirmation
from vclogic.solve.problem import ProofMethod
from vclogic.words import amount, bounds, expected, in_parts, percent

_METHODS = frozenset(ProofMethod)
_ALL = "; `vclogic reach` tries all events of the rules", "; whether it can happen at all is another question"


def plan(answer: Plan, file: str | None = None) -> Group:
    """The report as text.

    Args:
        file: The position file to which its record was written, if any.
    """
    least = f"least {answer.metric}" if answer.scale else f"fewest {answer.metric}"
    asked = f"{least.capitalize()} to {one_line(answer.goal)}"
    if answer.maximum is not None:
        asked = f"Largest {one_line(answer.maximum.expr)}, with the {least}"
    low = low_chance(answer.battles)
    return paragraphs(
        head(asked, answer.game, answer.heading),
        headline(answer) if low is None else Group(headline(answer), low),
        steps_table(answer.steps, answer.battles) if answer.steps else None,
        battles_section(answer.battles),
        exposed(answer.exposed),
        *_others(answer),
        found_footing(answer, _assumptions(answer), file),
    )


def headline(answer: Plan) -> Text:
    """The verdict and its proof, in a line."""
    return verdict(answer.status, _maximum(answer) + _because(answer))


def _others(answer: Plan) -> Iterable[Group | Text]:
    """The other plans, and whether there are more."""
    if answer.plans is None:
        return
    found = answer.plans.found
    for n, other in enumerate(found[1:], 2):
        unrecorded = other.record.reason if other.record.events is None else ""
        note = [Text(f"No record: {unrecorded}", "dim")] if unrecorded else []
        battles = battles_section(other.battles)
        fought = [] if battles is None else [battles]
        yield Group(
            Text(f"Plan {n}, of the same cost", "bold"), steps_table(other.steps, other.battles), *fought, *note
        )
    number = amount(len(found), "plan")
    if answer.plans.complete:
        yield Text(f"{number}; no other of this cost takes anything else (order and equal events do not count)")
    else:
        yield Text(f"{number}; there may be more: {answer.plans.reason}")


def _assumptions(answer: Plan) -> tuple[str, ...]:
    """The assumptions of the answer; the events that it leaves out are among them where the verdict names none."""
    return answer.assumptions if answer.status == "impossible" else rests_on(answer)


def _because(answer: Plan) -> str:
    """The verdict in plain words, from its colon on."""
    limit = _limit(answer)
    match answer.status:
        case "optimal":
            return ": " + _optimal(answer) + limit
        case "feasible":
            return ": " + _feasible(answer)
        case "impossible":
            proof = ProofMethod(answer.bound_by).plan if answer.bound_by in _METHODS else ""
            if answer.bound_by == ProofMethod.POSITIONS:
                return f", ever: {_agreed(proof, answer)}"
            none = _agreed(proof, answer) if proof else f"there is no plan{_prover(answer)}"
            return f"{by_events(answer.events)}{limit}: {none}{by_command(*_ALL)}"
        case "unknown":
            low = bounds(_cost(answer, answer.lower_bound), "") if answer.lower_bound else ""
            least = f"; it would need {low}" if low else ""
            return f": {_reason(answer)}; whether there is a plan is open{least}"


def _maximum(answer: Plan) -> str:
    found = answer.maximum
    if found is None or found.value is None:
        return ""
    shown = one_line(found.expr)
    if answer.status == "optimal" or found.value == found.upper_bound:
        agreed = f" ({confirmation(found.confirmed_by)})" if found.confirmed_by else ""
        return f": {shown} is at most {found.value}{agreed}"
    return f": {shown} is {found.value} in the best plan found, and cannot be more than {found.upper_bound}"


def _optimal(answer: Plan) -> str:
    if not answer.cost:
        if not answer.steps and answer.record and answer.record.events:
            return f"0 {answer.metric}; what has been moved so far is enough, once its battles are decided"
        if not answer.steps:
            return f"0 {answer.metric}; the goal holds already"
        if answer.scale:
            return f"{_cost(answer, answer.cost)}: nothing that the plan takes is defended"
        return f"0 {answer.metric}; the steps below cost nothing and lead to the moment at which the goal holds"
    least = "the least possible" if answer.scale else "the fewest possible"
    return f"{_cost(answer, answer.cost)}, {least}{_prover(answer)}"


def _feasible(answer: Plan) -> str:
    found = _cost(answer, answer.cost)
    if not answer.lower_bound or answer.lower_bound == answer.cost:
        return f"{found} found; there may be cheaper plans: {_reason(answer)}"
    least, most = (in_parts(n or 0, answer.scale) if answer.scale else n for n in (answer.lower_bound, answer.cost))
    gap = f" (a gap of {100 - 100 * answer.lower_bound // (answer.cost or 1)} %)" if answer.scale else ""
    known = f"{bounds(str(least), found)}{gap}{_prover(answer)}"
    return f"{known}; this plan has {most}, there may be cheaper ones: {_reason(answer)}"


def _limit(answer: Plan) -> str:
    """The limit of a verdict on the length of plans."""
    if answer.horizon.n is None:
        return ""
    within = amount(answer.horizon.n, answer.horizon.unit)
    return f" within {within}" if answer.status == "impossible" else f"; only plans of at most {within} count"


def _agreed(proof: str, answer: Plan) -> str:
    """A proof in words, with the other solver that agrees."""
    if not answer.confirmed_by:
        return proof
    agreed = confirmation(answer.confirmed_by)
    return f"{proof[:-1]}; {agreed})" if proof.endswith(")") else f"{proof} ({agreed})"


def _prover(answer: Plan) -> str:
    if not answer.bound_by:
        return ""
    if answer.exact:
        agreed = f"; {confirmation(answer.confirmed_by)}" if answer.confirmed_by else ""
        return f" (proved by {answer.bound_by}{agreed})"
    if answer.argued and answer.bound_by != "HiGHS":
        given = f"given that {'; '.join(answer.argued)}"
        return f" (proved by {answer.bound_by}, {given}{by_command('; --certify looks for a proof without that')})"
    checked = by_command("; --certify has z3 check it")
    if answer.reason and answer.status != "feasible":  # there it says why the search stopped
        checked = f"; z3 did not confirm it: {answer.reason}"
    return f" (proved by {answer.bound_by} in floating point{checked})"


def _cost(answer: Plan, n: int | None) -> str:
    if answer.scale:
        return f"{in_parts(n or 0, answer.scale)} {answer.counted or answer.metric}"
    return amount(n or 0, answer.metric)


def _reason(answer: Plan) -> str:
    return answer.reason or "the search stopped early"


_TITLE = "Battles (chances by the dice; antiaircraft fire included)"
_WEAKEST = "the weakest"


def battles_section(battles: Battles | None) -> Group | None:
    """The battles with their chances, and all of them together; None where there are none."""
    if battles is None:
        return None
    lines = [Text(f"all of them: {battles.overall}{_combined(battles)}")] if len(battles.fought) > 1 else []
    if battles.losses is not None and battles.value_lost is not None:
        value = f"{expected(battles.value_lost)} {plain(battles.currency)}"
        lines.append(Text(f"losses to expect: {expected(battles.losses)} units, worth {value}"))
    return Group(Text(_TITLE, "bold"), indented(_rows(battles)), *map(indented, lines))


def low_chance(battles: Battles | None) -> Text | None:
    """A warning that a plan is no advice, where its chance is low and the game knows a better question."""
    if battles is None or not battles.advice or battles.at_most >= LOW:
        return None
    several = f"all {len(battles.fought)} battles go" if len(battles.fought) > 1 else "its battle goes"
    return Text(f"The chance that {several} as planned is {battles.overall}: {plain(battles.advice)}", "bold yellow")


def _combined(battles: Battles) -> str:
    missing = sum(b.chance is None for b in battles.fought)
    left_out = f" (without {amount(missing, 'battle')}: {battles.fought[-1].reason})" if missing else ""
    return f"{left_out}, {battles.combined}"


def _rows(battles: Battles) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(no_wrap=True)
    for when, run in groupby(battles.fought, _when):
        for n, battle in enumerate(run):
            grid.add_row(Text(when if not n else "", "cyan"), *_row(battles, battle))
    return grid


def _row(battles: Battles, b: FoughtBattle) -> Iterator[Text]:
    named = battles.named
    yield Text(plain(f"{b.attacker} {'clear' if b.at_sea else 'take'} {b.place}"))
    guns = f", with {in_words(b.guns, named)} bombarding," if b.guns else ""
    yield Text(plain(f"{in_words(b.attackers, named)}{guns} against {in_words(b.defenders, named)}"))
    weakest = b.n == battles.weakest
    style = "bold red" if weakest else ""
    yield Text("?" if b.chance is None else percent(b.chance), style)
    yield Text(plain(b.reason) if b.chance is None else _WEAKEST if weakest else "", style)


def _when(b: FoughtBattle) -> str:
    return plain(", ".join(f"{name} {x}" for name, x in b.turn.items() if x != b.attacker))


_MOST = 6  # places of a turn that are named
_LOST = 0.5
_ADVICE = "What is taken is likely to be lost again"


def exposed(answer: Exposure | None) -> Group | None:
    """The places that the enemies can take back, turn by turn; None where nothing was looked at."""
    if answer is None or not (answer.turns or answer.reason):
        return None
    title = "What the enemy can take back (each power's strongest attack on each place in its next turn)"
    return titled(title, Group(*_lines(answer)))


def _lines(answer: Exposure) -> Iterable[RenderableType]:
    for turn in answer.turns:
        yield from _turn(turn, answer.floor)
    if not answer.complete:
        rest = "later turns were" if answer.turns else "the turns were"
        yield Text(f"{rest} not looked at: {answer.reason}")
    if any(place.taken and place.lost > _LOST for turn in answer.turns for place in turn.places):
        yield Text(_ADVICE + by_command(": --hold 0.5 asks for plans that hold it"), "bold yellow")


def _turn(turn: TurnExposed, floor: float) -> Iterable[RenderableType]:
    when = _turn_named(turn.turn)
    if not turn.places:
        yield Text(f"{when}: nothing with a chance of more than {percent(floor, 0)}", "dim")
        return
    yield Text(f"{when}:", "cyan")
    yield Group(*(indented(Text(plain(_place(place)))) for place in turn.places[:_MOST]))
    if len(turn.places) > _MOST:
        yield indented(Text(f"and {amount(len(turn.places) - _MOST, 'place')} more, worth less", "dim"))


def _turn_named(turn: Mapping[str, Value]) -> str:
    """After which turn, such as `round 1, after the Germans`."""
    *before, (_, last) = turn.items()
    return ", ".join([*(f"{name} {x}" for name, x in before), f"after the {last}"])


def _place(place: ExposedPlace) -> str:
    what = "" if place.taken else "left, now "
    attacks = "; ".join(_attack(attack, empty=not place.garrison) for attack in place.attacks)
    return f"{place.text}, {what}held by {place.held_by}: {attacks}"


def _attack(attack: Counterattack, *, empty: bool) -> str:
    """An attack with its chance and who makes it; where nobody stands, any land unit walks in."""
    if empty and attack.chance == 1:
        return f"{attack.power} walk in"
    if not attack.text:
        return f"{attack.power} at most {percent(attack.at_most, 0)}"
    more = f" (at most {percent(attack.at_most, 0)})" if attack.at_most > attack.chance else ""
    return f"{attack.power} {percent(attack.chance, 0)}{more} with {attack.text}"

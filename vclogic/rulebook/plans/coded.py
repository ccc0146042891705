"""Planning models that functions in Python make for a rulebook, as a game in Python makes its own.

A function is called with the rule set of the rulebook, which has no planning models, and returns a `Metric` whose
steps are over its facts. What the facts remember by themselves, and the end of the game, are added to each step as
they are to those of a game in Python that a text stands beside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from vclogic.errors import InputError, did_you_mean, quoted
from vclogic.model.system import Metric, System
from vclogic.model.transition import Hints, Lemmas, Scoped, SingleActions, Transition
from vclogic.rulebook.aims import FromPython, PlanRule
from vclogic.rulebook.joined import remembering
from vclogic.rulebook.meaning.outside import BROKEN, LOOK, failed, own_function
from vclogic.rulebook.meaning.texts import Meaning
from vclogic.rulebook.play.game import Play
from vclogic.rulebook.source import RulesSource
from vclogic.terms.sorts import BoolSort, EnumSort
from vclogic.terms.term import Op, Term, variables

T = TypeVar("T")
_RETURN = "return a `Metric` of `vclogic.model.system`, as games in Python have them"
_RECORDS = "an answer of plans tells the events that make it up by these names"


def coded_plans(play: Play, rules: System, meaning: Meaning) -> dict[str, Metric]:
    """The planning models that functions make, by name, with what the text remembers.

    Args:
        play: The events of the rulebook, with its lines.
        rules: The rule set that the functions are given, with events as the text has them.
        meaning: What the lines mean.

    Raises:
        InputError: A function fails, or returns no such model, as far as that shows at once. Its steps are looked
            at as they are made, with the same words.
    """
    found: dict[str, Metric] = {}
    for source, _, rule in play.each(PlanRule):
        if rule.python is not None:
            made = _Coded(rule.python, source, rules).metric()
            named = replace(made, name=rule.name.text, heading=rule.text or made.heading)
            found[rule.name.text] = remembering(named, meaning)
    return found


@dataclass(frozen=True)
class _Coded:
    """A function that makes a planning model, and what is wrong with what it makes.

    Attributes:
        line: The line that names it.
        source: Its block.
        rules: The rule set that it is given.
    """

    line: FromPython
    source: RulesSource
    rules: System

    @property
    def called(self) -> str:
        """The function in words."""
        return f"{self.line.function.text} of {self.line.module.text}"

    def wrong(self, message: str, help: str = LOOK) -> InputError:
        """Say at the line what is wrong with the function."""
        error = self.source.goal.error(self.line.function.at, message, help, BROKEN)
        return InputError(map(self.source.placed, error.diagnostics))

    def told(self, function: Callable[..., T], what: str = "") -> Callable[..., T]:
        """The same function; what it raises is told at the line.

        Args:
            function: The function.
            what: What it is of the model, for the message.
        """

        def call(*arguments: Any, **named: Any) -> T:
            try:
                found: Any = function(*arguments, **named)
                if isinstance(found, Transition):
                    found = self.step(found, _of_states(arguments))
                found = tuple(found) if isinstance(found, Iterator) else found
                made: T = found
                return made
            except InputError as error:
                if all(d.file for d in error.diagnostics):
                    raise
                raise self.wrong(f"{self.called} fails{what}: {error.diagnostics[0].message}") from error
            except BaseException as error:  # somebody else's code: whatever it does, the user gets a sentence
                file = self.source.modules[self.line.module.text].__file__
                raise self.wrong(f"{self.called} fails{what}: {failed(error, file)}") from error

        return call

    def step(self, step: Transition, states: Set[Term]) -> Transition:
        """A step that the code makes, as it has to be, with functions that tell what is wrong with them.

        Args:
            step: The step.
            states: The variables of the states that it is made for, beside the facts.
        """
        if not isinstance(step, Scoped):
            self.check(step, states)
        return self.watched(step)

    def watched(self, part: T) -> T:
        """A part of a model with the functions in it told."""
        data: Any = part
        changed: dict[str, Any] = {}
        for name, value in ((f.name, getattr(part, f.name)) for f in fields(data) if f.init):
            if isinstance(value, Hints):
                changed[name] = self.watched(value)
            elif name == "lemmas":
                changed[name] = tuple(self.watched(lemma) for lemma in value if isinstance(lemma, Lemmas))
            elif callable(value):
                changed[name] = self.told(value, f" in its `{name}`")
        watched: T = replace(data, **changed)
        return watched

    # ---- the model

    def metric(self) -> Metric:
        """The model that the function returns."""
        module = self.source.modules[self.line.module.text]
        try:
            function = own_function(module, self.line.module.text, self.source, self.line.function)
        except InputError as error:
            raise InputError(map(self.source.placed, error.diagnostics)) from None
        found = self.told(function)(self.rules)
        if not isinstance(found, Metric):
            shown = quoted(" ".join(repr(found).split())[:40])
            raise self.wrong(f"{self.called} returns {shown}, which is no planning model", _RETURN)
        strange = next((name for name in found.events if name not in self.rules.schemas), None)
        if strange is not None:
            help = did_you_mean(strange, self.rules.schemas) or _RECORDS
            raise self.wrong(f"the `events` of {self.called} name {quoted(strange)}, which is no event", help)
        return self.watched(found)

    # ---- its steps

    def check(self, step: Transition, states: Set[Term]) -> None:
        """Check that a step is about facts of the rulebook and its own choices alone; arguments as in `step`.

        Raises:
            InputError: It is not.
        """
        known = self.rules.layout.slot
        for choice in step.choices:
            if not isinstance(choice, Term) or choice.op is not Op.VAR or choice in known:
                raise self.wrong(f"a step of {self.called} has the choice {quoted(str(choice))}", _CHOICE)
        for fact, new in step.next.items():
            if fact not in known:
                raise self.wrong(f"a step of {self.called} changes {quoted(str(fact))}, which is no fact", _FACT)
            if _kind(fact) != _kind(new):
                message = f"a step of {self.called} gives {quoted(fact.name)} {quoted(str(new)[:40])}"
                raise self.wrong(f"{message}, which is no value of it")
        laws = tuple(step.legality)
        for law in (*laws, step.counts, step.due):
            if _kind(law) != "true or false":
                raise self.wrong(f"a law of a step of {self.called} is {quoted(str(law)[:40])}: not true or false")
        if _kind(step.cost) != "a number":
            raise self.wrong(f"the cost of a step of {self.called} is {quoted(str(step.cost)[:40])}: no number")
        taken = step.actions.values() if isinstance(step, SingleActions) else ()
        terms = (*laws, step.counts, step.due, step.cost, *step.next.values(), *(a.guard for a in taken))
        choices = {*step.choices}
        for v in variables(*terms, *(t for p in step.passed for t in p.values())):
            if v not in known and v not in choices and v not in states:
                message = f"a step of {self.called} speaks of {quoted(v.name)}, which is no fact and no choice of it"
                raise self.wrong(message, did_you_mean(v.name, self.rules.layout.by_name) or _FACT)


def _of_states(arguments: Iterable[object]) -> frozenset[Term]:
    """The variables that stand for values of facts in what a function is given."""
    values = (t for a in arguments if isinstance(a, Mapping) for t in a.values() if isinstance(t, Term))
    return frozenset(variables(*values))


def _kind(term: object) -> object:
    """What a term is; None: it is none."""
    if not isinstance(term, Term):
        return None
    if isinstance(term.sort, EnumSort):
        return term.sort
    return "true or false" if isinstance(term.sort, BoolSort) else "a number"


_CHOICE = "a choice is a variable of its own: `var(NAME, SORT)` of `vclogic.terms.atoms`"
_FACT = 'facts are what `rules.term("FACT", NAME, ...)` gives'

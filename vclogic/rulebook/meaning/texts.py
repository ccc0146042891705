"""The meaning of some texts of rules over a game: what they define, what they remember, and what is won by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from vclogic.errors import did_you_mean, quoted
from vclogic.model.fluents import Family, Value
from vclogic.model.lazy import LazySequence
from vclogic.model.rules import LevelTable, Observable
from vclogic.rulebook.meaning.defined import Defined
from vclogic.rulebook.meaning.facts import RememberedFacts
from vclogic.rulebook.meaning.names import TextNames
from vclogic.rulebook.meaning.outcomes import Judgements
from vclogic.rulebook.meaning.outside import outside, tried
from vclogic.rulebook.meaning.remembered import Memory
from vclogic.rulebook.meaning.tables import tabled
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import Definition, OutcomeTable, RememberedFact, Statement
from vclogic.rulebook.table.written import expression
from vclogic.terms.build import or_
from vclogic.terms.term import Term, variables

OWN = "_"
"""What the name of a definition begins with that is its text's own: no goal asks it."""


class Meaning:
    """The meaning of the statements of some texts: what they add to a game.

    Args:
        names: What the texts can speak of; learns what they define.
        whole: Whether they are a whole rulebook.
        like: What they mean under other Readings, as far as the names have it in common; None: there is none.

    Attributes:
        names: What the texts can speak of.
        facts: The facts, as lines declare them.
        judged: The outcomes, as lines have them.
        families: The families of the facts.
        initial: The value of each fact at the start.
        lacking: Facts that are not there under these settings, each with when it is.
        follows: What facts are where a position does not give them, if others decide it.
        memory: How they change.
        observables: What goals can speak of.
        kinds: The kinds with the groups that the texts add.
        listed: The groups whose members the texts list.
        invariants: What is true of the facts in every position.
        outcomes: Who wins what.
        levels: The tables, and the exceptions of which one applies at most, as tables.
        over: Bool: whether the game has ended by them.
        secrets: The facts that sides keep from each other.

    Raises:
        InputError: All that is wrong with the texts, at places of their files.
    """

    def __init__(self, names: TextNames, *, whole: bool = False, like: Meaning | None = None):
        self.names, system = names, names.system
        facts = RememberedFacts(names, None if like is None else like.facts)
        self.facts: RememberedFacts = facts
        defined = define(names, {} if like is None else like.definitions)
        if names.common is None:  # else no line asks what was so before
            names.earlier.look(names, names.known.get)
        changes = facts.changes()
        judged = Judgements(names, None if like is None else like.judged)
        self.judged: Judgements = judged
        met = judged.met
        clock = system.moments.clock
        self.memory = Memory(
            (*changes, *judged.remembering), clock, judged.once, self._circle, names.earlier.facts, stays=whole
        )
        self.families: tuple[Family, ...] = (
            *names.families.values(),
            *([met] if met else []),
            *names.earlier.families,
        )
        self.initial: dict[Term, Value]
        self.initial, self.follows = facts.starts()
        self.initial |= dict.fromkeys(met.fluents.values(), False) if met else {}
        self.lacking = {
            fact.name.text: f"it is there if {expression(fact.condition)}"
            for _, _, fact in names.each(RememberedFact)
            if fact.name.text in names.lacking and fact.condition is not None
        }
        self.kinds, self.listed = names.grouped, names.listed
        self.definitions: Mapping[str, Defined] = defined
        self.over, self.secrets = judged.over, names.secrets
        self.secrets.shown = self.over if system.ends is None else or_(self.over, system.ends)
        self.secrets.spread((*changes, *judged.remembering))
        names.keep_secrets()
        self.observables = tuple(names.observables)
        self.outcomes = tuple(self.secrets.kept_from(o, self.over) for o in judged.outcomes)
        self.levels: Sequence[LevelTable] = LazySequence(
            lambda: (
                *judged.levels,
                *(t for d in defined.values() for t in (*d.exclusive(), *d.tables())),
                *facts.exclusive(),
            )
        )
        self.invariants = judged.invariants(self.memory.fluents, whole=whole)

    def _circle(self, fluent: Term) -> None:
        """Report that a fact depends on itself at one moment."""
        message = "depends on facts that depend on it at the same moment"
        self._led_back(fluent, message, "let one of them change at another moment")

    def check_defaults(self, defaults: Mapping[Term, Term]) -> None:
        """Make sure that no fact is what a position that leaves it out says by facts which say so by it.

        Args:
            defaults: What facts are in positions that do not give them.

        Raises:
            InputError: One is.
        """
        needs = {f: [n for n in variables(x) if n in defaults] for f, x in defaults.items()}
        try:
            TopologicalSorter(needs).prepare()
        except CycleError as error:
            message = "starts by facts that start by it, or change at once by it"
            self._led_back(error.args[1][0], message, "let one of them start as a value, or as the board has it")

    def _led_back(self, fluent: Term, message: str, help: str) -> None:
        name = fluent.name.partition("[")[0]
        for source, statement, fact in self.names.each(RememberedFact):
            if fact.name.text == name:
                with self.names.at(source):
                    raise source.goal.error(statement.at, f"{name} {message}", help, "circle")
        self.names.check()


def define(names: TextNames, like: Mapping[str, Defined]) -> dict[str, Defined]:
    """Make each definition known, with its exceptions, before any is worked out.

    Args:
        like: The definitions under other Readings, of which those are taken that are the same.
    """
    made: dict[str, Defined] = {}
    same = _same(names, like)
    for source, statement, content in (*names.each(Definition), *_tables(names)):
        if not content.exception:
            with names.at(source, unknown=content.name.text):
                if content.name.text in same:
                    made[content.name.text], names.known[content.name.text] = same[content.name.text]
                    continue
                if content.name.text in made and made[content.name.text].cases:
                    made[content.name.text].add_case(content, source, statement)
                    continue
                names.new_name(source, content.name)
                parameters, of_some = names.asked_of(source, content.parameters)
                defined = made[content.name.text] = Defined(content, source, statement, parameters, names)
                if of_some:
                    defined.add_case(content, source, statement)
                names.known[content.name.text] = Observable(
                    content.name.text,
                    defined.parameters,
                    defined.partial,
                    statement.text,
                    source.cites(statement),
                    meaning=defined,
                )
    functions = outside(names)
    made |= functions
    for source, statement, content in names.each(Definition):
        if content.exception and content.name.text not in same:
            with names.at(source):
                _except(made, source, statement, content)
    for name, defined in made.items():
        with names.at(defined.source):
            found = names.known[name]
            if name not in same:
                found = names.known[name] = replace(found, values=defined.values)
            if not found.name.startswith(OWN):
                names.observables.append(found)
    tried(names, functions)
    return made


def _same(names: TextNames, like: Mapping[str, Defined]) -> Mapping[str, tuple[Defined, Observable]]:
    """The definitions that are the same as under other Readings, with all that they speak of."""
    if names.common is None:
        return {}
    return {n: (d, names.common.names.known[n]) for n, d in like.items() if names.keeps(n)}


def _tables(names: TextNames) -> Iterator[tuple[RulesSource, Statement, Definition]]:
    """The tables that say values, as definitions."""
    for source, statement, content in names.each(OutcomeTable):
        if content.moment is None:
            yield source, statement, Definition(content.name, content.parameters, tabled(content))


def _except(made: Mapping[str, Defined], source: RulesSource, statement: Statement, content: Definition) -> None:
    """Add an exception to what it names."""
    name = content.name.text
    if name not in made:
        help = did_you_mean(name, made) or f"write {name}(...) means ... first"
        message = f"nothing is defined that {quoted(name)} could be an exception of"
        raise source.goal.error(content.name.at, message, help, "unknown-name")
    made[name].add_exception(content, source, statement)

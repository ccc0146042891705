"""The question whether a goal can be reached at all."""

from __future__ import annotations

from dataclasses import KW_ONLY, replace

from vclogic.choices import choice
from vclogic.clock import TimeUp
from vclogic.query.question import FutureQuestion, Request, option, value
from vclogic.query.reach.answer import Reach
from vclogic.terms.expressions.event_words import RefusedWords


@value()
class ReachQuestion(FutureQuestion[Reach]):
    """Find a record that reaches a goal, or prove that there is none.

    With `opponent="helps"` and no side, every side moves.

    Attributes:
        goal: The goal, in the goal language; `before`, `happens` and `actor` refer to the last event.
        by: The events: None for all, under what the game assumes beyond its rules; `rules` for all, without these
            assumptions; or a metric, for the steps of its planning model.
    """

    goal: str = option("What should become true, such as 'vcp(Axis) >= 50'.", "EXPR")
    _: KW_ONLY
    by: str | None = option(
        "All events, with no more than the rules; or a planning model's.", "rules|METRIC", default=None
    )

    def answer(self, request: Request) -> Reach:
        """The record, or the proof that there is none; `unknown` with the reason otherwise.

        Raises:
            InputError: The goal or a choice is wrong.
        """
        from vclogic.model.event_terms import EventWords
        from vclogic.query.reach.admitted import RULES, admitting, of_events
        from vclogic.query.reach.all_events import reach_by_events
        from vclogic.query.reach.by_last_event import reach_by_last_event
        from vclogic.query.reach.by_steps import reach, unanswered
        from vclogic.query.reach.failed_proof import against_proof, time_kept_back
        from vclogic.query.stalled_play import unless_stalled

        over_events, system = self.by in (None, RULES), request.setup.system
        compiled = request.goal(self.goal, EventWords(system) if over_events else _no_bundles(RULES))
        metric = None if over_events else self.by
        with request.resolved(self, compiled, metric, option="by", optional=True, every=over_events) as resolved:
            if not over_events:
                return unless_stalled(resolved, reach(resolved))
            over, assumed = reach_by_last_event if compiled.of_events else reach_by_events, self.by is None
            try:
                search = resolved if compiled.of_events else time_kept_back(resolved)
                found = unless_stalled(resolved, over(search, assumed=assumed))
                if found.status == "unknown" and not compiled.of_events:
                    against = against_proof(resolved, admitting(resolved, assumed=assumed))
                    found = replace(found, against_proof=against, elapsed_s=resolved.effort.elapsed_s)
                return replace(found, not_judged=system.not_judged({s.action for s in found.steps}))
            except TimeUp:
                resolved = replace(resolved, metric=of_events(resolved, (), assumed=assumed))
                return unanswered(resolved, "the time was up before the search began")


def _no_bundles(rules: str) -> RefusedWords:
    problem = "speaks of single events: a step of a planning model may be many at once"
    return RefusedWords(problem, f"leave out `{choice('by')}`, or write `{choice('by', rules)}`")

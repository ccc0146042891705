"""Answers requests in this process, one after the other: in a browser there is no other."""

from __future__ import annotations

from collections.abc import Sequence

from vclogic.serve.answering import Answering, UnopenedQuestion
from vclogic.serve.server import Server
from vclogic.serve.session import GameSession
from vclogic.serve.tasks import Reply, UnansweredQuestion

MOST_MOMENTS = 1_000
"""So many moments are held."""


class Alone:
    """Answers each question at once, before anything else is done; see `Pool`, in whose place it stands.

    Args:
        reply: Takes each line that comes before an answer.
    """

    def __init__(self, reply: Reply):
        self._answering = Answering(reply)
        self.tasks: Sequence[UnansweredQuestion] = ()

    def add(self, task: UnansweredQuestion) -> None:
        """Answer a question."""
        made = task.planner
        planner = (made.number, lambda: made) if made else None
        question = UnopenedQuestion(task.number, task.request, task.arrived, lambda: task.moments, planner)
        task.reply(self._answering.answer(question))

    def cancel(self, id: object) -> bool:
        """Nothing can be cancelled: whoever asks for it is not heard before the answer is given."""
        return False

    def cancel_all(self) -> None:
        """There is nothing to cancel."""


def alone(reply: Reply) -> Server:
    """A server that answers requests in this process.

    Args:
        reply: Takes each line of an answer.
    """
    return Server(GameSession(MOST_MOMENTS), Alone(reply), reply)

"""An AI player's loop: who is winning after each capture, and what to aim for next.

Run it with `python examples/ai_opponent.py`.
"""

from __future__ import annotations

import vclogic

GOAL = "vcp(Axis) >= 33"


def main() -> None:
    """Play the steps of a plan and watch the points."""
    game = vclogic.load("axis_allies/revised-1942")
    plan = game.plan(GOAL)
    print(f"{GOAL}: {plan.status}, {plan.cost} captures, proved by {plan.bound_by}")
    game = game.apply("end_turn")  # the Russians pass, so that the Germans are on turn
    for step in plan.steps:
        if step.args["power"] == game.value("turn"):
            game = game.apply(step.action, **step.args)
            print(f"{step.text}: the Axis have {game.value('vcp(Axis)')} points")
    for outcome in game.status().outcomes:
        if outcome.side == "Axis":
            print(f"{outcome.rule}: {outcome.status}, {outcome.have} of {outcome.need} ({', '.join(outcome.cites)})")


if __name__ == "__main__":
    main()

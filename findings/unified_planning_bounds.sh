#!/bin/sh
# Guess: a number of unified-planning with IntType(0, 10) keeps plans within 0 to 10 whatever engine is asked: an action that would go past 10 cannot be
#        taken, and an engine that does not know bounds says that it cannot solve such problems.
# Seen:  the simulator and the validator of unified-planning 1.3.0 refuse such an action. PDDLWriter leaves the bounds out. From 0, by steps of 3 up or 2
#        down, "at least 10" can be had within the bounds (3, 6, 9, 7, 10); ENHSP answers with four steps up, to 12, in its
#        optimal mode too, and has the same plan for "at least 11", which is impossible. The library's own validator calls each of them invalid. (aries
#        0.5.0 goes to 12, too.) There is a warning that the engine may not be able to solve such problems, not of what it leaves out. Not documented.
# It matters to whoever writes a store, a track or a stack as a bounded number: plans overfill it, and "optimal" is of another problem.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
command -v java >/dev/null || { echo "ENHSP needs Java 17" >&2; exit 1; }
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'unified-planning==1.3.0' 'up-enhsp==0.1.1'
cat > "$folder/seen.py" <<'PYTHON'
import warnings
from importlib.metadata import version

from unified_planning.io import PDDLWriter
from unified_planning.shortcuts import (
    GE, Fluent, InstantaneousAction, IntType, OneshotPlanner, PlanValidator, Problem, SequentialSimulator, get_environment,
)

warnings.simplefilter("ignore")
get_environment().credits_stream = None
print(*(f"{name} {version(name)}" for name in ("unified-planning", "up-enhsp")), sep=", ")


def store(wanted):
    problem, stock = Problem("store"), Fluent("stock", IntType(0, 10))
    problem.add_fluent(stock, default_initial_value=0)
    for name, change in (("up", "add_increase_effect"), ("down", "add_decrease_effect")):
        action = InstantaneousAction(name)
        getattr(action, change)(stock, 3 if name == "up" else 2)
        problem.add_action(action)
    problem.add_goal(GE(stock, wanted))
    return problem


problem = store(10)
with SequentialSimulator(problem) as simulator:
    state, steps = simulator.get_initial_state(), 0
    while (state := simulator.apply(state, problem.action("up"))) is not None:
        steps += 1
print("simulator, steps up:", steps)
print("bound in the PDDL:", "10" in PDDLWriter(problem).get_domain())
for wanted in (10, 11):
    for engine in ("enhsp", "enhsp-opt"):
        problem = store(wanted)
        with OneshotPlanner(name=engine) as planner:
            result = planner.solve(problem)
        with PlanValidator(name="sequential_plan_validator") as validator:
            judged = validator.validate(problem, result.plan).status.name
        print(f"at least {wanted}, {engine}: {' '.join(step.action.name for step in result.plan.actions)}; judged {judged}")
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" 2>/dev/null | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
unified-planning 1.3.0, up-enhsp 0.1.1
simulator, steps up: 3
bound in the PDDL: False
at least 10, enhsp: up up up up; judged INVALID
at least 10, enhsp-opt: up up up up; judged INVALID
at least 11, enhsp: up up up up; judged INVALID
at least 11, enhsp-opt: up up up up; judged INVALID
TEXT
diff "$folder/wanted" "$folder/out"

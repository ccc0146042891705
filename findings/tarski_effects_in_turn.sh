#!/bin/sh
# Guess: `progress` of tarski changes a state as PDDL says: conditions and right-hand sides of all effects are looked at before the action, and only then
#        everything changes at once. So an action that swaps two numbers swaps them, in whatever order its effects are written.
# Seen:  tarski 0.9.1 applies one effect after the other to the new state and looks at each in it. The swap of 1 and 2 gives 2 and 2, or 1 and 1 with the
#        effects the other way round. "p; and r if p" sets r although p did not hold, and "r if p; and p" does not. Deletions come before
#        additions; that much is done at once, and a condition on a deleted fact fails, too. Not documented.
# It matters to whoever plays plans with it: a valid plan of another planner ends in another state.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'tarski==0.9.1'
cat > "$folder/seen.py" <<'PYTHON'
from importlib.metadata import version

from tarski import model
from tarski.evaluators.simple import evaluate
from tarski.fstrips import AddEffect, DelEffect, FunctionalEffect, create_fstrips_problem, language
from tarski.search.operations import progress
from tarski.syntax import top
from tarski.theories import Theory

print("tarski", version("tarski"))
words = language("board", theories=[Theory.ARITHMETIC])
one, other = words.function("one", words.Integer), words.function("other", words.Integer)
p, q, r = (words.predicate(name) for name in "pqr")
start = model.create(words)
start.evaluator = evaluate
start.set(one(), 1)
start.set(other(), 2)
start.add(q)
problem = create_fstrips_problem(words, domain_name="board", problem_name="game")


def after(name, *effects):
    state = progress(start, problem.action(name, [], precondition=top, effects=list(effects)))
    facts = [fact.name for fact in (p, q, r) if state[fact()]]
    return f"one {state[one()].name}, other {state[other()].name}, {' '.join(facts)}"


print("before: one 1, other 2, q")
first, second = FunctionalEffect(one(), other()), FunctionalEffect(other(), one())
print("one := other, other := one:", after("swap", first, second))
print("other := one, one := other:", after("swap back", second, first))
print("p; r if p:", after("set", AddEffect(p()), AddEffect(r(), condition=p())))
print("r if p; p:", after("set late", AddEffect(r(), condition=p()), AddEffect(p())))
print("r if q; not q:", after("clear", AddEffect(r(), condition=q()), DelEffect(q())))
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
tarski 0.9.1
before: one 1, other 2, q
one := other, other := one: one 2, other 2, q
other := one, one := other: one 1, other 1, q
p; r if p: one 1, other 2, p q r
r if p; p: one 1, other 2, p q
r if q; not q: one 1, other 2, 
TEXT
diff "$folder/wanted" "$folder/out"

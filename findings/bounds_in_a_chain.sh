#!/bin/sh
# Guess: of the Python layers of solvers only PuLP loses the 1 of `1 <= x <= 3` (Python reads it as `1 <= x and x <= 3`), the others refuse it;
#        and `x in [1, 2]` is refused by all.
# Seen:  PuLP, PICOS, pySMT and the linear solver of OR-Tools keep `x <= 3` only, without a word: the least x is 0 where 1 was written. HiGHS reads
#        the chain as it is meant; z3, CPMpy and CP-SAT refuse it. `x in [1, 2]` becomes a plain True in PuLP, PICOS, HiGHS and the linear solver,
#        and a plain False in pySMT, z3 and CPMpy; only CP-SAT refuses both. HiGHS supports chains by design, as its source says; of `in`, and
#        of chains in the four that lose a half, nothing was found.
# It matters to whoever writes "between 1 and 3" or "held by one of these": half of a rule is lost, or a rule that can be met never is.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'pulp==3.3.2' 'picos==2.6.2' 'pysmt==0.9.6' \
    'highspy==1.16.0' 'ortools==9.15.6755' 'z3-solver==5.4.1.0' 'cpmpy==1.1.1'
cat > "$folder/seen.py" <<'PYTHON'
import warnings
from importlib.metadata import version

warnings.simplefilter("ignore")
import cpmpy
import highspy
import picos
import pulp
import pysmt.shortcuts as smt
import z3
from ortools.linear_solver import pywraplp
from ortools.sat.python import cp_model
from pysmt.typing import INT

smt.get_env().enable_infix_notation = True
highs = highspy.Highs()
highs.silent()
VARIABLES = {
    "pulp": lambda: pulp.LpVariable("x", 0, 10),
    "picos": lambda: picos.RealVariable("x"),
    "pysmt": lambda: smt.Symbol("x", INT),
    "ortools linear": lambda: pywraplp.Solver.CreateSolver("GLOP").NumVar(0, 10, "x"),
    "highspy": lambda: highs.addVariable(0, 10, name="x"),
    "ortools CP-SAT": lambda: cp_model.CpModel().new_int_var(0, 10, "x"),
    "z3-solver": lambda: z3.Int("x"),
    "cpmpy": lambda: cpmpy.intvar(0, 10, name="x"),
}


def tried(make):
    """A plain truth, a constraint or a refusal: what a line of Python gives."""
    try:
        seen = make()
    except Exception:
        return "refused"
    if isinstance(seen, bool):
        return f"plain {seen}"
    return "a constraint"


for name, make in VARIABLES.items():
    x = make()
    print(f"{name} {version(name.split()[0])}: 1 <= x <= 3: {tried(lambda: 1 <= x <= 3)}; x in [1, 2]: {tried(lambda: x in [1, 2])}")

problem = pulp.LpProblem("p", pulp.LpMinimize)
x = pulp.LpVariable("x", 0, 10)
problem += x
problem += 1 <= x <= 3
problem.solve(pulp.PULP_CBC_CMD(msg=0))
print("least x: pulp", x.value())

problem = picos.Problem()
x = picos.RealVariable("x", lower=0)
problem.set_objective("min", x)
problem.add_constraint(1 <= x <= 3)
print("chain in picos:", str(list(problem.constraints.values())[-1]).replace("\N{LESS-THAN OR EQUAL TO}", "<="))

print("chain in pysmt:", 1 <= smt.Symbol("x", INT) <= 3)

solver = pywraplp.Solver.CreateSolver("GLOP")
x = solver.NumVar(0, 10, "x")
solver.Add(1 <= x <= 3)
solver.Minimize(x)
solver.Solve()
print("least x: ortools linear", x.solution_value())

x = highs.addVariable(0, 10, name="y")
highs.addConstr(1 <= x <= 3)
highs.minimize(x)
print("least x: highspy", highs.val(x))
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" 2>/dev/null | grep -v -e '^Running HiGHS' -e '^Includes third-party' | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
pulp 3.3.2: 1 <= x <= 3: a constraint; x in [1, 2]: plain True
picos 2.6.2: 1 <= x <= 3: a constraint; x in [1, 2]: plain True
pysmt 0.9.6: 1 <= x <= 3: a constraint; x in [1, 2]: plain False
ortools linear 9.15.6755: 1 <= x <= 3: a constraint; x in [1, 2]: plain True
highspy 1.16.0: 1 <= x <= 3: a constraint; x in [1, 2]: plain True
ortools CP-SAT 9.15.6755: 1 <= x <= 3: refused; x in [1, 2]: refused
z3-solver 5.4.1.0: 1 <= x <= 3: refused; x in [1, 2]: plain False
cpmpy 1.1.1: 1 <= x <= 3: refused; x in [1, 2]: plain False
least x: pulp 0.0
chain in picos: x <= 3
chain in pysmt: (x <= 3)
least x: ortools linear 0.0
least x: highspy 1.0
TEXT
diff "$folder/wanted" "$folder/out"

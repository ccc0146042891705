#!/bin/sh
# Guess: a small program in the LP or MPS format means one thing to HiGHS, SCIP, GLPK and CBC, or is refused: `x + 2 <= 5` is x <= 3; a whole-number column
#        without bounds goes from 0 up without end; `x <= 3` beside "Binary" is 0 or 1; an objective's constant in MPS has one sign.
# Seen:  HiGHS 1.16.0 reads `x + 2 <= 5` as x <= 5, with a warning on its screen and kWarning from readModel; the others refuse it. `x <= 3` and
#        "Binary" is 3 in HiGHS and GLPK, 1 in SCIP and CBC. A constant of -10 on the objective's row makes +10 in HiGHS, SCIP and CBC, and -10 in GLPK.
#        A whole-number column without bounds is 0 or 1 in all four in MPS; in LP it has no upper bound. HiGHS leaves the constant out on
#        purpose (its issues 1448 and 3280); no page was found that tells how the four differ.
# It matters to whoever writes a program with one tool and lets another confirm it: a goal of 3 counts as met, or the points are off by 20.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'highspy==1.16.0' 'PySCIPOpt==6.3.0' 'swiglpk==5.0.13' 'pulp==3.3.2'
cat > "$folder/seen.py" <<'PYTHON'
import os
import subprocess
import sys
from importlib.metadata import version

import highspy
import pulp
import pyscipopt
import swiglpk as glpk

os.chdir(sys.argv[1])
LP = "Maximize\n points: x\nSubject To\n row: {row}\n{rest}End\n"
MPS = "NAME T\nROWS\n N points\n L row\nCOLUMNS\n{columns}RHS\n RHS row 5\n{rest}ENDATA\n"
WHOLE = " M1 'MARKER' 'INTORG'\n x points -1 row 1\n M2 'MARKER' 'INTEND'\n"
FILES = {
    "x + 2 <= 5 (LP)": ("a.lp", LP.format(row="x + 2 <= 5", rest="")),
    "x <= 3, Binary (LP)": ("b.lp", LP.format(row="x <= 9", rest="Bounds\n x <= 3\nBinary\n x\n")),
    "whole, no bounds (LP)": ("c.lp", LP.format(row="x <= 5", rest="General\n x\n")),
    "whole, no bounds (MPS)": ("d.mps", MPS.format(columns=WHOLE, rest="")),
    "constant of -10 (MPS)": ("e.mps", MPS.format(columns=" x points -1 row 1\n", rest=" RHS points -10\n")),
}


def by_highs(file):
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    if solver.readModel(file) == highspy.HighsStatus.kError:
        return None
    solver.run()
    return solver.getInfo().objective_function_value


def by_scip(file):
    model = pyscipopt.Model()
    model.hideOutput()
    try:
        model.readProblem(file)
    except OSError:
        return None
    model.optimize()
    return model.getObjVal()


def by_glpk(file):
    glpk.glp_term_out(glpk.GLP_OFF)
    problem = glpk.glp_create_prob()
    read = glpk.glp_read_mps(problem, glpk.GLP_MPS_FILE, None, file) if file.endswith("mps") else glpk.glp_read_lp(problem, None, file)
    if read:
        return None
    options = glpk.glp_iocp()
    glpk.glp_init_iocp(options)
    options.presolve = glpk.GLP_ON
    glpk.glp_intopt(problem, options)
    return glpk.glp_mip_obj_val(problem)


def by_cbc(file):
    said = subprocess.run([pulp.PULP_CBC_CMD().path, file, "solve", "solution", file + ".txt"], capture_output=True, text=True)
    if "errors on input" in said.stdout or not os.path.exists(file + ".txt"):
        return None
    return float(open(file + ".txt").readline().split()[-1])


print(", ".join(f"{name} {version(name)}" for name in ("highspy", "PySCIPOpt", "swiglpk", "pulp")))
for name, (file, text) in FILES.items():
    with open(file, "w") as out:
        out.write(text)
    found = {"HiGHS": by_highs(file), "SCIP": by_scip(file), "GLPK": by_glpk(file), "CBC": by_cbc(file)}
    print(f"{name}:", ", ".join(f"{who} {'refuses' if value is None else round(value)}" for who, value in found.items()))
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" "$folder" 2>/dev/null | grep -e "^highspy" -e "(LP)" -e "(MPS)" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
highspy 1.16.0, PySCIPOpt 6.3.0, swiglpk 5.0.13, pulp 3.3.2
x + 2 <= 5 (LP): HiGHS 5, SCIP refuses, GLPK refuses, CBC refuses
x <= 3, Binary (LP): HiGHS 3, SCIP 1, GLPK 3, CBC 1
whole, no bounds (LP): HiGHS 5, SCIP 5, GLPK 5, CBC 5
whole, no bounds (MPS): HiGHS -1, SCIP -1, GLPK -1, CBC -1
constant of -10 (MPS): HiGHS 5, SCIP 5, GLPK -15, CBC 5
TEXT
diff "$folder/wanted" "$folder/out"

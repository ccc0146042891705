"""Hostile environments: sound and unsound questions where something around the program is strange."""

from __future__ import annotations

from tests.hostile.attempts import GAME, GOAL, around

_PLAN = ("plan", GAME, *GOAL, "vcp(Axis) >= 33")
_DRAW = ("render", GAME, "-o", "a.svg")

SURROUNDINGS = (
    around("a C locale", "status", GAME, LANG="C", LC_ALL="C"),
    around("a locale that is none", "status", GAME, LC_ALL="xx_XX.nothing"),
    around("ASCII output", "rules", "moscow", PYTHONIOENCODING="ascii"),
    around("UTF-16 output", "status", GAME, PYTHONIOENCODING="utf-16"),
    around("no UTF-8 mode", "status", "Gérmäns", codes=(2,), PYTHONUTF8="0", LC_ALL="C"),
    around("one column", "status", GAME, COLUMNS="1"),
    around("no columns", "status", GAME, COLUMNS="0", LINES="0"),
    around("columns that are none", "status", GAME, COLUMNS="abc", LINES="-5"),
    around("a million columns", "status", GAME, COLUMNS="1000000"),
    around("no colours", "status", GAME, NO_COLOR="1"),
    around("forced colours", "status", GAME, FORCE_COLOR="1", CLICOLOR_FORCE="1"),
    around("a dumb terminal", "status", GAME, TERM="dumb"),
    around("no terminal", "status", GAME, TERM=None),
    around("a terminal that is none", "status", GAME, TERM="\x1b[31m"),
    around("no home", "status", GAME, HOME=None),
    around("a home that is none", "status", GAME, HOME="/no/such"),
    around("no path", *_PLAN, shell='PATH= exec "$@"'),
    around("no place for temporary files", *_PLAN, TMPDIR="/no/such"),
    around("warnings that are errors", "status", GAME, PYTHONWARNINGS="error"),
    around("no assertions, no docstrings", *_PLAN, PYTHONOPTIMIZE="2"),
    around("no docstrings, help", "--help", PYTHONOPTIMIZE="2"),
    around("no docstrings, a schema", "schema", "board", GAME, PYTHONOPTIMIZE="2"),
    around("another order of sets", *_PLAN, PYTHONHASHSEED="12345"),
    around("development mode", "status", GAME, PYTHONDEVMODE="1"),
    around("a debugging switch that is none", "status", GAME, VCLOGIC_DEBUG="2"),
    around("no standard input", "status", "-", codes=(2,), shell='exec "$@" <&-'),
    around("no standard output", "status", GAME, codes=(0, 2), shell='exec "$@" >&-'),
    around("no standard error", "status", "no_game", codes=(2,), shell='exec "$@" 2>&-'),
    around("no streams at all", *_PLAN, codes=(0, 2), shell='exec "$@" <&- >&- 2>&-'),
    around(
        "no streams, a picture", *_DRAW, codes=(0, 2), shell='"$@" <&- >&- 2>&-; code=$?; rm -f a.svg; exit $code'
    ),
    around("nobody reads", "rules", GAME, codes=(0, 1), shell='"$@" | true'),
    around("a full disk", "status", GAME, codes=(2,), shell='exec "$@" >/dev/full'),
    around("a full disk, JSON", "status", GAME, "--format", "json", codes=(2,), shell='exec "$@" >/dev/full'),
    around("standard input that only takes", "status", "-", codes=(2,), shell='exec "$@" 0>/dev/null'),
    around("standard output that only gives", "status", GAME, codes=(2,), shell='exec "$@" 1</dev/null'),
    around("a position through a pipe", "status", "/dev/stdin", shell='echo "game: axis_allies" | "$@"'),
    around("no working directory", "status", GAME, shell='mkdir gone; cd gone; rmdir ../gone; exec "$@"'),
    around(
        "no working directory, a file", "status", "p.yaml", codes=(2,), shell='mkdir g; cd g; rmdir ../g; exec "$@"'
    ),
    around("no working directory, a picture", *_DRAW, codes=(2,), shell='mkdir g; cd g; rmdir ../g; exec "$@"'),
    around(
        "no working directory, a rulebook", "new", "a_game", codes=(2,), shell='mkdir g; cd g; rmdir ../g; exec "$@"'
    ),
    around(
        "no working directory, a game",
        "new",
        "--python",
        "a_game",
        codes=(2,),
        shell='mkdir g; cd g; rmdir ../g; exec "$@"',
    ),
    around("no working directory, a plan", *_PLAN, codes=(0, 2), shell='mkdir g; cd g; rmdir ../g; exec "$@"'),
    around("no room for files", *_DRAW, codes=(2,), shell='ulimit -f 0; exec "$@"'),
    around("no room for a rulebook", "new", "a_game", codes=(2,), shell='ulimit -f 0; exec "$@"'),
    around("no room for a game", "new", "--python", "a_game", codes=(2,), shell='ulimit -f 0; exec "$@"'),
    around("a mask that takes all", *_DRAW, shell='umask 777; "$@"; code=$?; rm -f a.svg; exit $code'),
    around("hangups are ignored", *_PLAN, shell="trap '' HUP INT TERM PIPE; exec \"$@\""),
)

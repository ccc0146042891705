"""Functions in Python that rulebooks name: what they mean, what is wrong with them, and who may run which code."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import jsonschema
import pytest

import vclogic
from tests.cli.conftest import Run, run  # noqa: F401
from tests.fixtures.web_server import serving
from vclogic import watchdog
from vclogic.cli.main import commands
from vclogic.errors import Diagnostic, InputError
from vclogic.files import registry
from vclogic.files.text_games import functions
from vclogic.files.text_games.functions import FUNCTIONS, trusting
from vclogic.serve.dispatch import alone

HEAD = """
sides Reds, Blues
turn is one event
pass always
grid area
  A  B
  C  D
fact men(side, area): 0 to 2, starts 1
fact owner(area): side or nobody
fact at(side): area or nowhere
"""
IMPORTS = "from vclogic.terms.atoms import TRUE, integer\nfrom vclogic.terms.build import add, ge\n"
FUNCTION = "def strong(value, side, area):\n    return ge(value('men', side, area), integer(1))\n"
STATEMENT = "python roads.py\n  strong(side, area)\n"
RULES = "event leave by side area\n  needs strong(side, area)\n  then men(side, area) falls by 1\n"
LINE = len(HEAD.splitlines()) + 1
"""The line of the rulebook at which what is added to the head begins."""
Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a rulebook, and the file beside it; its path."""

    def call(rules: str = STATEMENT + RULES, code: str = FUNCTION, name: str = "game.md") -> str:
        (tmp_path / "roads.py").write_text(IMPORTS + code)
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"```vclogic{HEAD}{rules}```\n")
        return str(file)

    return call


def told(file: str) -> list[Diagnostic]:
    """What is wrong with a rulebook that is trusted."""
    with trusting(), pytest.raises(InputError) as caught:
        vclogic.load(file)
    assert all(d.file == file for d in caught.value.diagnostics)
    return list(caught.value.diagnostics)


# ---- what they mean


def test_a_function_means_what_the_same_line_does(write: Write) -> None:
    code = FUNCTION + (
        "def total(value):\n"
        "    return add(*(value('men', side, area) for side in ('Reds', 'Blues') for area in 'ABCD'))\n"
        "def holder(value, area):\n"
        "    return value('owner', area)\n"
    )
    texts = (
        "strong(side, area) means men(side, area) >= 1\ntotal means sum(men(side, area) for side, area)\n"
        "holder(area) means owner(area)\n"
    ).replace("sum(men(side, area) for side, area)", "sum(men(Reds, area) + men(Blues, area) for area)")
    more = RULES + "side wins all at once if total < 8 and holder(A) == side\n"
    with trusting():
        coded = vclogic.load(write("python roads.py\n  strong(side, area)\n  total\n  holder(area)\n" + more, code))
    said = vclogic.load(write(texts + more, name="other.md"))
    asked = ("strong(Reds, A)", "total", "holder(A) == Blues", "count(area where strong(Blues, area))")
    for changes in ({}, {"men": {"Reds": {"A": 0}}, "owner": {"A": "Blues"}}):
        a, b = coded.at_state(changes), said.at_state(changes)
        assert [a.value(x) for x in asked] == [b.value(x) for x in asked]
        assert list(a.legal().events()) == list(b.legal().events())
        assert [(o.side, o.status) for o in a.status().outcomes] == [(o.side, o.status) for o in b.status().outcomes]


def test_exceptions_of_a_function_are_those_of_a_definition(write: Write) -> None:
    with trusting():
        game = vclogic.load(write(STATEMENT + "except strong(Reds, A) means false\n"))
    assert [game.value(f"strong(Reds, {area})") for area in "AB"] == [False, True]


def test_what_rests_on_something_undefined_is_undefined(write: Write) -> None:
    code = "def near(value, side):\n    return add(value('steps', side), integer(1))\n"
    rules = "steps(side) means distance(at(side), A)\npython roads.py\n  near(side)\n"
    with trusting():
        game = vclogic.load(write(rules, code)).at_state({"at": {"Reds": "D", "Blues": "nowhere"}})
    assert [game.value(f"near({side})") for side in ("Reds", "Blues")] == [3, None]


def test_a_file_that_is_saved_anew_counts_at_once(write: Write) -> None:
    with trusting():
        file = write()
        assert vclogic.load(file).value("strong(Reds, A)") is True
        write(code=FUNCTION.replace("integer(1)", "integer(20)"))
        assert vclogic.load(file).value("strong(Reds, A)") is False


# ---- mistakes, at the line of the rulebook


@pytest.mark.parametrize(
    ("code", "rules", "spot", "message", "help"),
    [
        (FUNCTION, "python roads.py\n  strng(side, area)\n", (1, 3), "roads.py has no function 'strng' of its own",
         "did you mean 'strong'?"),
        ("", "python roads.py\n  add(side)\n", (1, 3), "roads.py has no function 'add' of its own",
         "it has no function at all"),
        (FUNCTION, "python roads.py\n  strong(side)\n", (1, 3),
         "strong of roads.py takes other arguments than `value` and 1 name", "write def strong(value, side)"),
        (FUNCTION, "python roads.py\n  strong(sid, area)\n", (1, 10), "there is no kind of thing 'sid'",
         "did you mean 'side'?"),
        (FUNCTION, "python roads.py\n  strong(side, area)\nstrong(side) means true\n", (1, 3),
         "'strong' means something already: a value that these rules define", "give it another name"),
        ("def f(value):\n    return 3\n", "python roads.py\n  f\n", (1, 3),
         "f of roads.py returns '3', which is no term",
         "`integer` and `boolean` of `vclogic.terms.atoms` make terms of constants"),
        ("def f(value, side):\n    return None\n", "python roads.py\n  f(side)\n", (1, 3),
         "f of roads.py for Reds returns 'None', which is no term", None),
        ("def f(value):\n    return 1 / 0\n", "python roads.py\n  f\n", (1, 3),
         "f of roads.py fails: ZeroDivisionError: division by zero (line 4)",
         "this is a mistake in the function, not in the rulebook"),
        ("def f(value):\n    raise SystemExit(0)\n", "python roads.py\n  f\n", (1, 3),
         "f of roads.py fails: SystemExit: 0 (line 4)", None),
        ("def f(value):\n    return f(value)\n", "python roads.py\n  f\n", (1, 3),
         "f of roads.py fails: RecursionError", None),
        ("def f(value):\n    return value('mne', 'Reds', 'A')\n", "python roads.py\n  f\n", (1, 3),
         "f of roads.py fails: there is no fact or definition 'mne'; did you mean 'men'? (line 4)", None),
        ("def f(value):\n    return value('men', 'Reds')\n", "python roads.py\n  f\n", (1, 3),
         "f of roads.py fails: men is asked of 2 names, not of 1 name (line 4)", None),
        ("def f(value):\n    return value('men', 'Reds', 'Z')\n", "python roads.py\n  f\n", (1, 3),
         "f of roads.py fails: men is not asked of 'Z': that is no area (line 4)", None),
        ("def f(value):\n    return value('men', 'Reds', 7)\n", "python roads.py\n  f\n", (1, 3),
         "f of roads.py fails: men is not asked of '7': that is no area (line 4)", None),
        ("def f(value):\n    return value('f')\n", "python roads.py\n  f\n", (1, 3),
         "the meaning of f leads back to itself", "say it without itself"),
        ("from vclogic.terms.sorts import IntSort\nfrom vclogic.terms.atoms import var\n"
         "def f(value):\n    return var('elsewhere', IntSort(0, 3))\n", "python roads.py\n  f\n", (1, 3),
         "f of roads.py speaks of 'elsewhere', for which it has not asked",
         'ask for facts with value("FACT", NAME, ...)'),
        ("def f(value, side):\n    return TRUE if side == 'Reds' else integer(1)\n",
         "python roads.py\n  f(side)\n", (1, 3),
         "f of roads.py for Blues is a number, and true or false for other names", None),
        ("def f(value:\n", "python roads.py\n  f\n", (0, 8),
         "roads.py cannot be loaded: SyntaxError: '(' was never closed (line 3)",
         "this is a mistake in the code in Python, not in the rulebook"),
        ("raise SystemExit(1)\n", "python roads.py\n  f\n", (0, 8),
         "roads.py cannot be loaded: SystemExit: 1 (line 3)", None),
        ("", "python others.py\n  f\n", (0, 8), "there is no file", None),
        ("", "python ../roads.py\n  f\n", (0, 8), "'../roads.py' is not in the folder of the rulebook", None),
        ("", "python /etc/roads.py\n  f\n", (0, 8), "'/etc/roads.py' is not in the folder of the rulebook", None),
        ("", "python roads.py\n", (0, 1), "it names no function", None),
        ("", "python\n", (0, 7), "the package or file is missing here", None),
        ("", "python roads\n  f\n", (0, 8), "no installed package offers functions as 'roads'", None),
    ],
)  # fmt: skip
def test_mistakes_are_told_at_the_line_that_names_them(
    write: Write, code: str, rules: str, spot: tuple[int, int], message: str, help: str | None
) -> None:
    (d, *_) = told(write(rules, code))
    assert (d.line, d.column) == (LINE + spot[0], spot[1]), d
    assert d.message.startswith(message) if message.endswith(("file", "RecursionError")) else d.message == message
    assert help is None or d.help == help


def test_a_function_that_never_returns_is_ended(
    run: Run,  # noqa: F811
    write: Write,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watchdog, "PATIENCE", 0.2)
    file = write("python roads.py\n  f\n", "def f(value):\n    while True:\n        pass\n")
    found = run("status", file, "--trust", "--format", "json")
    (told,) = json.loads(found.out)["errors"]
    assert re.fullmatch(r"f of roads.py fails: still running after 0.2 s \(line \d\)", told["message"])
    assert (found.code, told["line"]) == (2, LINE + 1)


def test_it_is_a_document_and_back(run: Run, write: Write, tmp_path: Path) -> None:  # noqa: F811
    file, found = write("python 'my roads.py'\n  strong(side, area)\n  total\n"), tmp_path / "game.json"
    assert run("format", file).code == 0
    before = Path(file).read_text()
    assert run("format", file, "-o", str(found)).code == 0
    assert run("format", str(found), "-o", "-").out == before
    jsonschema.validate(json.loads(found.read_text()), json.loads(run("schema", "rulebook").out))


# ---- files beside a rulebook run on somebody's word only


@pytest.fixture
def ran(tmp_path: Path) -> Path:
    """A file that code writes when it runs."""
    return tmp_path / "ran"


def noting(ran: Path) -> str:
    return f"open({str(ran)!r}, 'a').write('x')\n"


def test_a_file_beside_needs_trust_and_is_not_read_without(write: Write, ran: Path) -> None:
    file = write(code=noting(ran) + FUNCTION)
    with trusting():
        assert vclogic.load(file).value("strong(Reds, A)") is True
    ran.unlink()
    with pytest.raises(InputError) as caught:  # also after somebody trusted it
        vclogic.load(file)
    (d,) = caught.value.diagnostics
    assert (d.code, d.line, d.column) == ("not-trusted", LINE, 8)
    assert "'roads.py'" in d.message
    assert "--trust" in (d.help or "")
    assert not ran.exists()


def test_a_link_leads_out_of_no_folder(write: Write, tmp_path: Path, ran: Path) -> None:
    file = write("python inside.py\n  f\n", name="book/game.md")
    (tmp_path / "roads.py").write_text(noting(ran))
    (tmp_path / "book" / "inside.py").symlink_to(tmp_path / "roads.py")
    assert [d.message for d in told(file)] == ["'inside.py' is not in the folder of the rulebook"]
    assert not ran.exists()


def test_a_rulebook_that_is_included_has_its_own_folder(write: Write, tmp_path: Path) -> None:
    write(name="basic/basic.md")
    (tmp_path / "basic" / "roads.py").write_text(IMPORTS + FUNCTION.replace("integer(1)", "integer(2)"))
    other = tmp_path / "game.md"
    other.write_text("```vclogic\ninclude basic/basic.md\n```\n")
    with trusting():
        assert vclogic.load(str(other)).value("strong(Reds, A)") is False


@pytest.mark.parametrize(
    "words", ["status", "legal", "check", "test", "compare", "rules", "rulebook -o -", "ask 'men(Reds, A)'"]
)
def test_the_command_line_has_the_word_for_it(run: Run, write: Write, words: str) -> None:  # noqa: F811
    import shlex

    file = write(code=noting(Path("ran")) + FUNCTION)
    command, *rest = shlex.split(words)
    asked = [command, file, *([file] if command == "compare" else []), *rest]
    said = run(*asked)
    assert (said.code, "error[not-trusted]" in said.err + said.out) == (2, True)
    assert run(*asked, "--trust").code in (0, 1)
    assert run(*asked).code == 2


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_only_serve_and_study_and_commands_that_load_no_game_lack_it() -> None:
    lacking = [name for name, c in commands.commands.items() if not any("--trust" in p.opts for p in c.params)]
    assert sorted(lacking) == ["explain", "format", "games", "serve", "study"]


def test_programs_that_ask_for_it_are_refused(write: Write, ran: Path) -> None:
    file = Path(write(code=noting(ran) + FUNCTION)).name
    for more in ({}, {"trust": True}, {"settings": {"trust": True}}, {"options": ["--trust"]}):
        said: list[bytes] = []
        alone(said.append).receive(json.dumps({"id": 1, "ask": "load", "game": file, **more}).encode())
        assert json.loads(said[-1])["answer"]["errors"]
    assert not ran.exists()


def test_the_page_runs_no_file_beside_a_rulebook(run: Run, write: Write, ran: Path, tmp_path: Path) -> None:  # noqa: F811
    file = Path(write(code=noting(ran) + FUNCTION)).name
    with serving(tmp_path) as server:
        for more in ({}, {"trust": True}):
            _, replies = server.ask({"ask": "status", "moment": {"game": file, **more}, **more})
            assert replies[-1]["answer"]["errors"]
        _, replies = server.ask({"ask": "status", "moment": {"game": file}})
        assert [e["code"] for e in replies[-1]["answer"]["errors"]] == ["not-trusted"]
    assert not ran.exists()
    assert "has no option '--trust'" in run("serve", "--trust").err


# ---- installed packages


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages, with one that offers functions."""
    folder = tmp_path / "site"
    package(folder, "roadbook", IMPORTS + FUNCTION)
    monkeypatch.setattr(functions, "folders", lambda: [str(folder)])
    monkeypatch.syspath_prepend(str(folder))
    before = set(sys.modules)
    yield folder
    for name in set(sys.modules) - before:
        if name.startswith("roadbook"):
            del sys.modules[name]


def package(folder: Path, name: str, code: str, offered: str = "roadbook.roads", noted: str = "") -> None:
    """Write a package as it is installed, with a module `roads`."""
    (folder / name).mkdir(parents=True)
    (folder / name / "__init__.py").write_text("")
    (folder / name / "roads.py").write_text(code)
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{FUNCTIONS}]\nroads = {offered}\n")
    if noted:
        (about / "direct_url.json").write_text(noted)


OF_PACKAGE = STATEMENT.replace("roads.py", "roadbook.roads") + RULES


def test_what_an_installed_package_offers_needs_no_trust(write: Write, site: Path) -> None:
    file = write(OF_PACKAGE)
    assert vclogic.load(file).value("strong(Reds, A)") is True
    said: list[bytes] = []
    alone(said.append).receive(json.dumps({"id": 1, "ask": "load", "game": Path(file).name}).encode())
    assert "moment" in json.loads(said[-1])["answer"]


@pytest.mark.parametrize(
    "name", ["roadbok.roads", "roadbook", "roadbook.hidden", "os", "shutil", "..roadbook", "a/b"]
)
def test_what_no_package_offers_is_not_even_looked_at(write: Write, site: Path, ran: Path, name: str) -> None:
    (site / "roadbook" / "hidden.py").write_text(noting(ran))
    (site / "roadbook" / "__init__.py").write_text(noting(ran))
    (d,) = told(write(f"python {name}\n  rmtree(area)\n"))
    assert d.message == f"no installed package offers functions as '{name}'"
    assert (d.line, FUNCTIONS in (d.help or "")) == (LINE, True)
    assert not ran.exists()


def test_what_a_module_imports_is_not_offered(write: Write, site: Path) -> None:
    (site / "roadbook" / "roads.py").write_text("from shutil import rmtree\ndef _own(value):\n    pass\n")
    assert [d.message for d in told(write("python roadbook.roads\n  rmtree(area)\n  _own\n"))] == [
        "roadbook.roads has no function 'rmtree' of its own",
        "roadbook.roads has no function '_own' of its own",
    ]


def test_a_module_of_the_working_directory_is_not_installed(
    write: Write, tmp_path: Path, ran: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where it looks as if it were, and the working directory stands first on the path."""
    package(tmp_path, "roadbook", noting(ran) + IMPORTS + FUNCTION)
    (tmp_path / "roadbook" / "__init__.py").write_text(noting(ran))
    for entry in ("", str(tmp_path)):
        monkeypatch.syspath_prepend(entry)
    assert sys.path[1] == ""
    (d,) = told(write(OF_PACKAGE))
    assert d.message == "no installed package offers functions as 'roadbook.roads'"
    assert not ran.exists()
    assert str(tmp_path) not in functions.folders()


def test_a_package_before_the_installed_one_takes_no_place_of_it(
    write: Write, site: Path, tmp_path: Path, ran: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "fake"
    package(fake, "roadbook", noting(ran))
    (fake / "roadbook" / "__init__.py").write_text(noting(ran))
    monkeypatch.syspath_prepend(str(fake))
    assert vclogic.load(write(OF_PACKAGE)).value("strong(Reds, A)") is True
    assert not ran.exists()
    import roadbook  # type: ignore[import-not-found]

    assert roadbook.__file__ == str(site / "roadbook" / "__init__.py")


def test_what_is_loaded_already_under_its_name_is_not_taken_for_it(
    write: Write, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package(site, "json", FUNCTION, offered="json.roads")
    (d,) = told(write(OF_PACKAGE.replace("roadbook", "json")))
    assert d.message == "something else is loaded as 'json' than the package that is installed"


def test_a_package_that_somebody_works_on_is_where_pip_has_noted(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site: Path
) -> None:
    import shutil

    source, other = tmp_path / "source", tmp_path / "other"
    for folder in (source, other):
        shutil.copytree(site / "roadbook", folder / "roadbook")
    shutil.rmtree(site / "roadbook")
    noted = json.dumps({"url": source.as_uri(), "dir_info": {"editable": True}})
    (site / "roadbook-1.0.dist-info" / "direct_url.json").write_text(noted)
    monkeypatch.syspath_prepend(str(other))
    (d,) = told(write(OF_PACKAGE))
    assert d.message == "the package 'roadbook' is not where packages are installed"
    monkeypatch.syspath_prepend(str(source))
    assert vclogic.load(write(OF_PACKAGE)).value("strong(Reds, A)") is True


def test_a_package_that_fails_is_told_at_the_line(write: Write, site: Path) -> None:
    (site / "roadbook" / "roads.py").write_text("1 / 0\n")
    (d,) = told(write(OF_PACKAGE))
    assert (d.line, d.message) == (LINE, "roadbook.roads cannot be loaded: ZeroDivisionError: division by zero")
    (site / "roadbook" / "__init__.py").write_text("import nothing_of_this_name\n")
    del sys.modules["roadbook"]
    (d,) = told(write(OF_PACKAGE))
    assert d.message.startswith("roadbook.roads cannot be loaded: ModuleNotFoundError: No module named")


def test_games_know_nothing_of_it() -> None:
    assert not [name for name in registry.packages() if "roadbook" in name]

"""The sources of the site, gathered in one folder: README, docs, the games' READMEs and generated reference pages.

`make docs` runs it as `python docs/pages.py FOLDER`. What is generated comes from the documents that `vclogic games`
and `vclogic rules` print as JSON, and from the help of the command line, so no page can go stale.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from vclogic.cli.main import commands

ROOT = Path(__file__).parents[1]
ENCODINGS = ROOT / "encodings" / "vclogic_encodings"
CONTENTS = {
    "For players, designers and AI authors": (
        "page",
        "arbiters",
        "house_rules",
        "cards",
        "how_many",
        "messages",
        "odds",
        "army_plans",
        "objectives",
        "rulebooks",
        "rulebook_reference",
        "rulebook_plans",
        "from_python",
        "designers",
        "own_game",
        "ai_authors",
        "serve",
    ),
    "Ten questions per game": (
        "questions/asl",
        "questions/axis_allies",
        "questions/moscow",
        "questions/napoleonics",
        "questions/okinawa",
        "asl_situations",
    ),
    "Games": (),
    "Reference": ("glossary", "commands", "certificates", "findings", "json", "api"),
    "For developers": (
        "architecture",
        "design/rules",
        "design/plans",
        "methods",
        "design/questions",
        "design/answers",
        "design/opponents",
        "design/battles",
        "design/objectives",
        "design/rulings",
        "design/check",
        "design/processes",
        "design/page",
        "design/tests",
        "mutants",
        "results",
    ),
}
_LINK = re.compile(r"\[([^]]*)\]\((?!https?:)([^)#]+)(#[^)]*)?\)")
Entry = Mapping[str, Any]


def main(folder: Path) -> None:
    """Write the sources of the site.

    Args:
        folder: Where to; what is there is replaced.
    """
    shutil.rmtree(folder, ignore_errors=True)
    games = _asked("games")["games"]
    pages = {ROOT / "README.md": "index.md", ROOT / "benchmarks" / "RESULTS.md": "results.md"}
    docs = ROOT / "docs"
    pages |= {p: p.relative_to(docs).as_posix() for p in docs.rglob("*") if p.suffix in (".md", ".svg", ".png")}
    pages |= {ENCODINGS / g["name"] / "README.md": f"games/{g['name']}.md" for g in games}
    texts = {page: _linked(source, page, pages) for source, page in pages.items() if source.suffix != ".png"}
    texts["index.md"] += "".join(_contents(*part, games) for part in CONTENTS.items())
    texts["commands.md"] += "".join(_section("All options", map(_command, sorted(commands.commands))))
    for game in games:
        name, rules = game["name"], _asked("rules", game["name"])
        texts[f"games/{name}.md"] += _toctree("", [f"{name}_reference", f"{name}_clauses"])
        texts[f"games/{name}_reference.md"] = _reference(game, rules)
        texts[f"games/{name}_clauses.md"] = _clauses(game, rules)
    for page, text in texts.items():
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        (folder / page).write_text(text, encoding="utf-8")
    for source, page in pages.items():
        if page not in texts:
            shutil.copy(source, folder / page)


def _asked(*words: str) -> Entry:
    """The document that a command prints."""
    command = [sys.executable, "-m", "vclogic", *words, "--format", "json"]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)  # type: ignore[no-any-return]


# ---- links and contents


def _linked(source: Path, page: str, pages: Mapping[Path, str]) -> str:
    """A page with its links as they are on the site; a link to a file that is no page becomes plain text."""

    def link(match: re.Match[str]) -> str:
        label, target, anchor = match.groups()
        found = (source.parent / target).resolve()
        if found in pages:
            return f"[{label}]({os.path.relpath(pages[found], Path(page).parent)}{anchor or ''})"
        return label if found.exists() else match[0]  # Sphinx reports what is not there

    return _LINK.sub(link, source.read_text(encoding="utf-8"))


def _contents(part: str, pages: Sequence[str], games: Iterable[Entry]) -> str:
    return _toctree(part, pages or [f"games/{g['name']}" for g in games])


def _toctree(caption: str, pages: Iterable[str]) -> str:
    head = f":caption: {caption}\n:hidden:\n" if caption else ""
    return "\n```{toctree}\n:maxdepth: 1\n" + head + "\n" + "\n".join(pages) + "\n```\n"


# ---- commands


def _command(name: str) -> str:
    """A command with its options, from the help of the command line."""
    command = commands.commands[name]
    context = click.Context(command, info_name=f"vclogic {name}")
    records = [p.get_help_record(context) for p in command.get_params(context)]
    rows = [record for record in records if record is not None and record[1]]
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    return (
        f"### {name}\n\n`{usage}`\n\n{inspect.cleandoc(command.help or '')}\n\n{_table(('option', 'meaning'), rows)}"
    )


# ---- games


def _reference(game: Entry, rules: Entry) -> str:
    """What can be said about a game: outcomes, options, Readings, observables, events, metrics, rules."""
    parts = [
        *_section("Outcomes", (_outcome(x) for x in rules["outcomes"])),
        *_section("Readings", (_reading(x) for x in rules["readings"])),
        *_section("Options", (_option(x) for x in rules["options"])),
        *_section("Observables", (_observable(x) for x in rules["observables"])),
        *_section("What goals can count", (_kind(x) for x in rules["kinds"])),
        *_section("Moments", (_moment(x, rules["outcomes"]) for x in rules["moments"])),
        *_section("Events", (_event(x) for x in rules["events"])),
        *_section("Metrics", (f"- `{x['name']}`: {x['text']}\n" for x in rules["metrics"])),
        *_section("Rules", _rules(rules["rules"])),
    ]
    head = f"# Reference: {game['title']}\n\nWhat `vclogic rules {game['name']}` says of `{rules['game']}`.\n"
    return head + "".join(parts)


def _outcome(x: Entry) -> str:
    level = f", {x['level']}" if x["level"] else ""
    return f"- **`{x['name']}`, {x['side']}{level}**: {x['text']}. Judged {x['when']}.{_cited(x)}\n"


def _reading(x: Entry) -> str:
    values = "".join(f"- `{name}`: {text}\n" for name, text in x["values"].items())
    return f"### {x['name']}\n\n{values}\nDefault `{x['default']}`: {x['reason']}.{_cited(x)}\n\n"


def _option(x: Entry) -> str:
    values = x["values"]
    shown = ", ".join(f"`{v}`" for v in values) if isinstance(values, list) else _range(values)
    return f"- **`{x['name']}`**: {x['text']}. Values: {shown}; default `{x['default']}`.{_cited(x)}\n"


def _range(x: Entry) -> str:
    return f"{x['least']} to {x['most']}"


def _observable(x: Entry) -> str:
    arguments = f"({', '.join(a['kind'] for a in x['arguments'])})" if x["arguments"] else ""
    sort = {"Bool": "true or false", "Int": "a number"}.get(
        x["value"]["sort"]
    ) or f"a {x['value'].get('kind', 'name')}"
    return f"- **`{x['name']}{arguments}`**, {sort}: {x['text']}.{_cited(x)}\n"


def _kind(x: Entry) -> str:
    """A kind with what can be asked of its members, and an example that counts them."""
    of = [f"{what}: {', '.join(f'`{n}`' for n in x[what])}" for what in ("properties", "groups") if x[what]]
    such = f"for example `count({x['name']} where true) == {len(x['members'])}`"
    return f"- **`{x['name']}`**, {'; '.join((*of, such))}.\n"


def _moment(name: str, outcomes: Sequence[Entry]) -> str:
    """A moment with a line of a text of rules that is judged then."""
    side = outcomes[0]["side"] if outcomes else "side"
    return f"- **{name}**, for example `{side} wins example {name} if true`.\n"


def _event(x: Entry) -> str:
    arguments = "".join(map(_argument, x["arguments"]))
    notes = [f"Decided by {x['decided_by']}."] if x.get("decided_by") else []
    notes += [f"Not checked: {x['not_judged']}."] if x.get("not_judged") else []
    return f"### {x['name']}\n\n{x['text'][:1].upper()}{x['text'][1:]}. {' '.join(notes)}{_cited(x)}\n\n{arguments}\n"


def _argument(x: Entry) -> str:
    default = "" if x["default"] is None else f", by default {x['default']}"
    return f"- `{x['name']}`: {x.get('kind') or _range(x)}{default}\n"


def _rules(rules: Iterable[Entry]) -> Iterator[str]:
    """Rules in one line per family: of those that differ in what stands in brackets the first is shown."""
    families: dict[str, list[Entry]] = {}
    for x in rules:
        families.setdefault(x["name"].partition("[")[0], []).append(x)
    for first, *others in families.values():
        more = f" And {len(others)} more of the kind." if others else ""
        yield f"- **`{first['name']}`**: {first['text']}.{more}{_cited(first)}\n"


def _clauses(game: Entry, rules: Entry) -> str:
    """Each clause of the rule text with what encodes it and the rulings that try it."""
    head = f"# Clauses: {game['title']}\n\nWhat encodes each sentence of the text, and the rulings that try it.\n"
    return head + "".join(_section("Clauses", map(_clause, rules["clauses"])))


def _clause(x: Entry) -> str:
    lines = [f"Left out: {x['out_of_scope']}."] if x["out_of_scope"] else []
    lines += [f"Not encoded yet: {x['planned']}."] if x.get("planned") else []
    lines += ["An example of the text."] if x.get("example") else []
    names = dict.fromkeys(name.partition("[")[0] for name in x["rules"])
    lines += [f"Encoded by {', '.join(f'`{n}`' for n in names)}."] if names else []
    return f"### {x['name']}\n\n" + "\n".join(lines) + "\n\n" + "".join(f"- {c}\n" for c in x["cases"]) + "\n"


# ---- Markdown


def _section(title: str, parts: Iterable[str]) -> Iterator[str]:
    text = "".join(parts)
    if text:
        yield f"\n## {title}\n\n{text}"


def _cited(x: Entry) -> str:
    """The clauses of something, in brackets."""
    cites = x["cites"]
    more = f" and {len(cites) - 6} more" if len(cites) > 6 else ""
    return f" [{', '.join(cites[:6])}{more}]" if cites else ""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ("| `{}` | {} |\n".format(*(cell.replace("|", "\\|") for cell in row)) for row in rows)
    return f"| {' | '.join(head)} |\n| --- | --- |\n{''.join(lines)}\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]))

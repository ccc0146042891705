"""The findings of `check` for editors and code hosts: as SARIF 2.1.0, and as annotations that GitHub shows."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

from vclogic import __version__
from vclogic.check.catalogue import CATALOGUE, Code
from vclogic.check.findings import Checked, Finding
from vclogic.provenance import CodePlace
from vclogic.report.json import dumps

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
Part = dict[str, Any]


def sarif(answer: Checked) -> str:
    """The log, with one run; a finding that the game suppresses carries its reason."""
    codes = list(CATALOGUE.values())
    return dumps(
        {
            "$schema": _SCHEMA,
            "version": "2.1.0",
            "runs": [
                {
                    "tool": {"driver": {"name": "vclogic", "version": __version__, "rules": list(map(_rule, codes))}},
                    "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": _unknown(answer)}],
                    "results": [_result(f) for f in answer.findings],
                    "columnKind": "unicodeCodePoints",
                    "properties": {"game": answer.game, "scope": answer.scope},
                }
            ],
        }
    )


def _rule(code: Code) -> Part:
    return {
        "id": code.code,
        "name": "".join(map(str.capitalize, code.name.split("-"))),
        "shortDescription": {"text": code.says},
        "fullDescription": {"text": code.why},
        "help": {"text": code.help},
        "defaultConfiguration": {"level": code.severity},
    }


def _result(f: Finding) -> Part:
    text = f.message
    if f.witness is not None and f.witness.changes:
        changes = [f"{c.fluent}: {c.before} -> {c.after}" for c in f.witness.changes]
        text += "; in the start position with " + ", ".join(changes)
    made: Part = {
        "ruleId": f.code,
        "ruleIndex": list(CATALOGUE).index(f.code),
        "level": f.severity,
        "message": {"text": text},
        "locations": [_location(f, p) for p in f.places[:1]],
        "relatedLocations": [{"id": i, **_location(f, p)} for i, p in enumerate(f.places[1:], 1)],
        "partialFingerprints": {"vclogic/1": f"{f.code}:{f.rule}"},
        "properties": {"rule": f.rule, "cites": list(f.cites), "scope": f.scope},
    }
    if f.suppressed is not None:
        made["suppressions"] = [{"kind": "external", "justification": f.suppressed}]
    return made


def _location(f: Finding, place: CodePlace) -> Part:
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": _uri(place.file)},
            "region": {"startLine": place.line},
        },
        "logicalLocations": [{"name": f.rule, "fullyQualifiedName": place.function or f.rule}],
    }


def _uri(file: str) -> str:
    """A file's address: from the working directory if it is below it."""
    path = Path(os.path.abspath(file))
    try:
        return quote(path.relative_to(Path.cwd()).as_posix())
    except ValueError:
        return path.as_uri()


def _unknown(answer: Checked) -> list[Part]:
    return [
        {
            "level": "note",
            "message": {"text": f"not decided: {u.code} for {u.rule}: {u.reason}"},
            "associatedRule": {"id": u.code},
        }
        for u in answer.unknown
    ]


_KINDS = {"error": "error", "warning": "warning", "note": "notice"}


def github(answer: Checked) -> str:
    """A workflow command for each finding that is not suppressed, and a notice for what could not be decided."""
    lines = [_annotation(f) for f in answer.open]
    lines += [
        f"::notice title={_property(u.code + ' not decided')}::{_text(u.rule + ': ' + u.reason)}"
        for u in answer.unknown
    ]
    return "".join(line + "\n" for line in lines)


def _annotation(f: Finding) -> str:
    properties = {"title": f"{f.code} {CATALOGUE[f.code].name}"}
    if f.places:
        properties = {"file": _shown(f.places[0].file), "line": str(f.places[0].line), **properties}
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    message = f"{f.message} ({f.rule})" + (f" [{', '.join(f.cites)}]" if f.cites else "")
    return f"::{_KINDS[f.severity]} {given}::{_text(message)}"


def _shown(file: str) -> str:
    path = os.path.relpath(file)
    return file if path.startswith("..") else path


def _text(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _text(text).replace(":", "%3A").replace(",", "%2C")

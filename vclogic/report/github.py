"""The findings of `check` as annotations that GitHub shows beside the lines of a change."""

from __future__ import annotations

import os

from vclogic.check.catalogue import CATALOGUE
from vclogic.check.findings import Checked, Finding

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

"""The JSON Schema of whatever has one: files, answers, requests and replies."""

from __future__ import annotations

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.shapes.documents import KINDS, file_schema
from vclogic.files.shapes.words import Shape
from vclogic.report.answer_shape import ANSWERS, answer_schema
from vclogic.serve.shapes import reply_schema, request_schema

_LINES = {"request": request_schema, "reply": reply_schema}


def schema_of(kind: str, game: str | None = None) -> Shape:
    """The JSON Schema of a kind of file, of an answer, or of a line of `serve`.

    Args:
        kind: Its name.
        game: For a file: `encoding` or `encoding/scenario`, whose names and values are the only ones then.

    Raises:
        InputError: There is no such kind or game, or a game is named where none is asked for.
    """
    if kind not in (*KINDS, *ANSWERS, *_LINES):
        help = did_you_mean(kind, (*KINDS, *ANSWERS, *_LINES))
        raise InputError(Diagnostic("unknown-name", f"there is no kind of file or answer {quoted(kind)}", help=help))
    if kind in KINDS:
        return file_schema(kind, game)
    if game is not None:
        what = f"the answer of {kind}" if kind in ANSWERS else f"a {kind}"
        raise InputError(Diagnostic("usage", f"{what} is the same for every game: leave out the game"))
    return answer_schema(kind) if kind in ANSWERS else _LINES[kind]()

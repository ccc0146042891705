"""Write `docs/messages.md` from the data: `python -m tests.bad_files`."""

from __future__ import annotations

from tests.bad_files.faults import PAGE, page
from vclogic.files.registry import load_encoding

PAGE.write_text(page(lambda game: load_encoding(game).title))

"""Lines at random never end a server: each is answered, and it goes on."""

from __future__ import annotations

import json
from typing import Any, get_type_hints

from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.fixtures.serving import codes
from vclogic.files.trees.schema import Texts
from vclogic.serve.dispatch import Dispatcher
from vclogic.serve.pool import Pool
from vclogic.serve.requests import KINDS
from vclogic.serve.session import ClientSession

GOOD = ["start", "m1", "axis_allies", "end_turn", "vcp(Axis)", "turn", "round >= 1", "Axis", "place", "round", "-"]
QUICK = [name for name, kind in KINDS.items() if not kind.is_search and name != "shutdown"]
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(GOOD)
)


def parts(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Lists and mappings of values."""
    return st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3)


NAMES = st.text(max_size=6) | st.sampled_from(
    ["game", "state", "record", "place", "capture", "power", "owner", "round"]
)
VALUES = st.recursive(SCALARS, parts, max_leaves=6)


TEXTS = st.sampled_from(GOOD) | st.text(max_size=8)
EVENTS = st.sampled_from(["end_turn", {"place": {"power": "Germans"}}, {"bid": {}}]) | VALUES
FITTING: dict[Any, st.SearchStrategy[Any]] = {
    str: st.just("start") | TEXTS,
    str | None: st.none() | TEXTS,
    bool: st.booleans(),
    int: st.integers(-3, 30),
    Texts: TEXTS | st.lists(TEXTS, max_size=3),
    tuple[Any, ...]: st.lists(EVENTS, max_size=3),
    Any: EVENTS | st.fixed_dictionaries({}, optional={"round": VALUES, "owner": st.dictionaries(NAMES, VALUES)}),
}


def requests(ask: str) -> st.SearchStrategy[dict[str, Any]]:
    """Requests with the keys that they may have, and values that they may have or not."""
    hints = get_type_hints(KINDS[ask].keys, include_extras=True)
    keys = {key: st.one_of([FITTING.get(hint, VALUES)] * 5 + [VALUES]) for key, hint in hints.items() if key != "id"}
    keys["ask"] = st.just(ask)
    needed = {
        key: keys.pop(key) for key in ("ask", "moment", "expressions", "events", "state", "game") if key in keys
    }
    return st.fixed_dictionaries(needed, optional=keys)


REQUESTS = st.sampled_from(QUICK).flatmap(requests)
LINES = st.binary(max_size=60).map(lambda b: b.replace(b"\n", b" ")) | (VALUES | REQUESTS).map(
    lambda x: json.dumps(x).encode()
)


class Told:
    """A server without processes, and its answers."""

    def __init__(self) -> None:
        self.answers: list[bytes] = []
        self.server = Dispatcher(ClientSession(50), Pool(1), self.answers.append)

    def tell(self, line: bytes) -> Any:
        """Its answer to a line; None if it gives none."""
        self.server.receive(line)
        if not self.answers:
            return None
        (answer,) = self.answers
        self.answers.clear()
        assert answer.isascii()
        assert answer.count(b"\n") == 1
        return json.loads(answer, parse_constant=lambda word: 1 / 0)


TOLD = Told()
TOLD.tell(b'{"ask": "load", "game": "axis_allies", "name": "start"}')


@examples(200)
@given(LINES)
def test_every_line_has_one_answer_and_none_is_a_bug(line: bytes) -> None:
    answer = TOLD.tell(line)
    assert answer is not None or not line.decode(errors="replace").strip(
        "\ufeff \t\r\n\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029"
    )
    if answer is not None:
        assert list(answer) == ["id", "answer"]
        assert not {"internal", "broken-rules"} & set(codes(answer["answer"])), (line, answer)
    assert TOLD.tell(b'{"id": 1, "ask": "version"}')["answer"]["protocol"] == 1

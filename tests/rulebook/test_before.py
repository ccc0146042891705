"""`before(...)` in lines: what was so before the last event, against records that are kept by hand."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import vclogic
from vclogic.errors import InputError

BOOK = """# Walks

```vclogic
sides Red, Blue
turn is any number of events
grid spot
  A B C
  D E F
fact at(side): spot, starts A
fact turned
  becomes before(at(Red)) == at(Blue) at once
fact steps: 0 to 99
  rises by 1 at once if just(Red)
event go by side to spot
  needs adjacent(at(side), to)
  then at(side) becomes to
event wait by side
just(side) means before(at(side)) != at(side)
near(side) means adjacent(at(side), at(enemy(side)))
came(side) means near(side) and not before(near(side))
```
"""


@pytest.mark.parametrize("seed", range(12))
def test_it_is_what_was_so_before_the_last_event(seed: int, tmp_path: Path) -> None:
    (tmp_path / "walks.md").write_text(BOOK)
    game, random = vclogic.load(str(tmp_path / "walks.md")), Random(seed)
    touching = {"AB", "BC", "DE", "EF", "AD", "BE", "CF"}
    touching |= {pair[::-1] for pair in touching}

    def near(at: dict[str, str]) -> bool:
        return at["Red"] + at["Blue"] in touching

    at, turn, steps = {"Red": "A", "Blue": "A"}, "Red", 0
    assert game.value("just(Red)") is False
    for _ in range(8):
        was = dict(at)
        kind = random.choice(("go", "go", "wait", "end_turn"))
        to = random.choice([pair[1] for pair in sorted(touching) if pair[0] == at[turn]])
        game = game.apply("go", to=to) if kind == "go" else game.apply(kind)
        if kind == "go":
            at[turn] = to
        steps += was["Red"] != at["Red"]
        if kind == "end_turn":
            turn = "Blue" if turn == "Red" else "Red"
        for side in ("Red", "Blue"):
            assert game.value(f"just({side})") is (was[side] != at[side])
            assert game.value(f"came({side})") is (near(at) and not near(was))
        assert game.value("turned") is (was["Red"] == at["Blue"])
        assert game.value("steps") == steps


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("far means before(just(Red))", "just says itself what was so before"),
        ("b means just(Blue)\nfar means before(b)", "b says itself what was so before"),
        (
            "secret fact plan(side): 0 to 3",
            "before(...) cannot stand in rules with secret facts: it could tell of one",
        ),
        ("far means before(happens(go))", "'happens' speaks of the last event of a record: only `reach` takes it"),
    ],
)
def test_what_it_cannot_ask_is_told(lines: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "walks.md").write_text(BOOK.replace("near(side) means", f"{lines}\nnear(side) means"))
    with pytest.raises(InputError) as caught:
        vclogic.load(str(tmp_path / "walks.md"))
    assert message in [d.message for d in caught.value.diagnostics]
    assert all(d.line and d.help for d in caught.value.diagnostics)

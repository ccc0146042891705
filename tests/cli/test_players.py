"""The page of a rulebook for players: what stands in it, in which order, and that nothing of a hostile one runs."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from vclogic.query.board.players import Illustrated
from vclogic.report.players import page
from vclogic.rulebook.markdown.pieces import pieces


class Read(HTMLParser):
    """The elements of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "img", "br", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def named(self, *tags: str) -> list[tuple[str, dict[str, str | None]]]:
        return [e for e in self.elements if e[0] in tags]


def shown(text: str) -> Read:
    found = Read(page(Illustrated("T<i>tle", tuple(pieces(text)), {})))
    assert found.open == []
    return found


HOSTILE = """
# <script>alert(1)</script> & <b onclick=x>

### Deep [x](javascript:alert(1)) `<img src=x onerror=alert(1)>`

# Second

<script>alert(1)</script>
<img src=x onerror="alert(1)">
<a href="javascript:alert(1)">a</a>

**1.1** [a](javascript:alert(1)) [b](<JaVaScRiPt:alert(1)>) [c](data:text/html,<script>alert(1)</script>)
[d](vbscript:x) [e](//evil.example/x) [f](file:///etc/passwd) <javascript:alert(1)> [g][ref]
![" onerror="alert(1)](http://evil.example/x.png) [ok](https://example.com "\\" onmouseover=\\"alert(1)")

[ref]: javascript:alert(1) "x"

| <script>alert(1)</script> | b |
| --- | --- |
| "><svg onload=alert(1)> | **2.1" onclick="x** |

```vclogic
</code></pre><script>alert(1)</script>
```

```ruling
</summary><script>alert(1)</script> "><img onerror=alert(1)>
  given <script>alert(1)</script> is </dd>
  odd<b> x
```

```html" onclick="alert(1)
<script>alert(1)</script>
```
"""


def test_nothing_of_a_hostile_rulebook_runs() -> None:
    found = shown(HOSTILE)
    assert found.named("script", "iframe", "object", "embed", "svg", "img", "form", "base", "link") == []
    for tag, attributes in found.elements:
        assert not any(name.startswith("on") for name in attributes), (tag, attributes)
        assert not (attributes.keys() & {"style", "srcdoc", "formaction"})
    links = [a["href"] for _, a in found.named("a")]
    assert [x for x in links if not str(x).startswith("#")] == ["https://example.com"]
    policy = next(a["content"] for _, a in found.named("meta") if "http-equiv" in a)
    assert str(policy).startswith("default-src 'none';")
    assert found.elements[0] == ("html", {"lang": "en"})


@pytest.mark.parametrize("text", [HOSTILE, "", "##### x\n\n# y\n\n###### z\n", "text\n\n# Late\n"])
def test_headings_are_in_order(text: str) -> None:
    levels = [int(tag[1]) for tag, _ in shown(text).elements if re.fullmatch(r"h\d", tag)]
    assert levels[:1] == [1]
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))


def test_every_sentence_has_its_rulings_and_their_positions(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run("new", "mine")
    found = run("rulebook", "mine.md", "-o", "mine.html", "--format", "json")
    assert found.document == {"schema": "vclogic/rulebook/1", "title": "Mine", "file": "mine.html", "pictures": 7}
    text = Path("mine.html").read_text()
    told = Read(text)
    assert len(told.named("details")) == len(told.named("summary")) == 8 + 7
    assert "As the program reads sentence 2.3</summary>" in text
    assert "<summary>Ruling on 2.3: Two places beside it are</summary>" in text
    alts = [str(a["alt"]) for _, a in told.named("img")]
    assert "The position before the ruling: A camp is safe" in alts
    assert all(str(a["src"]).startswith("data:image/svg+xml;base64,") for _, a in told.named("img"))
    anchors = {str(a["id"]) for _, a in told.elements if "id" in a}
    assert {"s-1.1", "s-3.2"} <= anchors
    assert {str(a["href"])[1:] for _, a in told.named("a")} <= anchors
    assert "http" not in re.sub(r"http-equiv|data:[^\"]*", "", text)


def test_what_is_no_rulebook_is_told(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("new", "mine")
    Path("wrong.md").write_text(Path("mine.md").read_text().replace("given holder(Town)", "given holdr(Town)"))
    for words, said in (
        (("axis_allies", "-o", "x.html"), "'axis_allies' is no rulebook"),
        (("wrong.md", "-o", "x.html"), "wrong.md:"),
        (("mine.md", "-o", "mine.md"), "would overwrite it"),
    ):
        found = run("rulebook", *words)
        assert (found.code, said in found.err) == (2, True), found.err
    assert not Path("x.html").exists()

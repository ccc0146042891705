"""A rulebook for players as one HTML page: it needs no network, and nothing that the rulebook holds runs in it."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token

from vclogic.query.board.players import Illustrated
from vclogic.report.html_page import html_page
from vclogic.rulebook.markdown.file import parser
from vclogic.rulebook.markdown.pieces import Piece
from vclogic.rulebook.source import RULES, RULINGS

_NUMBER = re.compile(r"<strong>(\d+(?:\.\d+)*[a-z]?)(\.?)</strong>")
_WEB = re.compile(r"(?i)(?:https?://|mailto:|#)")
_LEVELS = 6
_DEEPEST = 3
"""Headings down to this level stand in the table of contents."""
_WORDS = {"given": "Given", "under": "Reading", "play": "Event", "refused": "Refused", "expect": "Then"}

_STYLE = """
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--back);padding:.5rem}
main{max-width:44rem;overflow-wrap:break-word}
nav{font-size:.9rem;margin-bottom:1.5rem}nav ul{list-style:none;margin:0;padding:0}nav li{padding:.15rem 0}
nav .below{padding-left:1rem}
.number a{text-decoration:none}.number:target{background:var(--soft)}
details{border:1px solid var(--line);border-radius:.4rem;margin:.7rem 0;padding:0 .8rem}
.rules{border:0;padding:0;margin:0 0 1rem}.rules summary{color:var(--quiet);font-size:.85rem}
summary{cursor:pointer;padding:.45rem 0;font-size:.9rem}
.ruling dl{display:grid;grid-template-columns:auto 1fr;gap:.2rem .9rem;margin:.2rem 0 .8rem}
.ruling dt{font-family:system-ui,sans-serif;font-size:.85rem}.ruling dd{margin:0}
figure{margin:0 0 .8rem}figure img{width:100%;max-width:34rem}
blockquote{border-left:.25rem solid var(--line);margin-left:0;padding-left:1rem}
@media(min-width:64rem){.page{display:grid;grid-template-columns:15rem 1fr;gap:2.5rem}
nav{position:sticky;top:1rem;align-self:start;max-height:95vh;overflow:auto}}
@media print{nav,.skip{display:none}details:not([open])>:not(summary){display:none}}
"""


def page(book: Illustrated) -> str:
    """The page; raw HTML of the text is shown as text, its images by their words."""
    pieces = _Pieces(book)
    body = "".join(pieces.html())
    contents = "".join(
        f'<li{" class=below" if level > 2 else ""}><a href="#{name}">{text}</a></li>\n'
        for level, name, text in pieces.headings
        if 1 < level <= _DEEPEST
    )
    listed = f'<nav aria-label="Contents"><ul>\n{contents}</ul></nav>\n' if contents else "<div></div>"
    text = f'<div class="page">\n{listed}<main id="text">\n{body}</main>\n</div>'
    return html_page(book.title, f'<a class="skip" href="#text">To the rules</a>\n{text}', _STYLE)


@dataclass
class _Pieces:
    """The pieces of a rulebook as HTML.

    Attributes:
        book: The rulebook.
        headings: The level, the anchor and the text of each heading so far.
    """

    book: Illustrated
    headings: list[tuple[int, str, str]] = field(default_factory=list)
    _numbers: set[str] = field(default_factory=set)
    _since: list[str] = field(default_factory=list)
    _about: tuple[str, ...] = ()

    def html(self) -> Iterator[str]:
        """Each piece, in its order."""
        markdown = _renderer()
        links: dict[str, object] = {}
        parser().parse("".join(p.whole for p in self.book.pieces), links)  # definitions of links, wherever they stand
        if not any(p.kind == "" and re.search(r"^#\s", p.text, re.MULTILINE) for p in self.book.pieces):
            yield self._heading(1, escape(self.book.title))
        for piece in self.book.pieces:
            if piece.kind == RULES:
                yield self._rules(piece)
            elif piece.kind == RULINGS:
                yield from self._rulings(piece)
            else:
                yield self._prose(markdown, piece, dict(links))

    # ---- the text

    def _prose(self, markdown: MarkdownIt, piece: Piece, links: dict[str, object]) -> str:
        tokens = markdown.parse(piece.text, links)
        for n, token in enumerate(tokens):
            if token.type == "heading_open":
                self._as_heading(token, markdown, tokens[n + 1])
                closing = next(t for t in tokens[n:] if t.type == "heading_close")
                closing.tag = token.tag
        return _NUMBER.sub(self._numbered, markdown.renderer.render(tokens, markdown.options, links))

    def _as_heading(self, token: Token, markdown: MarkdownIt, inline: Token) -> None:
        """A heading at a level that follows on those before it, with an anchor."""
        known = self.headings[-1][0] if self.headings else 0
        level = min(max(int(token.tag[1]), 2 if known else 1), known + 1, _LEVELS)
        words = escape("".join(c.content for c in inline.children or () if c.type in ("text", "code_inline")))
        token.tag, token.attrs = f"h{level}", {"id": f"part-{len(self.headings) + 1}"}
        self.headings.append((level, str(token.attrs["id"]), words))
        self._about = ()

    def _heading(self, level: int, words: str) -> str:
        self.headings.append((level, f"part-{len(self.headings) + 1}", words))
        return f'<h{level} id="{self.headings[-1][1]}">{words}</h{level}>\n'

    def _numbered(self, found: re.Match[str]) -> str:
        """The number of a sentence, which can be linked to."""
        number = found[1]
        self._since.append(number)
        if number in self._numbers:
            return found[0]
        self._numbers.add(number)
        return f'<strong class="number" id="s-{number}"><a href="#s-{number}">{number}</a>{found[2]}</strong>'

    def _sentences(self) -> str:
        """The sentences that a block belongs to: those since the block before, or those of that one."""
        self._about = tuple(dict.fromkeys(self._since)) or self._about
        self._since.clear()
        return f" {', '.join(self._about)}" if self._about else ""

    # ---- blocks

    def _rules(self, piece: Piece) -> str:
        about = self._sentences()
        of = f"sentence{'s' if len(self._about) > 1 else ''}{about}" if about else "the text above"
        return (
            f'<details class="rules"><summary>As the program reads {of}</summary>\n'
            f'<pre tabindex="0"><code>{escape(piece.text)}</code></pre></details>\n'
        )

    def _rulings(self, piece: Piece) -> Iterator[str]:
        about = self._sentences()
        title, number, rows = "", 0, list[str]()
        for n, line in enumerate([*piece.text.splitlines(), "end"]):
            words = line.split(" #")[0].strip()
            if not words or words.startswith("#"):
                continue
            if not line[0].isspace():
                if title:
                    yield self._ruling(title, about, rows, number)
                title, number, rows = words, piece.line + n, []
                continue
            word, _, rest = words.partition(" ")
            rows.append(f"<dt>{_WORDS.get(word, escape(word))}</dt><dd>{escape(rest)}</dd>")

    def _ruling(self, title: str, about: str, rows: list[str], line: int) -> str:
        drawn = self.book.pictures.get(line)
        picture = "" if drawn is None else _figure(drawn, title)
        return (
            f'<details class="ruling"><summary>Ruling{f" on{about}" if about else ""}: {escape(title)}</summary>\n'
            f"<dl>{''.join(rows)}</dl>\n{picture}</details>\n"
        )


def _figure(svg: str, title: str) -> str:
    data = b64encode(svg.encode()).decode()
    alt = escape(f"The position before the ruling: {title}", quote=True)
    return f'<figure><img alt="{alt}" src="data:image/svg+xml;base64,{data}" loading="lazy"></figure>\n'


# ---- Markdown


def _renderer() -> MarkdownIt:
    """The renderer of the text: no raw HTML, no links but those of the web, images as their words."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.validateLink = lambda url: _WEB.match(url) is not None  # type: ignore[method-assign]
    markdown.add_render_rule("image", _image)
    markdown.add_render_rule("table_open", lambda *given: '<div class="scroll" tabindex="0"><table>\n')
    markdown.add_render_rule("table_close", lambda *given: "</table></div>\n")
    return markdown


def _image(self: object, tokens: list[Token], n: int, options: Mapping[str, object], env: object) -> str:
    return f"<em>[{escape(tokens[n].content or 'picture')}]</em>"

"""An HTML page in one file: it needs no network, and no script in it runs, whatever its text holds."""

from __future__ import annotations

from html import escape

_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """
:root{color-scheme:light dark;--text:#1d1d1b;--back:#fdfcf9;--soft:#f1eee6;--line:#8a8577;--quiet:#5d594e}
:root{--link:#0b4a8f}
@media(prefers-color-scheme:dark){
:root{--text:#eceae4;--back:#181816;--soft:#26251f;--line:#908b7c;--quiet:#b5b0a2;--link:#9cc4f5}}
*{box-sizing:border-box}
body{margin:0;font:1.05rem/1.55 Georgia,"Times New Roman",serif;color:var(--text);background:var(--back)}
.page{max-width:76rem;margin:auto;padding:1rem}
h1,h2,h3,h4,h5,h6{line-height:1.2;margin:2rem 0 .7rem}h1{margin-top:0}
nav,summary,figcaption,th{font-family:system-ui,sans-serif}
a{color:var(--link)}a:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--link)}
pre{overflow-x:auto;background:var(--soft);padding:.7rem;border-radius:.3rem;font-size:.85rem;line-height:1.45}
.scroll,figure{overflow-x:auto}table{border-collapse:collapse}
th,td{border:1px solid var(--line);padding:.3rem .6rem;text-align:left}th{background:var(--soft)}
figcaption{color:var(--quiet);font-size:.9rem}
figure img,figure svg{max-width:100%;height:auto;background:#fff;border-radius:.3rem}
"""


def html_page(title: str, body: str, style: str = "") -> str:
    """A page.

    Args:
        title: Its title, as plain text.
        body: What stands in it, as HTML.
        style: Rules of its own, beside those that all pages share.
    """
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{_STYLE}{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )

"""Explanations as text: trees of clauses with the facts that decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.choices import by_command
from vclogic.model.fluents import Value
from vclogic.model.sayings import sentences, since
from vclogic.report.text.page import bracketed, bullets, indented, plain
from vclogic.words import amount

if TYPE_CHECKING:
    from vclogic.query.explanation import Explained

_MOST_HERE = 3  # sentences under a line
DECIDING = "*"


def outcome(why: Explained, whole: bool, above: set[object] | None = None) -> Group:
    """Why an outcome is met or not.

    Args:
        why: Its explanation.
        whole: Whether to show all parts, the deciding ones marked, or only what those rest on.
        above: What has been shown with its parts already, of this outcome or another.
    """
    shown: list[RenderableType] = []
    if whole:
        shown += trees(why.parts, above)
    else:
        shown.append(bullets(_short(why)))
    if why.least > 0 and not why.value:
        facts = amount(why.least, "facts")
        shown.append(
            Text(f"at least {facts} would have to change{by_command('; `vclogic missing` names the fewest')}", "dim")
        )
    return Group(*shown)


def _short(why: Explained) -> Iterator[str]:
    """The deciding parts of an outcome, without a remark that nobody has won it earlier."""
    deciding = [p for p in why.parts if p.deciding and (p.value or p is not why.parts[-1])]
    for part in deciding:
        what = "what it asks for" if part is why.parts[0] else part.text
        yield f"{what}: {_value(part.value)}{since(part.said)}"


def trees(nodes: Iterable[Explained], above: set[object] | None = None) -> list[Group]:
    """Nodes with everything below them; deciding ones are marked.

    A node that occurs several times is shown in full once: shared parts would repeat exponentially often.

    Args:
        above: What has been shown in full already; nodes that are shown are added.
    """
    known = set[object]() if above is None else above
    return [_tree(node, known) for node in nodes]


def _tree(node: Explained, above: set[object]) -> Group:
    line = _line(node)
    if _told(node, above):
        line.append(", as above", "dim")
        return Group(line)
    if node.parts:
        above |= _keys(node)
    facts = [] if node.parts or not node.deciding else list(sentences(node.said))
    more = [f"and {len(facts) - _MOST_HERE} more"] if len(facts) > _MOST_HERE else []
    here = [indented(Text(f"here {'; '.join([*facts[:_MOST_HERE], *more])}", "cyan"))] if facts else []
    return Group(line, *(indented(b) for b in _below(node.parts, above)), *here)


def _below(parts: Iterable[Explained], above: set[object]) -> Iterator[RenderableType]:
    """Parts; several that do not decide and have been told already are told by their number."""
    again = 0
    for part in parts:
        if _told(part, above) and not part.deciding:
            again += 1
        else:
            yield _tree(part, above)
    if again:
        yield Text(f"- and {amount(again, 'part')} that {'is' if again == 1 else 'are'} told above", "dim")


def _line(node: Explained) -> Text:
    mark = DECIDING if node.deciding else "-"
    line = Text(f"{mark} {_value(node.value)}: ", "" if node.deciding else "dim")
    line.append(plain(node.text))
    line.append(bracketed(node.cites, most=3), "dim")
    return line


def _told(node: Explained, above: set[object]) -> bool:
    return bool(node.parts) and not _keys(node).isdisjoint(above)


def _keys(node: Explained) -> set[object]:
    """The keys of a node: the sentence of a clause, anything else only by itself."""
    return {id(node), (node.text, node.value, node.cites)} if node.cites else {id(node)}


def _value(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)

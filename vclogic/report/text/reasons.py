"""Explanations as text: trees of clauses with the facts that decide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.model.fluents import Value
from vclogic.query.explain import Explained
from vclogic.report.text.page import bracketed, bullets, indented, listed, plain
from vclogic.words import amount

_MOST_FACTS = 9
_MOST_KINDS = 6
DECIDING = "*"


def outcome(why: Explained, whole: bool) -> Group:
    """Why an outcome is met or not.

    Args:
        why: Its explanation.
        whole: Whether to show all parts, the deciding ones marked, or only what those rest on.
    """
    shown: list[RenderableType] = []
    if whole:
        shown += trees(why.parts)
    else:
        shown.append(bullets(_short(why)))
    if why.least > 0 and not why.value:
        facts = amount(why.least, "facts")
        shown.append(Text(f"at least {facts} would have to change; `vclogic missing` names the fewest", "dim"))
    return Group(*shown)


def _short(why: Explained) -> Iterator[str]:
    """What decides an outcome, without saying that nobody has won it earlier."""
    deciding = [p for p in why.parts if p.deciding and (p.value or p is not why.parts[-1])]
    for part in deciding:
        what = "what it asks for" if part is why.parts[0] else part.text
        yield f"{what}: {_value(part.value)}{because(part.facts)}"


def because(facts: Mapping[str, Value]) -> str:
    """Facts as the end of a sentence."""
    return f", since {'; '.join(_alike(facts, _MOST_KINDS))}" if facts else ""


def _alike(facts: Mapping[str, Value], most: int | None = None) -> Iterator[str]:
    """Facts, joined where family and value are the same; beyond a few groups only their number."""
    groups: dict[tuple[str, str], list[str]] = {}
    for name, value in facts.items():
        family, _, index = name.partition("[")
        groups.setdefault((family, _value(value)), []).append(index.removesuffix("]"))
    kinds = list(groups.items())
    shown = len(kinds) if most is None or len(kinds) <= most + 1 else most
    for (family, value), places in kinds[:shown]:
        yield f"{family} is {value}" + (f" for {listed(places, _MOST_FACTS)}" if any(places) else "")
    if shown < len(kinds):
        yield f"and {sum(len(places) for _, places in kinds[shown:])} facts more"


def trees(nodes: Iterable[Explained]) -> list[Group]:
    """Nodes with everything below them; deciding ones are marked.

    A node that occurs several times is shown in full once: shared parts would repeat exponentially often.
    """
    above: set[int] = set()
    return [_tree(node, above) for node in nodes]


def _tree(node: Explained, above: set[int]) -> Group:
    mark = DECIDING if node.deciding else "-"
    line = Text(f"{mark} {_value(node.value)}: ", "" if node.deciding else "dim")
    line.append(plain(node.text))
    line.append(bracketed(node.cites), "dim")
    if node.parts and id(node) in above:
        line.append(", as above", "dim")
        return Group(line)
    above.add(id(node))
    ends = [] if node.parts or not node.deciding else [Text(f"here {'; '.join(_alike(node.facts))}", "cyan")]
    below: list[RenderableType] = [*(_tree(p, above) for p in node.parts), *(e for e in ends if node.facts)]
    return Group(line, *(indented(b) for b in below))


def _value(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)

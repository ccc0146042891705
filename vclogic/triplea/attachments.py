"""Attachments of players, land and units of a map, with variables written out and old spellings read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from vclogic.triplea.elements import Element
from vclogic.triplea.naming import plain

YES = ("true", "yes")
"""What sets an option that is true or false."""
_LEGACY = {
    "turns": "rounds",
    "trigger": "conditions",
    "occupiedterrof": "originalOwner",
    "isimpassible": "isImpassable",
}
_LEGACY_VALUES = {("victorycity", "true"): "1", ("victorycity", "false"): "0", ("conditiontype", "xor"): "1"}


@dataclass(frozen=True)
class FilePlace:
    """A place in the file: line and column, counted from 1."""

    line: int
    column: int


@dataclass(frozen=True)
class AttachmentOption:
    """An option of an attachment.

    Attributes:
        name: Its name, its first letter small, as the engine reads it.
        value: Its value, behind the count where it has one.
        place: Where it stands.
    """

    name: str
    value: str
    place: FilePlace

    @property
    def parts(self) -> list[str]:
        """The value, split at its colons."""
        return self.value.split(":")


@dataclass(frozen=True)
class Attachment:
    """An attachment of something of the map.

    Attributes:
        name: Its name.
        to: What it is attached to.
        kind: The last part of its class, such as `RulesAttachment`.
        options: What it says, in the order of the file.
        place: Where it stands.
    """

    name: str
    to: str
    kind: str
    options: tuple[AttachmentOption, ...]
    place: FilePlace

    def all(self, *names: str) -> list[AttachmentOption]:
        """Its options of some names."""
        return [o for o in self.options if o.name in names]

    def last(self, *names: str) -> AttachmentOption | None:
        """The last of them, which is the one that counts; None: there is none."""
        return next(iter(reversed(self.all(*names))), None)

    def says(self, name: str, default: bool = False) -> bool:
        """True if an option is set to true."""
        option = self.last(name)
        return default if option is None else option.value.lower() in YES


_VARIABLE = re.compile(r"\$([^$]*)\$")


def read_attachments(root: Element) -> Iterator[Attachment]:
    """All attachments of a map in the order of its file, with their variables written out.

    Args:
        root: The root of the file.
    """
    named = root.first("variableList")
    variables = {
        v.get("name"): [e.get("name") for e in v.all("element")] for v in (named.all("variable") if named else ())
    }
    section = root.first("attachmentList", "attatchmentList")
    for e in section.all("attachment", "attatchment") if section else ():
        for values in _each(e.get("foreach"), variables):
            yield _attachment(e, values, variables)


def _each(foreach: str, variables: Mapping[str, Sequence[str]]) -> Iterator[Mapping[str, str]]:
    """The values of the variables for which an attachment stands: lists that go together, crossed with each other."""
    if not foreach:
        yield {}
        return
    groups: list[list[Mapping[str, str]]] = []
    for together in foreach.split("^"):
        names = [n.strip("$ ") for n in together.split(":")]
        rows = zip(*(variables.get(n, ()) for n in names), strict=False)
        groups.append([dict(zip(names, row, strict=True)) for row in rows])
    for chosen in product(*groups):
        yield {name: value for of in chosen for name, value in of.items()}


def _attachment(e: Element, values: Mapping[str, str], variables: Mapping[str, Sequence[str]]) -> Attachment:
    def said(text: str) -> str:
        for name, value in values.items():
            text = text.replace(f"@{name}@", value)
        return _VARIABLE.sub(lambda found: ":".join(variables.get(found[1], (found[0],))), text)

    options = []
    for o in e.all("option"):
        count, value = o.get("count"), o.get("value")
        value = f"{count}:{value}" if count else value
        if any(not of and f"@{name}@" in value for name, of in values.items()):
            continue  # it stands for nothing
        name = o.get("name")
        name = _LEGACY.get(name.lower(), name[:1].lower() + name[1:])
        value = said(value) if name == "victory" else plain(said(value))
        value = _LEGACY_VALUES.get((name.lower(), value.lower()), value)
        options.append(AttachmentOption(name, value, FilePlace(o.line, o.column)))
    to = plain(said(e.get("attachTo") or e.get("attatchTo")))
    kind = e.get("javaClass").rpartition(".")[2]
    place = FilePlace(e.line, e.column)
    return Attachment(spelled(plain(said(e.get("name")))), to, spelled(kind), tuple(options), place)


def spelled(name: str) -> str:
    """A name of an attachment, without the spelling of old maps."""
    return name.replace("ttatchment", "ttachment")

"""Read options and Readings from files and from `--set`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vclogic.choices import choice
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.located import Node, Tree
from vclogic.files.trees.scalars import about, number_in, word
from vclogic.model.rules import Option, Reading
from vclogic.model.system import Encoding

Setting = Option | Reading
Given = dict[str, int | str]
"""The value of each option and reading that was set."""


def read_settings(encoding: Encoding, node: Node, findings: Findings) -> Given:
    """Read the sections `options` and `readings` of a file.

    Args:
        encoding: The game.
        node: The file, a mapping; a missing or empty section sets nothing.
    """
    options = {o.name: o for o in encoding.options}
    readings = {r.name: r for r in encoding.readings}
    return {
        **_section(node, "options", options, readings, findings),
        **_section(node, "readings", readings, options, findings),
    }


def read_overrides(encoding: Encoding, pairs: Iterable[tuple[str, str]], findings: Findings) -> Given:
    """Read `--set name=value`; the last value of a name counts."""
    known: dict[str, Setting] = {r.name: r for r in encoding.readings}
    known |= {o.name: o for o in encoding.options}
    given: Given = {}
    for name, value in pairs:
        with findings.catch(choice("settings")):
            if name not in known:
                hint = did_you_mean(name, known)
                message = f"there is no option or reading {quoted(name)}"
                raise InputError(Diagnostic("unknown-name", message, help=hint))
            given[name] = setting_value(known[name], value)
    return given


def setting_value(setting: Setting, tree: Tree) -> int | str:
    """The value of an option or reading.

    Raises:
        InputError: It is not allowed; the message says what is.
    """
    try:
        values = setting.values
        return number_in(tree, values) if isinstance(values, range) else word(tree, values)
    except InputError as error:
        raise about(setting.name, error) from error


def _section(
    node: Node,
    name: str,
    known: Mapping[str, Setting],
    others: Mapping[str, Setting],
    findings: Findings,
) -> Given:
    given: Given = {}
    parts = node.section(name).items(f"{name}, each with its value: `NAME: VALUE`", findings)
    for key, part in parts.items():
        if key in known:
            with part.catch(findings):
                given[key] = setting_value(known[key], part.tree)
            continue
        hint = did_you_mean(key, known, there=parts)
        if key in others:
            hint = f"{quoted(key)} is one of the {'readings' if name == 'options' else 'options'}: move it there"
        findings.add(part.diagnostic("unknown-name", f"there is no {name[:-1]} {quoted(key)}", key=True, help=hint))
    return given

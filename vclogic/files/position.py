"""Set up a game from the user's words: a game, a scenario, a position file, a record, options."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from vclogic.errors import Diagnostic, InputError, nearest, quoted, shortened
from vclogic.files.boards import ENDINGS, is_below
from vclogic.files.registry import BOARD, encoding_names, is_installed, is_packaged, rulebook_file
from vclogic.files.scenario import default_scenario, load_scenario, split_game
from vclogic.files.setup import Layer, Memo, Setup, SetupSources, assemble
from vclogic.files.source import STDIN, near_files, outside
from vclogic.files.state import SECTIONS, Given
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.located import Node, Tree, describe
from vclogic.files.trees.nodes import MAPPING, mapping_node, read_node
from vclogic.files.trees.overlay import overlaid
from vclogic.files.trees.scalars import text
from vclogic.model.fluents import State
from vclogic.terms.term import Term

KEYS = SECTIONS
"""The keys of a position file."""
_PARTS = "a file has the parts {}; facts stand under `state:`, a board under `board:`"
Position = Mapping[str, Any]
"""A position in Python: a mapping with the keys of a position file."""
Record = Sequence[Any]
"""A record in Python: a list of events, each a name or a mapping from its name to its arguments."""
STATE = "<state>"
"""The name in place of the file in messages about a state that is laid over a game."""
_OF_THE_START = ("state", "record")
_MOST_CARDS = 8
"""So many cards may stand behind one another."""
SAVE = ".tsvg"
"""What the name of a saved game of TripleA ends with."""
AT = "<at>"
"""The name in place of the file in messages about a position in Python that is laid over a game."""


def load_setup(
    game: str | Position | Node,
    at: str | Position | Record | None = None,
    overrides: Sequence[tuple[str, str]] = (),
    *,
    beside: Sequence[str | Position] = (),
    memo: Memo | None = None,
) -> Setup:
    """Set up a game.

    In increasing priority: the scenario, the position file, what is laid beside it, the file laid over it, the
    overrides.

    Args:
        game: `encoding`, `encoding/scenario`, a path to a position file, or `-` for one on standard input; or a
            position as a mapping, or as the content of a file that was parsed.
        at: A position file or a record (a list of events) to lay over it, or `-`; or either in Python. If it names a
            game, that must be the same encoding; its scenario counts only if `game` names none.
        overrides: Options and Readings by name, with their values as text.
        beside: Position files, or positions in Python, that are tried on the game, such as rules as text.
        memo: A cache to share with other setups.

    Raises:
        InputError: Everything that is wrong with the names, the files and the overrides.
    """
    if game == at == STDIN:
        raise InputError(Diagnostic("bad-value", "standard input can be read only once"))
    findings = Findings()
    layers, named = _read_layers(game, at, beside, findings)
    # Without a game nothing else can be looked up; with one, its faults join those of the files.
    if not named:
        findings.stop()
    with findings.catch():
        encoding = named[0][0]
        scenario = next((s for _, s in named if s), None) or default_scenario(encoding)
        setup = assemble(SetupSources(encoding, scenario, tuple(layers), tuple(overrides)), memo)
    findings.stop()
    return setup


def _read_layers(
    game: str | Position | Node,
    at: str | Position | Record | None,
    beside: Sequence[str | Position],
    findings: Findings,
) -> tuple[list[Layer], list[tuple[str, str | None]]]:
    """The layers of the files, and the games (encoding and scenario) named by the word and in the files."""
    layers: list[Layer] = []
    named: list[tuple[str, str | None]] = []
    with findings.catch():
        if not isinstance(game, str):
            node = game if isinstance(game, Node) else mapping_node(game, MAPPING, findings)
            layers += on_card(_given_layer(node, findings), findings)
            named.append(game_of(layers[0].node))
        elif game.endswith(SAVE):
            help = f"name it too: vclogic status {game} --map MAP.xml"
            message = "a saved game does not say where the map is that it is played on"
            raise InputError(Diagnostic("missing-entry", message, game, help=help))
        elif is_path(game):
            layers += on_card(read_layer(game, findings), findings)
            named.append(game_of(layers[0].node))
        else:
            named.append(_split_name(game))
    for over in (*beside, *(() if at is None else (at,))):
        with findings.catch():
            if isinstance(over, str) and over.endswith(SAVE):
                from vclogic.files.text_games.saves import saved_position  # few games are saved by TripleA

                found = saved_position(over, named[0][0] if named else "")
                layers.append(_given_layer(mapping_node(found, over, findings), findings))
            elif isinstance(over, str):
                layers.append(read_layer(over, findings, may_be_record=over is at))
            else:
                layers.append(_given_layer(mapping_node(over, AT, findings), findings, may_be_record=over is at))
            if layers[-1].section("game").tree is not None:
                named.append(game_of(layers[-1].node))
                files = [layer.node.where.file for layer in layers[:-1]]
                cards = on_card(layers[-1], findings)[:-1]
                layers[-1:-1] = [c for c in cards if c.node.where.file not in files]
        if named and named[0][0] != named[-1][0]:
            message = f"the file is for the game {quoted(named[-1][0])}, not for {quoted(named[0][0])}"
            findings.add(layers[-1].section("game").diagnostic("wrong-game", message))
            findings.stop()
    return layers, named


def with_overrides(setup: Setup, overrides: Sequence[tuple[str, str]], *, memo: Memo | None = None) -> Setup:
    """The same game with other options and Readings; its position files are not read again.

    Raises:
        InputError: A name or value does not exist, or the position does not fit the new settings.
    """
    request = setup.request
    return assemble(request._replace(overrides=(*request.overrides, *overrides)), memo)


def scenario_layer(name: str, scenario: str) -> Layer:
    """A scenario of an installed game as a position on the game, to be laid over another version of its rules.

    Raises:
        InputError: There is none, or something is wrong with its file.
    """
    node = load_scenario(name, scenario).node
    tree: dict[str, Tree] = {"board": BOARD} if is_packaged(name, BOARD) else {}
    tree |= {key: part for key, part in node.tree.items() if key in KEYS} if isinstance(node.tree, dict) else {}
    return Layer(Node(tree, node.where), name)


def starting_at(setup: Setup, state: State) -> Setup:
    """The same game with another start and without a record.

    Its only layer over the scenario that says something about the state is what differs from the scenario. So other
    settings (`with_overrides`) are laid over this state.

    Args:
        state: The start.

    Raises:
        ValueError: A value that no file can give: an Int below what its family allows in files.
    """
    from vclogic.files.write import changed_section  # a game that is not written starts sooner without it

    layers = []
    for layer in setup.request.layers:
        node = layer.node
        if isinstance(node.tree, dict):  # else it is a record alone
            kept = {key: part for key, part in node.tree.items() if key not in _OF_THE_START}
            layers.append(layer._replace(node=Node(kept, node.where)))
    own = mapping_node({"state": changed_section(setup, state)}, STATE, Findings())
    return replace(
        setup,
        initial=state,
        record=(),
        expected=(),
        request=setup.request._replace(layers=(*layers, Layer(own))),
        given=_given_at(setup, state, own),
    )


def _given_at(setup: Setup, state: State, own: Node) -> dict[Term, Given]:
    """The source of each fact of a state: a file, where the state leaves its value; else the state itself.

    Args:
        own: What stands for the place of what the state itself gives.
    """
    system = setup.system
    values = system.layout.values(state)
    follows = system.completed({f: x for f, x in values.items() if f not in system.defaults})
    usual = {**follows, **system.initial}
    kept = {f: g for f, g in setup.given.items() if g.value == values[f]}
    number = len(setup.request.layers) + 1
    new = (f for f, x in values.items() if f not in kept and (f in setup.given or x != usual[f]))
    return {**kept, **{f: Given(values[f], own, number) for f in new}}


def on_card(layer: Layer, findings: Findings) -> list[Layer]:
    """The layers of a position: where its game is a card, that card's come first.

    Raises:
        InputError: There is no such card, or it leads back to itself.
    """
    found = [layer]
    while (card := _card_of(found[0].node)) is not None:
        named = found[0].section("game")
        if len(found) > _MOST_CARDS:
            message = f"more than {_MOST_CARDS} cards name each other here"
            raise InputError(named.diagnostic("limit", message, help="does one lead back to itself?"))
        try:
            found.insert(0, read_layer(card, findings))
        except InputError as error:
            raise error.at(*named.spot) from error
    return found


def _card_of(node: Node) -> str | None:
    """The file of the card that a position is about, named from its own folder on; None: it names a game."""
    name = node.section("game").tree
    if not isinstance(name, str) or not name.endswith(ENDINGS) or rulebook_file(name) is not None:
        return None
    return _beside_file(name, node.where.file)


def is_path(game: str) -> bool:
    """True if a user's word for a game is a path: `-`, an existing file or folder, or a word that looks like one."""
    if rulebook_file(game) is not None:
        return False
    if game == STDIN or game.startswith((".", "/")) or game.endswith(ENDINGS) or outside(game):
        return True
    if os.path.isdir(game):
        return not is_installed(game.partition("/")[0])
    return os.path.exists(game)


def read_layer(path: str, findings: Findings, *, may_be_record: bool = False) -> Layer:
    """Read a position file and check its keys.

    Args:
        path: The file, or `-` for standard input.
        findings: Collects unknown keys.
        may_be_record: Whether it may be a list, that is, only a record.

    Raises:
        InputError: It cannot be read, or is not a mapping.
    """
    return _given_layer(based(read_node(path), path), findings, may_be_record=may_be_record)


def based(node: Node, path: str) -> Node:
    """The content of a file, laid over the position file that it says it is based on.

    Raises:
        InputError: There is no such file, or it cannot be read.
    """
    return overlaid(node, lambda named: _beside(named, path))


def _beside(named: Node, path: str) -> Node:
    """The position file that another one is based on.

    Raises:
        InputError: There is none.
    """
    name = named.tree
    if not isinstance(name, str) or not is_below(name):
        help = "name a file beside this one or in a folder below; a scenario is named under `game:`"
        raise InputError(named.diagnostic("wrong-value", "a position is based on another position's file", help=help))
    folder = os.path.dirname(path)
    try:
        return read_node(os.path.join(folder, name), below=folder)
    except InputError as error:
        raise error.at(*named.spot) from error


def _given_layer(node: Node, findings: Findings, *, may_be_record: bool = False) -> Layer:
    """The layer of a file's content, with its keys checked; see `read_layer`."""
    if isinstance(node.tree, dict) and "rulings" in node.tree:
        help = "`vclogic test` tries them; to look at one, write its position into a file of its own"
        raise InputError(node.diagnostic("wrong-value", "this is a file of rulings, not of one position", help=help))
    if not (may_be_record and isinstance(node.tree, list)):
        check_keys(node, KEYS, findings)
    return Layer(node)


def check_keys(node: Node, keys: Collection[str], findings: Findings) -> None:
    """Report each unknown key of a mapping.

    Raises:
        InputError: It is not a mapping.
    """
    wanted = "parts with a name and ':', such as `game:` and `state:`"
    if not isinstance(node.tree, dict):
        message = f"this is no position file: expected {wanted}, found {describe(node.tree)}"
        raise InputError(node.diagnostic("wrong-value", message, help="it begins with `game: NAME`"))
    for key, part in node.items(wanted, findings).items():
        if key not in keys:
            hint = nearest(key, [k for k in keys if k not in node.tree]) or _PARTS.format(", ".join(keys))
            findings.add(part.diagnostic("unknown-entry", f"{quoted(key)} cannot stand here", key=True, help=hint))


def game_of(node: Node) -> tuple[str, str | None]:
    """The encoding and the scenario (None if none is named) of a position file.

    Raises:
        InputError: It names none, or one that does not exist.
    """
    named = node.section("game")
    if named.tree is None:
        message = "nothing says which game this is"
        hint = f"write `game: NAME` in a line of its own; games: {', '.join(encoding_names())}"
        raise InputError(node.diagnostic("missing-entry", message, help=hint))
    card = _card_of(node)
    if card is not None:
        return game_of(on_card(Layer(node), Findings())[0].node)
    try:
        return split_game(_from_file(text(named.tree), node.where.file))
    except InputError as error:
        raise error.at(*named.spot) from error


def _from_file(game: str, file: str) -> str:
    """The name of a game; that of a rulebook is given from the file on that names it."""
    return game if rulebook_file(game) is None else _beside_file(game, file)


def _beside_file(name: str, file: str) -> str:
    """The path of what a file names from its own folder on; a position in Python names it from the folder at work."""
    return name if file.startswith("<") else os.path.normpath(os.path.join(os.path.dirname(file), name))


def _split_name(game: str) -> tuple[str, str | None]:
    try:
        return split_game(game)
    except InputError as error:
        near = near_files(game)
        if not near:
            raise
        (first,) = error.diagnostics
        files = "near files: " + ", ".join(shortened(n, 250) for n in near)
        help = f"{first.help}; {files}" if first.help else files
        raise InputError(replace(first, help=help)) from error

"""All that is demanded of every game, tried one demand after the other: `vclogic test --all`."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from vclogic.clock import Deadline, TimeUp, until
from vclogic.conformance import claims, events, games, meaning, planning, playing
from vclogic.conformance.games import LARGE, NotDecided, RandomPlay, UnmetDemand, random_play_of, size
from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.blame import failure
from vclogic.files.coverage import FILE
from vclogic.files.folder import position_files
from vclogic.files.position import is_path
from vclogic.files.registry import encoding_names, has_file, is_file, is_text, load_encoding, packages, scenario_names
from vclogic.files.scenario import split_game
from vclogic.files.trees.findings import Findings
from vclogic.progress import Listener, Progress, silent
from vclogic.query.test.rulings import Demanded, Missed, Tested
from vclogic.words import amount

SUBJECTS = ("play", "scenario", "large_scenario", "encoding", "covered", "in_code", "rulebook")
"""The parameters of demands that say what they are about."""
DEMANDS: tuple[Callable[..., None], ...] = tuple(
    demand
    for module in (claims, events, meaning, playing, planning)
    for name, demand in vars(module).items()
    if name.startswith("test_") and demand.__module__ == module.__name__
)
"""Each raises `UnmetDemand` with what is wrong, where, and what to do; its first line says what is demanded."""
MOST = 1_000
"""Files of a folder."""
_OF_RULINGS = (claims.test_the_rulings_hold, claims.test_rulings_notice_what_encodes_a_clause)
"""What says nothing new where a ruling fails."""
_BECAUSE: Mapping[Callable[..., None], Callable[..., None]] = {
    meaning.test_every_event_keeps_the_invariants: meaning.test_the_invariants_hold_along_the_play,
    playing.test_positions_come_back: meaning.test_the_invariants_hold_along_the_play,
    playing.test_records_come_back: meaning.test_the_invariants_hold_along_the_play,
    events.test_every_event_can_happen: events.test_play_goes_on,
    planning.test_each_metric_names_its_events: events.test_every_event_can_happen,
    planning.test_each_metric_finds_a_single_step: events.test_play_goes_on,
}
"""Demands that say the same fault again where the other one is not met."""


def subjects(parameter: str, names: Iterable[str]) -> list[str]:
    """The subjects of the demands with a parameter, for some games.

    Args:
        parameter: One of `SUBJECTS`.
        names: Installed games, and paths of rulebooks.

    Raises:
        InputError: There is no such game, or it cannot be loaded.
    """
    found = list(names)
    if parameter in ("in_code", "rulebook"):
        return [n for n in found if is_text(n) == (parameter == "rulebook")]
    if parameter == "covered":  # a text lists its clauses itself, unless it is one of somebody else's rules
        return [n for n in found if not is_text(n) or has_file(n, FILE)]
    if parameter == "encoding":
        return found
    scenarios = [f"{name}/{s}" for name in found for s in scenario_names(name)]
    if parameter == "scenario":
        return scenarios
    return [s for s in scenarios if (size(s) > LARGE) == (parameter == "large_scenario")]


def games_of(targets: Iterable[str]) -> list[str]:
    """The games that are named, and the rulebooks of folders.

    Args:
        targets: Installed games, paths of rulebooks, and folders that hold some.

    Raises:
        InputError: Something else is named, or a folder without rulebooks.
    """
    found: dict[str, None] = {}
    findings = Findings()
    for target in targets:
        with findings.catch():
            if os.path.isdir(target) and target not in encoding_names():
                inside = [f.path for f in position_files(target, MOST) if is_file(f.game)]
                help = "name a rulebook, which ends in .md, or an installed game"
                if not inside:
                    raise InputError(
                        Diagnostic("no-rulebook", f"there is no rulebook in the folder {quoted(target)}", help=help)
                    )
                found |= dict.fromkeys(inside)
            elif is_path(target):
                message = f"{quoted(target)} is neither a rulebook nor an installed game"
                help = "leave --all out to try the rulings of a file"
                raise InputError(Diagnostic("no-rulebook", message, help=help))
            else:
                name = split_game(target)[0]
                load_encoding(name)
                found[name] = None
    findings.stop()
    return list(found)


def chance_of(play: RandomPlay) -> Random:
    """A random generator for a play, with the same seed in every run."""
    return Random(f"test {play.start.setup.game}")


def demanded(tested: Tested, names: Sequence[str], *, timeout: float, progress: Listener = silent) -> Tested:
    """The results of the rulings of some games, with what else is demanded of every game and is not so.

    Args:
        tested: What their rulings show; what a failed one tells is not told again.
        names: Installed games, and paths of rulebooks.
        timeout: Seconds for all of it.
        progress: Takes reports of progress.
    """
    for kept in (games.loaded, games.size, games.random_play_of, games.each_choice, claims.rulings, claims.books):
        kept.cache_clear()  # files may have changed
    deadline, told = Deadline(timeout), {d.message for case in tested.cases for d in case.problems}
    failed = {c.source for c in tested.cases if c.status == "failed"}
    missed: list[Missed] = []
    open_: list[str] = []
    tried = left = 0
    for name in names:
        unmet: set[Callable[..., None]] = set()
        for number, demand in enumerate(DEMANDS, 1):
            progress(Progress(f"{name}: {number} of {len(DEMANDS)}: {said(demand)}"))
            if (demand in _OF_RULINGS and name in failed) or _BECAUSE.get(demand) in unmet:
                unmet.add(demand)
                continue
            try:
                with until(deadline):
                    for given in _given(demand, name):
                        tried += 1
                        if found := list(_missed(demand, given, name, told, open_)):
                            missed += found
                            unmet.add(demand)
            except TimeUp:
                left += 1
    if left:
        open_.append(f"{amount(left, 'demands')} of {len(names) * len(DEMANDS)}: the time was up")
    return replace(tested, demanded=Demanded(tuple(names), tried, tuple(missed), tuple(open_)))


def said(demand: Callable[..., None]) -> str:
    """A demand in a sentence."""
    return (inspect.getdoc(demand) or "").partition("\n")[0]


def _given(demand: Callable[..., None], name: str) -> Iterator[Mapping[str, Any]]:
    """The arguments of a demand, for each thing of a game that it is about."""
    wanted = inspect.signature(demand).parameters
    (about,) = [p for p in wanted if p in SUBJECTS]
    for subject in subjects(about, [name]):
        given: dict[str, Any] = {about: random_play_of(subject) if about == "play" else subject, "never": {}}
        if "rng" in wanted:
            given["rng"] = chance_of(given["play"])
        for portable in (False, True) if "portable" in wanted else (False,):
            yield {p: portable if p == "portable" else given[p] for p in wanted}


def _missed(
    demand: Callable[..., None], given: Mapping[str, Any], name: str, told: set[str], open_: list[str]
) -> Iterator[Missed]:
    """The faults that a demand finds in a game, unless they have been told."""
    try:
        demand(**given)
        return
    except NotDecided as undecided:
        open_.append(f"{name}: {undecided}")
        return
    except UnmetDemand as unmet:
        messages = [str(unmet)]
    except InputError as error:
        messages = [d.message for d in error.diagnostics]
    # The rules may raise anything; an error that is not theirs is a bug of vclogic and goes on.
    except Exception as error:
        fault = failure(error, packages())
        if fault is None:
            raise
        messages = [str(fault.diagnostic)]
        told |= {fault.diagnostic.message}
    for message in messages:
        if message not in told:
            told.add(message)
            yield Missed(name, said(demand), message)

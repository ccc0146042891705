"""Any game of turns as a game of OpenSpiel (the extra `openspiel`), and OpenSpiel's bots as players of studies.

Importing this module registers the game `vclogic`: `pyspiel.load_game("vclogic(game=nim.md)")`.
"""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
import pyspiel
import yaml
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from vclogic.errors import Diagnostic, InputError
from vclogic.game import Game
from vclogic.model.actions import Event
from vclogic.turns import LONGEST, GameTurns, Turn

PLAYOUTS = 100
"""For each choice of `mcts`, unless something else is said."""
_PARAMETERS = {"game": "", "kinds": "", "longest": LONGEST, "drawn": False}
_TEXT = "text:"  # what a parameter begins with that holds a position file


def _type(sides: int, chance: bool, zero_sum: bool, name: str = "Rules in vclogic") -> pyspiel.GameType:
    of = pyspiel.GameType
    modes = of.ChanceMode
    return of(
        short_name="vclogic",
        long_name=name,
        dynamics=of.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if chance else modes.DETERMINISTIC,
        information=of.Information.PERFECT_INFORMATION,
        utility=of.Utility.ZERO_SUM if zero_sum else of.Utility.GENERAL_SUM,
        reward_model=of.RewardModel.TERMINAL,
        max_num_players=sides,
        min_num_players=min(sides, 2),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_PARAMETERS,
        default_loadable=False,
    )


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of turns. Players are its sides, actions and outcomes of chance the events, by their numbers.

    A player gets 1 where it has won, -1 where only others have or it has lost whoever won, and 0 otherwise, such as
    where the game is broken off.

    Args:
        params: As OpenSpiel gives them: `game`, what is loaded; `kinds`, with `+` between them, `longest` and `drawn`
            as in `GameTurns`.
        game: The game, instead of that which `params` name.

    Attributes:
        turns: Its turns.

    Raises:
        InputError: It cannot be loaded, or is no game of turns; see `GameTurns`.
    """

    def __init__(self, params: Mapping[str, Any] | None = None, game: Game | None = None):
        given = {**_PARAMETERS, **(params or {})}
        self._game = _loaded(given["game"]) if game is None else game
        kinds = [kind for kind in given["kinds"].split("+") if kind]
        turns = self.turns = GameTurns(self._game, kinds, longest=given["longest"], drawn=given["drawn"])
        sides, events = len(turns.sides), len(turns.events)
        info = pyspiel.GameInfo(
            num_distinct_actions=events,
            max_chance_outcomes=events if turns.chance else 0,
            num_players=sides,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if turns.zero_sum else None,
            max_game_length=turns.longest,
        )
        super().__init__(_type(sides, turns.chance, turns.zero_sum, self._game.loaded.game), info, given)

    def __reduce__(self) -> tuple[Any, ...]:
        return OpenSpielGame, (self.get_parameters(), self._game)

    def new_initial_state(self) -> _State:
        """The state at the start."""
        return _State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """The observer of a player: the position, or with perfect recall the record."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return _Observer(self.turns)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class _State(pyspiel.State):  # type: ignore[misc]
    """A state of the game, and after how many events it is broken off. OpenSpiel copies and pickles these two."""

    def __init__(self, game: OpenSpielGame):
        super().__init__(game)
        self.at, self.left = game.turns.start, game.turns.longest

    @property
    def turn(self) -> Turn:
        turn: Turn = self.get_game().turns.turn(self.at)
        return turn

    def is_terminal(self) -> bool:
        return not (self.turn.legal and self.left)

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.turn.side is None else self.turn.side

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.turn.legal)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(zip(self.turn.legal, self.turn.odds, strict=True))

    def _apply_action(self, action: int) -> None:
        self.at, self.left = self.get_game().turns.after(self.at, action), self.left - 1

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.get_game().turns.events[action])

    def returns(self) -> list[float]:
        return [float(x) for x in self.turn.returns]

    def __str__(self) -> str:
        text: str = self.get_game().turns.text(self.at)
        return text


class _Observer:
    """The position, for OpenSpiel's learners."""

    def __init__(self, turns: GameTurns):
        self._turns, self.tensor = turns, turns.tensor(turns.start)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: _State, player: int) -> None:
        self.tensor[:] = self._turns.tensor(state.at)

    def string_from(self, state: _State, player: int) -> str:
        return str(state)


def openspiel_game(
    game: Game, *, kinds: Sequence[str] = (), longest: int = LONGEST, drawn: bool = False
) -> OpenSpielGame:
    """A game as one of OpenSpiel, from this moment on; the choices are those of `GameTurns`.

    It can be pickled. Its text (`str`) loads it again where this module is imported, rulebooks by their files' names.

    Raises:
        InputError: It is no game of turns that are open to all; see `GameTurns`.
    """
    packed = urlsafe_b64encode(zlib.compress(game.written().encode(), 9)).decode().rstrip("=")
    params = {"game": _TEXT + packed, "kinds": "+".join(kinds), "longest": longest, "drawn": drawn}
    return OpenSpielGame(params, game)


def _loaded(name: str) -> Game:
    if not name:
        raise InputError(Diagnostic("usage", "no game is named", help="such as `vclogic(game=nim.md)`"))
    if not name.startswith(_TEXT):
        return Game.load(name)
    packed = name.removeprefix(_TEXT)
    try:
        text = zlib.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)))
    except (ValueError, zlib.error) as error:
        raise InputError(Diagnostic("wrong-value", "the text of the game is damaged", "game")) from error
    return Game.load(yaml.safe_load(text))


pyspiel.register_game(_type(10, True, False), OpenSpielGame)


# ---- bots


class BotPlayer:
    """A bot of OpenSpiel as a player of a study (`vclogic.studies.players.Player`), for one game.

    Args:
        game: The game that the bot knows.
        made: Makes the bot, from a seed.
    """

    def __init__(self, game: OpenSpielGame, made: Callable[[int], Any]):
        self._game, self._made = game, made
        self._bot: Any = None

    def choose(self, game: Game, events: Sequence[Event], random: Random) -> Event:
        """The bot's choice; one that is drawn where all events need another side's consent."""
        seed = random.randrange(1 << 31)
        if self._bot is None:
            self._bot = self._made(seed)
        state = self._game.new_initial_state()
        state.at = game.state
        if state.is_terminal():
            return random.choice(events)
        chosen: Event = self._game.turns.events[self._bot.step(state)]
        return chosen


def mcts(game: OpenSpielGame, player: int, seed: int, *, playouts: int = PLAYOUTS) -> Any:
    """OpenSpiel's bot that searches a tree by playouts.

    It is the one in Python: `step` of that in C++ crashes in games that are written in Python (OpenSpiel 2.0.2).
    """
    random = np.random.RandomState(seed)
    evaluator = RandomRolloutEvaluator(random_state=random)
    return MCTSBot(game, 2.0, playouts, evaluator, random_state=random)

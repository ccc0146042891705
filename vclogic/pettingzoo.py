"""Any game of turns as an environment of PettingZoo (the extra `pettingzoo`), for learners of several agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from vclogic.game import Game
from vclogic.turns import LONGEST, GameTurns

Array = Any
"""A NumPy array."""


class GameEnv(AECEnv):  # type: ignore[misc]
    """A game of turns. Agents are its sides, actions its events by their numbers; chance draws by itself.

    An agent observes `observation` (see `GameTurns.tensor`) and `action_mask`. At the end it gets 1 where it
    has won, -1 where only others have or it has lost whoever won, and 0 otherwise. An action that is not legal raises
    `ValueError`; `pettingzoo.utils.wrappers.TerminateIllegalWrapper` ends the game instead.

    Args:
        game: The game, from this moment on; the other choices are those of `GameTurns`.

    Attributes:
        turns: The turns of the game.
        now: The state of the game.

    Raises:
        InputError: It is no game of turns that are open to all; see `GameTurns`.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "vclogic_v0", "render_modes": [], "is_parallelizable": False}
    render_mode = None

    def __init__(self, game: Game, *, kinds: Sequence[str] = (), longest: int = LONGEST, drawn: bool = False):
        super().__init__()
        self.turns = GameTurns(game, kinds, longest=longest, drawn=drawn)
        self.turns.try_out()
        self.possible_agents = list(self.turns.sides)
        events = len(self.turns.events)
        self.action_spaces = {agent: Discrete(events) for agent in self.possible_agents}
        sizes = {"observation": (self.turns.width, np.float32), "action_mask": (events, np.int8)}
        self.observation_spaces = {
            agent: Dict({name: Box(0, 1, (n,), kind) for name, (n, kind) in sizes.items()})
            for agent in self.possible_agents
        }
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> Dict:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The numbers of the events."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begins a new game.

        Args:
            seed: Where it is given, chance draws the same from now on, whenever it is.
            options: Has no meaning here.
        """
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = (dict.fromkeys(self.agents, False) for _ in range(2))
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self.now, self._left = self.turns.start, self.turns.longest
        self._go_on()

    def observe(self, agent: str) -> dict[str, Array]:
        """The observation of an agent: the position, and which actions are legal for it."""
        turn = self.turns.turn(self.now)
        mask: Array = np.zeros(len(self.turns.events), np.int8)
        if self._left and turn.side is not None and self.possible_agents[turn.side] == agent:
            mask[list(turn.legal)] = 1
        return {"observation": self.turns.tensor(self.now), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Makes an event happen, and what chance does then.

        Raises:
            ValueError: It is not legal; nothing has happened then.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._happen(-1 if action is None else int(action))
        self._go_on()

    def _happen(self, number: int) -> None:
        self.now, self._left = self.turns.after(self.now, number), self._left - 1

    def _go_on(self) -> None:
        """Lets chance draw until a side chooses or the game is over."""
        turn = self.turns.turn(self.now)
        while turn.odds and self._left:
            self._happen(int(self._random.choice(turn.legal, p=turn.odds)))
            turn = self.turns.turn(self.now)
        if turn.legal and self._left:
            self.agent_selection = self.possible_agents[turn.side or 0]
            return
        self.rewards = {a: float(r) for a, r in zip(self.possible_agents, turn.returns, strict=True)}
        self._accumulate_rewards()
        ended = self.truncations if turn.legal else self.terminations
        ended.update(dict.fromkeys(self.agents, True))

#!/bin/sh
# Guess: legal moves of pgx's backgammon keep the two rules of the game about dice: both are used where that is possible, and where either of
#        them but not both can be, it is the larger.
# Seen:  pgx 2.6.0 looks at each die by itself, so the first move may spoil the second. In the first position Black, with a 6 and a 1, may put the
#        wrong man forward by 6 and then has no 1, though both dice can be used; in the second, with a 5 and a 3, he may use the 3 alone. (In 2,683
#        turns of random play each of the two came up, 19 and 11 times.) Not documented: the page of the game tells of moves by one die
#        at a time, and not that these two rules are left out.
# It matters to whoever trains or judges with it: a side can keep a man where the rules would make him move.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'pgx==2.6.0' 'jax==0.4.38' 'jaxlib==0.4.38'
cat > "$folder/seen.py" <<'PYTHON'
import jax
import jax.numpy as jnp
import pgx
from pgx import backgammon

print("pgx", pgx.__version__)
game, key = pgx.make("backgammon"), jax.random.PRNGKey(0)


def position(mine, theirs, dice):
    """Points 0 to 23, the side to move goes up; the other men are borne off."""
    board = jnp.zeros(28, jnp.int32).at[26].set(15 - sum(mine.values())).at[27].set(sum(theirs.values()) - 15)
    for point, men in mine.items():
        board = board.at[point].set(men)
    for point, men in theirs.items():
        board = board.at[point].set(-men)
    rolled = jnp.array([dice[0] - 1, dice[1] - 1], jnp.int32)
    playable = jnp.array([*rolled, -1, -1], jnp.int32)
    return game.init(key).replace(
        _board=board, _dice=rolled, _playable_dice=playable, legal_action_mask=backgammon._legal_action_mask(board, playable)
    )


def told(state):
    mask = state.legal_action_mask
    return [f"{a // 6 - 2} by {a % 6 + 1}" for a in range(6, mask.size) if mask[a]] or ["none"]


for name, state in (
    ("two men, 6 and 1", position({0: 1, 16: 1}, {1: 2, 23: 2}, (6, 1))),
    ("one man, 5 and 3", position({0: 1}, {8: 2}, (5, 3))),
):
    side = int(state.current_player)
    print(name)
    for action in [a for a in range(6, state.legal_action_mask.size) if state.legal_action_mask[a]]:
        after = game.step(state, action, key)
        then = told(after) if int(after.current_player) == side else ["the other side"]
        print(f"  {action // 6 - 2} by {action % 6 + 1}, then:", ", ".join(then))
PYTHON
JAX_PLATFORMS=cpu "$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
pgx 2.6.0
two men, 6 and 1
  0 by 6, then: 6 by 1, 16 by 1
  16 by 1, then: 0 by 6
  16 by 6, then: none
one man, 5 and 3
  0 by 3, then: none
  0 by 5, then: none
TEXT
diff "$folder/wanted" "$folder/out"

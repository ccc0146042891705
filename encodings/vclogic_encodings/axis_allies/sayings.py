"""The facts of a position in the words of the game."""

from __future__ import annotations

from vclogic_encodings.axis_allies.names import BOUGHT, NONE, PERMANENT

from vclogic.model.sayings import Sayings, flag

_STANDS = flag("is the place of a battle won this turn", "has seen no battle won this turn")

SAYINGS = {
    "owner": Sayings("belongs to the {value}"),
    "owner_at_turn_start": Sayings("was the {value}' when the turn began"),
    "complexes": Sayings(
        "",
        {NONE: "has no complex", PERMANENT: "has a complex from the start", BOUGHT: "has a complex that was bought"},
    ),
    "complex_at_turn_start": flag("had a complex when the turn began", "had no complex when the turn began"),
    "declared": flag("has a complex bought for it and not yet placed", "has no complex that waits to be placed"),
    "placed": Sayings("has got {value:{1}} this turn", {0: "has got no {1} this turn"}),
    "attacked": flag("is under attack"),
    "failed_attacks": flag("has seen its last attack this turn fail", "has not seen its last attack this turn fail"),
    "emergency": Sayings(
        "has got {value} emergency infantry this turn", {0: "has got no emergency infantry this turn"}
    ),
    "earlier_emergency": Sayings(
        "has got {value} emergency infantry in earlier turns", {0: "has got no emergency infantry in earlier turns"}
    ),
    "units": Sayings("has {value:{2}} of the {1}", {0: "has no {2} of the {1}"}),
    "first_turn_done": Sayings(
        "", {True: "the {0} have had their first turn", False: "the {0} have not had their first turn"}, ""
    ),
    "treasury": Sayings("the {0} have {value:IPC} in hand", {0: "the {0} have no IPCs in hand"}, ""),
    "bought": Sayings("the power on turn has bought {value:{0}}", {0: "the power on turn has bought no {0}"}, ""),
    "round": Sayings("it is round {value}"),
    "turn": Sayings("it is the turn of the {value}"),
    "phase": Sayings("the turn has come to the phase {value}"),
    "bid": Sayings("the bid for the Axis is {value:turn}", {0: "nobody has bid for the number of turns"}),
    "axis_team": Sayings("{value} plays the Axis", {NONE: "no team has won the bid for the Axis"}),
    "ended": Sayings("the turn of the {value} has ended just now", {NONE: "no turn has ended just now"}),
    "won": Sayings("{0} went to the {value} first", {NONE: "{0} has been won by nobody yet"}, ""),
    "winner": Sayings("the {value} were first to win", {NONE: "nobody has won yet"}),
    "moved": Sayings("has {value:{1}} that moved this turn", {0: "has no {1} that moved this turn"}),
    "entered": Sayings("has {value:{1}} that came to attack", {0: "has no {1} that came to attack"}),
    "passed": Sayings("has let {value:unit} pass this turn", {0: "has let no unit pass this turn"}),
    "help": Sayings("gets support for its battle from {value:{1}}", {0: "gets support for its battle from no {1}"}),
    "fought": _STANDS,
    "aloft": Sayings("has {value:{1}} to land", {0: "has no {1} to land"}),
    "fired": Sayings("has {value:{1}} that fired this turn", {0: "has no {1} that fired this turn"}),
    "ashore": flag("has seen a landing this turn", "has seen no landing this turn"),
}
"""The wording of the facts of each kind."""

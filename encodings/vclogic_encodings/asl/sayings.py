"""The facts of a position in the words of the game."""

from __future__ import annotations

from dataclasses import replace

from vclogic_encodings.asl.names import (
    ACCIDENT,
    BLAZE,
    BOTH,
    CONCEALED,
    DISABLED,
    ELIMINATED,
    EXITED,
    FLAME,
    HIDDEN,
    MALFUNCTIONED,
    NO_FIRE,
    NONE,
    OFF,
    OPEN,
    WORKING,
)

from vclogic.model.fluents import Value
from vclogic.model.sayings import Sayings, flag

_NOBODYS: dict[Value, str] = {NONE: "is recorded as nobody's"}

SAYINGS = {
    "at": Sayings("is in {value}", {OFF: "is off the map", ELIMINATED: "is eliminated", EXITED: "has left the map"}),
    "bypass": flag("is in bypass"),
    "broken": flag("is broken"),
    "disrupted": flag("is disrupted"),
    "reduced": flag("is reduced to a half-squad", "is no reduced squad"),
    "shocked": flag("is shocked"),
    "immobile": flag("is immobile"),
    "dismantled": flag("is dismantled"),
    "wounded": flag("is wounded"),
    "unarmed": flag("is unarmed", "has its weapons"),
    "captured": flag("is captured"),
    "vehicle_controls": flag("is in control of its Location", "is not in control of its Location"),
    "anew": flag("is not to gain what it is in before it moves", "is free to gain what it is in"),
    "melee": Sayings("is held in Melee by {value}", {NONE: "is in no Melee"}),
    "concealment": Sayings(
        "", {OPEN: "is neither concealed nor hidden", CONCEALED: "is concealed", HIDDEN: "is hidden"}
    ),
    "with": Sayings("is with {value}", {NONE: "goes with nobody"}),
    "crewed": flag("is manned by its inherent crew", "is without its inherent crew"),
    "armament": Sayings(
        "",
        {
            WORKING: "has a main armament that works",
            MALFUNCTIONED: "has a main armament that has malfunctioned",
            DISABLED: "has a main armament that is disabled",
        },
    ),
    "scored": Sayings(
        "has brought the enemy {value:casualty point}", {0: "has brought the enemy no casualty points"}
    ),
    "worth": Sayings("was worth {value:point} when captured", {0: "was not captured while worth points"}),
    "left_by": Sayings("has left the map by {value}", {NONE: "has left by no exit area"}),
    "led_off": flag("has left the map as a prisoner", "has not left the map as a prisoner"),
    "exit_points": Sayings("has earned {value:exit point}", {0: "has earned no exit points"}),
    "earlier_cvp": Sayings(
        "the {0} side had {value:casualty point} that the position does not show",
        {0: "the {0} side had no casualty points that the position does not show"},
        "",
    ),
    "earlier_exit_vp": Sayings(
        "the {0} side had {value:exit point} that the position does not show",
        {0: "the {0} side had no exit points that the position does not show"},
        "",
    ),
    "location_control": Sayings("is recorded as the {value} side's", _NOBODYS, "Location {0}"),
    "hex_control": Sayings("is recorded as the {value} side's", _NOBODYS, "hex {0}"),
    "building_control": Sayings("is recorded as the {value} side's", _NOBODYS, "building {0}"),
    "undeclared": flag("is controlled in secret", "is controlled by nobody in secret"),
    "fire": Sayings("", {NO_FIRE: "is not on fire", FLAME: "is in flames", BLAZE: "is ablaze"}),
    "cause": Sayings(
        "was set on fire by the {value} side",
        {ACCIDENT: "was set on fire by nobody", BOTH: "was set on fire by both sides"},
    ),
    "shuts_out": Sayings("is shut by a Blaze to the {value} side alone", {BOTH: "is shut by a Blaze to both sides"}),
    "rubble": flag("is rubble"),
    "forfeited": replace(flag("is on record"), about="the forfeiture of {0}"),
    "ended": Sayings("", {True: "the game is over", False: "the game is not over"}),
    "winner": Sayings(
        "the {value} side has met a condition that is judged at every moment",
        {NONE: "nobody has met a condition that is judged at every moment"},
    ),
}
"""The wording of the facts of each kind."""

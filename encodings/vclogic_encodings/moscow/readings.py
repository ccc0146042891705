"""Options, and Readings: how the text is read where it is silent, garbled or open."""

from __future__ import annotations

from vclogic_encodings.moscow.citing import cite

from vclogic.model.rules import Option, Reading

READINGS = (
    Reading(
        "zero_points",
        {
            "undefined": "a side without points leaves the ratio, and so the level, undefined",
            "divisor": "only Soviet points of zero leave it undefined: zero German points are less than 1:1",
            "limit": "German points to no Soviet ones are more than any ratio; none on both sides is undefined",
            "even": "German points to no Soviet ones are more than any ratio; none on both sides is 1:1",
            "equal": "points to no Soviet ones are no ratio, but none on both sides is 1:1",
            "sixfold": "German points to no Soviet ones are more than any ratio; none on both sides is 6:1 or "
            "more, as nothing is six times nothing",
            "one": "a side without points is taken to have one",
        },
        "undefined",
        "the text asks for a ratio and says nothing of zero",
        cite("levels/3", "levels/4"),
    ),
    Reading(
        "rows",
        {
            "all": "every hex row of the map must be covered, from the north edge to the south edge",
            "between": "only rows between the northernmost and the southernmost covered row must be; no line, no gap",
        },
        "all",
        "the general rule asks for a line from edge to edge; the sentence about portions of it is taken to repeat "
        "that",
        cite("front/1", "front/3", "front-p2/1", "front-p2/2", "front-B/1"),
    ),
    Reading(
        "required_line",
        {
            "rows": "one hex of each hex row is required, so an uncovered row is a point",
            "hexes": "each hex of a line of adjoining hexes is required, and each that is not covered is a point: of "
            "all lines the one that costs least (rows, where the map is not in one piece)",
        },
        "rows",
        "a continuous line is called desirable and not essential: a presence in each hex row is",
        cite("front/1", "front/2", "front/3", "front-B/1"),
    ),
    Reading(
        "contested_zones",
        {
            "count": "a zone of control covers a hex though an enemy zone of control reaches it too",
            "neither": "a hex that zones of control of both sides reach is covered by a unit in it alone",
        },
        "count",
        "zones are said to extend into hexes with enemy units; an enemy zone alone hinders them less",
        cite("front/1", "front-p2/1", "front-A/1", "front-B/1"),
    ),
    Reading(
        "cut_off_units",
        {
            "count": "a unit is part of the line also where the enemy has surrounded it",
            "ignored": "a unit is no part of the line that is cut off from its side's edge of the map: no line of "
            "adjoining hexes "
            "leads there in which each holds a unit of its side, or neither an enemy unit nor an enemy zone of "
            "control",
        },
        "count",
        "an appropriate presence is asked for in the row, and the text excludes EB units and no others",
        cite("front/3", "front-p2/1", "front-C/1"),
    ),
    Reading(
        "small_units",
        {
            "own_hex": "units without zones of control are part of the line in the hex where they stand",
            "never": "units without zones of control are no part of the line",
        },
        "own_hex",
        "words are missing; that they project no zone, as the reason given, leaves them the hex that they are in",
        cite("front-I/1"),
    ),
    Reading(
        "larger_units",
        {
            "zone": "armies and army groups have zones of control as corps have",
            "own_hex": "armies and army groups are neither divisions nor corps: they count as small units do",
        },
        "zone",
        "the reason given is that units are too small, and these are not",
        cite("front-I/1"),
    ),
    Reading(
        "brackets",
        {
            "either": "a bracketed combat factor makes a unit too small for a zone of control, and so does its size",
            "size": "size alone makes a unit too small for a zone of control: a division or a corps has one, "
            "though its combat factor is bracketed",
            "both": "only both together make a unit too small for a zone of control: a brigade without brackets "
            "has one too",
        },
        "either",
        "the text names bracketed units, and besides any that are no divisions or corps",
        cite("front-I/1"),
    ),
    Reading(
        "strength",
        {
            "larger": "the larger of its attack and its defence",
            "attack": "its attack",
            "defence": "its defence",
            "both": "its attack and its defence together; a unit with one figure alone has that",
        },
        "larger",
        "the text does not choose; a unit that can only defend has a combat strength too",
        cite("won/1"),
    ),
    Reading(
        "other_places",
        {
            "as_moscow": "a unit in it, and no enemy unit in any of its hexes",
            "last": "the last side to be there alone, also when its units have moved on",
        },
        "as_moscow",
        "holding is defined for Moscow; the text has no other definition for other objectives",
        cite("won/1", "schedule-p2/1"),
    ),
    Reading(
        "taking_and_holding",
        {
            "position": "who is there alone takes and holds, also who never lost it",
            "taken": "only a side that took it from the other during the game",
        },
        "position",
        "the definition asks where units are, not how they came there",
        cite("schedule-p2/1"),
    ),
    Reading(
        "hold_points",
        {
            "end": "what is held as points are totalled brings its points, once",
            "each_turn": "what is held as a turn of both sides ends brings its points, each time",
        },
        "end",
        "points are totalled once, and the schedule names an item, not a time",
        cite("won/1", "schedule/1", "levels/3"),
    ),
    Reading(
        "eb_in_places",
        {
            "units": "an EB unit holds an objective, or denies it, as any unit",
            "ignored": "an EB unit neither holds an objective nor denies it",
        },
        "units",
        "the definition speaks of units; EB units are left out of the front line only",
        cite("schedule-p2/1", "front-C/1"),
    ),
    Reading(
        "losses",
        {
            "anytime": "a unit may be eliminated or retreat though no enemy unit is on the map: a record is believed "
            "in what brings it about",
            "enemy_on_map": "a unit is eliminated or retreats only while an enemy unit is on the map to fight it",
        },
        "anytime",
        "the text gives points for eliminated units, and has no rules of combat",
        cite("won/1"),
    ),
    Reading(
        "retreats",
        {
            "anywhere": "a retreat ends in any hex with room: a record is believed in how far it goes, and how",
            "adjacent": "a retreat leads from a hex to one next to it; who goes farther retreats several times",
        },
        "anywhere",
        "the text has no rules of combat, which say how far a unit falls back",
        cite("won/1"),
    ),
)

OPTIONS = (
    Option(
        "marches",
        range(51),
        3,
        "planning by moves: the most moves of one unit, one after the other; 0: as many as it takes",
    ),
    Option(
        "earlier",
        ("off", "on"),
        "off",
        "on counts Victory Points for what the position does not show; a position that gives `earlier` turns it on",
        cite("won/1"),
        facts=("earlier",),
    ),
)

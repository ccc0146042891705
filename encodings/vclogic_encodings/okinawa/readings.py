"""Options of planning, and Readings: how the text is read where it is open."""

from __future__ import annotations

from vclogic_encodings.okinawa.citing import cite

from vclogic.model.rules import Option, Reading

OPTIONS = (
    Option(
        "early_end",
        ("allowed", "refused"),
        "allowed",
        "records: refused asks that all game turns of the scenario are played before `end_game`, if it says how many",
        cite("17.0/1"),
    ),
    Option(
        "stop_at_zoc",
        ("on", "off"),
        "on",
        "planning: on makes a unit that enters an enemy zone of control stop there",
    ),
    Option(
        "exits",
        ("off", "on"),
        "off",
        "planning: on lets Japanese units exit, or leave the map over another edge; the US Player removes the units "
        "that stand first in the scenario",
    ),
    Option(
        "earlier",
        ("off", "on"),
        "off",
        "on counts Victory Points for what the position does not show; a position that gives `earlier` turns it on",
        cite("17.0/2"),
        facts=("earlier",),
    ),
)

READINGS = (
    Reading(
        "removed_units",
        {
            "no_points": "a unit removed for a Japanese exit is not eliminated: Japan gets nothing for it",
            "eliminated": "a unit removed for a Japanese exit counts as eliminated by Japan, with its value",
        },
        "no_points",
        "the text gives points for the exit itself and only says that units are removed, by their own Player",
        cite("17.12/1", "17.41/2"),
    ),
    Reading(
        "too_few_to_remove",
        {
            "all_left": "with fewer than three US units on the map all of them are removed, and the rest is "
            "forgotten",
            "owed": "with fewer than three US units on the map the rest is owed: units that come to the map later "
            "are removed as soon as they are there",
            "no_exit": "a Japanese unit may exit only while there are three US units on the map to remove",
        },
        "all_left",
        "the removal is immediate and takes units from the map: what is not there cannot be removed",
        cite("17.41/2"),
    ),
    Reading(
        "removal_edge",
        {
            "northeast": "US units are removed for a Japanese unit that exits off the northeast edge",
            "any": "US units are removed for each Japanese unit that leaves the map, over whatever edge",
        },
        "northeast",
        "the removal comes in addition to the points, which are for that edge",
        cite("17.41/1", "17.41/2"),
    ),
    Reading(
        "tie",
        {
            "draw": "with equal totals nobody wins",
            "Japan": "with equal totals Japan wins",
            "US": "with equal totals the US wins",
        },
        "draw",
        "victory is judged by the points alone, and these are equal",
        cite("17.0/1"),
    ),
    Reading(
        "order_at_end",
        {
            "together": "zones, lines of communications and the automatic victory are judged by where units are",
            "lines_first": "lines are judged first: a US unit without one brings no points for a zone, and does not "
            "hold the Southern zone against the automatic victory",
        },
        "together",
        "all of it is judged at the end, and what a missing line costs is said: three points, no more",
        cite("17.31/2", "17.31/6", "17.51/2", "17.52/1", "17.6/1"),
    ),
    Reading(
        "edge_hex",
        {
            "free": "the edge hex is part of the line and must be usable like its other hexes",
            "any": "a line that comes beside an edge hex has reached it, also where that hex itself is not usable",
        },
        "free",
        "a line is traced to the hex, so the hex is one of the series that must be free",
        cite("17.51/2", "17.53/1"),
    ),
    Reading(
        "own_hex",
        {
            "friendly": "the hex of a unit that traces contains a friendly unit, the unit itself: it is always "
            "usable",
            "other_unit": "in an enemy zone of control another friendly unit must be in the hex for a line to leave "
            "it",
        },
        "friendly",
        "the text asks for a friendly unit in the hex, and the unit is one",
        cite("17.53/1", "17.53/2"),
    ),
    Reading(
        "line_over_sea",
        {
            "no": "a line leads through hexes in which units can be",
            "yes": "a line leads through any hexes of the map, those of the open sea too",
        },
        "no",
        "communications over land are meant: else no unit on a coast could ever be cut off",
        cite("17.53/1"),
    ),
    Reading(
        "northern_points",
        {
            "each_unit": "Japan gets the points of the Northern zone for each of its units there",
            "once": "Japan gets the points of the Northern zone once, if it has any unit there",
        },
        "each_unit",
        "a word is missing where the zone is named, as it seems `unit`, and the text goes on to give its points for "
        "each",
        cite("17.31/3", "17.31/5"),
    ),
    Reading(
        "unused_zones",
        {
            "ignored": "a zone that is not in use plays no part in the automatic victory either",
            "count": "a zone that is not in use brings no points, but counts for the automatic victory",
        },
        "count",
        "the automatic victory is stated for every scenario",
        cite("17.31/1", "17.6/1"),
    ),
    Reading(
        "retreat_length",
        {
            "hexes": "each hex of a retreat counts, as the combat result has it",
            "distance": "only hexes count by which the unit ends away from where it stood: a winding way brings less",
        },
        "hexes",
        "the examples take the points from the number of the combat result",
        cite("17.21/1"),
    ),
    Reading(
        "earlier_retreats",
        {
            "kept": "a US unit that is destroyed costs Japan the points for the retreat of the same combat result "
            "alone",
            "taken_back": "a US unit that is destroyed costs Japan all points for hexes that it has ever retreated",
        },
        "kept",
        "points are awarded as soon as a combat result is applied, and the exception is about one result",
        cite("17.22/1", "17.22/2"),
    ),
    Reading(
        "losses",
        {
            "anytime": "a unit may be eliminated or retreat though no enemy unit is on the map: a record is believed "
            "in what brings it about",
            "enemy_on_map": "a unit is eliminated or retreats only while an enemy unit is on the map to fight it",
        },
        "anytime",
        "the text gives points for what combat results bring about, and has no rules of combat",
        cite("17.12/1", "17.21/1", "17.21/2"),
    ),
)

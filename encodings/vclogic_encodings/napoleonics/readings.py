"""Options of planning, and Readings: how the text is read where it is open."""

from __future__ import annotations

from vclogic_encodings.napoleonics.citing import cite

from vclogic.model.rules import Option, Reading

OPTIONS = (
    Option("orders", range(1, 21), 3, "planning: the most units that are ordered in a turn"),
    Option(
        "combat",
        ("none", "adjacent"),
        "none",
        "planning: adjacent lets each ordered unit fight an adjacent enemy once a turn: either of the two may be "
        "eliminated, the attacker by a battle back; none leaves combat out",
    ),
    Option(
        "earlier",
        ("off", "on"),
        "off",
        "on counts Victory Banners for what the position does not show; a position that gives `earlier` turns it on",
        cite("general-p2/1"),
        facts=("earlier",),
    ),
)

READINGS = (
    Reading(
        "both_reach",
        {
            "on_turn": "where one event brings both sides to their numbers, the side on turn has won",
            "more": "the one with more banners has won; with as many each, nobody yet",
            "goes_on": "nobody has won as long as both have their number",
        },
        "on_turn",
        "the text names the active player's opponent as the exception to what is usual",
        cite("general-p3/1", "general-p3/2"),
    ),
    Reading(
        "majority_lost",
        {
            "at_once": "the banner is lost as soon as its holder no longer has units in more of the hexes, in "
            "whoever's turn and also where enemy units that move in bring it about; nobody has it until a turn "
            "starts",
            "own_units": "the banner is lost at once only where the holder's own units move away, retreat or are "
            "eliminated; "
            "after the enemy moved in, at the start of the next turn that decides otherwise",
        },
        "at_once",
        "the text says that it is lost for any reason; whose movement that is is not said",
        cite("majority/4"),
    ),
    Reading(
        "vacated_hex",
        {
            "kept": "a hex that an ordered unit has left counts as occupied until the movement phase ends; so its "
            "banner counts when another objective is taken meanwhile",
            "suspended": "the banner of a hex that an ordered unit has left does not count while nobody is there, "
            "and is back when another ordered unit has "
            "moved in",
        },
        "kept",
        "the text calls the hex occupied while its units change, and knows no time in between",
        cite("movement-note/1", "general-p3/1"),
    ),
    Reading(
        "vacated_when",
        {
            "nobody_ordered": "a hex that an ordered unit leaves is vacated as soon as no other unit of the side is "
            "left that has been ordered this turn and has not moved",
            "nobody_in_reach": "a hex that an ordered unit leaves is vacated as soon as no other unit of the side is "
            "left that has been ordered this turn, has not moved, and is no further off than its kind can move (one "
            "that is off the map may come)",
            "movement_ends": "a hex that an ordered unit leaves is vacated when the movement phase ends, whether "
            "or not another unit has been "
            "ordered",
        },
        "nobody_ordered",
        "a banner is lost at once by movement, and the note makes an exception for a hex that another unit is "
        "ordered to occupy; a record names who is ordered, not where to, and the text does not say how far units "
        "move",
        cite("movement-note/1", "temporary/2", "turn-start-temporary/2", "groups/3", "majority/4"),
    ),
    Reading(
        "note_kinds",
        {
            "every": "the note on units that change places during movement holds for every objective that is "
            "temporary by its name: temporary, turn start temporary, and turn start temporary majority",
            "temporary": "the note on units that change places holds for temporary objectives alone; the others "
            "are lost when the hex is left",
        },
        "every",
        "it stands after all three of them",
        cite("movement-note/1", "turn-start-temporary/2", "majority/4"),
    ),
    Reading(
        "contested_group",
        {
            "holder": "where both sides have units in a group that either can hold, the banner stays with the side "
            "that has it, until none of the hexes are occupied by it",
            "nobody": "while both have units there, nobody has the banner",
        },
        "holder",
        "the only way to lose it that the text names is that none of the hexes are occupied",
        cite("groups/2", "groups/3"),
    ),
    Reading(
        "turn_start_groups",
        {
            "start": "the banner of a turn start temporary group is gained at the start of the side's turn",
            "at_once": "the banner of a turn start temporary group is gained the moment a unit is in any hex of "
            "it, as that of a temporary group",
        },
        "start",
        "a group takes the place of the hex in either rule; what is said of groups names no other time",
        cite("groups/1", "groups/2", "turn-start-temporary/1"),
    ),
    Reading(
        "shared_hex",
        {
            "each": "objectives on the same hex each have their banner",
            "one": "objectives on the same hex are one: a side that has several on the same hex or hexes has the "
            "banners of the "
            "one worth most",
        },
        "each",
        "each objective has its banner, and the text does not say that a hex has one objective at most",
        cite("general-p2/1", "temporary/1", "permanent/1", "last-to-occupy/1"),
    ),
    Reading(
        "leader_alone",
        {
            "ignored": "a leader without a unit does not occupy a hex",
            "occupies": "a leader without a unit occupies a hex",
        },
        "ignored",
        "the text asks for a unit in the hex, and tells units and leaders apart",
        cite("general-p2/1", "temporary/1", "permanent/1"),
    ),
    Reading(
        "set_up",
        {
            "counts": "a unit that is set up in a permanent objective hex has captured it as the game begins",
            "entered": "only a unit that enters the hex during play captures it",
        },
        "counts",
        "such a unit occupies the hex from the first moment on",
        cite("permanent/1"),
    ),
    Reading(
        "losses",
        {
            "anytime": "a unit may be eliminated or retreat though no enemy unit is on the map: a record is believed "
            "in what brings it about",
            "enemy_on_map": "a unit is eliminated or retreats only while an enemy unit is on the map to fight it",
        },
        "anytime",
        "the text names elimination and retreat, and has no rules of combat",
        cite("general-p2/1", "temporary/2"),
    ),
    Reading(
        "retreats",
        {
            "anywhere": "a retreat ends in any hex with room: a record is believed in how far it goes, and how",
            "adjacent": "a retreat leads from a hex to one next to it; who goes farther retreats several times",
        },
        "anywhere",
        "the text names retreat as a way to vacate a hex, and has no rules of combat, which say how far it leads",
        cite("temporary/2"),
    ),
)

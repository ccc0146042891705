"""The game's switches: what players agree on, what planning assumes, and how the text is read where it is open."""

from __future__ import annotations

from vclogic_encodings.axis_allies.citing import cite

from vclogic.model.rules import Option, Reading

OPTIONS = (
    Option(
        "victory",
        ("all", "total", "major", "minor"),
        "all",
        "the victory conditions that the players agreed on; all judges each of them",
        cite("victory/1"),
    ),
    Option(
        "legality",
        ("text", "captures"),
        "text",
        "records: captures also asks that what is attacked or taken can be reached, and that no more is taken in a "
        "turn, as the planning model has it",
    ),
    Option(
        "treasury",
        ("off", "on"),
        "off",
        "records: on counts IPCs, from the treasury at the start, with income at the end of each turn",
    ),
    Option(
        "level",
        ("captures", "armies"),
        "captures",
        "planning: captures leaves armies out, armies moves the units on the board",
    ),
    Option(
        "theatre", ("full", "land"), "full", "planning with armies: land leaves out ships, aircraft and their help"
    ),
    Option("blitz", ("on", "off"), "on", "planning with armies: armour passes through undefended enemy territories"),
    Option("ratio", range(1, 11), 1, "planning with armies: how many times the defence an attack must be worth"),
    Option(
        "min_odds",
        range(101),
        0,
        "planning with armies: the least chance in per cent of each battle of a plan; more than 0 replaces ratio",
    ),
    Option(
        "losses",
        ("none", "defence"),
        "none",
        "planning with armies: none is the optimistic bound; defence takes a unit per 6 points of defence",
    ),
    Option(
        "bombarded",
        ("removed", "fires"),
        "removed",
        "odds: whether a defender that a bombardment hits is removed at once, or still fires in the first round",
    ),
    Option(
        "purchases",
        ("off", "on"),
        "off",
        "planning with armies: on adds income, purchases and placement by the limits of the text; counts IPCs",
    ),
    Option(
        "hold",
        range(101),
        0,
        "planning with armies: the least chance, in per cent, to hold each place that is taken against the strongest "
        "attack of each enemy in its next turn; 0: not asked",
    ),
    Option("sea_range", range(21), 2, "planning: the most sea moves between embarking and landing; 0: the same zone"),
    Option(
        "captures_per_turn",
        range(1, 100),
        3,
        "planning by turns, and records with legality=captures: the most territories that a power takes in its turn",
    ),
    Option(
        "captures_per_source",
        range(1, 100),
        1,
        "planning by turns: the most captures in a turn over the land borders of one territory, and the most "
        "landings from one sea zone",
    ),
)

_LIBERATED = Reading(
    "liberated_city_limit",
    {
        "original": "an ally of its first owner may place there what the first owner could",
        "captured": "a liberated city counts as captured, with the limit of the side that holds it",
        "none": "nobody but its first owner places infantry there, until it is the first owner's again",
    },
    "original",
    "the limit is stated for the city, and the text changes it only where the other side has captured it",
    cite("VC-infantry-p2/1", "VC-infantry-p3/1"),
)
_CAPITAL = Reading(
    "allied_capital_limit",
    {
        "capital": "the exception for the capital holds for an ally of its nation too",
        "points": "the exception is for the nation itself; an ally may place as many as the city has points",
    },
    "capital",
    "the exception speaks of the capitals, not of whose infantry is placed there",
    cite("VC-infantry-p2/2"),
)
_JAPANESE = Reading(
    "allied_city_limit",
    {
        "nation": "the exception for cities of lesser rank (Japan's) binds only the nation itself, as it speaks of "
        "Japanese infantry; an ally may place as many as the city has points",
        "everyone": "the exception holds for an ally of the nation too",
    },
    "nation",
    "unlike for the capitals, the text names whose infantry it limits",
    cite("VC-infantry-p2/2"),
)
_LIBERATED_TERRITORY = Reading(
    "liberated_territory",
    {
        "capturer": "the power that takes a territory owns it, whoever had it first",
        "first_owner": "a territory goes back to the ally that owned it at the start, if that holds its own capital; "
        "as soon as its capital is free, so does all else that was its own and that its allies hold",
    },
    "capturer",
    "the text knows only captures; who is handed a liberated territory is left to the box rules",
    cite("VC-infantry-p3/1", "VC-infantry-p3/2", "VC-infantry-p3/3"),
)
_OTHER_RANKS = Reading(
    "other_ranks",
    {
        "others": "a captured city of a rank that the text does not name is one of its other cities: 1 infantry for "
        "the Axis, 2 for the Allies, whatever it is worth",
        "worth": "it has the limit of the named rank that is worth as much, or of the next that is worth less; of "
        "the lowest, where it is worth less than all",
        "none": "nobody places infantry at a captured city of such a rank",
    },
    "others",
    "the text makes an exception of minor cities, and has one limit for each of the other captured ones",
    cite("VC/2", "VC-infantry-p3/2", "VC-infantry-p3/3"),
)
_EMERGENCY = Reading(
    "emergency_limit",
    {
        "each_attack": "the attack of each turn before the defender's first allows infantry up to the limit again",
        "once": "all attacks before the defender's first turn together allow infantry up to the limit",
        "first_turn": "all attacks before the defender's first turn and that turn itself together allow infantry up "
        "to the limit: what comes in an emergency uses up the first turn's",
    },
    "each_attack",
    "the text grants it whenever such a city is attacked, and its limits are limits per turn",
    cite("VC-infantry-p2/1", "VC-infantry-p4/1"),
)
_BOUGHT_INFANTRY = Reading(
    "bought_infantry",
    {
        "any_number": "the limits are looked at where infantry is placed; more may be bought, and is then left over",
        "within_limits": "a power buys no more infantry in its turn than all its cities together may take",
    },
    "any_number",
    "the limits are each city's own, and a purchase need not name a city",
    cite("VC-infantry-p2/1", "VC-infantry-p3/2", "VC-infantry-p3/3"),
)
_CAPTURED_COMPLEX = Reading(
    "captured_complex",
    {
        "next_turn": "units can be placed at it only if the territory was the power's when the turn began",
        "at_once": "units can be placed at a complex in the turn of its capture: it was there when the turn began",
    },
    "next_turn",
    "the text explains its waiting times by having to wait once a territory has been taken over",
    cite("IC-p3/2", "IC-p3/3"),
)
_COMPLEX_VALUE = Reading(
    "complex_value",
    {
        "not_counted": "the price of a new complex does not count against 4 times the territory's IPC value",
        "counted": "the price of a new complex counts: it must itself be worth no more than 4 times the "
        "territory's IPC value",
    },
    "not_counted",
    "the limit is for what is placed at a complex; else most territories, for which the text names a price, could "
    "never have one",
    cite("IC/2", "IC-p2/7"),
)
_SECOND_COMPLEX = Reading(
    "second_complex",
    {
        "refused": "a territory holds one complex at the most",
        "allowed": "another one may be bought where one stands, one a turn; the territory's limit stays as it is",
    },
    "refused",
    "the limit is the territory's, so that a second complex would bring nothing but, in a capital, money",
    cite("IC/2", "IC-p2/4"),
)
_UNDEFENDED_COMPLEX = Reading(
    "undefended_complex",
    {
        "any": "the defender may destroy a bought complex as its territory is taken, with a battle or without one",
        "battle": "only where a battle is won: after an `attack` on it in the same turn of the record; with "
        "armies, where units defend it",
    },
    "any",
    "who takes a territory has won it, and the text says when the complex goes, not that it outlives its defenders",
    cite("IC-p4/2"),
)
_NEGATIVE_PRICE = Reading(
    "price_below_zero",
    {
        "received": "where the formula gives a price below zero, the buyer receives that much",
        "free": "a price is zero at the least",
    },
    "received",
    "the text gives a formula for every territory, and no lower limit",
    cite("IC-p2/4"),
)
_PURCHASES = Reading(
    "missing_purchases",
    {
        "allowed": "a record may leave out purchases: of a kind of unit that it has none of this turn, any number "
        "may be placed; with treasury=on purchases are needed in any case",
        "refused": "what is placed must have been bought earlier in the same turn of the record",
    },
    "allowed",
    "many records note only what was placed; complexes always need their declaration",
    cite("VC-infantry/3"),
)
_PHASES = Reading(
    "phases",
    {
        "named": "the text names the phases, not their order: what is placed must have been bought before, no more",
        "box": "as in the box rules: purchases before the first attack or capture of a turn, placing after the last",
    },
    "named",
    "the order of the phases is not part of this text",
    cite("IC-p2/2", "IC-p2/3", "VC-infantry/3"),
)
_UNPLACED = Reading(
    "unplaced_units",
    {
        "lost": "what was bought and not placed by the end of the turn is lost",
        "refunded": "what was bought and not placed is paid back at the end of the turn; nothing for a complex whose "
        "price was below zero",
    },
    "lost",
    "units are placed in the turn in which they are bought, and the text knows no way back",
    cite("VC-infantry/3", "IC-p2/3"),
)
_EQUAL_BIDS = Reading(
    "equal_bids",
    {
        "again": "equal bids decide nothing: both teams bid again",
        "first": "of equal bids the one that was made first, side_a's, wins",
        "lot": "of equal bids a lot chooses one; the record says whose (`lot`)",
    },
    "again",
    "the higher bid wins, and of two equal ones neither is higher",
    cite("victory-minor/1", "victory-minor/2"),
)
_EVERY_TERRITORY = Reading(
    "every_territory",
    {
        "ownable": "every territory that somebody can own: no sea zones, no impassable regions",
        "all": "every region of the map, which nobody can control, so that Total Victory is out of reach",
    },
    "ownable",
    "a condition that can never be met is not meant",
    cite("victory-total/1"),
)
_TOTAL_MOMENT = Reading(
    "total_moment",
    {
        "turn_end": "who controls every territory is looked at when a turn of the judged power ends",
        "any": "a side that controls every territory has won at that moment, in whoever's turn",
    },
    "turn_end",
    "Major Victory, beside it, is judged at the end of the same turns",
    cite("victory-total/1"),
)
READINGS = (
    _LIBERATED,
    _CAPITAL,
    _JAPANESE,
    _OTHER_RANKS,
    _LIBERATED_TERRITORY,
    _EMERGENCY,
    _BOUGHT_INFANTRY,
    _CAPTURED_COMPLEX,
    _COMPLEX_VALUE,
    _SECOND_COMPLEX,
    _UNDEFENDED_COMPLEX,
    _NEGATIVE_PRICE,
    _PURCHASES,
    _PHASES,
    _UNPLACED,
    _EQUAL_BIDS,
    _EVERY_TERRITORY,
    _TOTAL_MOMENT,
)

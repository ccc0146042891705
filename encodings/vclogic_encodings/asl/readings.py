"""The game's switches: what a scenario may use, and how the text is read where it is open."""

from __future__ import annotations

from collections.abc import Mapping

from vclogic_encodings.asl.citing import cite

from vclogic.model.rules import Option, Reading

BALANCE_SIDES = (
    *("Russian", "German", "American", "British", "Japanese", "Chinese", "French", "Italian", "Finnish", "Partisan"),
    *("Hungarian", "Rumanian", "Polish", "Axis", "Allied"),
)
"""Sides that the option `balance` knows by name."""

OPTIONS = (
    Option("rooftops", ("off", "on"), "off", "whether buildings with upper levels have a rooftop Location"),
    Option("cellars", ("off", "on"), "off", "whether buildings with upper levels have a cellar Location"),
    Option(
        "balance",
        ("none", *BALANCE_SIDES),
        "none",
        "the side that plays with the scenario's balance provision for it",
        cite("26.4/1", "26.4/2"),
    ),
    Option(
        "one_sided_blazes",
        ("off", "on"),
        "off",
        "on lets a Blaze shut out one side alone; a position that gives `shuts_out` turns it on",
        cite("26.161/5"),
        facts=("shuts_out",),
    ),
    Option(
        "earlier",
        ("off", "on"),
        "off",
        "on counts points for what the board does not show; a position that gives `earlier_cvp` or "
        "`earlier_exit_vp` turns it on",
        cite("26.22/1", "26.23/1"),
        facts=("earlier_cvp", "earlier_exit_vp"),
    ),
)


def _reading(name: str, values: Mapping[str, str], reason: str, *clauses: str) -> Reading:
    """A reading; the first value is the default."""
    return Reading(name, values, next(iter(values)), reason, cite(*clauses))


READINGS = (
    _reading(
        "cellar_enemy",
        {
            "ignored": "an enemy in a cellar is subterranean: it keeps nobody from gaining the hex or the building",
            "blocks": "a cellar is a level of the building like any other: an enemy there blocks hex and building",
        },
        "a cellar lies below ground, and subterranean units do not count",
        "26.11-p2/1x1",
        "26.14/1",
    ),
    _reading(
        "cellar_squad",
        {
            "location": "a squad in a cellar is at a subterranean level: it gains that Location, not the building",
            "building": "a cellar is a level of the building like any other: a squad there gains the building too",
        },
        "a cellar lies below ground, and from subterranean levels nobody gains a building",
        "26.14/1",
    ),
    _reading(
        "rooftop_enemy",
        {
            "blocks": "an armed enemy on the rooftop is in the hex and the building, and blocks both",
            "hex": "an enemy on the rooftop is in the hex, but above the building: he blocks the hex, not the "
            "building",
            "building": "an enemy on the rooftop is in the building, whose rooftop it is, but the hex is a matter "
            "of its ground level: he "
            "blocks the building, not the hex",
            "ignored": "as nobody gains the building from its rooftop, an enemy there blocks neither",
        },
        "the rule that asks for the absence of enemies excepts subterranean units only",
        "26.11-p2/1",
        "26.14/1",
    ),
    _reading(
        "infantry_bypass",
        {
            "location_hex": "armed enemy Infantry in bypass of a building blocks Location and hex, not the building, "
            "as an armed vehicle there does",
            "everything": "armed enemy Infantry in bypass blocks the building too",
            "nothing": "armed enemy Infantry in bypass blocks nothing, as it can gain nothing",
        },
        "the text says it of vehicles; Infantry in bypass is in the Location and outside the building just as well",
        "26.11-p2/3",
        "26.11-p3/3",
    ),
    _reading(
        "bypass_riders",
        {
            "location_hex": "armed PRC of a vehicle in bypass of a building block Location and hex, not the "
            "building, as an armed vehicle there does",
            "everything": "armed PRC of a vehicle in bypass block the building too",
            "nothing": "armed PRC of a vehicle in bypass block nothing: only the vehicle itself does, if it is armed",
        },
        "the text names armed PRC beside the armed vehicle where neither is in bypass, and riders are where their "
        "vehicle is",
        "26.11-p3/2",
        "26.11-p3/3",
    ),
    _reading(
        "vehicle_lost",
        {
            "ends": "a vehicle that is destroyed or captured no longer controls its Location: that reverts at once",
            "kept": "only by leaving does a vehicle give up its Location: what it controlled when it was lost stays "
            "its side's",
        },
        "the Control is an armed vehicle's, for as long as it is there",
        "26.12/1",
        "26.12/2",
    ),
    _reading(
        "vehicle_disarmed",
        {
            "ends": "a vehicle without working weapons, or without a crew, no longer controls its Location: that "
            "reverts at once",
            "stays": "a vehicle without working weapons has not left: it controls its Location until it leaves, is "
            "lost, or an enemy squad gains "
            "that; it gains no other one",
        },
        "only an armed vehicle controls a Location",
        "26.12/1",
        "26.12/2",
    ),
    _reading(
        "only_location",
        {
            "every": "a sewer or tunnel is a Location of its hex, too: a vehicle above it controls no hex",
            "above": "what is subterranean does not count: alone above ground is the only one",
        },
        "the text makes no exception here for what is subterranean, as it does elsewhere",
        "26.12/3",
    ),
    _reading(
        "tunnel_enemy",
        {
            "ignored": "an armed enemy in a sewer or tunnel is subterranean: he blocks no pillbox hex either",
            "blocks": "a pillbox hex must be devoid of enemies, in a sewer or tunnel too",
        },
        "the rule of pillbox hexes applies what 26.11 asks, which subterranean units are excepted from",
        "26.11-p2/1x1",
        "26.132/1",
    ),
    _reading(
        "pillbox_squad",
        {
            "enough": "a squad in the pillbox controls it and occupies the hex: nobody else is needed",
            "ground": "the hex must be occupied at ground level as any other, by a squad outside the pillbox",
        },
        "the pillbox is in the hex, and the text asks for one squad in the hex, not for another one",
        "26.13/1",
        "26.132/1",
    ),
    _reading(
        "squad_with_vehicle",
        {
            "gains": "a squad that stands in the Location when its vehicle leaves gains it then, as any squad would",
            "reverts": "the Location reverts to its prior status, and the squad must enter it anew to gain it",
        },
        "gaining by Infantry asks for nothing but the squad and the absence of enemies",
        "26.11-p2/1",
        "26.12/2",
    ),
    _reading(
        "vehicle_hex",
        {
            "reverts": "the hex of a vehicle that controls its only Location reverts with that Location",
            "kept": "the exception is for the Location: the hex is gained for good",
        },
        "the hex is controlled by way of the Location, which is no longer controlled",
        "26.12/2",
        "26.12/3",
    ),
    _reading(
        "armed_passengers",
        {
            "no": "an unarmed vehicle controls nothing, whoever rides in it",
            "yes": "an unarmed vehicle with armed passengers controls its Location as an armed one does",
        },
        "the text says armed vehicle, and names armed PRC only where they prevent the opponent's gain",
        "26.11-p3/1",
        "26.12/1",
    ),
    _reading(
        "inherent_crew",
        {
            "vehicle": "the inherent crew of a vehicle whose weapons do not work blocks nobody: it fights by them",
            "armed": "the inherent crew of a vehicle is armed PRC as long as it is in it, and blocks as an armed "
            "vehicle does",
        },
        "an inherent crew has no weapons of its own before it leaves its vehicle",
        "26.11-p3/2",
    ),
    _reading(
        "setup_building",
        {
            "whole": "a building is within a set-up area if all its hexes are",
            "part": "a building is within a set-up area if a hex of it is, and none in the opponent's",
        },
        "within an area means completely within it, as the text says elsewhere",
        "26.11/1",
        "26.11/1x1",
    ),
    _reading(
        "setup_overlap",
        {
            "container": "a building that is completely within one side's set-up area is that side's, though the "
            "other side's area has a part of it",
            "nobody": "a building of which both sides' set-up areas have a part is nobody's",
        },
        "the exception is for what is within both areas, and this building is within one of them only",
        "26.11/1",
        "26.11/1x1",
    ),
    _reading(
        "rowhouse_mop_up",
        {
            "part": "Mopping Up secures the part of a Rowhouse between its bars; the building is gained as always, "
            "if no armed enemy is left in it",
            "building": "who mops up one part gains the building, whoever is in another part of it",
        },
        "only that part was secured; in the example no enemy is left in the building, and only the Location is "
        "said to be gained by virtue of Mopping Up",
        "26.11-p4/1",
        "26.14/2",
        "26.15-p2/2",
    ),
    _reading(
        "unowned_fire",
        {
            "opponent": "what somebody kindles falls to his opponent, even if nobody controlled it",
            "nobody": "who controls nothing has nothing to forfeit: it stays without a controller",
        },
        "a Control that the kindler could gain later is lost to him as well",
        "26.16/1",
    ),
    _reading(
        "split_fire",
        {
            "kept": "whose Fire a chain was considered to be stays so for each part when it splits",
            "present": "each part of a chain is judged anew by who started the Fire in it",
        },
        "the text has the Fire be considered as something, and nothing makes it be considered otherwise",
        "26.162/1",
        "26.162/2",
    ),
    _reading(
        "joined_again",
        {
            "started": "Fire that both sides started is accidental while it hangs together, whatever else joins it",
            "considered": "Fire that has become accidental because both sides started it is one side's again once "
            "that side's Fire alone joins it",
        },
        "the chain still contains Fire that both sides started, and the rule for that has no exception",
        "26.162/1",
        "26.162/2",
    ),
    _reading(
        "extinguished",
        {
            "cause": "what was forfeited can be regained once every Fire of the kindler is out that burned there or "
            "helped to shut it, though others of his burn on",
            "location": "what was forfeited can be regained once no Fire of the kindler burns or bars the way there",
            "all": "what was forfeited can be regained only once every Fire of the kindler is out",
        },
        "the text names the Fire that causes the forfeiture, and asks for its being out, not for a way",
        "26.16/4",
    ),
    _reading(
        "regain",
        {
            "at_once": "units that stand there when the Fire is out gain it at that moment",
            "anew": "units that stand there when the Fire is out must leave and enter again",
        },
        "a side gains by occupying, whenever nothing prevents it",
        "26.16/4",
    ),
    _reading(
        "hex_majority",
        {
            "half": "a majority of the hexes around a sealed area is more than half of them",
            "opponent": "a majority of the hexes around a sealed area is more of them than the opponent has",
        },
        "in the example the fifth of eight hexes makes the majority, and hexes that nobody controls are adjacent too",
        "26.161/2",
        "26.162-EX1/4",
    ),
    _reading(
        "vehicle_majority",
        {
            "gains": "hexes that vehicles control for a time count among those around a sealed area, or of a sealed "
            "building; what is gained by them stays when the vehicles leave",
            "while": "they count as long as the vehicles stay: what is gained by them reverts when they leave",
            "ignored": "hexes that vehicles control for a time do not count",
        },
        "the text asks who controls the hexes, and lets revert only what the vehicle itself is in",
        "26.1/3x1",
        "26.12/2",
        "26.161/2",
        "26.161/4",
    ),
    _reading(
        "sealed_occupants",
        {
            "surroundings": "what accidental Blazes make unenterable goes by the surroundings, whoever is "
            "caught inside",
            "occupants": "a squad inside gains as usual; the surroundings decide where no squad does",
        },
        "the text asks only whether units can enter",
        "26.161/2",
        "26.161/3",
        "26.161/4",
    ),
    _reading(
        "edition",
        {
            "later": "points as in the later edition: 26.211 to 26.222",
            "earlier": "points as in the earlier edition: 26.21",
        },
        "the later edition is more explicit and has the later example",
        "26.21/1",
        "26.21/4",
        "26.211/1",
        "26.212/1",
    ),
    _reading(
        "reduction_points",
        {
            "at_once": "a squad that becomes a half-squad brings one point at once, and one when the half-squad goes",
            "remaining": "a squad that becomes a half-squad brings nothing; when that goes it brings what a "
            "half-squad is worth, which is all",
        },
        "half of the squad is lost for good, and among what brings no points the text does not name it",
        "26.211/1",
        "26.211/2",
        "26.221/1",
        "26.221/3",
    ),
    _reading(
        "captured_worth",
        {
            "at_capture": "captured equipment is worth what it was worth when it was captured",
            "now": "captured equipment is worth what it is worth now: less once its main armament fails",
        },
        "the points are received when it is captured, and lost only when it is captured no longer",
        "26.21/5",
        "26.222/3",
        "26.222/5",
    ),
    _reading(
        "prisoner_exit",
        {
            "captured": "a prisoner led off the map stays a prisoner, who counts double at the end",
            "eliminated": "a prisoner led off the map has left it, and counts as eliminated",
        },
        "escorting prisoners off the map is something that the text excepts",
        "26.2/3",
        "26.221/2x1",
        "26.222/1",
    ),
    _reading(
        "prisoner_points",
        {
            "none": "a prisoner who is led off through an exit area earns exit points for nobody",
            "captor": "a prisoner earns exit points for the side that leads him off, if the area is one of its own",
        },
        "exit points are for a side's own units that leave; prisoners bring casualty points already",
        "26.23/1",
        "26.23/2",
    ),
)

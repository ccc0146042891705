#!/bin/sh
# Guess: in the diplomacy package the retreats of a dislodged unit, as Power.retreats and the state of a game give them, are those that the engine takes; for
#        the rules forbid occupied provinces, and the one the attacker came from.
# Seen:  in diplomacy 1.1.2 they are, unless the attacker came by convoy: then occupied provinces are among them. A London, dislodged from Holland over the sea
#        while a French army stands in Wales, may retreat to Wales or Yorkshire by `retreats` and by get_state(); "A LON R WAL" is refused
#        when it is given, and the unit is disbanded. get_all_possible_orders() has Yorkshire alone. Dislodged from Yorkshire, with nothing but
#        Wales left, it is disbanded at once. Not documented: the attribute is called the possible retreat locations.
# It matters to whoever lets a player or an AI choose from the list: the choice costs the unit.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check 'diplomacy==1.1.2'
cat > "$folder/seen.py" <<'PYTHON'
from importlib.metadata import version

from diplomacy import Game


def attacked(name, units, orders):
    """The phase after an attack on London, with what is said of its retreats."""
    game = Game()
    game.clear_units()
    for power, standing in units.items():
        game.set_units(power, standing)
    for power, given in orders.items():
        game.set_orders(power, given)
    game.process()
    print(f"{name}: {game.get_current_phase()}, France in {game.get_units('FRANCE')}")
    said = {unit: sorted(places) for unit, places in game.get_power("ENGLAND").retreats.items()}
    in_state = {unit: sorted(places) for unit, places in game.get_state()["retreats"]["ENGLAND"].items()}
    print(f"  retreats {said}, in the state {in_state}")
    if said:
        print(f"  possible orders {sorted(game.get_all_possible_orders()['LON'])}")
        game.set_orders("ENGLAND", ["A LON R WAL"])
        print(f"  A LON R WAL: {[str(error) for error in game.error]}")
        game.process()
        print(f"  then {game.get_current_phase()}, England has {game.get_units('ENGLAND')}")


print("diplomacy", version("diplomacy"))
attacked(
    "by convoy",
    {"ENGLAND": ["A LON"], "GERMANY": ["A HOL", "F NTH"], "FRANCE": ["A WAL"]},
    {"ENGLAND": ["A LON H"], "GERMANY": ["A HOL - LON VIA", "F NTH C A HOL - LON"], "FRANCE": ["A WAL S A HOL - LON"]},
)
attacked(
    "by land",
    {"ENGLAND": ["A LON"], "GERMANY": ["A YOR"], "FRANCE": ["A WAL"]},
    {"ENGLAND": ["A LON H"], "GERMANY": ["A YOR - LON"], "FRANCE": ["A WAL S A YOR - LON"]},
)
PYTHON
"$folder/venv/bin/python" "$folder/seen.py" | tee "$folder/out"
cat > "$folder/wanted" <<'TEXT'
diplomacy 1.1.2
by convoy: S1901R, France in ['A WAL']
  retreats {'A LON': ['WAL', 'YOR']}, in the state {'A LON': ['WAL', 'YOR']}
  possible orders ['A LON D', 'A LON R YOR']
  A LON R WAL: ['INVALID RETREAT DESTINATION: A LON R WAL']
  then F1901M, England has []
by land: F1901M, France in ['A WAL']
  retreats {}, in the state {}
TEXT
diff "$folder/wanted" "$folder/out"

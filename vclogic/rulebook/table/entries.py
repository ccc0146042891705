"""All statements, each told once: what it begins with, its parts, how often it may stand, an example, what it is for.

Parser, printer, documents with their schema, the grammar for editors, what is completed, and the reference page
come from this table. A statement is an entry here and a class in `statements` or `declarations`; whoever
makes something of it asks for the class.
"""

from __future__ import annotations

import re

from vclogic.rulebook import aims as a
from vclogic.rulebook import declarations as d
from vclogic.rulebook import statements as s
from vclogic.rulebook.table import parts as p
from vclogic.rulebook.table.entry import StatementEntry, StatementTable
from vclogic.rulebook.table.of_boards import AREAS, COLUMN, EDGES, GRID, HEXES, KIND, VALUE
from vclogic.rulebook.table.of_events import EVENT, EVERY
from vclogic.rulebook.table.of_facts import DEFINITION, FACT, GROUP
from vclogic.rulebook.table.of_objectives import OBJECTIVE
from vclogic.rulebook.table.of_outcomes import INSTEAD, TABLE, WIN
from vclogic.rulebook.table.of_plans import PLAN
from vclogic.rulebook.table.of_sides import FUNCTIONS, MODULE, OPTION, PASSING, READING, ROUNDS, SIDES, TURN
from vclogic.rulebook.table.reader import VERBS

_CODE = re.compile(r"[Vv][Cc][0-9]{3}\b")
_MARK = 'write mark "NAME" for hex where CONDITION'
BOOK = StatementTable(
    (
        StatementEntry(
            ("sides",),
            d.Sides,
            "sides",
            (SIDES,),
            "The sides, each with its powers where it has some.",
            "sides Red, Blue",
            once=True,
        ),
        StatementEntry(
            ("turn", "order"),
            d.TurnOrder,
            "turn order",
            (p.several("names", "who has a turn", 'name {"," name}', "where"), p.where("where")),
            "Whose turns follow each other, of those that are so.",
            "turn order Red, Blue where not lost(side)",
            once=True,
        ),
        StatementEntry(
            ("turn", "is"),
            d.TurnIs,
            "turn",
            (TURN,),
            "What a turn is: one event, any number of them, or phases.",
            "turn is one event",
            once=True,
            write=f"write turn is {d.ONE_EVENT}, turn is {d.MANY_EVENTS}, or turn is PHASE, PHASE",
        ),
        StatementEntry(
            ("rounds",),
            d.Rounds,
            "rounds",
            (ROUNDS,),
            "After how many rounds the game ends.",
            "rounds 6",
            once=True,
        ),
        StatementEntry(
            ("pass",),
            d.PassRule,
            "pass",
            (PASSING,),
            "When a side may do nothing.",
            "pass if nothing else is legal",
            once=True,
        ),
        StatementEntry(
            ("kind",),
            d.KindOf,
            "kind",
            (KIND,),
            "A kind of things, listed or from the table above the block.",
            "kind card: Ace, King, Queen",
            fixed={"areas": False},
            beside=True,
        ),
        StatementEntry(
            ("areas",),
            d.KindOf,
            "kind",
            (
                p.called("name", "what they are called"),
                AREAS,
            ),
            "Places whose table says what each of them touches.",
            "areas territory, from the table",
            fixed={"areas": True},
        ),
        StatementEntry(
            ("grid",),
            d.Rows,
            "board",
            (GRID,),
            "Rows of squares or places.",
            "grid square, with diagonals, 8 by 8",
            fixed={"hexes": False},
        ),
        StatementEntry(
            ("hexes",),
            d.Rows,
            "board",
            (HEXES,),
            "A map of hexes, each with its terrain.",
            "hexes hex, odd columns lower, 5 by 5, named from 0101",
            fixed={"hexes": True},
        ),
        StatementEntry(
            ("column",),
            d.Column,
            "column",
            (COLUMN,),
            "What a column of a table can say, whether or not a row says it.",
            "column kind(objective): temporary, permanent, default temporary",
        ),
        StatementEntry(
            ("board",),
            d.BoardValue,
            "board value",
            (VALUE,),
            "A value that a board gives, such as how many turns there are; or what it is.",
            "board turns: 1 to 99, default 12",
        ),
        StatementEntry(
            ("edges",),
            d.Edges,
            "edges",
            (EDGES,),
            "What lies between places beside each other: a river, a wall; or along a row of them: a road.",
            "edges river: A1 and A2, B1 and B2 and B3",
        ),
        StatementEntry(
            ("start",),
            d.Start,
            "start",
            (
                p.fact("fact"),
                p.word("is", "write start FACT is VALUE"),
                p.expression("value"),
                p.members("binder", several=True),
            ),
            "What a fact is at the start.",
            "start strength(Guards) is 3",
        ),
        StatementEntry(
            ("never",),
            d.Law,
            "law",
            (p.expression("condition"),),
            "What no position is like; `check` proves it.",
            "never count(unit where at(unit) == B2) > 1",
            fixed={"never": True},
        ),
        StatementEntry(
            ("always",),
            d.Law,
            "law",
            (p.expression("condition"),),
            "What every position is like; `check` proves it.",
            "always lost(Red) <= 8",
            fixed={"never": False},
        ),
        StatementEntry(
            ("event",),
            d.EventRule,
            "event",
            (EVENT,),
            "Something that happens: who decides it, and below it what it needs and changes.",
            "event move by side unit to hex\n  then at(unit) becomes to",
            beside=True,
        ),
        StatementEntry(
            ("every",),
            d.EveryEvent,
            "every event",
            (EVERY,),
            "What all events need, but those that are named; of a game in Python also what one of its events needs.",
            'every event but draw needs lost(Red) < 2, else "Red is beaten"',
            within=("needs", "event"),
            beside=True,
        ),
        StatementEntry(
            ("fact",),
            s.RememberedFact,
            "fact",
            (FACT,),
            "What is remembered, and below it what changes it by itself.",
            "fact at(unit): hex or eliminated, starts start(unit)",
            before=("secret", "secret"),
            beside=True,
        ),
        StatementEntry(
            ("group",),
            s.NamedGroup,
            "group",
            (GROUP,),
            "A name for some members of a kind.",
            "group Heights: hex where terrain(hex) == hill",
            beside=True,
        ),
        StatementEntry(
            ("table",),
            s.OutcomeTable,
            "table",
            (TABLE,),
            "Who wins what by a number or a ratio.",
            "table level at the end, by lost(Blue) : lost(Red)\n  2:1 or more  Red wins major",
            beside=True,
        ),
        StatementEntry(
            (),
            s.Definition,
            "definition",
            (DEFINITION,),
            "What a word means; an exception holds before what it excepts.",
            "on_map(unit) means at(unit) in hex",
            before=("except", "exception"),
            told_by=("means",),
            beside=True,
        ),
        StatementEntry(
            (),
            s.Win,
            "win",
            (WIN,),
            "Who wins or loses what, when, and if what.",
            "Red wins heights at once if held(Red) >= 3",
            before=("otherwise", "otherwise"),
            told_by=(*VERBS,),
            beside=True,
        ),
        StatementEntry(
            ("instead", "of"),
            s.InsteadOf,
            "instead of",
            (INSTEAD,),
            "Outcomes that do not count, of the game or of a rulebook that is included.",
            "instead of attrition",
            write="write instead of OUTCOME",
            beside=True,
        ),
        StatementEntry(
            ("reading",),
            d.Choice,
            "choice",
            (READING,),
            "What a text leaves open, with each way in which it can be read.",
            'reading wood "Does a wood hide a unit?"\n  yes "nothing fires into it", default "as the chart has it"\n'
            '  no "it is like other terrain"',
            fixed={"reading": True},
        ),
        StatementEntry(
            ("option",),
            d.Choice,
            "choice",
            (OPTION,),
            "What players agree upon before a game.",
            'option length "How long the game lasts"\n  4 to 12, default 8',
            fixed={"reading": False},
        ),
        StatementEntry(
            ("include",),
            d.Include,
            "include",
            (p.file("file", "the file is missing here", "write include basic.md"),),
            "Another rulebook, which this one builds on.",
            "include basic.md",
        ),
        StatementEntry(
            ("python",),
            d.PythonModule,
            "python",
            (MODULE, FUNCTIONS),
            "Functions in Python, each below its module.",
            "python my_package.roads\n  by_road(area, other area)",
        ),
        StatementEntry(
            ("left", "out"),
            d.LeftOut,
            "left out",
            (p.quote("reason", "why"),),
            "Why no line says a sentence.",
            'left out "how units rally: a record says so"',
            write='write left out "why"',
        ),
        StatementEntry(
            ("accept",),
            d.Accept,
            "accept",
            (
                p.pattern(
                    "code",
                    _CODE,
                    "the code of a finding is missing here",
                    'write accept VC201 "why", with the code as `vclogic check` tells it',
                    "code",
                ),
                p.quote("reason", "why"),
            ),
            "A finding about a sentence of the block that is meant.",
            'accept VC104 "two exceptions that clash are the point"',
        ),
        StatementEntry(
            ("mark",),
            d.MarkPlaces,
            "mark",
            (
                p.quote("name", "the name that players read"),
                p.flag("lines", "with", "lines", help=f'{_MARK}, or mark "NAME" with lines for hex where CONDITION'),
                p.members("binder", _MARK),
            ),
            "What can be drawn over the board.",
            'mark "beside the river" for hex where some(other hex in river where adjacent(hex, other))',
        ),
        StatementEntry(
            ("plan",),
            a.PlanRule,
            "plan",
            (PLAN,),
            "What the steps of plans are, what they leave out, and what is counted.",
            "plan marches\n  uses move\n  step is a turn, at most 5 events, one for each unit",
        ),
        StatementEntry(
            ("objective",),
            a.ObjectiveRule,
            "objective",
            (OBJECTIVE,),
            "What players take and hold: who has it, where it is, what it brings.",
            'objective "the {town}" for town\n  held by side if owner(town) == side',
        ),
    )
)
"""The statements of a rulebook."""
TEXT = StatementTable(tuple(e for e in BOOK.entries if e.beside))
"""The statements of a text of rules that stands beside a game."""

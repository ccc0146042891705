"""The page of the finding codes, `docs/findings.md`, from the catalogue."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic.check.catalogue import Code

_HEAD = """\
# Finding codes

`vclogic check GAME` looks for faults of a rule set. `vclogic explain CODE` prints one entry of this page, `vclogic
explain --format markdown` all of it.

## Where it looks

First over all positions that could stand on the board: all that satisfy what the rule set declares to hold always,
whether or not play leads there. A solver is asked once, and a "no" is a proof, confirmed by a second run of the
solver. With `--scope reachable` the check then looks for play from the start that leads to each position found. Any
event of the rules may happen, whoever decides it, under what the game assumes beyond its text; the cheapest plan by
the game's default metric is tried first. A finding that no play leads to is listed apart, with the proof.

Each finding is shown by the smallest position: fewest pieces (where the game counts them, `System.pieces`), then
fewest facts that differ from the start. With `--scope reachable` it may be the one that the cheapest plan leads to;
the answer says so. The Python evaluator confirms each. `--witnesses FOLDER` writes them as position files for
`status` and `render`.

What is not decided within `--timeout` is listed with its bound. It does not change the exit code, which is 1 with a
finding that is not suppressed, else 0.

## What a rule set can declare

The more a rule set declares, the more is checked: `LevelTable` (rows of which exactly one is meant to apply),
`Partial` (a value, and where it is defined), `lasting` of an outcome or rule (permanent or temporary),
`System.ends` (when the game is over), Readings, and laws about events such as
`Rule("exits_stay", ge(exits, before(exits)), ..., step=True)` with `before`, `happens` and `actor` of
`vclogic.model.event_terms`.

## Suppressions

A fault that the rule text really has stands in `checks.yaml` in the game's folder, with the reason; `*` stands for
anything:

```yaml
- code: VC104
  rule: levels[marginal, decisive]
  reason: the levels nest in the text, and the most extreme one counts
  scenario: first                 # may be left out, as may the two below
  scope: positions
  settings: {zero_points: even}
```
"""


def page(codes: Iterable[Code]) -> str:
    """The page as Markdown."""
    parts = [_HEAD]
    for c in codes:
        parts.append(
            f"## {c.code} {c.name}\n\n{c.severity.capitalize()}. {c.says}\n\n{c.why}\n\n**Help:** {c.help}.\n"
        )
    return "\n".join(parts)

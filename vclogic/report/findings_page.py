"""The page of the finding codes, `docs/findings.md`, from the catalogue."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic.check.catalogue import Code

_HEAD = """\
# Finding codes

`vclogic check GAME` looks for faults of a rule set. `vclogic explain CODE` prints what stands here; this page is
`vclogic explain --format markdown`.

**Where it looks.** First over all well-formed positions, that is, all that satisfy the rule set's invariants: one
question to a solver, and a "no" is a proof for good, which a fresh solver confirms before a finding rests on it. With
`--scope reachable` it then looks for play from the start that leads to each witness: a record of any events of the
rules, whoever decides them, under what the game assumes beyond its text. The cheapest plan by the game's default
metric is tried first. A finding that no record leads to is listed apart, with the proof.

**Witnesses** are the smallest there are: fewest pieces (where the game counts them, `System.pieces`), then fewest
fluents that are otherwise than at the start; of reachable ones those that the cheapest plan leads to,
if the answer says so. Each is confirmed by
the Python evaluator. `--witnesses FOLDER` writes them as position files, which `status` and `render` take.

**What is not decided** within `--timeout` is listed with its bound, and does not change the exit code: 1 with a
finding that is not suppressed, else 0.

**What a rule set declares**, so that more can be checked: `LevelTable` (rows of which exactly one is meant to apply),
`Partial` (a value and where it is defined), `lasting` of an outcome or rule (permanent or temporary), `System.ends`
(when the game is over), Readings; and rules about events, such as
`Rule("exits_stay", ge(exits, before(exits)), ..., step=True)` with `before`, `happens` and `actor` of
`vclogic.model.event_terms`.

**Suppressions** stand in `checks.yaml` in the encoding's folder, each with a reason; `*` stands for anything:

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

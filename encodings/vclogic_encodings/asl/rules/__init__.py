"""The rules of section 26, a module for each of its parts, with the clauses at the functions that encode them.

A rule is a function of the `units` of a state, or of no more than its `fires`; or of the `fluents` where it is the
same in every state. What can be controlled is given as its `kind` (Location, hex or building) and its `name`. Terms
that a rule gets are what other rules have found, such as who controls something apart from it (`held`, `before`,
`prior`) or what an event can change Control of, and when it does (`touched`). What a rule says of who controls
something is a term over the sides and none; what an event changes is a mapping from fluents to their new values.
"""

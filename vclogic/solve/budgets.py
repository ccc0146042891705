"""Budgets of the parts of a search, in seconds, as a share of the time left, or in work, each with its reason.

They were chosen by measuring the reference questions (`benchmarks/`). They never change what an answer says, only how
soon it comes, or what is still unknown at the deadline.
"""

from __future__ import annotations

# ---- proofs that there is no plan
PROOF_UNDER_A_LIMIT = 2.0  # for a proof without a limit, where a limit was asked for and decides anyway
REST = 5.0  # for the question whether nothing changes any more once nothing is done, which seldom takes a second
BEFORE_A_PROOF = 3.0  # of search without a plan; most plans are found by then
BEFORE_A_PROOF_SHARE = 1 / 6
PROOF = (
    26.0  # for a proof over all that can happen, guesses first; Spacer seldom finds later what it has not found then
)
PROOF_SHARE = 2 / 5
ALL_POSITIONS = 10.0  # a look at all positions, which comes before any search for a plan
ONE_STEP = 10.0  # a look at one event from all positions, likewise
# What leads to a goal by ever more events is followed so far on every machine, however busy:
LEADING_EVENTS = 4_000  # events that may lead nearer by one more, of which to build all takes a second,
LEADING_EVENTS_IN_ALL = 20_000
LEADING_AT_ALL = 5_000_000  # z3's units of effort for the question whether any of them changes sums as it has to,
ONE_OF_LEADING = 1_000_000  # and for each other question: most take less than a tenth of that
NEEDING_EVENTS = 6_000  # events in all that may bring back what a goal needs: all are built to tell
BY_TURNS_SHARE = 2 / 3  # for what each fluent can be turn by turn, half of it for a solver to confirm that
LEADING_SHARE = 1 / 2  # but no more than this share of the time
EVENTS_OF_ONE_STEP = 1 / 4  # for building the events that it is about
SUMMANDS_SHARE = 1 / 2  # for what each part of a sum can come to: half a second for each
FEW_NUMBERS = 3.0  # for a question about values alone, its sums a few numbers: most take less than half a second
GUESSES = 6.0  # for guesses at what always holds; what they find mostly takes less than two
GUESSES_SHARE = 1 / 4  # the rest is for proofs that look further
SEARCH_OF_PROOF = 0.75  # the rest is for checking what was found
STEPS_IN_A_ROW = 3  # of a proof that is told whichever proof is found first,
ONE_OF_STEPS = 5_000_000  # and z3's units of effort for each of its questions: most take less than a tenth of that
AGAINST_PROOF = 1.5  # kept back for the position that stands against a proof: mostly half of it is enough,
AGAINST_PROOF_SHARE = 1 / 10  # but no more than this share
FEWER_LAWS = 3.0  # for leaving out laws that a proof does not need
FEWER_LAWS_SHARE = 1 / 4

# ---- plans
ONE_BOUND = 15.0  # for each bound, so that time is left for the search itself
ORDER = 2.0  # for an order of the events of a plan: mostly a tenth is enough
SHORT_HORIZON = 6.0  # for a first plan within a shorter horizon than that asked for: mostly a tenth is enough,
SHORT_HORIZON_SHARE = 1 / 2  # but no more than this share
ONE_MORE_METHOD = 1.0  # with less left another method is not worth beginning
ONE_COST = 3.0  # for one question about a cost at first: hard ones have easy neighbours
ONE_VALUE = 2.0  # for one question about a value, until all numbers of steps have been looked at
SHORTER = 2.0  # for each attempt to leave something out of a plan, where choices are numbers or names
CHOOSING = 10.0  # for the lexicographically first of the cheapest plans; most take less than a tenth of a second
AMONG_NAMES = 6.0  # for the same where they choose among names; most take half a second, but not on a busy machine
PRICED_COLUMNS = 1 / 2  # for cheap solutions among columns of small reduced cost, before more columns are taken
WHOLE_NUMBERS = 2.0  # for a proof checked in whole numbers, where there is one in floating point,
WHOLE_NUMBERS_SHARE = 1.0  # or as much as that one took
UNARGUED_SOON = 10.0  # for a proof without argued cuts where that with them was small; a second is mostly enough
UNARGUED = 3 / 4  # for the same where it is asked for; the rest is for z3
PLAYING = 6.0  # kept back for playing the plan in Python: most take a tenth of it, but not on a busy machine,
PLAYING_SHARE = 1 / 10  # but no more than this share
PLAYING_LEAST = 0.04  # or so much, where a planner's budget is a fifth of a second,
PLAYING_LEAST_SHARE = 1 / 5  # but no more than this share
ANY_SOLUTION = 0.5  # for a better solution, where any is enough to be judged,
ANY_SOLUTION_SHARE = 1 / 2  # or as much as it took to find it
SAME_BATTLES = 10.0  # for the least second cost of a plan with the same battles; mostly a tenth is enough,
SECOND_COST = 4.0  # for a plan of the same cost and the least second cost of all,
SECOND_COST_SHARE = 1 / 5  # for which so much is kept back
LARGEST = 2 / 3  # for the largest value; the rest is for the plan that leads there

# ---- questions
PLANNING_MODEL = 0.25  # for a witness of a planning model, which takes larger steps than single events
TRYING = 0.25  # for a witness found by trying events in plain Python,
TRYING_ANYWAY = 1.0  # or so long where a planning model has no plan: some are found at once even then
UNHELPED = 0.25  # for a witness in which the other side is idle, where it may help: mostly the first tries find one
GROUNDING = 10.0  # for building the events of a small rule set, before all positions are looked at
GLANCE_AT_POSITIONS = 10.0  # for a look at so many positions as most small games have; it mostly takes a tenth of one
GLANCE_AT_POSITIONS_SHARE = 1 / 6  # but no more than this share
ONE_EVENT = 0.0003  # for making one event ready for that; where there is less time for all, nobody looks
POSITIONS_SHARE = 1 / 4  # for looking at all positions where there cannot be too many
RECHECKED_POSITIONS = 15.0  # for looking at each of them by itself: some 50,000 a second
TIDYING = 1.0  # for leaving out of a record what it does not need: thousands of events would take minutes
GLANCE_AT_EVENTS = 4.0  # for those that may show what is asked for, of which TRYING has its share
FEW_EVENTS = 0.25  # for a witness of a few events
FIRST_CHANGES = 2.0  # for the first of several sets of changes, and the first values of each; most take a tenth of it
FIRST_CHANGES_SHARE = 0.25  # of the time that is left, where that is more: a busy machine is to show the same sets
REPAIRS = 0.75  # for what forbids a goal; the rest is for checking it
COMPARED_POSITIONS = 0.25  # for two rule sets over all positions
COMPARED_GLANCE = 10.0  # for play that shows a difference, before all events of two rule sets are built
COMPARED_MATTER = 2.0  # for a look whether one disagreement follows from others
COMPARED_PAUSE = 1.0  # of search for a disagreement before a proof that there is none,
COMPARED_PAUSE_EACH = 0.01  # and so much for each thing that can happen,
COMPARED_PAUSE_SHARE = 1 / 2  # but no more than this share

# ---- checks of rules
ONE_FAMILY_SHARE = 1 / 2  # for one family of checks
ONE_CHECK_SHARE = 1 / 8  # for one question of a check, and a second at least
FOLLOWING_PLAY = 1 / 2  # for the positions that play reaches, of what the first check that asks for them has
ONE_PLAY = 5.0  # for whether an event can ever happen or an outcome be met, where those positions do not tell
ONE_CHECK_OF_ALL = 10.0  # for a question over all positions
# Those in units of work decide what is shown, which must not depend on how busy the machine is: z3's units of effort
# (some 6,000,000 a second), and changes tried.
LOOSENED = 20_000_000  # units, for a question without what its sums are made of
SMALLEST = 12_000_000  # units, for each try to prove that no position is smaller
WALK = 50_000  # changes of a walk to a position: one to three seconds
STROLL = 5_000  # changes of a walk to a smaller one
CHEAPEST_PLAY = 0.5  # for the cheapest play to what was found; the rest is for any play, by all events

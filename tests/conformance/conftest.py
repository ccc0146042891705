"""Which conformance tests are left out of a usual run, since they take long; `make slow` runs them."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

SLOW = (
    # ASL has four scenarios of its own: one shows what they have in common
    "*[[]asl/1f3*",
    "*[[]asl/22u3*",
    "*[[]asl/points*",
    # the same test of a smaller game
    "test_every_event_occurs_in_a_witness[[]asl]",
    "test_every_event_occurs_in_a_witness[[]axis_allies]",
    "test_every_event_occurs_in_a_witness[[]okinawa]",
    "test_every_event_occurs_in_a_witness[[]napoleonics]",
    "test_every_event_keeps_the_invariants[[]napoleonics/sankt-veit]",
    "test_every_event_keeps_the_invariants[[]okinawa/small]",
    "test_plans_of_random_goals_are_records[[]napoleonics/sankt-veit]",
    "test_plans_of_random_goals_are_records[[]okinawa/small]",
    "test_each_metric_finds_a_single_step[[]napoleonics/sankt-veit]",
    "test_events_change_only_what_their_kind_touches[[]axis_allies/*",
    "test_what_may_be_done_is_what_a_record_accepts[[]axis_allies/*",
    "test_python_and_z3_agree[[]axis_allies/*",
    "test_python_and_z3_agree[[]okinawa/*",
    # a ruling fails for each clause that is left out: `mutants` looks at more of them
    "test_rulings_notice_what_encodes_a_clause[[]asl]",
    "test_rulings_notice_what_encodes_a_clause[[]axis_allies]",
    "test_rulings_notice_what_encodes_a_clause[[]napoleonics]",
)
BOTH = "test_python_and_z3_agree["


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A usual run reads each scenario in one of the two dialects of SMT-LIB, by turns."""
    read = [item for item in items if item.name.startswith(BOTH)]
    left = {item.name for n, item in enumerate(read) if (n // 2 + n) % 2}
    for item in items:
        if item.name in left or any(fnmatchcase(item.name, pattern) for pattern in SLOW):
            item.add_marker(pytest.mark.slow)

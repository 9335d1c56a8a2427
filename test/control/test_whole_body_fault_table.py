"""Each line of the table of faults of whole-body control has its test."""

from __future__ import annotations

import pytest

from test.control import (
    test_balance_faults,
    test_cpp_whole_body,
    test_played_gaits,
    test_wanted_forces,
    test_whole_body_commands,
    test_whole_body_faults,
)
from test.gait import test_gait_files
from test.legged import test_two_feet
from test.support.examples import EXAMPLES
from test.support.fault_table import held_lines, table_lines

pytestmark = pytest.mark.slow

PAGE = EXAMPLES.parent / "docs" / "legged_controller.md"


def test_each_line_of_the_page_is_held_by_a_test():
    modules = (
        *(test_cpp_whole_body, test_played_gaits, test_wanted_forces, test_whole_body_commands),
        *(test_whole_body_faults, test_gait_files, test_two_feet, test_balance_faults),
    )
    held = set().union(*(held_lines(vars(module)) for module in modules))
    assert held == table_lines(PAGE, "| what happens | what is commanded |")

"""Each line of the table of docs/inverse_dynamics_controller.md is held by a test."""

import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")

from test.ros.controller_faults import test_references, test_settings, test_states
from test.support.examples import EXAMPLES
from test.support.fault_table import held_lines, table_lines

PAGE = EXAMPLES.parent / "docs" / "inverse_dynamics_controller.md"


def test_each_line_of_the_page_is_held_by_a_test():
    held = set().union(
        *(held_lines(vars(m)) for m in (test_states, test_references, test_settings))
    )
    assert held == table_lines(PAGE, "| fault | what is commanded next |")

from pathlib import Path

import pytest

from robcogen_ros.ros.parameter_page import TABLES, page_table
from robcogen_ros.ros.parameters import Parameter

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("node", TABLES)
def test_pages_have_the_parameters_that_nodes_declare(node):
    command = f"python -m robcogen_ros.ros.parameter_page {node}"
    assert page_table(TABLES[node]) in (DOCS / f"{node}.md").read_text(), f"see `{command}`"


def test_a_row_says_what_may_be_set_and_when():
    gain = Parameter("kp", 100.0, "Gain.", 0.0, 1e6, many=True)
    mode = Parameter("mode", "a", "Law.", choices=("a", "b"), fixed=True)
    gravity = Parameter("gravity", [0.0, 0.0, -9.81], "Gravity.", -100.0, 100.0)
    rows = page_table([gain, mode, gravity]).splitlines()[2:]
    assert rows == [
        "| `kp` | `100` | 0 to 1e+06 | any time | Gain. |",
        "| `mode` | `a` | `a`, `b` | at start | Law. |",
        "| `gravity` | `[0, 0, -9.81]` | -100 to 100 | any time | Gravity. |",
    ]


@pytest.mark.parametrize("node", TABLES)
def test_defaults_are_allowed(node):
    for parameter in TABLES[node]:
        assert parameter.problem(parameter.default) is None, parameter.name
        assert parameter.description.endswith("."), parameter.name

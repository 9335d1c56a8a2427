"""The parameters for arms of several makers are such as controllers have."""

from pathlib import Path

import pytest
import yaml

from robcogen_ros.parameters.table import table

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "examples" / "torque_interfaces").glob("*.yaml"))
TABLES = {
    "arm_controller": "inverse_dynamics_controller",
    "tool_controller": "task_space_controller",
}
ADD_THEIR_WEIGHT = {"franka", "kuka_iiwa", "universal_robots"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_controllers_take_the_parameters_of_an_arm(path):
    given = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert given.keys() == TABLES.keys()
    for controller, table_name in TABLES.items():
        rows = {row.name: row for row in table(table_name)}
        values = given[controller]["ros__parameters"]
        problems = [rows[name].problem(value) for name, value in values.items()]
        assert problems == [None] * len(values)
        assert values["add_gravity"] == (path.stem not in ADD_THEIR_WEIGHT)


def test_the_page_has_a_row_for_each():
    page = (ROOT / "docs" / "torque_interfaces.md").read_text(encoding="utf-8")
    assert len(FILES) == 4
    for maker in ("Universal Robots", "Franka", "KUKA", "Kinova"):
        assert f"| {maker}" in page

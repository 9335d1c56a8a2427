"""The tables of parameters: what is rendered from them is there, and nothing says otherwise."""

import inspect
import re
from pathlib import Path

import pytest

from robcogen_ros.control.cycles import PARTINGS
from robcogen_ros.parameters.rendered import PAGES, SHARED, page_table, rendered, shared
from robcogen_ros.parameters.table import FOLDER, table
from robcogen_ros.runtime.legged_robot import LeggedRobot
from robcogen_ros.runtime.momentum_observer import ObservedRobot

ROOT = Path(__file__).parents[2]
TABLES = sorted(path.stem for path in FOLDER.glob("*.yaml"))


def row(name, parameter):
    return next(row for row in table(name) if row.name == parameter)


def test_headers_and_pages_are_as_the_tables_render_them():
    for path, text in rendered(ROOT).items():
        assert path.read_text() == text, f"run python -m robcogen_ros.parameters for {path}"


@pytest.mark.parametrize("name", TABLES)
def test_defaults_are_allowed_and_old_names_are_no_others(name):
    names = {row.name for row in table(name)}
    for parameter in table(name):
        assert parameter.problem(parameter.default) is None, parameter.name
        assert parameter.description.endswith("."), parameter.name
        assert names.isdisjoint(parameter.instead_of), parameter.name


def test_a_row_of_a_page_says_what_may_be_set_and_when():
    node, plugin = map(page_table, ("inverse_dynamics_node", "inverse_dynamics_controller"))
    assert (
        "| `state_timeout` | `0.1` | s | 0 to 60 | before configuring | Longest time without joint "
        "states; 0: for ever. |" in node.splitlines()
    )
    assert (
        "| `effort_limits` | `[]` | N m or N | more than 0 | any time | Largest efforts, one for "
        "all joints or one for each joint. They only lower the model's limits. Empty or .inf: the "
        "model's limits. |" in plugin.splitlines()
    )
    assert "effort_limits" not in node


@pytest.mark.parametrize("name", SHARED)
def test_pages_name_the_parameters_that_other_pages_describe(name):
    page = (ROOT / next(page for page, shown in PAGES.items() if name in shown)).read_text()
    named = set()
    for other in SHARED[name]:
        lists = re.findall(rf"^As in \[{other}\]\(\S+\): (.*)\.$", page, re.MULTILINE)
        assert shared(name, other) in [re.findall(r"`(\w+)`", listed) for listed in lists]
        named |= {*shared(name, other)}
    left = {row.name for row in table(name) if f"| `{row.name}` |" not in page_table(name)}
    assert named == left


COMMON = ("kp", "kd", "effort_limits", "gravity", "reference_timeout", "activation_time")
COMMON_LEGS = ("friction", "position_gains", "gravity", "cmd_vel_timeout", "upper_body_weight")


@pytest.mark.parametrize("name", [*COMMON, "mode", "deactivation_effort", "failure_effort"])
def test_node_and_plugin_of_an_arm_mean_the_same(name):
    assert row("inverse_dynamics_node", name) == row("inverse_dynamics_controller", name)


@pytest.mark.parametrize("name", COMMON_LEGS)
def test_node_and_plugin_of_a_robot_on_legs_mean_the_same(name):
    assert row("whole_body_node", name) == row("whole_body_controller", name)


@pytest.mark.parametrize("name", TABLES)
def test_contacts_are_the_feet_in_every_table(name):
    feet = row("simulated_robot", "contacts")
    assert all(parameter == feet for parameter in table(name) if parameter.name == "contacts")


def test_an_arm_that_is_deactivated_is_held():
    assert row("inverse_dynamics_controller", "deactivation_effort").default == "hold_gravity"


def test_a_ground_without_friction_is_refused():
    assert "expected 0.01 to 10" in row("whole_body_controller", "friction").problem(0.0)


ELSEWHERE = [
    (
        ObservedRobot.momentum_observer,
        "external_force_broadcaster",
        ("gain", "friction_tolerance", "release", "base_force_threshold", "base_moment_threshold"),
    ),
]
"""Functions with defaults that a table has, too."""


@pytest.mark.parametrize(("function", "name", "parameters"), ELSEWHERE)
def test_defaults_of_functions_are_those_of_the_table(function, name, parameters):
    given = inspect.signature(function).parameters
    for parameter in parameters:
        assert given[parameter].default == row(name, parameter).default


def test_the_ground_has_one_friction():
    friction = row("simulated_robot", "plane_friction").default
    settings = (ROOT / "include/robcogen_ros/ground/settings.hpp").read_text()
    assert f"double friction = {friction};" in settings
    assert inspect.signature(LeggedRobot.ground).parameters["friction"].default == friction


def test_words_are_numbered_as_in_cpp():
    law = (ROOT / "include/robcogen_ros/control/law.hpp").read_text()
    listed = ", ".join(f'"{mode}"' for mode in row("inverse_dynamics_node", "mode").choices)
    assert f"mode_names{{\n  {listed}}};" in law
    assert row("inverse_dynamics_node", "deactivation_effort").choices == PARTINGS

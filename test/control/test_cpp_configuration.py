"""Parameters of the controller in C++, their page, and the comparison of models."""

from __future__ import annotations

import ctypes
import re

import pytest
import yaml

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.controller import (
    CONTROLLER,
    class_name,
    control_plugin_files,
    record_files,
)
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import read
from robcogen_ros.parameters.table import table
from robcogen_ros.program.library import Library
from test.control.cpp_controller import double_pendulum
from test.support.linkages import ANKLE, ANKLE_LOOPS, PARALLELOGRAM, PARALLELOGRAM_LOOPS

OF_ROBOT = ("one value", "'effort' among", "mode feed_forward only")
"""What is refused beyond the table."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("mode", "computed_torque", ""),
        ("mode", "magic", "mode: expected one of gravity, compensation, pd_gravity"),
        ("kp", "[1, 2]", ""),
        ("kp", "[3]", ""),
        ("kp", "[]", "kp: expected numbers, found none"),
        ("kd", "[1, 2, 3]", "kd: expected one value or 2, found 3"),
        ("kd", "[1, -2]", "kd: expected 0 to 1e+06, found -2"),
        ("kd", "[1, .nan]", "kd: expected 0 to 1e+06, found nan"),
        ("gravity", "[0, 0, -1.6]", ""),
        ("gravity", "[9.81]", "gravity: expected 3 numbers or none, found 1"),
        ("gravity", "[0, 0, .inf]", "gravity: expected -100 to 100, found inf"),
        ("effort_limits", "[]", ""),
        ("effort_limits", "[5, .inf]", ""),
        ("effort_limits", "[5, 0]", "effort_limits: expected more than 0, found 0"),
        ("effort_limits", "[0]", "effort_limits: expected more than 0, found 0"),
        ("effort_limits", "[5, .nan]", "effort_limits: expected more than 0, found nan"),
        ("activation_time", "-1", "activation_time: expected 0 to 60, found -1"),
        ("max_stale_cycles", "1001", "max_stale_cycles: expected 0 to 1000, found 1001"),
        ("command_interfaces", "[position]", "command_interfaces: expected 'effort' among them"),
        ("command_interfaces", "[effort, effort]", "command_interfaces: expected 'effort' among"),
        ("command_interfaces", "[effort, velocity]", "go with mode feed_forward only"),
        ("failure_effort", "keep", "failure_effort: expected one of zero, hold_gravity, found"),
        ("reference_timeout", "60", "reference_timeout: expected 0 to 10, found 60"),
        ("kp", "[.inf, 1]", "kp: expected 0 to 1e+06, found inf"),
    ],
)
def test_wrong_value_is_refused_with_its_reason(pendulum_library, name, value, said):
    """By the plugin, and with the same words by the table that the node has."""
    given = re.sub(r"\.(?=[a-z])", "", value)
    got = pendulum_library.refusal(name.encode(), given.encode()).decode()
    assert said in got
    assert bool(said) == bool(got)
    if not any(words in said for words in OF_ROBOT):
        (row,) = (row for row in table("inverse_dynamics_controller") if row.name == name)
        assert (row.problem(yaml.safe_load(value)) or "") == got


@pytest.mark.slow
@pytest.mark.parametrize(("gravity", "of_model"), [(b"[]", True), (b"[0, 0, -9.81]", False)])
def test_gravity_of_a_broadcaster_is_the_models_if_left_out(pendulum_library, gravity, of_model):
    pendulum_library.broadcasts_with_gravity_of_model.restype = ctypes.c_bool
    assert pendulum_library.broadcasts_with_gravity_of_model(gravity) is of_model


def changed(library, part, index, entry, change, tolerance=1e-6):
    place = (index, -1) if part == "link" else (-1, index)
    numbers = ctypes.c_double(change), ctypes.c_double(tolerance)
    return library.differences(*place, entry, *numbers).decode().splitlines()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "index", "entry", "change", "said"),
    [
        ("link", 1, 0, 0.01, "link 'l1': mass 1.01 kg, compiled is 1"),
        ("link", 2, 1, 1e-3, "link 'l2': center of mass 0 0.001 -0.3 m, compiled is 0 0 -0.3"),
        ("link", 2, 2, 1e-9, "link 'l2': inertia 0 0 0 1e-09 0 0 kg m^2, compiled is 0 0 0 0 0 0"),
        ("joint", 1, 0, 1e-4, "joint 'joint2': origin 0.0001 0 -0.4 m, compiled is 0 0 -0.4"),
        ("joint", 0, 1, 1e-5, "joint 'joint1': orientation 1 1e-05 0 0 1 0 0 0 1 compiled is 1 0"),
        ("joint", 0, 2, -2.0, "joint 'joint1': axis 0 -1 0 compiled is 0 1 0"),
        ("joint", 1, 3, 0.5, "joint 'joint2': lower limit -2.5 compiled is -3"),
        ("joint", 0, 4, 5.0, "joint 'joint1': effort limit 35 compiled is 30"),
        ("joint", 1, 5, 0.1, "joint 'joint2': offset 0.1 compiled is 0"),
    ],
)
def test_each_difference_between_models_is_told(pendulum_library, part, index, entry, change, said):
    (line,) = changed(pendulum_library, part, index, entry, change)
    assert line.startswith(said)


@pytest.mark.slow
def test_differences_within_tolerance_are_none(pendulum_library):
    assert changed(pendulum_library, "link", 1, 0, 0.0) == []
    assert changed(pendulum_library, "link", 1, 0, 0.01, tolerance=0.02) == []
    assert changed(pendulum_library, "joint", 1, 0, 9e-7) == []
    assert changed(pendulum_library, "joint", 0, 3, -1.0) == []  # a continuous joint has no end


@pytest.mark.slow
def test_number_that_is_none_differs(pendulum_library):
    assert len(changed(pendulum_library, "link", 1, 0, float("nan"))) == 1


@pytest.mark.slow
def test_missing_and_unknown_links_are_told(pendulum_library):
    told = pendulum_library.differences_of_names(True, True).decode().splitlines()
    assert told == [
        "link 'l2': is missing from the robot description",
        "joint 'joint2': is missing from the robot description",
    ]
    told = pendulum_library.differences_of_names(False, True).decode()
    assert told == "link 'gripper': is unknown to the compiled model\n"
    assert pendulum_library.differences_of_names(False, False) == b""


@pytest.mark.parametrize(
    ("urdf", "loops"), [(ANKLE, ANKLE_LOOPS), (PARALLELOGRAM, PARALLELOGRAM_LOOPS)]
)
def test_record_of_a_linkage_is_that_of_its_description_without_loops(tmp_path, urdf, loops):
    model, file, target = tmp_path / "r.urdf", tmp_path / "l.yaml", Target("demo", "r", "r.urdf")
    model.write_text(urdf)
    file.write_text(loops)
    readings = read(model, cut_loops=True), read(model, loops=file)
    tree, linkage = (record_files(x.alone, x.robot, target, True) for x in readings)
    assert tree == linkage


def test_names_of_plugins_are_in_camel_case():
    assert [class_name(x) for x in ("arm", "left_arm", "UR5e", "a_1")] == [
        "Arm",
        "LeftArm",
        "UR5e",
        "A1",
    ]


@pytest.mark.parametrize(
    ("floating", "functions", "said"),
    [
        (True, [], "fixed base"),
        (False, ["inverse_dynamics"], "forward_dynamics: it is not among the functions"),
    ],
)
def test_robot_that_cannot_be_controlled_is_refused(tmp_path, floating, functions, said):
    model = tmp_path / "arm.urdf"
    model.write_text(double_pendulum())
    reading = read(model, floating_base=floating)
    library = Library(reading.robot, functions)
    with pytest.raises(RobcogenError, match=said):
        control_plugin_files(
            CONTROLLER, reading.alone, library, Target("demo", "arm", "model"), True
        )

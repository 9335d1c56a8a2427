"""Robots on legs are told from arms."""

import pytest

import robcogen_ros
from robcogen_ros.demo.limbs import limbs_on_base, note
from test.support.robots import robots_directory


@pytest.mark.parametrize(
    ("name", "limbs"),
    [
        ("panda_description/urdf/panda.urdf", 1),
        ("ur_description/urdf/ur5_robot.urdf", 1),
        ("hyq_description/robots/hyq_no_sensors.urdf", 4),
        ("talos_data/robots/talos_reduced.urdf", 3),
        ("solo_description/robots/solo.urdf", 4),
    ],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_limbs_are_counted_on_the_base(name, limbs):
    directory = robots_directory()
    if directory is None or not (directory / name).is_file():
        pytest.skip("example-robot-data is not installed")
    robot = robcogen_ros.build(directory / name, floating_base=False, backend="numpy")
    assert limbs_on_base(robot) == limbs
    assert (f"carries {limbs} limbs" in note(robot)) == (limbs > 1)

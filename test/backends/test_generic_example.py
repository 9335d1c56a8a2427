"""The example of a program that is written once for all robots."""

from __future__ import annotations

import pytest

from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from test.support.cpp_program import CppRobot
from test.support.examples import EXAMPLES

FUNCTIONS = ["forward_dynamics", "kinetic_energy", "potential_energy"]
MODELS = {"arm": "arm_example/urdf/arm.urdf.xacro", "leg": "hyl.kindsl"}
SOURCE = EXAMPLES / "generic" / "src"


@pytest.mark.slow
def test_one_program_runs_on_two_robots(tmp_path):
    robots = {name: read(EXAMPLES / path).robot for name, path in MODELS.items()}
    made = {}
    for name, robot in robots.items():
        library = Library(robot, FUNCTIONS)
        made[name] = CppRobot(library, tmp_path / name, name=name, project="generic")
        made[name].compile("-O1", only=("forward_dynamics", "momentum"))
    arm, leg = made["arm"], made["leg"]
    flags = ("-O1", f"-I{SOURCE}", f"-I{arm.folder / 'include'}", *arm.objects)
    lines = iter(leg.run((SOURCE / "swing.cpp").read_text(), *flags).splitlines())
    for name, robot in robots.items():
        title, drift = next(lines).removesuffix(" J").split(", energy drift ")
        assert title == f"{name}: {robot.n} joints"
        assert float(drift) < 1e-6  # nothing but gravity acts, and the masses are kilograms
        reach = dict(next(lines).split() for _ in range(robot.n))
        assert tuple(reach) == robot.joint_names
        assert max(map(float, reach.values())) > 0.1

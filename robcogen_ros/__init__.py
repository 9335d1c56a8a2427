"""robcogen_ros: a robot's description in, fast and exact code for that one robot out.

robot = robcogen_ros.build("robot.urdf")                # generate, compile, cache, load
robot = robcogen_ros.load("my_package/my_target")       # what colcon built
tau = robot.inverse_dynamics(q, qd, qdd)
"""

from robcogen_ros.errors import Location, ModelError, Problem, RobcogenError
from robcogen_ros.runtime.build import build
from robcogen_ros.runtime.fixed_base_robot import FixedBaseRobot
from robcogen_ros.runtime.floating_base_robot import FloatingBaseRobot
from robcogen_ros.runtime.load import load
from robcogen_ros.runtime.robot import Robot
from robcogen_ros.version import __version__

__all__ = [
    "FixedBaseRobot",
    "FloatingBaseRobot",
    "Location",
    "ModelError",
    "Problem",
    "RobcogenError",
    "Robot",
    "__version__",
    "build",
    "load",
]

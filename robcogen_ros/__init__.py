"""robcogen_ros: a robot's description in, fast and exact code for that one robot out.

robot = robcogen_ros.build("robot.urdf")                # generate, compile, cache, load
robot = robcogen_ros.load("my_package/my_target")       # what colcon built
tau = robot.inverse_dynamics(q, qd, qdd)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from robcogen_ros.arrays.jax import jax
    from robcogen_ros.arrays.torch import torch
    from robcogen_ros.errors import Location, ModelError, Problem, RobcogenError
    from robcogen_ros.runtime.build import build
    from robcogen_ros.runtime.load import load
    from robcogen_ros.runtime.robot import Robot
    from robcogen_ros.runtime.robots.fixed_base_robot import FixedBaseRobot
    from robcogen_ros.runtime.robots.floating_base_robot import FloatingBaseRobot
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
    "jax",
    "load",
    "torch",
]

_MODULES = {
    "FixedBaseRobot": "runtime.robots.fixed_base_robot",
    "FloatingBaseRobot": "runtime.robots.floating_base_robot",
    "Location": "errors",
    "ModelError": "errors",
    "Problem": "errors",
    "RobcogenError": "errors",
    "Robot": "runtime.robot",
    "__version__": "version",
    "build": "runtime.build",
    "jax": "arrays.jax",
    "load": "runtime.load",
    "torch": "arrays.torch",
}


def __getattr__(name: str) -> Any:
    """A public name, whose module is loaded at its first use: commands start without it."""
    if name not in _MODULES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]

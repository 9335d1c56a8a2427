"""A small robot with parameters of every group, deep enough that much depends on them alone."""

from __future__ import annotations

from robcogen_ros.model.robot import Robot
from test.support.model_of import model_of

LEG = """Robot Leg {
    RobotBase base { children { thigh via hip } }
    link thigh {
        id = 1
        inertia_params {
            mass = m CoM = (0.1, c, 0.02)
            Ix = 0.03 Iy = ixx Iz = 0.06 Ixy = 0.0 Ixz = 0.001 Iyz = 0.0
        }
        children { shank via knee }
    }
    link shank {
        id = 2
        inertia_params {
            mass = 0.7 CoM = (0.1, 0.02, 0.0)
            Ix = 0.01 Iy = 0.02 Iz = 0.02 Ixy = 0.001 Ixz = 0.0 Iyz = 0.0
        }
        children { }
        frames { foot { translation = (0.5 * length, 0.01, 0.0) rotation = (tilt, 0.2, 0.0) } }
    }
    r_joint hip { ref_frame { translation = (0.1, 0.0, 0.0) rotation = (tilt, PI/2.0, 0.0) } }
    r_joint knee { ref_frame { translation = (length, 0.02, 0.0) rotation = (0.0, tilt, 0.3) } }
}
"""
VALUES = {"m": 1.25, "c": -0.05, "ixx": 0.075, "length": 0.45, "tilt": 0.6}


def parametric_leg(**options: object) -> Robot:
    """The robot; none of its parameters has a default."""
    return model_of(LEG, "leg.kindsl", **options)

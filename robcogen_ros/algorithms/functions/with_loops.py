"""Which functions a robot can have whose joints depend on others through loops."""

from __future__ import annotations

from robcogen_ros.algorithms.functions.frames import CLEARANCE, WORDS
from robcogen_ros.algorithms.functions.fused import AND
from robcogen_ros.model.robot import Robot

_THROUGH_LOOPS = frozenset(
    (
        "inverse_dynamics",
        "inverse_dynamics_fully_actuated",
        "gravity_torques",
        "coriolis_torques",
        "forward_dynamics",
        "inertia_matrix",
        "inertia_matrix_entries",
        "inertia_factor",
        "inertia_matrix_inverse",
        "solve_inertia",
        "inverse_dynamics_regressor",
        "kinematics",
        "center_of_mass",
        "center_of_mass_jacobian",
        "center_of_mass_velocity",
        "centroidal_momentum_matrix",
        "centroidal_momentum_bias",
        "kinetic_energy",
        "potential_energy",
        "total_mass",
        "link_velocities",
        "link_accelerations",
    )
)
_BETWEEN_FRAMES = frozenset(("X", "J", "JdQd", "velocity", "acceleration"))
_OTHERS = frozenset((*WORDS, CLEARANCE)) - _BETWEEN_FRAMES


def through_loops(robot: Robot, name: str) -> bool:
    """Whether a function, or each of several in one, is right where joints depend on others.

    What changes with the rates of these, as derivatives do, is not known yet. `kinematics` gives
    one motion for each joint, which has to belong to one coordinate.
    """
    if "kinematics" in name.split(AND) and any(len(joint.shares) > 1 for joint in robot.joints):
        return False
    return all(part in _THROUGH_LOOPS or _of_frames(part) for part in name.split(AND))


def _of_frames(name: str) -> bool:
    """Whether it is of two frames, and no other function of these."""
    known, others = (
        any(f"_{word}_" in name for word in words) for words in (_BETWEEN_FRAMES, _OTHERS)
    )
    return known and not others

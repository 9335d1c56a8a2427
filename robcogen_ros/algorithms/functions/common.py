"""The functions of every robot: inertia matrix, its factor and inverse, kinematics."""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.functions.function import (
    MASS,
    REGULAR,
    Argument,
    Function,
    Results,
    Values,
    matrix_columns,
    state,
)
from robcogen_ros.algorithms.mechanics.articulated_factor import articulated_rows, candidates
from robcogen_ros.algorithms.mechanics.composite_inertia import Matrix, inertia_matrix
from robcogen_ros.algorithms.mechanics.factorization import inverse_from_ltl, ltl, ltl_from_rows
from robcogen_ros.algorithms.mechanics.joint_terms import with_armature
from robcogen_ros.algorithms.mechanics.joints import joint_transforms
from robcogen_ros.algorithms.mechanics.kinematics import center_of_mass, joint_axes, link_poses
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import MotionVector, Pose


def common_functions(robot: Robot) -> tuple[Function, ...]:
    """Functions of the positions alone."""
    q = state(robot, "q")
    size = robot.n + (6 if robot.floating_base else 0)
    poses = Argument("poses", 12, len(robot.frames), "[R p] of base_X_frame, a frame a column")
    further = robot.further_rates
    meaning = "motion of unit rate, a joint a column"
    meaning += "; then by each further coordinate that joints follow" if further else ""
    axes = Argument("axes", 6, len(robot.joints) + len(further), meaning)
    return (
        Function(
            "inertia_matrix",
            "Joint-space inertia matrix H (composite-rigid-body algorithm)",
            q,
            (Argument("H", size, size, "[kg m^2, kg m or kg]", symmetric=True),),
            lambda robot, values: {"H": matrix_columns(_inertia_matrix(robot, values))},
        ),
        Function(
            "inertia_matrix_entries",
            "Entries of the upper triangle of H that are not always zero, column by column",
            q,
            (Argument("entries", len(robot.patterns.inertia.rows), meaning="units of H"),),
            lambda robot, values: _entries(robot, _inertia_matrix(robot, values)),
            on_request=True,
        ),
        *_factor_functions(robot, q, size),
        Function(
            "kinematics",
            "Pose of each frame in the base, and motion per unit rate of each joint",
            q,
            (poses, axes),
            _kinematics,
        ),
        Function(
            "center_of_mass",
            "Center of all masses in the base frame",
            q,
            (Argument("center", 3, meaning="base coordinates [m]"),),
            _center_of_mass,
            needs=(MASS,),
        ),
    )


def _factor_functions(robot: Robot, q: tuple[Argument, ...], size: int) -> tuple[Function, ...]:
    """Returns the functions of the factors of H."""
    return (
        Function(
            "inertia_factor",
            "Lower triangular L with L'L = H",
            q,
            (Argument("L", size, size, "square roots of the units of H"),),
            *candidates(robot, _factor_of_bodies, _factor_of_matrix),
            needs=(REGULAR,),
        ),
        *_articulated(robot, q, size),
        Function(
            "inertia_matrix_inverse",
            "Inverse of the joint-space inertia matrix, from L'L = H",
            q,
            (Argument("H_inverse", size, size, "inverse units of H", symmetric=True),),
            *candidates(robot, _inverse_of_bodies, _inverse_of_matrix),
            needs=(REGULAR,),
        ),
    )


def _articulated(robot: Robot, q: tuple[Argument, ...], size: int) -> tuple[Function, ...]:
    """The factor by articulated bodies, of a robot whose joints follow no others."""
    if robot.has_mimic:
        return ()
    return (
        Function(
            "articulated_inertia_matrix",
            "DL of H = L'DL, row by row, from articulated bodies",
            q,
            (Argument("DL", size, size, "row i in column i, down to the diagonal; units of H"),),
            _articulated_inertia_matrix,
            on_request=True,
            needs=(REGULAR,),
        ),
    )


def _inertia_matrix(robot: Robot, values: Values) -> Matrix:
    return with_armature(robot, inertia_matrix(robot, joint_transforms(robot, values["q"])))


def _entries(robot: Robot, H: Matrix) -> Results:
    return {"entries": robot.patterns.inertia.of(H)}


def _articulated_rows(robot: Robot, values: Values) -> Matrix:
    return articulated_rows(robot, joint_transforms(robot, values["q"]))


def _articulated_inertia_matrix(robot: Robot, values: Values) -> Results:
    return {"DL": [entry for row in _articulated_rows(robot, values) for entry in row]}


def _factor_of_bodies(robot: Robot, values: Values) -> Results:
    return {"L": matrix_columns(ltl_from_rows(_articulated_rows(robot, values)))}


def _inverse_of_bodies(robot: Robot, values: Values) -> Results:
    inverse = inverse_from_ltl(ltl_from_rows(_articulated_rows(robot, values)))
    return {"H_inverse": matrix_columns(inverse)}


def _factor_of_matrix(robot: Robot, values: Values) -> Results:
    return {"L": matrix_columns(ltl(_inertia_matrix(robot, values)))}


def _inverse_of_matrix(robot: Robot, values: Values) -> Results:
    inverse = inverse_from_ltl(ltl(_inertia_matrix(robot, values)))
    return {"H_inverse": matrix_columns(inverse)}


def _kinematics(robot: Robot, values: Values) -> Results:
    links = link_poses(robot, joint_transforms(robot, values["q"]))
    poses = []
    for frame in robot.frames:
        pose = links[frame.link] @ frame.pose
        columns = (*pose.rotation.transposed(), pose.translation)
        poses += [entry for column in columns for entry in column]
    return {"poses": poses, "axes": [x for axis in _unit_motions(robot, links) for x in axis]}


def _unit_motions(robot: Robot, links: Sequence[Pose]) -> list[MotionVector]:
    """Motion per unit rate of each joint, or where it is dependent, of its coordinates."""
    axes = joint_axes(robot, links)
    first = [
        axis * joint.shares[0][1] if joint.is_dependent else axis
        for joint, axis in zip(robot.joints, axes, strict=True)
    ]
    return first + [axes[i] * share for i, _, share in robot.further_rates]


def _center_of_mass(robot: Robot, values: Values) -> Results:
    return {"center": list(center_of_mass(robot, joint_transforms(robot, values["q"])))}

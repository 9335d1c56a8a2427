"""The transform and the Jacobian between two named frames: `A_X_B`, `A_J_B`, `full_J_B`."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from robcogen_ros.algorithms.annotate import step
from robcogen_ros.algorithms.functions.function import (
    Argument,
    Function,
    Results,
    Values,
    matrix_columns,
    state,
)
from robcogen_ros.algorithms.mechanics.joints import joint_transforms
from robcogen_ros.algorithms.mechanics.kinematics import (
    full_jacobian,
    geometric_jacobian,
    relative_pose,
)
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.model.spatial import Pose
from robcogen_ros.transforms.amount import Symbol
from robcogen_ros.transforms.of_robot import VARIABLE_PREFIX, between
from robcogen_ros.transforms.pose import pose
from robcogen_ros.transforms.steps import symbols


def transform_function(robot: Robot, name: str, to: int | None, frm: int) -> Function | None:
    """`A_X_B`: coordinates in B to coordinates in A."""
    if to is None:
        return None

    def compute(robot: Robot, values: Values) -> Results:
        transforms = joint_transforms(robot, values["q"])
        return _homogeneous(relative_pose(robot, transforms, robot.frames[to], robot.frames[frm]))

    names = robot.frames[frm].name, robot.frames[to].name
    summary = f"Homogeneous transform of coordinates in {names[0]} to {names[1]}"
    inputs, outputs = state(robot, "q"), (Argument("X", 4, 4),)
    return Function(name, summary, inputs, outputs, compute, _from_steps(robot, to, frm))


def _from_steps(robot: Robot, to: int, frm: int) -> Callable[[Robot, Values], Results] | None:
    """The transform from its primitive factors, where joints but no parameters are in them."""
    try:
        steps = between(robot, to, frm)
    except RobcogenError:
        return None
    if symbols([steps], "parameter") or not symbols([steps], "variable"):
        return None
    index = {VARIABLE_PREFIX + name: i for i, name in enumerate(robot.joint_names)}
    title = f"pose of {robot.frames[frm].name} in {robot.frames[to].name}"

    def compute(robot: Robot, values: Values) -> Results:
        zero = 0 * values["q"][0]

        def lift(value: Symbol | Decimal) -> Scalar:
            return values["q"][index[value.name]] if isinstance(value, Symbol) else zero + value

        step(title)
        return _homogeneous(pose(steps, lift))

    return compute


def _homogeneous(pose: Pose) -> Results:
    rows = [[*r, p] for r, p in zip(pose.rotation, pose.translation, strict=True)]
    return {"X": matrix_columns([*rows, [0, 0, 0, 1]])}


def jacobian_function(robot: Robot, name: str, base: int | None, target: int) -> Function:
    """`A_J_B`: velocity of B relative to A per unit rates; `full_J_B`: from [base_velocity; qd]."""

    def compute(robot: Robot, values: Values) -> Results:
        transforms = joint_transforms(robot, values["q"])
        if base is None:
            J = full_jacobian(robot, transforms, robot.frames[target])
        else:
            frames = robot.frames[base], robot.frames[target]
            J = geometric_jacobian(robot, transforms, *frames)
        return {"J": matrix_columns(J)}

    of = robot.frames[target].name
    if base is None:
        summary = f"Jacobian of {of} from [base_velocity; qd], axes of the base, angular first"
    else:
        relative = robot.frames[base].name
        summary = f"Geometric Jacobian of {of} relative to {relative}, rows angular first"
    columns = robot.n + (6 if base is None else 0)
    return Function(name, summary, state(robot, "q"), (Argument("J", 6, columns),), compute)

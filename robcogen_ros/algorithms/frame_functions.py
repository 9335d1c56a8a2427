"""Functions that are asked for by the names of two frames: `A_X_B`, `A_J_B`."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from robcogen_ros.algorithms.annotate import step
from robcogen_ros.algorithms.function import (
    Argument,
    Function,
    Results,
    Values,
    matrix_columns,
    state,
)
from robcogen_ros.algorithms.joints import joint_transforms
from robcogen_ros.algorithms.kinematics import geometric_jacobian, relative_pose
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import Pose
from robcogen_ros.transforms.amount import Symbol
from robcogen_ros.transforms.of_robot import VARIABLE_PREFIX, between
from robcogen_ros.transforms.pose import pose
from robcogen_ros.transforms.steps import symbols


def frame_function(robot: Robot, name: str) -> Function | None:
    """The transform `A_X_B` or the Jacobian `A_J_B` between two frames; None for other names."""
    for separator, make in (("_X_", _transform), ("_J_", _jacobian)):
        at = name.find(separator)
        while at > 0:
            pair = _frames(robot, name[:at], name[at + len(separator) :])
            if pair is not None:
                return make(robot, name, *pair)
            at = name.find(separator, at + 1)
    return None


def _frames(robot: Robot, first: str, second: str) -> tuple[int, int] | None:
    try:
        return robot.frame_index(first), robot.frame_index(second)
    except RobcogenError:
        return None


def _transform(robot: Robot, name: str, to: int, frm: int) -> Function:
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


def _jacobian(robot: Robot, name: str, base: int, target: int) -> Function:
    def compute(robot: Robot, values: Values) -> Results:
        transforms = joint_transforms(robot, values["q"])
        frames = robot.frames[base], robot.frames[target]
        return {"J": matrix_columns(geometric_jacobian(robot, transforms, *frames))}

    names = robot.frames[target].name, robot.frames[base].name
    summary = f"Geometric Jacobian of {names[0]} relative to {names[1]}, rows angular first"
    return Function(name, summary, state(robot, "q"), (Argument("J", 6, robot.n),), compute)

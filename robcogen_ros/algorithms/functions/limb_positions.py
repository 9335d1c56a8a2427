"""Inverse kinematics of a limb between two frames, `A_inverse_kinematics_B`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from robcogen_ros.algorithms.annotate import step
from robcogen_ros.algorithms.functions.function import Argument, Function, Results, Values
from robcogen_ros.algorithms.mechanics.inverse_kinematics.closed_form import Form, Solution, solved
from robcogen_ros.algorithms.mechanics.inverse_kinematics.limb_forms import (
    described,
    form_between,
    limb_between,
    limb_joints,
)
from robcogen_ros.algorithms.mechanics.inverse_kinematics.subproblems import Turn
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.scalars.operation import Scalar, atan2, cos, minimum, select, sin, sqrt
from robcogen_ros.model.spatial import Matrix3, Pose, Vector


def inverse_kinematics_function(
    robot: Robot, name: str, base: int | None, target: int
) -> Function | None:
    """`A_inverse_kinematics_B`: positions of the joints from A to B.

    Raises:
        RobcogenError: If the limb has no closed form.
    """
    if base is None:
        return None
    frames = robot.frames[base], robot.frames[target]
    try:
        form = form_between(robot, *frames)
    except RobcogenError as error:
        raise RobcogenError(f"{name}: {error}") from None
    joints = limb_joints(robot, *frames)
    names = [joint.name for joint in joints]

    def compute(robot: Robot, values: Values) -> Results:
        start, end = robot.frames[base], robot.frames[target]
        step(f"joints from {start.name} to {end.name}")
        found = solved(form, limb_between(robot, start, end), _goal(values), values["branch"])
        q, margin = limb_positions(limb_joints(robot, start, end), found)
        return {"q": q, "margin": [margin]}

    summary = f"Joint positions at a place of {robot.frames[target].name} in "
    summary += f"{robot.frames[base].name}, in closed form ({described(form, names)})"
    inputs = (_goal_argument(robot, base, target, len(joints)), branch_argument(form, names))
    outputs = (
        Argument("q", len(joints), meaning=f"[rad] of {', '.join(names)}"),
        Argument(
            "margin", 1, scalar=True, meaning="of reach: 1 amidst, 0 at its end, negative beyond"
        ),
    )
    return Function(name, summary, inputs, outputs, compute)


def limb_form(robot: Robot, base: str, target: str) -> str:
    """The closed form of the limb between two frames, or why it has none.

    Raises:
        RobcogenError: If the robot lacks one of the frames.
    """
    frames = [robot.frames[robot.frame_index(name)] for name in (base, target)]
    try:
        names = [joint.name for joint in limb_joints(robot, *frames)]
        form = form_between(robot, *frames)
    except RobcogenError as error:
        return f"no {base}_inverse_kinematics_{target}: {error}"
    doubtful = ", ".join(names[joint] for joint in form.branches)
    return f"{base}_inverse_kinematics_{target}: {described(form, names)}; branches: {doubtful}"


def _goal_argument(robot: Robot, base: int, target: int, count: int) -> Argument:
    of = f"{robot.frames[target].name} in {robot.frames[base].name}"
    if count == 3:
        return Argument("position", 3, meaning=f"of {of} [m]")
    return Argument("pose", 4, 4, f"homogeneous transform of {of}", matrix=True)


def branch_argument(form: Form, names: list[str]) -> Argument:
    """The choice of a solution."""
    doubtful = ", ".join(names[joint] for joint in form.branches)
    meaning = f"1 or -1 for one or the other solution of {doubtful}"
    return Argument("branch", len(form.branches), meaning=meaning, choices=(-1, 1))


def limb_positions(joints: Sequence[Joint], found: Solution) -> tuple[list[Scalar], Scalar]:
    """Coordinates of joints that are turned [rad], all NaN beyond reach, and the margin of it."""
    margin = reduce(minimum, found.margins)
    beyond = sqrt(margin)
    q = [_position(joint, turn) for joint, turn in zip(joints, found.turns, strict=True)]
    return [select(margin, each, beyond) for each in q], margin


def _position(joint: Joint, turn: Turn) -> Scalar:
    """The coordinate of a joint, within half a turn."""
    offset, factor = joint.offset, joint.multiplier
    own = turn.then(Turn(cos(offset), -sin(offset)))
    return atan2(own.sine, own.cosine) / factor


def _goal(values: Values) -> Pose:
    if "position" in values:
        return Pose(translation=Vector(*values["position"]))
    return pose_of(values["pose"])


def pose_of(entries: Sequence[Scalar]) -> Pose:
    """A pose from a homogeneous transform, column by column."""
    rows = [Vector(*entries[i:12:4]) for i in range(3)]
    return Pose(Matrix3(*rows), Vector(*entries[12:15]))

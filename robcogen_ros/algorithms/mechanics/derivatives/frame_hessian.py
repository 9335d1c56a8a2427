"""Second derivatives of a frame's pose: the geometric Hessian, dJ/dq.

Joints on the way from frame A to frame B in this order, column i of the Jacobian [w_i; v_i]:

    dJ_i/dq_k = [w_k x w_i; w_k x v_i]   for k up to i
    dJ_i/dq_k = [0; w_i x v_k]           for k beyond i

(Haviland and Corke 2021, "A systematic approach to computing the manipulator Jacobian and Hessian
using the elementary transform sequence", section V.)
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import step
from robcogen_ros.algorithms.functions.frame_motion import ORIGIN
from robcogen_ros.algorithms.functions.function import Argument, Function, Results, Values, state
from robcogen_ros.algorithms.mechanics.joints import JointTransform, joint_transforms
from robcogen_ros.algorithms.mechanics.kinematics import chain_columns, relative_pose
from robcogen_ros.algorithms.mechanics.loops.embedding import differentiated, with_rates_by
from robcogen_ros.model.robot import Frame, Robot
from robcogen_ros.model.scalars.dual import Dual
from robcogen_ros.model.spatial import MotionVector, Vector

_UNITS = (Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1))


def hessian_function(robot: Robot, name: str, base: int | None, target: int) -> Function:
    """`A_hessian_B`: derivatives of the entries of `A_J_B` by the positions."""
    columns = robot.n + (6 if base is None else 0)
    of = "in space" if base is None else f"relative to {robot.frames[base].name}"

    def compute(robot: Robot, values: Values) -> Results:
        transforms = joint_transforms(robot, values["q"])
        frame = ORIGIN if base is None else robot.frames[base]
        tensor = geometric_hessian(robot, transforms, frame, robot.frames[target], base is None)
        return {"hessian": [x for matrix in tensor for column in matrix for x in column]}

    return Function(
        name,
        f"Derivatives of the Jacobian of {robot.frames[target].name} {of} by the positions",
        state(robot, "q"),
        (Argument("hessian", 6 * columns, robot.n, "column k: dJ/dq_k, column by column"),),
        compute,
    )


def geometric_hessian(
    robot: Robot,
    transforms: Sequence[JointTransform],
    base: Frame,
    target: Frame,
    floating: bool = False,
) -> list[list[MotionVector]]:
    """Returns for each coordinate the derivatives of the Jacobian's columns by its position.

    Args:
        robot: The robot, n coordinates.
        transforms: Transform across each joint.
        base: The frame relative to which and in whose coordinates the Jacobian is meant.
        target: The frame that moves.
        floating: Whether columns of a floating base, whose frame `base` is then, come first.
    """
    chain = [(k, column) for _, k, column in chain_columns(robot, transforms, base, target)]
    step(f"derivatives of the Jacobian of {target.name}")
    first = _of_base(relative_pose(robot, transforms, base, target).translation) if floating else []
    of_joints: list[list[MotionVector]] = [[MotionVector()] * robot.n for _ in range(robot.n)]
    of_base = [[MotionVector()] * len(first) for _ in range(robot.n)]
    for at, (k, by) in enumerate(chain):
        for i, (c, column) in enumerate(chain):
            change = _turned(by, column) if at <= i else _moved(by, column)
            of_joints[k][c] = of_joints[k][c] + change
        for c, column in enumerate(first):
            of_base[k][c] = of_base[k][c] + _moved(by, column)
    if robot.has_loops:
        moving = differentiated(robot, [Dual(0, {k: 1}) for k in range(robot.n)])
        for k, columns in enumerate(of_joints):
            changing = with_rates_by(robot, moving, k)
            for _, c, column in chain_columns(changing, transforms, base, target):
                columns[c] = columns[c] + column
    return [left + right for left, right in zip(of_base, of_joints, strict=True)]


def _turned(by: MotionVector, column: MotionVector) -> MotionVector:
    """Change of a column beyond a joint."""
    return MotionVector(by.angular.cross(column.angular), by.angular.cross(column.linear))


def _moved(by: MotionVector, column: MotionVector) -> MotionVector:
    """Change of a column before a joint, which moves the target."""
    return MotionVector(Vector(), column.angular.cross(by.linear))


def _of_base(point: Vector) -> list[MotionVector]:
    """The columns of a floating base: velocity of a point."""
    turns = [MotionVector(unit, unit.cross(point)) for unit in _UNITS]
    return turns + [MotionVector(Vector(), unit) for unit in _UNITS]

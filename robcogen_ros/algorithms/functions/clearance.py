"""Distance of limbs, `A_clearance_B`, with its gradient: each a capsule or a sphere."""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.functions.function import Argument, Function, Results, Values, state
from robcogen_ros.algorithms.mechanics.capsules import distance, nearest, weighed
from robcogen_ros.algorithms.mechanics.joints import joint_transforms
from robcogen_ros.algorithms.mechanics.kinematics import geometric_jacobian, relative_pose
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import Vector


def clearance_function(
    robot: Robot, name: str, first: Sequence[int], second: Sequence[int]
) -> Function | None:
    """`A_and_B_clearance_C_and_D`: between capsules about the segments AB and CD.

    One frame in place of two is a sphere about its origin; more than two are nothing.

    Raises:
        RobcogenError: If both have a frame, so that they always touch.
    """
    if max(len(first), len(second)) > 2:
        return None
    if shared := set(first) & set(second):
        frame = robot.frames[min(shared)].name
        raise RobcogenError(f"{name}: both limbs have '{frame}', so that they always touch")

    def compute(robot: Robot, values: Values) -> Results:
        transforms, base = joint_transforms(robot, values["q"]), robot.frames[first[0]]
        frames = [[robot.frames[i] for i in side] for side in (first, second)]
        ends = [
            [relative_pose(robot, transforms, base, frame).translation for frame in side]
            for side in frames
        ]
        between, along = distance(*ends)
        moving = [
            [_columns(geometric_jacobian(robot, transforms, base, frame)[3:]) for frame in side]
            for side in frames
        ]
        weights = nearest(*ends)
        gradient = [
            along.dot(weighed(a, weights[0]) - weighed(b, weights[1]))
            for a, b in zip(zip(*moving[0], strict=True), zip(*moving[1], strict=True), strict=True)
        ]
        r1, r2 = values["radii"]
        return {"clearance": [between - r1 - r2], "gradient": gradient}

    def names(side: Sequence[int]) -> str:
        return " to ".join(robot.frames[i].name for i in side)

    return Function(
        name,
        f"Distance between capsules about {names(first)} and about {names(second)}",
        (*state(robot, "q"), Argument("radii", 2, meaning="of both [m]")),
        (
            Argument("clearance", 1, scalar=True, meaning="negative where they overlap [m]"),
            Argument("gradient", robot.n, meaning="of the clearance by q"),
        ),
        compute,
    )


def _columns(rows: Sequence[Sequence[object]]) -> list[Vector]:
    return [Vector(*column) for column in zip(*rows, strict=True)]

"""Motion of a named frame: `A_velocity_B`, `A_acceleration_B`, `A_Jd_B`, `A_JdQd_B`, ..."""

from __future__ import annotations

from collections.abc import Callable

from robcogen_ros.algorithms.functions.function import (
    Argument,
    Function,
    Results,
    Values,
    matrix_columns,
    motion_inputs,
    state,
)
from robcogen_ros.algorithms.functions.links import base_motion
from robcogen_ros.algorithms.mechanics.frame_motion import (
    STILL,
    frame_motion,
    jacobian_rate,
    of_point,
)
from robcogen_ros.algorithms.mechanics.joints import joint_transforms
from robcogen_ros.algorithms.mechanics.kinematics import geometric_jacobian
from robcogen_ros.algorithms.mechanics.loops.embedding import with_changing_rates
from robcogen_ros.algorithms.mechanics.operational_space import plus
from robcogen_ros.model.robot import Frame, Robot
from robcogen_ros.model.spatial import MotionVector, Pose

Choice = Callable[[MotionVector, MotionVector], MotionVector]
"""A choice of the spatial velocity and acceleration."""

ORIGIN = Frame("base", 0, Pose())


def _velocity(robot: Robot, name: str, base: int | None, target: int) -> Function:
    summary = f"Velocity [angular; linear] of {_frames_in_words(robot, base, target)}"
    inputs = _inputs(robot, base, "q", "qd")
    outputs = (Argument("velocity", 6, meaning=_axes(robot, base)),)

    def compute(robot: Robot, values: Values) -> Results:
        found = _motion(robot, values, base, target, lambda v, _: v, with_qdd=False)
        return {"velocity": list(found)}

    return Function(name, summary, inputs, outputs, compute)


def _acceleration(
    what: str, output: str, choice: Choice, with_qdd: bool
) -> Callable[[Robot, str, int | None, int], Function]:
    """The maker of functions that tell an acceleration."""

    def make(robot: Robot, name: str, base: int | None, target: int) -> Function:
        def compute(robot: Robot, values: Values) -> Results:
            return {output: list(_motion(robot, values, base, target, choice, with_qdd))}

        names = ("q", "qd", "qdd") if with_qdd else ("q", "qd")
        summary = f"{what} of {_frames_in_words(robot, base, target)}"
        outputs = (Argument(output, 6, meaning=_axes(robot, base)),)
        return Function(name, summary, _inputs(robot, base, *names), outputs, compute)

    return make


def _jacobian_rate(robot: Robot, name: str, base: int | None, target: int) -> Function:
    def compute(robot: Robot, values: Values) -> Results:
        transforms = joint_transforms(robot, values["q"])
        frames = ORIGIN if base is None else robot.frames[base], robot.frames[target]
        velocity = base_motion(values, "base_velocity") if base is None else None
        Jd = jacobian_rate(robot, transforms, *frames, values["qd"], velocity)
        if robot.has_loops:
            changing = with_changing_rates(robot, values["qd"])
            more = geometric_jacobian(changing, transforms, *frames)
            Jd = plus(Jd, [[0] * (len(Jd[0]) - robot.n) + row for row in more])
        return {"Jd": matrix_columns(Jd)}

    columns = robot.n + (6 if base is None else 0)
    summary = f"Time derivative of the Jacobian of {_frames_in_words(robot, base, target)}"
    inputs = _inputs(robot, base, "q", "qd")
    return Function(name, summary, inputs, (Argument("Jd", 6, columns),), compute)


MOTIONS = {
    "velocity": _velocity,
    "acceleration": _acceleration(
        "Acceleration [angular; linear, of the origin as a point]", "acceleration", of_point, True
    ),
    "spatial_acceleration": _acceleration(
        "Spatial acceleration, about its origin,", "acceleration", lambda _, a: a, True
    ),
    "Jd": _jacobian_rate,
    "JdQd": _acceleration(
        "Time derivative of the Jacobian times the velocities,", "JdQd", of_point, False
    ),
    "spatial_JdQd": _acceleration(
        "Spatial acceleration at no joint acceleration, about its origin,",
        "JdQd",
        lambda _, a: a,
        False,
    ),
}
"""Words between the names of two frames, and the makers of their functions."""


def _motion(
    robot: Robot, values: Values, base: int | None, target: int, choice: Choice, with_qdd: bool
) -> MotionVector:
    transforms = joint_transforms(robot, values["q"])
    qdd = values["qdd"] if with_qdd else [0] * robot.n
    frames = ORIGIN if base is None else robot.frames[base], robot.frames[target]
    start = STILL
    if base is None:
        start = base_motion(values, "base_velocity"), base_motion(values, "base_acceleration")
    return choice(*frame_motion(robot, transforms, *frames, values["qd"], qdd, start))


def _inputs(robot: Robot, base: int | None, *names: str) -> tuple[Argument, ...]:
    """The base's own motion counts only in space."""
    return motion_inputs(robot, *names) if base is None else state(robot, *names)


def _frames_in_words(robot: Robot, base: int | None, target: int) -> str:
    relative = "in space" if base is None else f"relative to {robot.frames[base].name}"
    return f"{robot.frames[target].name} {relative}"


def _axes(robot: Robot, base: int | None) -> str:
    return f"axes of {'the base' if base is None else robot.frames[base].name}"

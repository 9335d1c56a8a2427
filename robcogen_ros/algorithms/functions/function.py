"""A function that can be generated: its name, arguments and results, the algorithm behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from robcogen_ros.model.gravity import texts
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.operation import Scalar

Values = Mapping[str, Sequence[Scalar]]
Results = dict[str, list[Scalar]]

Compute = Callable[[Robot, Values], Results]
"""An algorithm: `(robot over a scalar, input values) -> output values`."""

REGULAR = "a regular inertia matrix"
REGULAR_BASE = "a regular inertia matrix along the base"
MASS = "mass"
STARTED = "loops that steps of Newton's method close"


@dataclass(frozen=True, slots=True)
class Argument:
    """An input or output: a vector, or a column-major matrix.

    Attributes:
        name: Its name.
        rows: Number of rows.
        columns: Number of columns; None for a vector.
        meaning: Unit and frame, for documentation.
        optional: Whether a caller may leave it out, and gets `default` instead.
        default: Its values where it is left out; zeros if empty.
        symmetric: Whether the matrix equals its transpose.
        scalar: Whether it is a number, which is not the same as a vector of one.
        labels: What code calls its values; by default, by its name and their indices.
        choices: The numbers that its values may be, where these are few; any if empty.
        matrix: Whether Python modules take it as a matrix, rows first, and not as vectors, a column
            of it each.
    """

    name: str
    rows: int
    columns: int | None = None
    meaning: str = ""
    optional: bool = False
    default: tuple[str, ...] = ()
    symmetric: bool = False
    scalar: bool = False
    labels: tuple[str, ...] = ()
    choices: tuple[int, ...] = ()
    matrix: bool = False

    @property
    def size(self) -> int:
        """Number of values."""
        return self.rows if self.columns is None else self.rows * self.columns

    @property
    def values_left_out(self) -> tuple[str | int, ...]:
        """The values of an optional argument where a caller leaves it out."""
        return self.default or (0,) * self.size

    def label(self, index: int) -> str:
        """Returns the name of one of its values in code."""
        return self.labels[index] if self.labels else f"{self.name}_{index}"


@dataclass(frozen=True, slots=True)
class Function:
    """A function that can be generated for a robot.

    Attributes:
        name: Its public name.
        summary: What it computes, in one line, with the algorithm.
        inputs: Arguments in order.
        outputs: Results in order.
        compute: The algorithm.
        otherwise: Another algorithm for the same, as exact; that of fewer operations is generated.
        on_request: Whether it is generated only where it is asked for by name.
        derivative: Whether it is one of those that `derivatives` stands for; these are large.
        needs: What a robot must have for it: a regular inertia matrix, mass.
        prepare: Another form of the robot, with the same results, that takes fewer operations.
        lift: The robot over the scalar that `compute` needs; such a function has no part in
            `A_and_B`.
    """

    name: str
    summary: str
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    compute: Compute
    otherwise: Compute | None = None
    on_request: bool = False
    derivative: bool = False
    needs: tuple[str, ...] = ()
    prepare: Callable[[Robot], Robot] | None = None
    lift: Callable[[Robot], Robot] | None = None


_STATE = {
    "q": "positions [rad or m]",
    "qd": "velocities [rad/s or m/s]",
    "qdd": "accelerations [rad/s^2 or m/s^2]",
    "tau": "joint forces [N m or N], positive along the axes",
}

_OF_MOTION, _OF_FORCE = ("wx", "wy", "wz", "vx", "vy", "vz"), ("nx", "ny", "nz", "fx", "fy", "fz")


def _of_base(name: str, meaning: str, components: Sequence[str]) -> Argument:
    labels = tuple(f"{name}_{component}" for component in components)
    return Argument(name, 6, meaning=f"{meaning}, base coordinates", labels=labels)


BASE_VELOCITY = _of_base("base_velocity", "spatial velocity [w; v] of the base", _OF_MOTION)
BASE_ACCELERATION = _of_base("base_acceleration", "spatial acceleration of the base", _OF_MOTION)
BASE_WRENCH = _of_base("base_wrench", "wrench [n; f] on the base", _OF_FORCE)


def state(robot: Robot, *names: str) -> tuple[Argument, ...]:
    """Joint-space vectors, by their names q, qd, qdd, tau."""
    numbers = leaders(robot)
    return tuple(
        Argument(name, robot.n, meaning=_STATE[name], labels=tuple(f"{name}{i}" for i in numbers))
        for name in names
    )


def leaders(robot: Robot) -> list[int]:
    """Returns for each coordinate the successor of the first joint that it moves."""
    first = {joint.coordinate: joint.successor for joint in reversed(robot.joints)}
    return [first[coordinate] for coordinate in range(robot.n)]


def gravity_argument(robot: Robot) -> Argument:
    """Gravity: the robot's own where it is left out, but for a floating base always given."""
    meaning = "acceleration of free fall, base coordinates [m/s^2]"
    labels = ("gravity_x", "gravity_y", "gravity_z")
    if robot.floating_base:
        return Argument("gravity", 3, meaning=meaning, labels=labels)
    default = texts(robot.gravity)
    return Argument("gravity", 3, None, meaning, optional=True, default=default, labels=labels)


def forces_argument(robot: Robot) -> Argument:
    """External forces: none where they are left out."""
    meaning = "wrench [n; f] on each link, link coordinates [N m, N]"
    labels = tuple(f"external_{i}_{part}" for i in robot.link_order for part in _OF_FORCE)
    size = len(robot.links)
    return Argument("external_forces", 6, size, meaning, optional=True, labels=labels)


def motion_inputs(robot: Robot, *names: str) -> tuple[Argument, ...]:
    """Joint-space vectors as `state`, and the motion of a floating base that goes with them."""
    base = {"qd": BASE_VELOCITY, "qdd": BASE_ACCELERATION} if robot.floating_base else {}
    return (*state(robot, *names), *(base[name] for name in names if name in base))


def no_forces(robot: Robot) -> dict[str, list[Scalar]]:
    """External forces, all zero."""
    return {"external_forces": [0] * (6 * len(robot.links))}


def matrix_columns(matrix: Sequence[Sequence[Scalar]]) -> list[Scalar]:
    """A matrix given by rows, column-major."""
    return [entry for column in zip(*matrix, strict=True) for entry in column]

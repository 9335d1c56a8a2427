"""Parts that the writers of URDF, MJCF and SDF share: numbers with all digits, free names."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from robcogen_ros.errors import Problem, RobcogenError
from robcogen_ros.model.scalars.expression import Expression, Parameter, expression
from robcogen_ros.model.scalars.operation import Scalar, is_zero
from robcogen_ros.model.spatial import IDENTITY, Pose, SpatialInertia, Symmetric3, Vector


def number(scalar: Scalar) -> str:
    """The shortest text of the double."""
    value = float(scalar)
    return repr(value if value else 0.0).removesuffix(".0")


def numbers(scalars: Iterable[Scalar]) -> str:
    """The texts of some, with blanks between them."""
    return " ".join(map(number, scalars))


def constant(format: str) -> Callable[[Scalar], Expression]:
    """Returns a function that evaluates quantities with parameters at their defaults.

    It raises RobcogenError if one has none, for the format has no parameters.
    """

    def at_defaults(scalar: Scalar) -> Expression:
        try:
            return Expression(value=expression(scalar).evaluate())
        except ValueError as error:
            advice = f"and {format} has no parameters; give it one, as in x[1.5]"
            raise RobcogenError(f"{error}, {advice}") from error

    return at_defaults


def defaults(format: str, parameters: Iterable[Parameter]) -> tuple[Problem, ...]:
    """The note that tells which values were written for parameters; none without parameters."""
    values = ", ".join(
        f"{p.name} = {number(p.default)}" for p in parameters if p.default is not None
    )
    if not values:
        return ()
    return (Problem(f"{format} has no parameters; written for {values}", None, "note"),)


def about_center(inertia: SpatialInertia) -> tuple[Scalar, Vector, Symmetric3]:
    """Mass, center of mass, and the tensor about it, of a constant inertia.

    Raises:
        RobcogenError: If there is a first moment of mass without a mass.
    """
    if is_zero(inertia.mass):
        if not all(map(is_zero, inertia.moment)):
            raise RobcogenError("a first moment of mass without mass cannot be written")
        return inertia.mass, Vector(), inertia.tensor
    center = Vector(*(moment / inertia.mass for moment in inertia.moment))
    moved = Pose(IDENTITY, -center).map(expression).inertia(inertia)
    return inertia.mass, center, moved.tensor


def free_name(name: str, taken: set[str]) -> str:
    """A name that is not taken yet; now it is."""
    candidate, count = name, 1
    while candidate in taken:
        count += 1
        candidate = f"{name}_{count}"
    taken.add(candidate)
    return candidate

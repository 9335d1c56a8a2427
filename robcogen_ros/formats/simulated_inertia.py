"""Inertia that simulators take: some mass in all that moves, and moments that a body can have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import ModelError, Problem, RobcogenError
from robcogen_ros.formats.bodies import Body, Movement
from robcogen_ros.model.names import listed

Array = NDArray[np.float64]

LEAST = 2e-15
"""Mass [kg] and moment of inertia [kg m^2] where there is none: no force of it can be measured."""
_LEAST_MOMENT = 1e-13
"""Least principal moments about axes that are not those of the body's frame [kg m^2]."""
_ROUNDING = 1e-12
"""Distance of moments of inertia from those of a body if only rounding is between them."""
_NOTHING = 1e-15
_MARGIN = 1e-13
"""Share that the rounding of principal axes may take from the sum of two moments."""
_MORE = 1.01
"""Factor by which more inertia than is lacking is moved across a joint."""


@dataclass(frozen=True, slots=True)
class Inertia:
    """Inertia of a body in a simulator.

    Attributes:
        mass: Mass [kg].
        center: Center of mass in the body's frame [m].
        tensor: Rotational inertia about it [kg m^2], (3, 3).
        change: What is not as the body has it: "" for nothing, "mass" where it has none,
            "moments" where these are of no body.
    """

    mass: float
    center: tuple[float, ...]
    tensor: Array
    change: str = ""


def given_inertias(
    program: str, bodies: Sequence[Body], floating: bool, balance: bool
) -> tuple[list[Inertia | None], list[Problem]]:
    """Returns each body's inertia in a simulator, and problems.

    It is None for a base that stands still, where what it has of inertia is of no body.

    Args:
        program: The simulator.
        bodies: The bodies, base first.
        floating: Whether the base floats.
        balance: Whether moments that no body has are replaced by their mean.

    Raises:
        ModelError: If it takes a body's inertia in no form; all such bodies at once.
    """
    tensors, changed = _regrouped(bodies)
    found, refused = _inertias_with(bodies, tensors, floating, False)
    if refused:
        changed = []
        found, refused = _inertias_with(bodies, [*map(matrix, bodies)], floating, balance)
    if refused:
        raise ModelError(refused)
    changes = {body.name: one.change for body, one in zip(bodies, found, strict=True) if one}
    massless = [name for name, change in changes.items() if change == "mass"]
    balanced = [name for name, change in changes.items() if change == "moments"]
    return found, [*_notes(program, changed, massless, balanced), *_free(program, bodies, massless)]


def _inertias_with(
    bodies: Sequence[Body], tensors: Sequence[Array], floating: bool, balance: bool
) -> tuple[list[Inertia | None], list[Problem]]:
    """Returns inertias, and why bodies are refused, with these tensors."""
    refused: list[Problem] = []
    found: list[Inertia | None] = []
    for body, tensor in zip(bodies, tensors, strict=True):
        stands = body.movement is None and not floating
        try:
            given = _inertia(body, tensor, balance and not stands)
            found.append(None if stands and given.change else given)
        except RobcogenError as error:
            found.append(None)
            if not stands:
                refused.append(Problem(str(error), body.location))
    return found, refused


def _notes(
    program: str, changed: Sequence[str], massless: Sequence[str], balanced: Sequence[str]
) -> Iterator[Problem]:
    if changed:
        own = "its own is" if len(changed) == 1 else "their own are"
        message = (
            f"{_links(changed)} written with the inertia of a body, which {own} not: what it takes "
            "comes from the other side of the joint, where it moves alike"
        )
        yield Problem(message, None, "note")
    if massless:
        message = (
            f"{program} lets nothing move that has no mass: {_links(massless)} written with "
            f"{LEAST:g} kg"
        )
        yield Problem(message, None, "note")
    if balanced:
        message = (
            f"{_links(balanced)} written with the mean of moments that no body has: {program} "
            "computes other dynamics"
        )
        yield Problem(message, None, "warning")


def _free(program: str, bodies: Sequence[Body], massless: Sequence[str]) -> Iterator[Problem]:
    """A warning of joints that move nothing at all, which no force can hold."""
    heavy = [body.name not in massless for body in bodies]
    for place in reversed(range(1, len(bodies))):
        parent = bodies[place].parent
        assert parent is not None
        heavy[parent] = heavy[parent] or heavy[place]
    free = [
        body.movement.name
        for body, carries in zip(bodies, heavy, strict=True)
        if body.movement and not carries and not body.movement.armature
    ]
    if free:
        message = (
            f"nothing that has mass is moved by {listed(free)}: {program}'s simulation of them is "
            "unstable; give them armature, or --lock them"
        )
        yield Problem(message, None, "warning")


def _links(names: Sequence[str]) -> str:
    return f"link '{names[0]}' is" if len(names) == 1 else f"links {listed([*names])} are"


def _inertia(body: Body, tensor: Array, balance: bool = False) -> Inertia:
    """Returns the inertia of a body that moves, in a simulator.

    Args:
        body: The body.
        tensor: Its rotational inertia about the center of mass [kg m^2].
        balance: Whether moments that no body has are replaced by their mean.

    Raises:
        RobcogenError: If no simulator takes its inertia.
    """
    mass = float(body.mass)
    center = tuple(map(float, body.center))
    moments = np.linalg.eigvalsh(tensor).astype(float)
    rounding = _rounding(moments)
    excess = moments[2] - moments[0] - moments[1]
    if mass < 0 or moments.sum() < -rounding:
        raise RobcogenError(f"link '{body.name}' has a negative mass or inertia")
    if moments[0] < -rounding or excess > rounding:
        if not balance:
            shown = ", ".join(f"{moment:.4g}" for moment in moments)
            raise RobcogenError(
                f"link '{body.name}', with all that is fixed on it, has an impossible inertia, "
                f"which simulators refuse: about its center of mass the principal moments "
                f"are {shown} kg m^2, where none may be negative or greater than the sum of the "
                "others; correct it, or --balance-inertia writes their mean instead"
            )
        return Inertia(mass, center, np.eye(3) * moments.mean(), "moments")
    in_axes = np.array_equal(tensor, np.diag(np.diag(tensor)))
    least, margin = (LEAST, 0.0) if in_axes else (_LEAST_MOMENT, _MARGIN * moments[2])
    shift = max(0.0, least - moments[0], excess + margin)
    change = "mass" if mass < LEAST else ""
    return Inertia(max(mass, LEAST), center, tensor + shift * np.eye(3), change)


def matrix(body: Body) -> Array:
    """The tensor of a body about its center of mass, (3, 3) [kg m^2]."""
    xx, xy, xz, yy, yz, zz = map(float, body.tensor)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _regrouped(bodies: Sequence[Body]) -> tuple[list[Array], list[str]]:
    """Tensors with which the robot moves alike, more of them those of bodies; and whose changed.

    Inertia without mass that is the same about all directions across the axis of a turning joint,
    and none about it, feels the same on both sides of the joint; on a slider any does.
    """
    tensors, changed = [matrix(body) for body in bodies], []
    for place in reversed(range(1, len(bodies))):
        body = bodies[place]
        assert body.movement is not None and body.parent is not None
        lack = _lack(tensors[place], body.movement)
        if lack is not None:
            R = np.array([[float(entry) for entry in row] for row in body.pose.rotation])
            tensors[place] = tensors[place] + lack
            tensors[body.parent] = tensors[body.parent] - R @ lack @ R.T
            changed.append(body.name)
    return tensors, changed[::-1]


def _lack(tensor: Array, movement: Movement) -> Array | None:
    """Returns what a tensor lacks that its joint can give it; None if it lacks nothing.

    It is that of a body where the second moments of mass, tr(I)/2 1 - I, are not negative.
    """
    second = np.eye(3) * np.trace(tensor) / 2 - tensor
    values = np.linalg.eigvalsh(second)
    rounding = _rounding(np.abs(values))
    if values[0] >= -rounding / 2:
        return None
    if not movement.kind.turns:
        return np.eye(3) * float(-2 * _MORE * values[0])
    axis = np.array([float(entry) for entry in movement.axis])
    along = float(axis @ np.linalg.solve(second, axis)) if values[1] > rounding else 1.0
    across = np.asarray(np.eye(3) - np.outer(axis, axis))
    return across * (-_MORE / along) if along < 0 else None


def _rounding(moments: Array) -> float:
    return float(_ROUNDING * moments.max() + _NOTHING)

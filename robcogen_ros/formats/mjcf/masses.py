"""Inertia of all bodies of an MJCF, with what its `<compiler>` makes of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from robcogen_ros.errors import Problem
from robcogen_ros.formats.mjcf.inertia import Inertias
from robcogen_ros.formats.mjcf.settings import Settings
from robcogen_ros.formats.mjcf.tree import Body
from robcogen_ros.formats.mjcf.values import Values
from robcogen_ros.model.checks.inertia import inertia_breach
from robcogen_ros.model.description import Inertial
from robcogen_ros.model.scalars.expression import Expression, expression

_LEAST = 1e-15
"""Number that MuJoCo takes for no mass [kg] and no inertia [kg m^2]."""


def inertials_of(
    world: Body, moving: Collection[int], inertias: Inertias, values: Values
) -> dict[int, Inertial | None]:
    """The inertia of each body by its id; findings go to `values`.

    Args:
        world: The world with all bodies.
        moving: Ids of the bodies of the tree that is read.
        inertias: Reads inertia.
        values: Reads numbers.
    """
    still, found, unread = _still(world), dict[int, Inertial | None](), set[int]()
    for body in world.walk():
        before, moves = len(values.problems), id(body) in {*moving} - still
        found[id(body)] = None if body is world else inertias.of(body, moves)
        if len(values.problems) > before:
            unread.add(id(body))
    for body in world.walk():
        inertial = found[id(body)]
        if inertial is not None and id(body) in moving:
            _refuse(body.settings, body, inertial, values)
        jointed = id(body) in {*moving} - unread and body.all("joint", "freejoint")
        if jointed and _mass(body, found) < _LEAST:
            name = f"body '{body.name}'" if body.name else "this body"
            message = f"{name} moves and has no mass: give it an <inertial>"
            values.problems.append(Problem(message, body.item.location))
    total = world.settings.total_mass
    if total is None:
        return found
    whole = sum((i.mass for i in found.values() if i), start=expression(0))
    factor = expression(total) / whole
    return {key: inertial and _scaled(inertial, factor) for key, inertial in found.items()}


def _still(world: Body) -> set[int]:
    """The bodies that are fixed on the world."""
    found, pending = set[int](), [world]
    while pending:
        body = pending.pop()
        found.add(id(body))
        pending.extend(each for each in body.bodies if not each.all("joint", "freejoint"))
    return found


def _mass(body: Body, inertials: dict[int, Inertial | None]) -> float:
    """The mass of a body with those that are fixed on it."""
    own = inertials[id(body)]
    fixed = (each for each in body.bodies if not each.all("joint", "freejoint"))
    return (float(own.mass) if own else 0.0) + sum(_mass(each, inertials) for each in fixed)


def _refuse(settings: Settings, body: Body, inertial: Inertial, values: Values) -> None:
    """Complains of an inertia that MuJoCo would change."""
    tensor = np.array([[float(x) for x in row] for row in inertial.tensor.matrix()])
    least = float(np.linalg.eigvalsh(tensor)[0])
    changes = {
        "boundmass": float(inertial.mass) < settings.least_mass,
        "boundinertia": least < settings.least_inertia,
        "balanceinertia": settings.balance and bool(inertia_breach(tensor)),
    }
    for key, changed in changes.items():
        if changed:
            message = f"it changes the inertia of body '{body.name}'; write what is meant there"
            values.fail(settings.element, key, message)


def _scaled(inertial: Inertial, factor: Expression) -> Inertial:
    return replace(inertial, mass=inertial.mass * factor, tensor=inertial.tensor * factor)

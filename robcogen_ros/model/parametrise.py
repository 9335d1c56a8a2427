"""Quantities of a description made parameters, with what the file says as defaults."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.description import Description
from robcogen_ros.model.names import nearest
from robcogen_ros.model.scalars import quantities
from robcogen_ros.model.scalars.expression import Expression, Parameter
from robcogen_ros.model.scalars.quantities import Part


def parametrise(description: Description, names: Sequence[str]) -> Description:
    """The description with some of its quantities as parameters.

    Args:
        description: A sound description.
        names: Names of quantities, such as `link7.mass`, or of several that go together:
            `link7.com`, `link7.inertia`, `joint3.origin`; a link alone is its mass, center of mass
            and inertia.

    Raises:
        RobcogenError: If there is no such quantity, or it depends on parameters already.
    """
    if not names:
        return description
    parts = quantities.parts(description)
    opened: dict[str, Parameter] = {}
    for name in names:
        for full, part, quantity in _matching(name, parts):
            value = part.values[quantity]
            if full not in opened:
                opened[full] = Parameter(full, quantities.group(quantity), _constant(full, value))
    links = tuple(_opened(link, quantities.link_part(link), opened) for link in description.links)
    joints = tuple(_opened(j, quantities.joint_part(j), opened) for j in description.joints)
    parameters = (*description.parameters, *opened.values())
    return replace(description, links=links, joints=joints, parameters=parameters)


def refuse_unused(description: Description, names: Sequence[str]) -> None:
    """Refuses names of quantities that a part of a description has not.

    Raises:
        RobcogenError: If a link or joint is not in it.
    """
    parts = {link.name for link in description.links}
    parts.update(joint.name for joint in description.joints)
    for name in names:
        if not _owners(name, parts):
            raise RobcogenError(f"parameter '{name}' is not in the chosen part of the robot")


def available(description: Description) -> dict[str, Expression]:
    """All quantities that may become parameters, by name."""
    return {
        f"{name}.{quantity}": value
        for name, same in quantities.parts(description).items()
        for part in same
        for quantity, value in part.values.items()
        if value.is_constant
    }


def _matching(name: str, parts: dict[str, list[Part]]) -> list[tuple[str, Part, str]]:
    """Name, part and quantity of each quantity that a name stands for."""
    owners = _owners(name, parts)
    for owner in owners:
        wanted = name[len(owner) + 1 :]
        found = [
            (f"{owner}.{quantity}", part, quantity)
            for part in parts[owner]
            for quantity in part.values
            if quantity == wanted
            or quantity.startswith(f"{wanted}.")
            or (not wanted and quantities.group(quantity) == "inertia")
        ]
        if found:
            return found
    if not owners:
        known = nearest(name.partition(".")[0], parts)
        raise RobcogenError(f"no parameter '{name}': there is no such link or joint{known}")
    return _refuse(name, max(owners, key=len), parts)


def _owners(name: str, parts: Iterable[str]) -> list[str]:
    return [owner for owner in parts if name == owner or name.startswith(f"{owner}.")]


def _refuse(name: str, owner: str, parts: dict[str, list[Part]]) -> list[tuple[str, Part, str]]:
    known = [quantity for part in parts[owner] for quantity in part.values]
    wanted = name[len(owner) + 1 :]
    if wanted in (f"origin.{angle}" for angle in quantities.ANGLES):
        raise RobcogenError(
            f"no parameter '{name}': the joint's pitch is a right angle, or its angles depend on "
            "parameters, so that roll, pitch and yaw are not told apart"
        )
    hint = nearest(wanted, known) or f"; there are {', '.join(known)}"
    raise RobcogenError(f"no parameter '{name}': '{owner}' has no '{wanted}'{hint}")


def _constant(name: str, value: Expression) -> Decimal:
    if value.value is None:
        of = ", ".join(f"'{parameter.name}'" for parameter in value.parameters())
        raise RobcogenError(f"'{name}' depends on parameter {of} already; set that instead")
    return value.value


def _opened(whole: Any, part: Part, opened: dict[str, Parameter]) -> Any:
    """A link or joint with its opened quantities."""
    new = {
        quantity: Expression(parameter=opened[f"{whole.name}.{quantity}"])
        for quantity in part.values
        if f"{whole.name}.{quantity}" in opened
    }
    return part.rebuilt({**part.values, **new}) if new else whole

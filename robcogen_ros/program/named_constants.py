"""The constants of a robot as quantities with names, where code is to be read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from robcogen_ros.algorithms.annotate import components
from robcogen_ros.model.conditioned import Conditioning, conditioned
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.expression import Expression, Parameter, expression
from robcogen_ros.program.graph import Graph, Node
from robcogen_ros.program.leaf import OfQuantity, ParameterValue
from robcogen_ros.program.trace import lifting

_ENTRIES = 9
"""Number of entries of a matrix."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A scalar, vector, spatial vector or matrix with a name.

    Attributes:
        name: Its name.
        labels: What its entries are called in it; one empty label for a scalar.
        nodes: The expression of each entry.
    """

    name: str
    labels: tuple[str, ...]
    nodes: tuple[Node, ...]

    @property
    def is_matrix(self) -> bool:
        """True if it is a 3x3 matrix, entries row by row, called by row and column."""
        return len(self.labels) == _ENTRIES and self.labels[0] == "xx"


class NamedConstants:
    """The constants of a robot under names of their own.

    Attributes:
        robot: The robot over them, the transform of each joint as a whole.
    """

    def __init__(self, robot: Robot, *, named: bool) -> None:
        """A robot's constants, with names if that is asked for."""
        self._are_named = named
        self._blocks: dict[str, tuple[tuple[str, ...], tuple[Expression, ...]]] = {}
        self._places: dict[str, OfQuantity] = {}
        plain = replace(
            robot,
            links=tuple(
                replace(
                    link,
                    inertia=replace(
                        link.inertia,
                        mass=self._add_names(link.inertia.mass, f"mass{i}", kept=(0,)),
                        moment=self._add_names(link.inertia.moment, f"moment{i}", kept=(0,)),
                        tensor=self._add_names(link.inertia.tensor, f"tensor{i}", kept=(0,)),
                    ),
                    frame=self._pose(link.frame, f"F{i}"),
                )
                for i, link in enumerate(robot.links)
            ),
            frames=tuple(
                replace(frame, pose=self._pose(frame.pose, f"N{k}"))
                for k, frame in enumerate(robot.frames)
            ),
            joints=tuple(
                replace(
                    joint,
                    kind=joint.kind.map(partial(self._add_names, name=f"pitch{joint.successor}")),
                    pose=self._pose(joint.pose, f"J{joint.successor}"),
                    multiplier=joint.multiplier
                    if joint.is_dependent
                    else self._add_names(joint.multiplier, f"multiplier{joint.successor}"),
                    offset=self._add_names(joint.offset, f"offset{joint.successor}"),
                )
                for joint in robot.joints
            ),
        )
        terms = {
            name: tuple(self._add_names(value, f"{name}{i}") for i, value in enumerate(values))
            for name, values in robot.terms.quantities.items()
        }
        plain = replace(plain, terms=replace(robot.terms, **terms))
        self.robot = conditioned(plain, [Conditioning(plain=True)] * len(robot.joints))

    def name(self, leaf: Any) -> Any:
        """Returns the quantity and the entry of a constant; another leaf as it is."""
        return self._places.get(leaf.name, leaf) if isinstance(leaf, ParameterValue) else leaf

    @property
    def names(self) -> frozenset[str]:
        """The names of those constants that are not all known numbers."""
        return frozenset(place.quantity for place in self._places.values())

    def quantities(self, graph: Graph, read: Collection[str]) -> tuple[Quantity, ...]:
        """Returns the constants that are read, base first."""
        lift = lifting(graph)
        return tuple(
            Quantity(name, labels, tuple(map(lift, values)))
            for name, (labels, values) in self._blocks.items()
            if name in read
        )

    def _pose(self, pose: Any, name: str) -> Any:
        return replace(
            pose,
            rotation=self._add_names(pose.rotation, f"R{name}"),
            translation=self._add_names(pose.translation, f"p{name}"),
        )

    def _add_names(self, value: Any, name: str, kept: Sequence[int] = (0, 1, -1)) -> Any:
        """A constant with a name; entries of some values stay the numbers that they are."""
        parts = [(label, expression(scalar)) for label, scalar in components(value)]
        self._blocks[name] = tuple(p[0] for p in parts), tuple(p[1] for p in parts)
        renamed = [self._entry(name, i, scalar, kept) for i, (_, scalar) in enumerate(parts)]
        return renamed[0] if len(renamed) == 1 else value.map(_in_turn(renamed))

    def _entry(self, name: str, index: int, value: Expression, kept: Sequence[int]) -> Expression:
        if not self._are_named or value.value is None or value.value in kept:
            return value
        full = f"{name}[{index}]"
        self._places[full] = OfQuantity(name, index)
        return Expression(parameter=Parameter(full))


def _in_turn(values: Sequence[Any]) -> Callable[[Any], Any]:
    given = iter(values)
    return lambda _: next(given)

"""The constants of limbs of equal shape, each beside those of the other limbs.

An algorithm that runs on them takes the same operations for each limb, whatever is zero for some.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from robcogen_ros.algorithms.limbs import Limbs
from robcogen_ros.model.conditioned import Conditioning, conditioned, conditioning
from robcogen_ros.model.robot import Joint, Link, Robot
from robcogen_ros.model.scalars.operation import Scalar
from robcogen_ros.program.graph import Node

_Body = tuple[Link, Joint, Conditioning]
"""A link, the joint that moves it, and how that keeps digits."""


def with_limb_constants(robot: Robot, groups: Sequence[Limbs]) -> Robot:
    """A robot over nodes, the constants of its limbs told apart from plain ones.

    Args:
        robot: The robot; the constants of its limbs are literals.
        groups: Its limbs of equal shape.
    """
    links, joints, kept = list(robot.links), list(robot.joints), list(conditioning(robot))
    terms = {name: list(values) for name, values in robot.terms.quantities.items()}
    for number, group in enumerate(groups):
        for places in zip(*group.links, strict=True):
            alike = [(links[i], joints[i - 1], kept[i - 1]) for i in places]
            for body, i in zip(_alike(number, alike), places, strict=True):
                links[i], joints[i - 1], kept[i - 1] = body
            for values in terms.values():
                at = [robot.joints[i - 1].coordinate for i in places]
                for i, value in zip(at, _limb_nodes(number, [values[i] for i in at]), strict=True):
                    values[i] = value
    lifted = replace(
        robot,
        links=tuple(links),
        joints=tuple(joints),
        terms=replace(robot.terms, **{name: tuple(values) for name, values in terms.items()}),
    )
    return conditioned(lifted, kept)


def _alike(group: int, bodies: Sequence[_Body]) -> Iterator[_Body]:
    """Links and their joints, one of each limb, their constants beside each other's."""
    rows = [_numbers(body) for body in bodies]
    columns = [_limb_nodes(group, column) for column in zip(*rows, strict=True)]
    for limb, body in enumerate(bodies):
        yield _mapped(body, partial(_next, iter([column[limb] for column in columns])))


def _next(values: Iterator[Node], _: Scalar) -> Node:
    return next(values)


def _numbers(body: _Body) -> list[Node]:
    found: list[Node] = []
    _mapped(body, found.append)
    return found


def _mapped(body: _Body, lift: Callable[[Scalar], Any]) -> _Body:
    """A link and its joint, each number lifted, always in the same order."""
    link, joint, own = body
    inertia, frame = link.inertia.map(lift), link.frame.map(lift)
    kind, pose = joint.kind.map(lift), joint.pose.map(lift)
    multiplier, offset = lift(joint.multiplier), lift(joint.offset)
    return (
        replace(link, inertia=inertia, frame=frame),
        replace(joint, kind=kind, pose=pose, multiplier=multiplier, offset=offset),
        own.map(lift),
    )


def _limb_nodes(group: int, nodes: Sequence[Node]) -> list[Node]:
    """A constant of each limb."""
    values = tuple(node.literal for node in nodes if node.literal is not None)
    assert len(values) == len(nodes), "constants of limbs are numbers"
    return [node.graph.limb_constant(group, values, limb) for limb, node in enumerate(nodes)]

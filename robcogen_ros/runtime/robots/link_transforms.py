"""Places of links by joint states."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.program.summary import OriginSummary
from robcogen_ros.runtime.robots.joint_poses import Array, Joint, JointPoses, joint_poses
from robcogen_ros.runtime.robots.many_axes import many_axes

EVERY = "*"
"""Stands for every joint among the defaults."""

Mimic = tuple[str, float, float]
"""A joint's leader, multiplier and offset."""

_KEPT = 64


@dataclass(frozen=True, slots=True)
class Fixed:
    """Links on fixed joints, and their poses (m, 7), as `JointPoses.at` gives them."""

    joints: tuple[Joint, ...]
    poses: Array


@dataclass(frozen=True, slots=True)
class Selection:
    """The joints that states of certain names place.

    Attributes:
        joints: These joints, in the order of their names.
        names: Their names.
        table: Their poses, as functions of positions of the state.
        sources: (m, 1) Which of the state's positions each joint follows.
    """

    joints: tuple[Joint, ...]
    names: tuple[str, ...]
    table: JointPoses
    sources: NDArray[np.intp]

    def poses(self, positions: Array) -> Array:
        """(m, 7) poses of the children on their parents, as `JointPoses.at` gives them."""
        return self.table.at(positions[self.sources])


_Rule = tuple[int, float, float]
_Attached = tuple[tuple[str, str, str, bool], OriginSummary | None]


class LinkTransforms:
    """All joints of a robot, moving and fixed, as its file has them.

    Attributes:
        fixed: Links on fixed joints.
        joints: The moving joints, in the order of their names.
        names: Their names.
        many: Planar and floating joints; each coordinate is a moving joint, too.
    """

    def __init__(
        self,
        robot: Any,
        mimics: Mapping[str, Mimic] | None = None,
        defaults: Mapping[str, float] | None = None,
    ) -> None:
        """Prepares the tables.

        Args:
            robot: A robot of `robcogen_ros.build()` or `load()`.
            mimics: Whom each joint follows in the file, if not as `robot.mimic` says.
            defaults: Positions [rad or m] of joints as long as no state names them; planar joints
                without any are at 0.
        """
        self._mimics = dict(robot.mimic if mimics is None else mimics)
        self._defaults = dict(defaults or {})
        self._heard: set[str] = set()
        self._selections: dict[tuple[str, ...], Selection] = {}
        by_name = sorted(zip(robot.attachments, robot.origins, strict=True), key=_name)
        moving = [(a, o) for a, o in by_name if not a[3]]
        still = [(a, o) for a, o in by_name if a[3]]
        self.joints = tuple(Joint(*a[:3]) for a, _ in moving)
        self.names = tuple(joint.name for joint in self.joints)
        origins = _origins_of(moving)
        self._table = joint_poses(origins)
        axes = {joint.name: origin.axis for joint, origin in zip(self.joints, origins, strict=True)}
        self.many = tuple(many_axes(robot.attachments, axes))
        for name in (name for joint in self.many if joint.planar for name in joint.coordinates):
            self._defaults.setdefault(name, 0.0)
        fixed = joint_poses(_origins_of(still)).at(np.zeros((len(still), 1)))
        self.fixed = Fixed(tuple(Joint(*a[:3]) for a, _ in still), fixed)

    def selection(self, names: Sequence[str]) -> Selection:
        """Returns the links that states with the positions of these joints place.

        The first of equal names counts. A joint that a state does not name follows the joint that
        it mimics; else, until some state has named it, it is at its default.
        """
        key = tuple(names)
        if key not in self._selections:
            self.hear(key)
            if len(self._selections) >= _KEPT:
                self._selections.clear()
            self._selections[key] = self._select(key)
        return self._selections[key]

    def hear(self, names: Collection[str]) -> None:
        """Forgets the defaults of joints whose positions are known by now."""
        new = set(names) - self._heard
        self._heard |= new
        if new and self._defaults:
            self._selections.clear()

    def _select(self, names: tuple[str, ...]) -> Selection:
        given = {name: (i, 1.0, 0.0) for i, name in reversed(list(enumerate(names)))}
        rules = [self._rule(joint.name, given) for joint in self.joints] if names else []
        chosen = [i for i, rule in enumerate(rules) if rule is not None]
        sources, factors, offsets = np.array([rules[i] for i in chosen]).reshape(-1, 3).T[..., None]
        return Selection(
            tuple(self.joints[i] for i in chosen),
            tuple(self.joints[i].name for i in chosen),
            self._table.rows(chosen).following(factors, offsets),
            sources.astype(np.intp),
        )

    def _rule(self, name: str, given: Mapping[str, _Rule]) -> _Rule | None:
        """Returns the position that a joint follows, and how; None if nothing tells where it is."""
        if name in given:
            return given[name]
        if name in self._mimics:
            leader, multiplier, offset = self._mimics[name]
            rule = self._rule(leader, given)
            if rule is not None:
                source, factor, constant = rule
                return source, multiplier * factor, multiplier * constant + offset
        return self._default(name)

    def _default(self, name: str) -> _Rule | None:
        if name in self._heard:
            return None
        position = self._defaults.get(name, self._defaults.get(EVERY))
        return None if position is None else (0, 0.0, position)


def _name(attached: _Attached) -> str:
    return attached[0][0]


def _origins_of(joints: Sequence[_Attached]) -> list[OriginSummary]:
    """Returns the origins of joints.

    Raises:
        RobcogenError: If parameters without a default tell.
    """
    origins = [origin for _, origin in joints if origin is not None]
    open_ones = [attachment[0] for attachment, origin in joints if origin is None]
    if open_ones:
        names = ", ".join(open_ones)
        raise RobcogenError(f"parameters without a default tell where joints are: {names}")
    return origins

"""The poses in a URDF: each `<origin>`, by angles or, from version 1.1 on, a quaternion."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from robcogen_ros.errors import Problem
from robcogen_ros.formats import numeral, quaternion
from robcogen_ros.formats.angles import Angles
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.model.scalars.expression import expression
from robcogen_ros.model.scalars.number import number
from robcogen_ros.model.scalars.quantities import fixed_axes_rotation
from robcogen_ros.model.spatial import Matrix3, Pose, Vector

_VERSION = re.compile(r"\s*(\d{1,3})\.(\d{1,3})\s*", re.ASCII)
_FIRST, _LAST, _WITH_QUATERNIONS = (1, 0), (1, 2), (1, 1)
_QUATERNION = "quat_xyzw"
_FAR_FROM_ONE = 1e-3
"""Error that three digits and fewer make in the length of a unit quaternion."""
_HERE = Pose().map(expression)


@dataclass(frozen=True, slots=True)
class Origins:
    """Readers of the origins of a URDF.

    Attributes:
        angles: Reads what gives an orientation by angles.
        snap_angles: How near quaternions' angles are taken for multiples of pi/2 [rad].
        quaternions: Whether they may be quaternions.
    """

    angles: Angles
    snap_angles: float
    quaternions: bool

    @classmethod
    def of(cls, root: Element, snap_angles: float | None, problems: list[Problem]) -> Origins:
        """Returns readers for the version of a document; adds problems."""
        quaternions = _version(root, problems) >= _WITH_QUATERNIONS
        for origin in _origins(root):
            problems.extend(_checked(origin, quaternions))
        return cls(Angles(snap_angles), snap_angles or 0.0, quaternions)

    def as_written(self) -> Origins:
        """Returns readers for what the dynamics does not depend on, which note no angles."""
        return replace(self, angles=Angles(self.snap_angles))

    def findings(self, origin: Element) -> Iterator[Problem]:
        """Yields problems of the quaternion of an `<origin>`."""
        return _checked(origin, self.quaternions)

    def pose(self, origin: Element | None) -> Pose:
        """The pose that an `<origin>` gives, without findings; that of none is the identity."""
        if origin is None:
            return _HERE
        return Pose(self._rotation(origin), Vector(*_vector(origin, "xyz"))).map(expression)

    def _rotation(self, origin: Element) -> Matrix3:
        if self.quaternions and _QUATERNION in origin.attributes:
            entries = origin.attributes[_QUATERNION].split()
            return quaternion.rotation([number(entry) for entry in entries], self.snap_angles)
        place = origin.attribute_location("rpy")
        turns = (self.angles.angle(number(a), place) for a in _vector(origin, "rpy"))
        return fixed_axes_rotation(*turns)


def _vector(origin: Element, name: str) -> list[float]:
    return [float(word) for word in origin.attributes.get(name, "0 0 0").split()]


def _version(root: Element, problems: list[Problem]) -> tuple[int, int]:
    """The version of URDF that a document is in, or the nearest that there is."""
    text = root.attributes.get("version", "1.0")
    found = _VERSION.fullmatch(text)
    written = (int(found[1]), int(found[2])) if found else _FIRST
    version = min(max(written, _FIRST), _LAST)
    if not found or version != written:
        message = (
            f"'{text}' is no version of URDF, which are 1.0, 1.1 and 1.2; the file is read as "
            f"{version[0]}.{version[1]}"
        )
        problems.append(Problem(message, root.attribute_location("version"), "warning"))
    return version


def _origins(root: Element) -> Iterator[Element]:
    for part in root.all("link", "joint"):
        holders = part.all("inertial") if part.tag == "link" else [part]
        for holder in holders:
            yield from holder.all("origin")


def _checked(origin: Element, quaternions: bool) -> Iterator[Problem]:
    text = origin.attributes.get(_QUATERNION)
    if text is None:
        return
    place = origin.attribute_location(_QUATERNION)
    if not quaternions:
        message = f'{_QUATERNION} of <origin> is ignored; it needs <robot version="1.1">'
        yield Problem(message, place, "warning")
    elif "rpy" in origin.attributes:
        yield Problem(f"<origin> has both rpy and {_QUATERNION}; leave out one of them", place)
    elif complaint := numeral.complaint_of_several(text, 4, ", x y z w"):
        yield Problem(f"{_QUATERNION} of <origin>: {complaint}", place)
    elif not any(map(number, text.split())):
        yield Problem(f"{_QUATERNION} of <origin>: all four numbers are zero", place)
    elif abs((size := quaternion.length([*map(number, text.split())])) - 1) > _FAR_FROM_ONE:
        message = (
            f"{_QUATERNION} of <origin> has the length {float(size):.4g}; it is taken for the unit "
            "quaternion in its direction"
        )
        yield Problem(message, place, "warning")

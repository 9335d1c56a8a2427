"""Comparison of a robot's bodies with those that another program has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.cli.against.forces import forces_apart
from robcogen_ros.cli.against.mujoco_side import Coupling, MujocoSide
from robcogen_ros.formats.bodies import Body, Movement, bodies
from robcogen_ros.formats.mjcf.writer import mujoco_type
from robcogen_ros.formats.read import Reading
from robcogen_ros.formats.weighed import Weighed, positions, weighed
from robcogen_ros.formats.written import constant
from robcogen_ros.model.names import listed

Array = NDArray[np.float64]
Masses = Mapping[str, float | None]

_DIGITS = 1e-4
"""Files of other programs are rounded: what differs by less, relatively, is the same."""
_STILL = "stands still: its inertia does not count"
_FEW = 12
"""Links of a body whose sums are tried."""
_ALWAYS = ("damping", "friction", "armature", "stiffness", "rest")
"""Quantities that a joint has of its own even where it follows another."""
_LEAST = {"mass": 1e-9, "length": 1e-6, "inertia": 1e-9, "torque": 1e-7}


@dataclass(frozen=True, slots=True)
class Row:
    """A link beside itself.

    Attributes:
        link: Its name.
        ours: As it is.
        theirs: As the other program has it; None if it has it not.
        reasons: What differs, and why; empty if nothing does.
        note: What is to be known of it.
    """

    link: str
    ours: Weighed
    theirs: Weighed | None
    reasons: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Result of the comparison with another program.

    Attributes:
        rows: Its links.
        others: What else differs.
        program: The program, and its version.
    """

    rows: tuple[Row, ...]
    others: tuple[str, ...]
    program: str

    @property
    def differences(self) -> list[str]:
        """All that differs."""
        links = [f"link '{row.link}': {why}" for row in self.rows for why in row.reasons]
        return [*links, *self.others]

    def lines(self) -> Iterator[str]:
        """The table, and what else differs, or that nothing does."""
        yield from _table(self.rows)
        yield from self.others
        if not self.differences:
            yield self.summary

    @property
    def summary(self) -> str:
        """The result in a sentence."""
        if not self.differences:
            return f"{self.program} has the same robot, to 4 digits"
        differing = sum(bool(row.reasons) for row in self.rows)
        more = f", and more ({len(self.others)})" if self.others else ""
        links = f"{differing} of {len(self.rows)} links differ"
        return f"{self.program} has another robot: {links}{more}"


def against(reading: Reading, side: MujocoSide) -> Verdict:
    """Compares a robot with what another program has of it.

    Raises:
        RobcogenError: If a parameter of the robot has no default.
    """
    robot = reading.robot.map(constant("MuJoCo"))
    parts = bodies(robot, reading.description)
    number = constant("MuJoCo")
    given = {
        link.name: None if link.inertial is None else float(number(link.inertial.mass))
        for link in reading.description.links
    }
    rows = _compared(parts, side, robot.gravity, robot.floating_base, given)
    coupled, alike = _couplings(parts, side), not any(row.reasons for row in rows)
    others = [
        *_of_joints(parts, side, coupled, alike),
        *side.tendons(parts),
        *_of_world(side, parts, robot.gravity, robot.floating_base),
    ]
    known = {coupling.number for coupling in coupled.values() if coupling.plain}
    others += forces_apart(robot, parts, side, known, alike)
    return Verdict(tuple(rows), tuple(others), f"MuJoCo {side.version}")


def _compared(
    parts: Sequence[Body],
    side: MujocoSide,
    gravity: Sequence[float],
    floating: bool,
    given: Masses,
) -> list[Row]:
    """The links of a robot beside those of another program, which is placed with them.

    Args:
        parts: The bodies of the robot.
        side: The other program.
        gravity: Gravity in the base [m/s^2].
        floating: Whether the base floats.
        given: Masses of the file's links [kg]; None where it gives no inertia.
    """
    q = positions(parts)
    ours = weighed(parts, q, gravity)
    side.place(parts, q, gravity)
    theirs = [side.weighed(body) for body in parts]
    weight = float(np.linalg.norm(gravity)) * sum(one.mass for one in ours)
    most = max((abs(one.torque) for one in ours), default=0.0)
    slack = _LEAST["torque"] + _DIGITS * most + _LEAST["length"] * weight
    rows: list[Row] = []
    moved: set[int] = set()
    for place, body in enumerate(parts):
        one, other = ours[place], theirs[place]
        if place == 0 and not floating:
            rows.append(Row(body.name, one, None, note=_STILL))
            continue
        why = list(_differences(body, one, other, given, slack, body.parent in moved, side))
        if place == 0 and not side.floats(body):
            why.insert(0, "it does not float there")
        if (why and _is_elsewhere(one, other)) or body.parent in moved:
            moved.add(place)
        rows.append(Row(body.name, one, other, tuple(why)))
    return rows


def _table(rows: Sequence[Row]) -> Iterator[str]:
    """A line a link, at positions within the limits."""
    heads = ["link", "mass [kg]", "there", "centre apart", "inertia apart", "gravity torque"]
    cells = [[*heads, "there"], *map(_cells, rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    notes = ["", *(row.note or "; ".join(row.reasons) for row in rows)]
    for line, note in zip(cells, notes, strict=True):
        first, *others = zip(line, widths, strict=True)
        text = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
        yield "  ".join([*text, note]).rstrip()


def _cells(row: Row) -> list[str]:
    one, other = row.ours, row.theirs
    if other is None:
        return [row.link, _text(one.mass), "-", "-", "-", _torque(one), "-"]
    apart = f"{round(float(np.linalg.norm(one.center - other.center)) * 1e3, 6):.3g} mm"
    masses = [_text(one.mass), _text(other.mass)]
    return [row.link, *masses, apart, _percent(one, other), _torque(one), _torque(other)]


def _text(value: float) -> str:
    return f"{value:.5g}"


def _torque(one: Weighed) -> str:
    return "" if one.axis is None else _text(round(one.torque, 9) + 0.0)


def _percent(one: Weighed, other: Weighed) -> str:
    largest = float(np.abs(one.tensor).max())
    apart = float(np.abs(one.tensor - other.tensor).max())
    if apart <= _LEAST["inertia"]:
        return "0 %"
    return f"{100 * apart / largest:.3g} %" if largest else f"{apart:.3g} kg m2"


def _is_elsewhere(one: Weighed, other: Weighed | None) -> bool:
    if other is None or one.anchor is None or other.anchor is None:
        return True
    assert one.axis is not None and other.axis is not None
    away = one.anchor - other.anchor
    away = away - one.axis * float(away @ one.axis)
    turned = float(np.linalg.norm(one.axis - other.axis))
    return float(np.linalg.norm(away)) > _close(one.anchor) or turned > _DIGITS


def _close(point: Array) -> float:
    return _LEAST["length"] + _DIGITS * float(np.linalg.norm(point))


def _differences(
    body: Body,
    one: Weighed,
    other: Weighed | None,
    given: Masses,
    slack: float,
    carried: bool,
    side: MujocoSide,
) -> Iterator[str]:
    if other is None:
        assert body.movement is not None
        yield f"there is no joint '{body.movement.name}', and no body of the link's name"
        return
    if body.movement is not None and other.axis is None:
        by = listed(side.moving(body))
        moves = f"is moved by {by}" if by else "does not move"
        yield f"there is no joint '{body.movement.name}': a body of the link's name {moves}"
        return
    if _is_elsewhere(one, other) and one.axis is not None:
        yield _elsewhere(one, other) if not carried else "what carries it is elsewhere"
    if abs(one.mass - other.mass) > _LEAST["mass"] + _DIGITS * one.mass:
        yield _mass(body, one, other, given, side.of_shapes)
        return
    if np.linalg.norm(one.center - other.center) > _close(one.center) and one.mass > _LEAST["mass"]:
        if not carried and not _is_elsewhere(one, other):
            yield "its center of mass is another"
    elif np.abs(one.tensor - other.tensor).max() > _LEAST["inertia"] + 10 * _DIGITS * _size(one):
        yield _inertia(body, one, other, given, side.of_shapes)
    if abs(one.torque - other.torque) > slack:
        yield "it bears other weights"


def _size(one: Weighed) -> float:
    return float(np.abs(one.tensor).max())


def _elsewhere(one: Weighed, other: Weighed) -> str:
    assert one.axis is not None and other.axis is not None
    angle = np.degrees(np.arccos(np.clip(one.axis @ other.axis, -1, 1)))
    if angle > 179.99:
        return "its axis points the other way"
    if angle > np.degrees(_DIGITS):
        return f"its axis is turned by {angle:.3g} degrees"
    assert one.anchor is not None and other.anchor is not None
    return f"its joint is {np.linalg.norm(one.anchor - other.anchor) * 1e3:.3g} mm away"


def _mass(body: Body, one: Weighed, other: Weighed, given: Masses, of_shapes: bool) -> str:
    without = [link for link in body.links if given.get(link) is None]
    if other.mass > one.mass and without and of_shapes:
        links = listed(without)
        return f"no <inertial> of {links}: it takes mass from the shapes"
    if other.mass > one.mass:
        return "it is heavier there"
    lacking = _lacking(body, one.mass - other.mass, given)
    return f"it is lighter there{f': {listed(lacking)} left out' if lacking else ''}"


def _lacking(body: Body, mass: float, given: Masses) -> Sequence[str]:
    """The fewest of the links that are fixed on a body which have a mass together."""
    masses = {link: own for link in body.links if (own := given.get(link))}
    fixed = [*masses]
    for count in range(1, len(fixed) + 1 if len(fixed) < _FEW else 2):
        for links in combinations(fixed, count):
            if abs(sum(masses[link] for link in links) - mass) <= _DIGITS * mass:
                return links
    return ()


def _inertia(body: Body, one: Weighed, other: Weighed, given: Masses, of_shapes: bool) -> str:
    ours, theirs = (np.linalg.eigvalsh(w.tensor) for w in (one, other))
    tolerance = 10 * _DIGITS * _size(one)
    if np.abs(ours - theirs).max() < tolerance:
        return "its inertia is turned: the rpy of <inertial> is not taken as it is meant"
    if np.ptp(theirs) < tolerance and abs(ours.sum() - theirs.sum()) < tolerance:
        return "its inertia is balanced: no body has the moments of the file, their mean is taken"
    moments = [link for link in body.links if given.get(link) == 0]
    if moments and of_shapes:
        return f"the moments of {listed(moments)}, which has no mass, are not taken"
    return "its inertia is another"


def _couplings(parts: Sequence[Body], side: MujocoSide) -> dict[str, Coupling]:
    """Returns what equalities make of joints, each equality once, at the joint it is meant for."""
    found: dict[str, Coupling] = {}
    for follows in (True, False):
        for body in parts:
            movement = body.movement
            if movement is None or follows != (movement.leader is not None):
                continue
            used = {coupling.number for coupling in found.values()}
            options = [one for one in side.couplings(body) if one.number not in used]
            if movement.leader is None:
                options = [c for c in options if c.leader is not None or _is_held(movement, c)]
            options.sort(key=lambda one: one.leader != movement.leader)
            if options:
                found[movement.name] = options[0]
    return found


def _is_held(movement: Movement, coupling: Coupling) -> bool:
    limits = movement.limits
    return limits.lower == limits.upper is not None and _same(limits.upper, coupling.offset)


def _of_joints(
    parts: Sequence[Body], side: MujocoSide, coupled: Mapping[str, Coupling], alike: bool
) -> Iterator[str]:
    """Yields differences of what joints have by themselves."""
    for body in parts:
        movement, theirs = body.movement, side.terms(body)
        if movement is None or not theirs:
            continue
        kind, expected = side.kind(body), mujoco_type(movement.kind)
        if kind != expected:
            yield f"joint '{movement.name}' is a {expected}: there it is a {kind}"
        if not alike and side.reference(body):
            yield f"joint '{movement.name}': positions count from {side.reference(body):.5g} there"
        found = coupled.get(movement.name)
        if found and found.leader is None:
            theirs |= {"lower": found.offset, "upper": found.offset}
        differing = [*_terms_apart(movement, theirs)]
        if differing:
            yield f"joint '{movement.name}': {'; '.join(differing)}"
        yield from _coupled_otherwise(movement, found, coupled)


def _terms_apart(movement: Movement, theirs: Mapping[str, float]) -> Iterator[str]:
    limits = movement.limits
    effort = np.inf if limits.effort is None else limits.effort
    ours = {
        "damping": movement.damping,
        "friction": movement.friction,
        "armature": movement.armature,
        "stiffness": movement.stiffness,
        "rest": movement.rest if movement.stiffness else 0.0,
        "lower": -np.inf if limits.lower is None else limits.lower,
        "upper": np.inf if limits.upper is None else limits.upper,
        "effort": effort,
    }
    for name in ours if movement.leader is None else _ALWAYS:
        if not _same(ours[name], theirs[name]):
            yield f"{name} {_text(ours[name])}, there {_text(theirs[name])}"
    back = theirs["effort backwards"]
    if movement.leader is None and back != theirs["effort"] and not _same(effort, back):
        yield f"effort backwards {_text(effort)}, there {_text(back)}"


def _coupled_otherwise(
    movement: Movement, found: Coupling | None, coupled: Mapping[str, Coupling]
) -> Iterator[str]:
    name, leader = movement.name, movement.leader
    if found is None or found.leader is None:
        if leader is not None:
            yield f"joint '{name}' follows '{leader}': there it is free"
        return
    if leader is None:
        yield f"joint '{name}' is free: there it follows '{found.leader}'"
        return
    theirs, multiplier, offset = found.leader, found.multiplier, found.offset
    while theirs != leader and (next_ := coupled.get(theirs)) and next_.leader is not None:
        multiplier, offset = multiplier * next_.multiplier, multiplier * next_.offset + offset
        theirs = next_.leader
    ours = float(movement.multiplier), float(movement.offset)
    if theirs != leader or not (_same(ours[0], multiplier) and _same(ours[1], offset)):
        yield (
            f"joint '{name}' is {_text(ours[0])} '{leader}' + {_text(ours[1])}: "
            f"there {_text(multiplier)} '{theirs}' + {_text(offset)}"
        )


def _same(one: float, other: float) -> bool:
    return one == other or abs(one - other) <= 1e-9 + _DIGITS * abs(one)


def _of_world(
    side: MujocoSide,
    parts: Sequence[Body],
    gravity: Sequence[float],
    floating: bool,
) -> Iterator[str]:
    others = side.others(parts)
    if others:
        yield f"it has more joints there: {listed(others)}"
    if not floating and side.floats(parts[0]):
        yield f"the base, link '{parts[0].name}', floats there"
    theirs, where = side.gravity(floating), "" if floating else " in the base"
    if np.abs(theirs - gravity).max() > _DIGITS * 10:
        yield f"gravity{where} is {_vector(gravity)}, there {_vector(theirs)}"


def _vector(values: Sequence[float] | Array) -> str:
    return " ".join(_text(value) for value in values)

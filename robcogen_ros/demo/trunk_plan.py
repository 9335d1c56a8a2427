"""The largest motions of the trunk, and a push, that a robot holds with its feet in place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from robcogen_ros.control.dynamics import Array
from robcogen_ros.demo.standing_run import balance, reached, run
from robcogen_ros.demo.trunk_motion import (
    CROUCH,
    PUSH,
    PUSH_TIME,
    PUSHES,
    TURNS,
    WAYS,
    Trunk,
    TrunkMotion,
)
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.robot import FREE_FALL
from robcogen_ros.progress import task
from robcogen_ros.runtime.ground import Ground
from robcogen_ros.runtime.objects import Fault
from robcogen_ros.standing.posture import Legs, Posture

CROUCHES = (0.3, 0.25, 0.2, 0.15, 0.1, 0.05)
"""Depths of a crouch below standing, as a share of the height; the first possible one."""
SIZES = (0.1, 0.2, 0.2, 0.3, 0.08, 0.08)
"""Largest motion each way [of the height for ways, rad for turns]."""
SCALES = (1.0, 0.7, 0.5, 0.35, 0.2, 0.1, 0.05)
"""Shares of it that are tried in turn."""
POINTS = 17
"""Moments of each part of the motion at which it is looked whether feet are within reach."""
INSIDE = 0.3
"""Distance that the center of mass stays inside the feet, as a share of its room there."""
SHARE = 0.8
"""Share of friction, soles and efforts that a plan uses; the rest is for control."""
PRESSED = 0.06
"""Least force that a plan leaves on each foot, as a share of the weight."""
MISSED, TURNED = 0.002, 0.004
"""Distances that the trunk may be from a plan as it is rehearsed, as a share of the height, and
[rad]."""
STUCK = 5.0
"""Factor of these where joints have dry friction, which holds what stands still."""
HALVINGS = 5
"""Halvings of the least push, if none is held."""
STEP = 0.002
"""Step of control and simulation in a rehearsal [s]."""
STILL = 0.1
"""Time for which it is looked whether the robot stands [s]."""
_STATE = ("q", "position", "orientation", "base_velocity", "qd")


def plan(
    robot: Any,
    legs: Legs,
    standing: Posture,
    duration: float,
    ground: Mapping[str, Any],
    **controller: Any,
) -> TrunkMotion:
    """The largest of a family of motions in which the feet can stay where they are.

    Each part is rehearsed where the parts before it leave the robot: it has to follow it with a
    share of the friction, of the soles and of the efforts. Then a push is sought that it holds;
    if it holds none, the motion has the least one, and says so.

    Args:
        robot: The robot.
        legs: Its legs.
        standing: Its posture.
        duration: How long the motion takes [s].
        ground: Settings of `robot.ground()`.
        **controller: Settings of the whole-body controller that is to follow it.

    Raises:
        RobcogenError: If the robot would tip over while it only stands.
    """
    place, rest = _Place(robot, legs, standing, ground, **controller), np.zeros(3)
    motion = TrunkMotion(
        duration,
        standing.height,
        0.0,
        (0.0,) * len(WAYS),
        standing.q,
        standing.q,
        rest,
    )
    if why := place.problem(motion, duration - STILL, duration):
        raise RobcogenError(f"robot '{robot.name}' does not stand: {why}")
    with task("rehearsing", len(WAYS) + 2) as part:
        part.tell(CROUCH)
        motion = _largest(place, motion, CROUCH, _rising(place, motion), (0.0, motion.risen))
        for way, name in enumerate(WAYS):
            part.advance(detail=name)
            motion = _largest(place, motion, name, _moving(motion, way), motion.span(way))
        part.advance(detail="a push")
        return place.pushed(motion)


def amount(motion: TrunkMotion, name: str) -> str:
    """Returns the size of a motion one way, or of the rise from its crouch, with its unit."""
    size = motion.crouch if name == CROUCH else motion.sizes[WAYS.index(name)]
    return f"{1e3 * size:.0f} {'mrad' if name in TURNS else 'mm'}"


def _largest(
    place: _Place,
    motion: TrunkMotion,
    name: str,
    larger: Iterator[TrunkMotion],
    span: tuple[float, float],
) -> TrunkMotion:
    """The first motion that the robot can do; or the one before, with why it cannot do the last."""
    told = ""
    for each in larger:
        if not (why := place.follows(each, *span)):
            return each
        told = f"not even by {amount(each, name)}, for {why}"
    return replace(motion, refused={**motion.refused, name: told})


def _rising(place: _Place, still: TrunkMotion) -> Iterator[TrunkMotion]:
    """A motion that begins in a crouch, ever less deep."""
    for share in CROUCHES:
        crouch = share * still.height
        start = place.positions(Trunk.at_rest(place.base - [0, 0, crouch]))
        yield replace(still, crouch=crouch, start=still.start if start is None else start)


def _moving(motion: TrunkMotion, way: int) -> Iterator[TrunkMotion]:
    """A motion that goes one way, too, ever less far."""
    full = SIZES[way] * (1.0 if WAYS[way] in TURNS else motion.height)
    for scale in SCALES:
        sizes = (*motion.sizes[:way], scale * full, *motion.sizes[way + 1 :])
        yield replace(motion, sizes=sizes)


class _Place:
    """A robot that stands with its feet where they stay.

    Attributes:
        base: Where its base is in the world (3,) [m].
    """

    def __init__(
        self,
        robot: Any,
        legs: Legs,
        standing: Posture,
        ground: Mapping[str, Any],
        **controller: Any,
    ) -> None:
        self.base = np.array([0.0, 0.0, standing.height])
        self._robot, self._legs, self._standing = robot, legs, standing.q
        self._controller, self._cone = controller, ground["friction"]
        self._state: dict[str, Array] = {}
        self._feet = Trunk.at_rest(self.base).pose @ legs.poses(standing.q)
        self._ground = robot.ground(**ground)
        self._ideal = robot.ground(**ground, joint_friction=np.zeros(robot.n))
        limits = robot.effort_limits
        self._efforts = SHARE * np.where(limits > 0, limits, np.inf)
        self._units = robot.effort_units
        self._friction = SHARE * controller["friction"]
        self._pressed = PRESSED * FREE_FALL * robot.total_mass()
        self._settings = {**controller, "sole_share": SHARE}

    def positions(self, trunk: Trunk) -> Array | None:
        """Positions of the joints with the trunk at some place; None if it cannot be there."""
        q, missing = self._legs.placed(self._standing, self._targets(trunk))
        return None if missing else q

    def _targets(self, trunk: Trunk) -> list[Array]:
        return list(np.linalg.inv(trunk.pose) @ self._feet)

    def pushed(self, motion: TrunkMotion) -> TrunkMotion:
        """The motion with the largest of `PUSHES` that the robot holds, or the least one."""
        for speed in PUSHES:
            last = self._with_push(motion, speed)
            if not (why := self._falls(last)):
                return last
        low, high = 0.0, speed
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            falls = self._falls(self._with_push(motion, middle))
            low, high = (low, middle) if falls else (middle, high)
        why = f"{why}. It holds {low:.2f} m/s"
        return replace(last, refused={**last.refused, PUSH: why})

    def _with_push(self, motion: TrunkMotion, speed: float) -> TrunkMotion:
        force = speed * self._robot.total_mass() / PUSH_TIME
        return replace(motion, push=force * np.array([0.0, 1.0, 0.0]))

    def _falls(self, motion: TrunkMotion) -> str:
        """Returns how the robot falls when it is pushed; empty if it does not."""
        control = balance(self._robot, self._standing, **self._controller)
        begin = motion.push_begin
        done = run(self._robot, self._ground, motion, control, 1.0 / STEP, begin)
        if not done.ended:
            return ""
        limits = reached(self._robot, done, self._cone, begin)
        return f"{done.ended} {done.time[-1] - begin:.2f} s after it began{limits}"

    def follows(self, motion: TrunkMotion, begin: float, end: float) -> str:
        """Returns why the robot cannot do a part of a motion; if it can, keeps its state."""
        if not (why := self.problem(motion, begin, end)):
            self._state = {name: getattr(self._ground, name) for name in _STATE}
        return why

    def problem(self, motion: TrunkMotion, begin: float, end: float) -> str:
        """Returns why the robot cannot do a part of a motion; empty if it can."""
        moments = [motion.at(float(time)) for time in np.linspace(begin, end, POINTS)]
        why = next(filter(None, map(self._problem_of_place, moments)), "")
        times = np.arange(begin, end, STEP)
        if not why and self._robot.friction.any():  # what is in vain without is found out fast
            why = self._rehearsed(motion, times, self._ideal, compensate_friction=0.0)
            if not why and (why := self._rehearsed(motion, times, self._ground, STUCK)):
                why += f"; without the dry friction of its joints{self._largest_friction} it can"
            return why
        return why or self._rehearsed(motion, times, self._ground)

    @property
    def _largest_friction(self) -> str:
        joint = int(np.argmax(self._robot.friction))
        size, name = self._robot.friction[joint], self._robot.joint_names[joint]
        return f" (up to {size:.3g} {self._units[joint]}, {name})"

    def _problem_of_place(self, trunk: Trunk) -> str:
        q, missing = self._legs.placed(self._standing, self._targets(trunk))
        if missing:
            return missing
        if (inside := self._legs.balance(q, trunk.pose)) < INSIDE:
            where = f"{inside:.0%} of the way from the rim of its feet to their middle"
            return f"its center of mass would be {where}; {INSIDE:.0%} is the least"
        turn, w, v = trunk.pose[:3, :3].T, trunk.angular_velocity, trunk.linear_velocity
        jacobian = self._robot.contact_jacobian(q)
        qd = -np.linalg.pinv(jacobian[:, 6:]) @ jacobian[:, :6] @ np.append(turn @ w, turn @ v)
        fastest = SHARE * np.where(
            self._robot.velocity_limits > 0, self._robot.velocity_limits, np.inf
        )
        speed = np.abs(qd)
        j = int(np.argmax(speed / fastest))
        if speed[j] < fastest[j]:
            return ""
        name, unit = self._robot.joint_names[j], self._robot.units[j]
        asked = f"joint {name} would move at {speed[j]:.2f} {unit}/s"
        return f"{asked}; {SHARE:.0%} of its limit is {fastest[j]:.2f}"

    def _rehearsed(
        self,
        motion: TrunkMotion,
        times: Array,
        ground: Ground,
        loose: float = 1.0,
        **settings: float,
    ) -> str:
        """Lets the robot do a part of a motion, from rest at first; returns why it fails."""
        far, turn = loose * MISSED * motion.height, loose * TURNED
        start = motion.at(float(times[0]))
        control = balance(self._robot, self._standing, **self._settings, **settings)
        rest = {"q": self.positions(start), "position": start.position}
        ground.place(**(self._state or rest))
        for time in times:
            wanted, efforts = motion.at(time + STEP), control(ground, motion.at(time))
            try:
                ground.advance(efforts, STEP)
            except Fault as fault:
                return f"it would fall: {fault}"
            if why := self._strained(efforts) or self._loose(ground.wrenches[:, 3:]):
                return why
            missed = float(np.linalg.norm(wanted.position - ground.position))
            turned = 2 * np.arccos(min(1.0, abs(float(wanted.quaternion @ ground.orientation))))
            if missed > far:
                most = f"{1e3 * far:.2g} mm"
                return f"its trunk would be more than {most} beside where it is to be"
            if turned > turn:
                return f"its trunk would be turned by more than {1e3 * turn:g} mrad"
        return ""

    def _strained(self, efforts: Array) -> str:
        """Returns the joint that would give more than its share, in words; empty if none would."""
        share = np.abs(efforts) / self._efforts
        j = int(np.argmax(share))
        if share[j] <= 1.0:
            return ""
        asked = (
            f"joint {self._robot.joint_names[j]} would give {abs(efforts[j]):.3g} {self._units[j]}"
        )
        return f"{asked}; {SHARE:.0%} of its limit is {self._efforts[j]:.3g}"

    def _loose(self, forces: Array) -> str:
        """Returns the foot (feet, 3) that is pressed too little or slips; empty if none."""
        light = int(np.argmin(forces[:, 2]))
        if forces[light, 2] < self._pressed:
            pressed = (
                f"foot {self._legs.frames[light]} would be pressed by {forces[light, 2]:.0f} N"
            )
            return f"{pressed}; {PRESSED:.0%} of the weight, {self._pressed:.0f} N, is the least"
        ratio = np.hypot(forces[:, 0], forces[:, 1]) / forces[:, 2]
        i = int(np.argmax(ratio))
        if ratio[i] <= self._friction:
            return ""
        asked = (
            f"foot {self._legs.frames[i]} would need a coefficient of friction of {ratio[i]:.2f}"
        )
        return f"{asked}; {SHARE:.0%} of what the controller trusts is {self._friction:.2f}"

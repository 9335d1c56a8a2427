"""The body that a robot carries while it moves, from its last seconds; what a controller is told.

A controller must not follow each estimate: it is told of a body only where that is known, bounded,
and surely another one than before, and then at a bounded rate. Between two bodies that exist all
their mixtures exist, for pseudo-inertias are linear in the parameters and a convex set.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.identification.payload import Payload, PayloadIdentification
from robcogen_ros.identification.pseudo_inertia import central, of_body
from robcogen_ros.recordings import Conventions, Motion
from robcogen_ros.recordings.remembered import Remembered
from robcogen_ros.runtime.robots.fixed_base_robot import FixedBaseRobot

Array = NDArray[np.float64]
Body = tuple[float, Array, Array]
"""Mass [kg], (3,) center of mass [m], (6,) tensor about it [kg m^2]."""

_NAME = "joint states"
_SURE = 2.0
"""Standard errors by which a body has to differ from another."""


class LivePayload:
    """Keeps the last seconds of a robot's motion, and finds what it carries."""

    def __init__(
        self, robot: FixedBaseRobot, frame: str, terms: Sequence[str] = (), window: float = 10.0
    ) -> None:
        """Starts without states.

        Args:
            robot: As in `PayloadIdentification`.
            frame: Where the body is.
            terms: What of the joints is found too: armature, damping, friction, offset.
            window: How much of the motion is kept [s].
        """
        self._robot, self._frame, self._terms, self._window = robot, frame, terms, window
        self._states: deque[tuple[float, Array]] = deque()
        continuous = zip(robot.joint_names, robot.continuous, strict=True)
        units = zip(robot.joint_names, robot.units, strict=True)
        self._conventions = Conventions(
            sliding=frozenset(name for name, unit in units if unit == "m"),
            endless=frozenset(name for name, turns in continuous if turns),
        )

    def add(self, time: float, q: Array, qd: Array, tau: Array) -> None:
        """Takes a state; one that is not later than the one before begins anew.

        Args:
            time: Of the state [s].
            q: (n,) positions.
            qd: (n,) velocities; NaN where they are not known.
            tau: (n,) efforts.
        """
        if self._states and time <= self._states[-1][0]:
            if time == self._states[-1][0]:
                return
            self._states.clear()
        self._states.append((time, np.concatenate([q, qd, tau])))
        while time - self._states[0][0] > self._window:
            self._states.popleft()

    @property
    def full(self) -> bool:
        """True once half a window of motion is there."""
        return bool(self._states) and self._states[-1][0] - self._states[0][0] > self._window / 2

    def estimate(self) -> Payload:
        """Returns what the robot carries.

        Raises:
            RobcogenError: If the motion does not tell it.
        """
        time = np.array([time for time, _ in self._states])
        q, qd, tau = np.split(np.array([row for _, row in self._states]), 3, axis=1)
        rates = None if np.isnan(qd).any() else qd
        motion = Motion(time, q, rates, None, tau)
        names, conventions = self._robot.joint_names, self._conventions
        recording = Remembered(_NAME, names, conventions=conventions, motion=motion)
        taken = PayloadIdentification(self._robot, self._frame, self._terms)
        for block in recording:
            assert block.turns is not None
            taken.add(recording, block, (~block.turns).astype(float))
        return taken.solve()


@dataclass(frozen=True)
class Bounds:
    """Bounds of what a controller may be told.

    Attributes:
        mass: Largest mass [kg].
        distance: Largest distance of the center of mass from the frame [m].
        mass_error: Largest standard error of the mass [kg].
        center_error: The same of the center [m].
        mass_change: Least change of the mass [kg].
        center_change: Least change of the center [m].
        rate: Largest rate of the mass [kg/s]; of its moment that times `distance`.
    """

    mass: float = 10.0
    distance: float = 0.5
    mass_error: float = 0.1
    center_error: float = 0.03
    mass_change: float = 0.05
    center_change: float = 0.01
    rate: float = 0.5


class ToldPayload:
    """Tells a controller of the body that its robot carries.

    Attributes:
        bounds: What it may be told.
    """

    def __init__(self, bounds: Bounds, body: Body) -> None:
        """Begins with what the controller has.

        Args:
            bounds: What it may be told.
            body: What it has.
        """
        self.bounds, self._now = bounds, of_body(*body)
        self._target, self._aim = self._now, body
        self._before: Payload | None = None

    def consider(self, found: Payload) -> str:
        """Takes a body for what is to be told, or returns why not.

        Args:
            found: The body.
        """
        before, self._before = self._before, found
        problem = self._problem(found) or self._unsteadiness(found, before)
        if not problem and self._differs(found, *self._aim[:2]):
            mass = 0.0 if found.empty else found.mass
            self._aim = mass, found.center, found.tensor
            self._target = of_body(*self._aim)
        return problem

    def _problem(self, found: Payload) -> str:
        """Returns why a body is not one to tell of."""
        bounds, away = self.bounds, float(np.linalg.norm(found.center))
        if found.mass_error > bounds.mass_error:
            return (
                f"the mass is known to {found.mass_error:.2g} kg, expected {bounds.mass_error:g}: "
                "more motion wanted"
            )
        if found.doubts:
            return found.doubts[0]
        if found.empty:
            return found.notes[0] if found.found.values[0] < -bounds.mass_change else ""
        unsure = float(np.max(found.center_errors))
        if unsure > bounds.center_error:
            return f"the center is known to {unsure:.2g} m, expected {bounds.center_error:g}"
        if found.mass > bounds.mass:
            return f"{found.mass:.4g} kg is more than the {bounds.mass:g} allowed"
        if away > bounds.distance:
            return f"a center {away:.3g} m off is farther than the {bounds.distance:g} allowed"
        return ""

    def _unsteadiness(self, found: Payload, before: Payload | None) -> str:
        """Returns why a body is not told of yet: it has to be found twice in a row."""
        if before is None:
            return "it is told once it is found twice in a row"
        if self._differs(found, before.mass, before.center):
            return f"it changes, from {before.mass:.3g} to {found.mass:.3g} kg"
        return ""

    def _differs(self, found: Payload, mass: float, center: Array) -> bool:
        """Returns whether a body is surely another one than a mass with its center."""
        change = max(self.bounds.mass_change, _SURE * found.mass_error)
        if abs(found.mass - mass) > change:
            return True
        sure = np.maximum(self.bounds.center_change, _SURE * found.center_errors)
        return bool(found.mass > change and (np.abs(found.center - center) > sure).any())

    def advance(self, seconds: float) -> Body | None:
        """Returns what to tell after some time; None where nothing changes.

        Args:
            seconds: Since it was asked last.
        """
        apart = self._target - self._now
        if not apart.any():
            return None
        most = self.bounds.rate * seconds
        needed = max(abs(apart[0]), float(np.linalg.norm(apart[1:4])) / self.bounds.distance)
        if needed <= most:
            self._now = self._target
            return self._aim
        self._now = self._now + apart * (most / needed)
        return _body(self._now)


def _body(parameters: Array) -> Body:
    """Returns the body of (10,) parameters."""
    if parameters[0] <= 0:
        return 0.0, np.zeros(3), np.zeros(6)
    mass, center, tensor = central(parameters)
    return mass, center, tensor[np.triu_indices(3)]

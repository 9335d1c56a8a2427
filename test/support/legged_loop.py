"""A robot on legs on the simulated ground, under its gait and whole-body controller."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
STEP = 1e-3


class LeggedLoop:
    """Closed at 1 kHz.

    Attributes:
        ground: Where the robot is.
        tilt: Greatest angle of the trunk from level so far [rad].
        slack: Least margin of a foot in its friction cone so far [N].
        stood: Which feet were to stand, a row a cycle.
    """

    def __init__(self, robot: Any, q: Array, *, friction: float = 0.7, **gait: Any) -> None:
        """Stands at rest, base level, feet on the plane."""
        self._names = [contact.partition(":")[0] for contact in robot.contacts]
        self._base = robot.link_names[0]
        low = min(robot.transform(self._base, name, q)[2, 3] for name in self._names)
        self._friction = friction
        self.ground = robot.ground(friction=friction)
        self.ground.place(q, position=[0.0, 0.0, -low])
        self._controller = robot.whole_body_controller(friction=0.7 * friction)
        self._gait = robot.gait(posture=q, **gait)
        self._gait.start(**self._state())
        self._links = len(robot.link_names)
        self.tilt, self.slack, self.stood, self.stepping = 0.0, np.inf, [], False

    def _state(self) -> dict[str, Any]:
        ground = self.ground
        return {
            "q": ground.q,
            "position": ground.position,
            "orientation": ground.orientation,
            "base_velocity": ground.base_velocity,
            "qd": ground.qd,
        }

    def run(
        self,
        duration: float,
        push: Callable[[float], Array] | None = None,
        **wanted: Any,
    ) -> None:
        """Goes on; `push` gives a force at the base's origin in world axes, by the time."""
        for i in range(round(duration / STEP)):
            state = self._state()
            closed = self.ground.touches
            reference = self._gait.update(**state, closed=closed, cycle=STEP, **wanted)
            command = self._controller.compute(
                **state,
                closed=closed,
                trunk=reference.trunk,
                swing=reference.swing,
                posture=reference.posture,
            )
            forces = np.zeros((self._links, 6))
            if push is not None:
                forces[0, 3:] = self.turn.T @ push(i * STEP)
            self.ground.advance(command.efforts, STEP, external_forces=forces)
            self._watch(reference)

    def _watch(self, reference: Any) -> None:
        self.tilt = max(self.tilt, float(np.arccos(min(1.0, self.turn[2, 2]))))
        f = self.ground.wrenches[:, 3:]
        margins = self._friction * f[:, 2] - np.hypot(f[:, 0], f[:, 1])
        self.slack = min(self.slack, float(margins.min()))
        self.stood.append([name not in reference.swing for name in self.ground.contacts])
        self.stepping = reference.stepping

    @property
    def turn(self) -> Array:
        """(3, 3) rotation from the base to the world."""
        x, y, z, w = self.ground.orientation
        return np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )

    @property
    def rests(self) -> bool:
        """Whether nothing moves and the trunk is level."""
        rates = np.concatenate([self.ground.base_velocity, self.ground.qd])
        return bool(np.abs(rates).max() < 0.2 and self.turn[2, 2] > np.cos(0.1))

"""A robot that steps, in simulated time: on the spot, where it is pushed, and ahead."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.control.dynamics import Array
from robcogen_ros.control.leg_sensors import sensed_estimator, sensor_settings
from robcogen_ros.control.legged_loop import STEP, LeggedLoop
from robcogen_ros.demo.trunk_motion import PUSH_TIME, PUSHES
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.quaternions import rotation
from robcogen_ros.model.robot import FREE_FALL
from robcogen_ros.progress import task
from robcogen_ros.runtime.gait import usual_gait
from robcogen_ros.runtime.ground import Ground
from robcogen_ros.runtime.whole_body import Motion
from robcogen_ros.standing.footing import Footing
from robcogen_ros.standing.posture import Posture

SPOT, RECOVERY, AHEAD, REST = 2.0, 3.0, 5.0, 2.0
"""Times that it steps on the spot, so after the push, steps ahead, and stands at last [s]."""
FROUDE = {"trot": 0.12, "walk": 0.05}
"""Speeds in a gait, as a share of the root of gravity times height."""
MOST, HALVINGS = 3.0, 7
"""Largest push that a robot is tried with that keeps its feet where they are [m/s]; of it."""
SHARES = (1.5, 1.3, 1.2, 1.1, 1.0, 0.8, 0.6, 0.4, 0.25)
"""Factors of the push that the robot is given as it steps, until it survives one; then the least
of `PUSHES`, then not at all."""

TOLD = {
    "schedule_disagrees": "feet touched the ground or missed it out of turn",
    "trunk_not_followed": "limits of efforts and friction held its trunk back",
    "position_limits": "joints were at limits of position",
    "cannot_step": "legs were spread too far to lean over a foot, so it could not step",
    "all_contacts_lost": "no foot touched the ground",
}
"""Faults of the controller in words."""

STILL = 0.05
"""Speed below which the trunk rests [m/s]."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Record of steps, a row a cycle.

    Attributes:
        withstood: Largest push that the robot survives with its feet where they are, as a change of
            its speed [m/s].
        pushed: The same of the push while it steps.
        gait: In which it steps.
        speed: At which it was to go ahead [m/s].
        period: Of the gait [s].
        time: At the end of each cycle [s].
        position: Of the trunk (k, 3) [m].
        velocity: Of its origin (k, 3) in the world [m/s].
        stood: Which feet were to stand (k, feet).
        tilt: Largest angle of the trunk from level [rad].
        friction_used: Largest tangential by normal force, by the friction.
        effort: Largest share of its limit that a joint gave.
        ended: Why the run ended early; empty if it did not.
        fell: The least push of those tried that made it fall, and how; empty if none did.
        drift: How far the estimate of the base is off at the end (3,) [m]; None without one.
    """

    withstood: float
    pushed: float
    gait: str
    speed: float
    period: float
    time: Array
    position: Array
    velocity: Array
    stood: NDArray[np.bool_]
    tilt: float
    friction_used: float
    effort: float
    ended: str
    fell: str = ""
    drift: Array | None = None

    @property
    def _during(self) -> NDArray[np.bool_]:
        """True for times from the push until the robot goes ahead."""
        return (self.time > SPOT) & (self.time <= SPOT + RECOVERY)

    @property
    def moved(self) -> float:
        """The largest way to the left by the push [m]."""
        across: Array = self.position[self._during, 1]
        return float(across.max() - across[0])

    @property
    def left(self) -> float:
        """The distance to the left of where it was pushed, before it goes ahead [m]."""
        across: Array = self.position[self._during, 1]
        return float(across[-1] - across[0])

    @property
    def recovery(self) -> float:
        """The time until a tenth of the push is left, as a mean of a cycle [s]."""
        across = self.velocity[self._during, 1]
        cycle = round(self.period / STEP)
        mean = np.convolve(across, np.full(cycle, 1.0 / cycle), mode="valid")
        fast = np.flatnonzero(np.abs(mean) > 0.1 * self.pushed)
        return STEP * (float(fast[-1]) if len(fast) else 0.0)

    @property
    def way(self) -> float:
        """The way that it went ahead [m]."""
        begin, end = np.searchsorted(self.time, [SPOT + RECOVERY, SPOT + RECOVERY + AHEAD])
        return float(self.position[end - 1, 0] - self.position[begin, 0])

    @property
    def still(self) -> bool:
        """True if it stands on all feet at the end, and its trunk rests."""
        return bool(self.stood[-1].all() and np.abs(self.velocity[-1]).max() < STILL)


class Stepping:
    """A robot that stands, to be pushed and to step."""

    def __init__(
        self,
        robot: Any,
        footing: Footing,
        standing: Posture,
        friction: float,
        trusted: float,
        *,
        estimates: bool,
    ) -> None:
        """A robot and how it stands.

        Args:
            robot: The robot.
            footing: Its feet.
            standing: How it stands.
            friction: Of the ground.
            trusted: The one that the controller reckons with.
            estimates: Whether its controller has its base from noisy sensors, or as it is.

        Raises:
            RobcogenError: If it has other feet than gaits are known of.
        """
        self.gait = usual_gait(footing.contacts)
        if self.gait == "stand":
            raise RobcogenError("gaits are of four feet that are points, or of two feet")
        self._robot, self._footing, self._standing = robot, footing, standing
        self._friction, self._trusted, self._estimates = friction, trusted, estimates
        self._gait = {"name": self.gait, "posture": standing.q}
        self._period = robot.gait(soles=footing.soles or None, **self._gait).period
        self._mass = robot.total_mass()

    def run(self) -> Steps:
        """Finds what push it survives with its feet where they are, and lets it step and be pushed.

        Of pushes that are `SHARES` times as large the first is shown that it survives, or the least
        of `PUSHES`; without any push if it falls under that, too.

        Raises:
            RobcogenError: If the robot cannot be placed.
        """
        low, high, fell = 0.0, MOST, ""
        with task("pushing", unit="times") as step:
            for _ in range(HALVINGS):
                middle = 0.5 * (low + high)
                low, high = (middle, high) if self._withstands(middle) else (low, middle)
                step.advance()
            pushes = [share * low for share in SHARES if share * low > PUSHES[-1]]
            for push in (*pushes, PUSHES[-1], 0.0):
                steps = self._steps(low, push)
                step.advance()
                if not steps.ended:
                    break
                fell = f"{push:.2f} m/s: {steps.ended}"
        return replace(steps, fell=fell)

    def _loop(self, gait: dict[str, Any] | None) -> tuple[LeggedLoop, _Recorded]:
        soles = self._footing.soles or None
        radii = self._footing.radii or None
        sensors = sensor_settings(self._mass) if self._estimates else {}
        ground = self._robot.ground(friction=self._friction, radii=radii, soles=soles, **sensors)
        ground.place(self._standing.q, position=self._place)
        world: Any = _Recorded(ground)
        loop = LeggedLoop(
            self._robot,
            world,
            friction=self._friction,
            trusted=self._trusted,
            soles=soles,
            gait=gait,
            posture=self._standing.q,
            estimator=sensed_estimator(self._robot, radii, soles) if self._estimates else None,
        )
        return loop, world

    @property
    def _place(self) -> Array:
        return np.array([0.0, 0.0, self._standing.height])

    def _force(self, change: float, time: float) -> Array:
        """Returns the force of a push to the left at a time."""
        size = change * self._mass / PUSH_TIME if time < PUSH_TIME else 0.0
        return size * np.array([0.0, 1.0, 0.0])

    def _withstands(self, change: float) -> bool:
        loop, _ = self._loop(None)
        still = Motion(self._place)
        try:
            loop.run(RECOVERY, push=lambda t: self._force(change, t), trunk=lambda t: still)
        except RobcogenError:
            return False
        return loop.rests

    def _steps(self, withstood: float, change: float) -> Steps:
        loop, seen = self._loop(self._gait)
        speed = FROUDE[self.gait] * float(np.sqrt(FREE_FALL * self._standing.height))
        ended = ""
        try:
            loop.run(SPOT, steps=True)
            loop.run(RECOVERY, push=lambda t: self._force(change, t), steps=True)
            loop.run(AHEAD, steps=True, velocity=(speed, 0.0))
            loop.run(REST)
        except RobcogenError as error:
            ended = f"{error}{_moment(loop.time)}; {_strain(loop)}"
        count = min(len(seen.rows), len(loop.stood))
        columns = zip(*seen.rows[:count], strict=True)
        position, velocity = (np.array(column) for column in columns)
        return Steps(
            withstood=withstood,
            pushed=change,
            gait=self.gait,
            speed=speed,
            period=self._period,
            time=STEP * np.arange(1.0, count + 1.0),
            position=position,
            velocity=velocity,
            stood=np.array(loop.stood[:count]),
            tilt=loop.tilt,
            friction_used=float(loop.friction_used[1]),
            effort=loop.effort,
            ended=ended,
            drift=None if loop.estimate is None else loop.estimate.position - seen.position,
        )


def _moment(time: float) -> str:
    if time < SPOT:
        return f" after {time:.2f} s on the spot"
    if time < SPOT + RECOVERY:
        return f" {time - SPOT:.2f} s after the push began"
    return f" {time - SPOT - RECOVERY:.2f} s after it set off"


def _strain(loop: LeggedLoop) -> str:
    """Returns a robot's largest share of its limits, and its controller's fault, in words."""
    feet = f"its feet used {loop.friction_used[1]:.0%} of the friction"
    most = loop.faults.most_common(1)
    faults = "".join(f", {TOLD.get(fault, fault)} in {n} cycles" for fault, n in most)
    return f"joint {loop.strained} gave {loop.effort:.0%} of its limit, {feet}{faults}"


class _Recorded:
    """A ground that keeps where the robot was after each step.

    Attributes:
        rows: Position and velocity of the trunk in the world.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self.rows: list[tuple[Array, Array]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ground, name)

    def advance(self, *step: Any, **forces: Any) -> None:
        """Moves on."""
        self._ground.advance(*step, **forces)
        velocity = rotation(self._ground.orientation) @ self._ground.base_velocity[3:]
        self.rows.append((self._ground.position, velocity))

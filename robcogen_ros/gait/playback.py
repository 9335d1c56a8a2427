"""A gait as references of a whole-body controller, stride after stride; computed in C++."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.control.dynamics import Array
from robcogen_ros.errors import RobcogenError
from robcogen_ros.gait.result import Gait
from robcogen_ros.model.quaternions import rotation
from robcogen_ros.runtime.gait import Reference, motion_of
from robcogen_ros.runtime.objects import object_of, text_of
from robcogen_ros.runtime.state import RobotState
from robcogen_ros.runtime.whole_body import Motion

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a gait, in a world whose z is up and in which it goes along x.

    Attributes:
        trunk: Motion of the base's frame.
        turn: Rotation from the base to the world (3, 3).
        base_velocity: Spatial velocity of the base in its coordinates (6,).
        q: Positions of the joints (n,).
        qd: Velocities of the joints (n,).
        qdd: Accelerations of the joints (n,).
        tau: Forces of the joints (n,).
        forces: Of the ground on the feet, in axes of the world (contacts, 3) [N].
        standing: Which feet stand (contacts,).
    """

    trunk: Motion
    turn: Array
    base_velocity: Array
    q: Array
    qd: Array
    qdd: Array
    tau: Array
    forces: Array
    standing: NDArray[np.bool_]


class Playback:
    """References by which a robot moves in a gait, from where it is.

    Trunk and feet move as the gait says; its accelerations and its contact forces are fed forward.
    Two feet that are points cannot keep a robot from tipping over the line between them. So
    footholds move by the error that the capture point (Pratt 2006) will have at touch-down, and
    somewhat further, by which that error becomes less. Feet that land early stand from then on. For
    those that are late the gait waits a little: the feet that stood are not needed any more then,
    and the new ones cannot carry the robot yet. Controllers play gaits by the same code,
    `legged/playback.hpp`.

    Attributes:
        duration: Of a stride [s].
        time: Since the gait began [s].

    Example:
        >>> playback = Playback(robot, gait)
        >>> ground.place(**playback.state)
        >>> reference = playback.update(**state, closed=touching, cycle=0.001)
    """

    def __init__(self, robot: Any, gait: Gait | str | Path, *, time: float = 0.0) -> None:
        """Begins at a time of the gait.

        Args:
            robot: The robot of the gait, built with `whole_body=True`.
            gait: The gait, or its file, .csv.
            time: Where in the gait it begins [s].

        Raises:
            RobcogenError: If it is no gait of the robot, or one on steps.
        """
        if not isinstance(gait, Gait) and Path(gait).suffix != ".csv":
            expected = "a .csv, as robcogen gait -o FILE.csv writes it"
            raise RobcogenError(f"gait_file: {gait}: expected {expected}")
        self.time, self._contacts, self._begun = time, tuple(robot.contacts), False
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "gait.csv" if isinstance(gait, Gait) else Path(gait).absolute()
            if isinstance(gait, Gait):
                gait.save(file)
            given = {"file": str(file), "parameters": robot.parameters.array()}
            self._object = object_of(robot, "playback", given)
        problem = text_of(self._object.call("problem")["problem"])
        if problem:
            raise RobcogenError(problem)
        self.duration = float(self._object.call("at", time=0.0)["period"].item())

    def at(self, time: float) -> Moment:
        """Returns a moment of the gait.

        Args:
            time: Since it began, however many strides that is [s].
        """
        found = self._object.call("at", time=time)
        names = ("base_velocity", "q", "qd", "qdd", "tau", "forces")
        trunk = motion_of(found["trunk"])
        rest = {name: found[name].copy() for name in names}
        turn = rotation(np.asarray(trunk.orientation))
        return Moment(trunk=trunk, turn=turn, standing=found["stance"] > 0.5, **rest)

    @property
    def state(self) -> dict[str, Array]:
        """The robot's state in the gait; arguments of `robot.ground().place()`."""
        now = self.at(self.time)
        return {
            "q": now.q,
            "position": np.asarray(now.trunk.position),
            "orientation": np.asarray(now.trunk.orientation),
            "base_velocity": now.base_velocity,
            "qd": now.qd,
        }

    def update(
        self, q: ArrayLike, *, closed: ArrayLike, cycle: float, **state: Unpack[RobotState]
    ) -> Reference:
        """Returns the reference for now.

        Args:
            q: (n,) positions of the joints.
            closed: Which feet touch the ground: their names, or 1 or 0 of each.
            cycle: Time since the last call, 0 in the first one [s].
            **state: Where the base is and how all moves: what `State` has.
        """
        if not self._begun:
            self._object.call("begin", q=q, **state, time=self.time)
            self._begun = True
        touches = self._object.flags("closed", closed)
        found = self._object.call("update", q=q, **state, closed=touches, step=cycle)
        self.time = float(found["time"].item())
        each = zip(self._contacts, found["stance"], found["feet"], found["wrenches"], strict=True)
        feet = {name: (stance, motion, wrench) for name, stance, motion, wrench in each}
        return Reference(
            trunk=motion_of(found["trunk"]),
            swing={name: motion_of(m) for name, (stance, m, _) in feet.items() if not stance},
            posture=found["posture"].copy(),
            stepping=True,
            wrenches={name: w.copy() for name, (stance, _, w) in feet.items() if stance},
        )

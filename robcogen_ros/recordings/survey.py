"""Survey of a recording before it is used: its length, ranges, whether rates fit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from robcogen_ros.errors import RobcogenError
from robcogen_ros.recordings.motion import Array, Motion

_STEPS = 1000
_LOOSE, _SURE = 0.2, 5.0
"""Part by which velocities may differ from changes of positions, and standard errors that this must
be beyond."""
_STILL = 1e-3
"""Range of positions within which a joint rests [rad or m]."""
_ORDER = 6
_FACTORS = {
    180 / np.pi: "positions in degrees",
    np.pi / 180: "velocities in degrees",
    1000.0: "times in ms",
    1e-3: "times in ms",
}


@dataclass(frozen=True)
class Survey:
    """Contents of a recording.

    Attributes:
        states: How many.
        duration: From the first to the last [s]; 0 without times.
        step: Between two states, the median of the first ones [s]; 0 without times.
        lowest: (n,) least position of each joint [rad or m].
        highest: (n,) greatest.
        constant: (n,) whether the effort of a joint never changes.
        noise: Of positions `q`, and of velocities `qd` that are used: (n,) standard deviations of
            what is not smooth from state to state [rad or m].
        velocities: Why recorded velocities are not used; empty if they are, or if there are none.
        accelerations: The same.
    """

    states: int
    duration: float
    step: float
    lowest: Array
    highest: Array
    constant: Array
    noise: dict[str, Array]
    velocities: str = ""
    accelerations: str = ""

    def beyond(
        self, joints: Sequence[str], lower: Array, upper: Array, slack: float
    ) -> dict[str, float]:
        """Returns for each joint that was beyond its position limits how many times as far.

        Args:
            joints: Names of the joints.
            lower: (n,) least position of each.
            upper: (n,) greatest.
            slack: How far beyond counts [rad or m].
        """
        far = np.maximum(np.abs(self.lowest), np.abs(self.highest))
        limit = np.maximum(np.abs(lower), np.abs(upper))
        out = (self.lowest < lower - slack) | (self.highest > upper + slack)
        return {
            joints[k]: float(far[k] / max(limit[k], slack)) for k in np.flatnonzero(out).tolist()
        }


def surveyed(file: str, joints: Sequence[str], motions: Iterable[Motion]) -> Survey:
    """Returns what a recording holds.

    Args:
        file: The recording.
        joints: Names of the joints.
        motions: Blocks of it.

    Raises:
        RobcogenError: If it has no states, or its times do not tell these apart.
    """
    lowest, highest = np.full((2, len(joints)), np.inf) * [[1], [-1]]
    begin = end = step = 0.0
    first_efforts: Array | None = None
    constant = np.ones(len(joints), dtype=bool)
    states, rates, odd = 0, _Rates(len(joints)), {"qd": "", "qdd": ""}
    rough = {"q": _Roughness(len(joints)), "qd": _Roughness(len(joints))}
    for motion in motions:
        lowest = np.minimum(lowest, motion.q.min(axis=0))
        highest = np.maximum(highest, motion.q.max(axis=0))
        first_efforts = motion.tau[0] if first_efforts is None else first_efforts
        constant &= (motion.tau == first_efforts).all(axis=0)
        if motion.time is not None:
            if not states:
                begin = float(motion.time[0])
                step = float(np.median(np.diff(motion.time[:_STEPS]))) if len(motion) > 1 else 0.0
            end = float(motion.time[-1])
        for name, words in (("qd", "velocity"), ("qdd", "acceleration")):
            array = getattr(motion, name)
            if array is not None and not odd[name] and not np.isfinite(array).all():
                row, k = np.argwhere(~np.isfinite(array))[0].tolist()
                time = "" if motion.time is None else f" at {motion.time[row]:.6f} s"
                odd[name] = (
                    f"{words} of {joints[k]} is {array[row, k]}{time} (state {states + row})"
                )
        rates.add(motion)
        for name, found in rough.items():
            found.add(getattr(motion, name))
        states += len(motion)
    if not states:
        raise RobcogenError(f"{file}: no states")
    unused = odd["qd"] or rates.told(joints, highest - lowest > _STILL)
    noise = {name: found.deviation() for name, found in rough.items() if found.count}
    if unused:
        noise.pop("qd", None)
    return Survey(
        states,
        end - begin,
        step,
        lowest,
        highest,
        constant,
        noise,
        unused,
        odd["qdd"],
    )


class _Roughness:
    """Differences of the sixth order between neighbours, which smooth motions have nearly none of.

    Attributes:
        count: How many were seen.
    """

    def __init__(self, joints: int) -> None:
        self.count, self._squares = 0, np.zeros(joints)

    def add(self, values: Array | None) -> None:
        """Takes the states of a block."""
        if values is not None and len(values) > _ORDER:
            rest = np.diff(values, _ORDER, axis=0)
            self.count += len(rest)
            self._squares += (rest**2).sum(axis=0)

    def deviation(self) -> Array:
        """Returns the standard deviation of noise that would make them."""
        of_noise = sum(math.comb(_ORDER, k) ** 2 for k in range(_ORDER + 1))
        return np.asarray(np.sqrt(self._squares / self.count / of_noise), dtype=np.float64)


class _Rates:
    """Changes of positions, beside what velocities say of them."""

    def __init__(self, joints: int) -> None:
        self._count = 0
        self._squares, self._products, self._changes = np.zeros((3, joints))

    def add(self, motion: Motion) -> None:
        """Takes the steps within a block."""
        if motion.qd is None or motion.time is None or len(motion) < 2:
            return
        step = np.diff(motion.time)[:, None]
        said, done = (motion.qd[1:] + motion.qd[:-1]) / 2 * step, np.diff(motion.q, axis=0)
        self._count += len(said)
        self._squares += (said**2).sum(axis=0)
        self._products += (said * done).sum(axis=0)
        self._changes += (done**2).sum(axis=0)

    def told(self, joints: Sequence[str], moved: Array) -> str:
        """Returns why velocities are none of these positions; empty if they may be."""
        if not self._count:
            return ""
        for k in np.flatnonzero(moved).tolist():
            if not self._squares[k]:
                return f"velocities of {joints[k]} are zero while it moves"
            slope = self._products[k] / self._squares[k]
            left = max(self._changes[k] - slope * self._products[k], 0.0)
            error = np.sqrt(left / self._count / self._squares[k])
            if abs(slope - 1) > max(_LOOSE, _SURE * error):
                known = [w for f, w in _FACTORS.items() if abs(abs(slope) / f - 1) < _LOOSE]
                sign = ["opposite signs"] if slope < 0 else []
                words = " and ".join([*known, *sign])
                return (
                    f"positions of {joints[k]} change by {slope:.4g} times what its velocities say"
                    + (f" ({words}?)" if words else "")
                )
        return ""

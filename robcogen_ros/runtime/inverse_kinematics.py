"""Inverse kinematics of a chain between two frames: all positions that bring its end to a place."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.arguments import Signature, checked_array, checked_number
from robcogen_ros.runtime.evaluators.evaluator import Evaluator
from robcogen_ros.runtime.objects import CompiledObject
from robcogen_ros.runtime.parameters import Parameters
from robcogen_ros.runtime.robots.frames import Frames

Array = NDArray[np.float64]

_WAYS = (
    "in closed form",
    "near a closed form, improved by Newton's steps",
    "by elimination",
    "by search",
)
_ELIMINATION, _SEARCH = 2, 3
_SHAPES = ("three", "five", "six", "arm angle", "fixed", "any")


@dataclass(frozen=True)
class Solutions:
    """Positions that bring the end of a chain to a place.

    Attributes:
        positions: (k, n) of the joints of the chain, nearest to the seed first [rad or m].
        margins: (k,) to singular positions: one over the Frobenius norm of the inverse Jacobian,
            its rows of positions divided by the length of the chain; 0 where it is singular.
        distinct: How many there are without limits and whole turns.
        merged: How many starts near a closed form came out as one that was there already.
        excluded: How many of the distinct ones the limits of each joint exclude, by its name.
    """

    positions: Array
    margins: Array
    distinct: int
    merged: int
    excluded: dict[str, int]


class InverseKinematics:
    """All positions of the joints between two frames that bring the second one to a place.

    Attributes:
        joint_names: Names of the joints, from the first frame outwards.
        way: How positions are found, in words.
        closed: Whether all solutions are found, in closed form.
        redundancy: What a seventh joint leaves open: "arm angle", the name of a joint, or None.

    Example:
        >>> solver = arm.inverse_kinematics_between("base_link", "tool0")
        >>> found = solver.solve(pose, seed=q)
        >>> q_next = found.positions[0]  # the nearest of all
    """

    def __init__(
        self, evaluator: Evaluator, frames: tuple[str, str], settings: Mapping[str, ArrayLike]
    ) -> None:
        """Finds out how positions are found.

        Args:
            evaluator: Who computes the functions of the robot.
            frames: Names of the frame that carries the chain, and of the one at its end.
            settings: See `Robot.inverse_kinematics_between`.

        Raises:
            RobcogenError: If no chain leads from one to the other.
        """
        known = Frames(evaluator.summary)
        numbers = [
            known.index(name, what) for name, what in zip(frames, ("base", "target"), strict=True)
        ]
        self._between = f"from '{frames[0]}' to '{frames[1]}'"
        self._object = CompiledObject(
            evaluator, "inverse_kinematics", {"frames": numbers, **settings}
        )
        try:
            about = self._object.call("describe")
        except RobcogenError as error:
            raise RobcogenError(f"inverse kinematics {self._between}: {error}") from None
        number = {name: int(values[0]) for name, values in about.items()}
        self._n = number["count"]
        names = [coordinate.name for coordinate in evaluator.summary.coordinates]
        self.joint_names = tuple(names[int(i)] for i in about["joints"][: self._n])
        self.closed = number["way"] == 0
        shape = _SHAPES[number["shape"]]
        given = self.joint_names[number["redundant"]] if number["redundant"] >= 0 else None
        self.redundancy = (
            None if number["way"] == _SEARCH else "arm angle" if shape == "arm angle" else given
        )
        self.way = _way_in_words(self.joint_names, number, shape, self.redundancy)

    def solve(
        self,
        pose: ArrayLike,
        *,
        axis: ArrayLike | None = None,
        seed: ArrayLike | None = None,
        redundancy: float | None = None,
        limits: bool = True,
        timeout: float = 0.05,
    ) -> Solutions:
        """Returns all positions of the joints that bring the target to a place.

        Args:
            pose: (4, 4) homogeneous transform of the target in the base; (3,) its position where
                there are fewer than five joints [m].
            axis: (3,) unit vector in the target's coordinates: only where it points and the
                position are wanted, not the turn about it.
            seed: (n,) positions; solutions near them come first. By default the middle of limits.
            redundancy: The arm angle, or the position of the joint that `redundancy` names [rad].
                By default the seed's, or the next one at which there are solutions.
            limits: Whether limits are kept, and all positions within them returned that differ by
                whole turns. Otherwise angles are the nearest to the seed's.
            timeout: Of a search, or of values of a redundancy by elimination [s].

        Raises:
            Fault: If the rotation of the pose is none, a number is not finite, or the redundancy is
                out of the limits of its joint.
            TypeError: If an argument is of another kind.
            ValueError: If an argument has another shape.
        """
        if not isinstance(limits, bool | np.bool_):
            raise TypeError(f"limits: expected True or False, found {limits!r}")
        given = None if redundancy is None else checked_number("redundancy", redundancy)
        found = self._object.call(
            "solve",
            redundancy=given,
            limits=float(limits),
            timeout=checked_number("timeout", timeout),
            **self._place(pose, axis, seed),
        )
        count, n = int(found["count"][0]), self._n
        positions = found["positions"].reshape(-1)[: count * n].reshape(count, n).copy()
        excluded = dict(zip(self.joint_names, found["excluded"].astype(int).tolist(), strict=False))
        return Solutions(
            positions,
            found["margins"][:count].copy(),
            int(found["distinct"][0]),
            int(found["merged"][0]),
            {name: number for name, number in excluded.items() if number},
        )

    def nearest(
        self, pose: ArrayLike, *, axis: ArrayLike | None = None, seed: ArrayLike | None = None
    ) -> tuple[Array, float, float]:
        """Returns positions that come nearest to a place that is out of reach, whatever limits say.

        Args:
            pose: See `solve`.
            axis: See `solve`.
            seed: (n,) positions that are tried first.

        Returns:
            The positions (n,), and how far the target then is from the place: by an angle [rad],
            and by a distance [m]. The sum of their squares is least, at least from there.
        """
        found = self._object.call("nearest", **self._place(pose, axis, seed))
        return (
            found["positions"][: self._n].copy(),
            float(found["angle"][0]),
            float(found["distance"][0]),
        )

    def _place(
        self, pose: ArrayLike, axis: ArrayLike | None, seed: ArrayLike | None
    ) -> dict[str, ArrayLike | None]:
        whole = np.eye(4)
        if self._n < 5 and np.shape(pose) == (3,):
            whole[:3, 3] = checked_array("pose", pose, (3,))
        else:
            whole = checked_array("pose", pose, (4, 4))
            if whole.ndim > 2:
                raise ValueError(f"pose: expected one of shape (4, 4), found {whole.shape}")
            if not (whole[3] == [0, 0, 0, 1]).all():
                raise ValueError(f"pose: expected 0 0 0 1 in the last row, found {whole[3]}")
        given: Array | None = None
        if seed is not None:
            given = np.zeros(len(self._object.call("describe")["joints"]))
            of_chain = f"seed, of {', '.join(self.joint_names)}"
            given[: self._n] = checked_array(of_chain, seed, (self._n,))
        return {"pose": whole.T, "axis": axis, "seed": given}


def _way_in_words(
    names: Sequence[str], number: Mapping[str, int], shape: str, redundancy: str | None
) -> str:
    """Returns how positions are found, in words."""
    way = _WAYS[number["way"]]
    if number["way"] == _SEARCH:
        return f"{len(names)} joints: {way}, which may miss solutions"
    others = [name for name in names if name != redundancy]
    order = others[::-1] if number["reversed"] else others
    special = {
        0: "",
        1: f": the axes of {', '.join(order[3:])} meet",
        2: f": the axes of {', '.join(order[1:4])} are parallel",
    }[number["special"] if shape in ("five", "six", "fixed") else 0]
    if shape == "arm angle":
        special = f": the axes of {', '.join(names[:3])} meet, those of {', '.join(names[4:])} too"
    given = f"; given {redundancy}" if redundancy else ""
    most = 4 if shape == "three" else 16 if number["way"] == _ELIMINATION else 8
    return (
        f"{len(names)} joints {way}{special}{given}; at most {most} solutions but for whole turns"
    )


class PlacedRobot(ABC):
    """A robot whose joints can be found from where its frames are to be."""

    parameters: Parameters
    _evaluator: Evaluator

    def inverse_kinematics(
        self,
        base: str,
        target: str,
        position_or_pose: ArrayLike,
        branch: ArrayLike | None = None,
        **options: Any,
    ) -> tuple[Array, Array]:
        """Returns positions of the joints from one frame to another, and margins.

        Without `branch` these are all that there are, (k, n) and (k,), of one place: see
        `InverseKinematics.solve`, whose options it takes.

        With `branch` it is one of them, (n,) and (), by a generated function in closed form, also
        of batches. Angles are within half a turn; NaN where the place is out of reach. The margin
        is 1 amidst what the limb reaches, 0 at the end of it, negative beyond.

        Args:
            base: Frame that carries the limb.
            target: Frame of the limb.
            position_or_pose: Of the target in the base: (3,) where there are three joints [m],
                (4, 4) where there are more.
            branch: (2,) or (3,) 1 or -1, for one or the other solution.
            options: `axis`, `seed`, `redundancy`, `limits`, `timeout`.

        Raises:
            ValueError: If a branch is neither 1 nor -1, or an argument has another shape.
            RobcogenError: If no chain leads from one frame to the other.
            Fault: If the pose's rotation is none.
        """
        if branch is None:
            found = self.inverse_kinematics_between(base, target).solve(position_or_pose, **options)
            return found.positions, found.margins
        if options:
            raise TypeError(f"'{min(options)}' goes without a branch")
        name = f"{base}_inverse_kinematics_{target}"
        (given, place), (_, (count,)) = self._signature(name).shapes.items()
        chosen = checked_array("branch", branch, (count,))
        if not (np.abs(chosen) == 1).all():
            raise ValueError(f"branch: expected 1 or -1, found {branch!r}")
        found_one = self._call(
            name, {given: checked_array(given, position_or_pose, place), "branch": chosen}
        )
        return found_one["q"], found_one["margin"]

    def inverse_kinematics_between(
        self,
        base: str,
        target: str,
        *,
        angle_tolerance: float = 0.02,
        length_tolerance: float = 5e-3,
    ) -> InverseKinematics:
        """Returns what finds the positions of the joints from one frame to another.

        Args:
            base: Frame that carries the chain.
            target: Frame at its end.
            angle_tolerance: How far axes may be off a closed form [rad].
            length_tolerance: The same of points where they meet [m].

        Raises:
            RobcogenError: If no chain leads from one to the other.
        """
        settings: dict[str, ArrayLike] = {
            "angle_tolerance": angle_tolerance,
            "length_tolerance": length_tolerance,
            "parameters": self.parameters.array(),
        }
        key = base, target, *(np.asarray(value).tobytes() for value in settings.values())
        known = vars(self._solvers).setdefault("known", {})
        if key not in known:
            known[key] = InverseKinematics(self._evaluator, (base, target), settings)
        return known[key]  # type: ignore[no-any-return]

    @cached_property
    def _solvers(self) -> threading.local:
        """Solvers of positions, apart for each thread."""
        return threading.local()

    @abstractmethod
    def _signature(self, name: str) -> Signature:
        """The arguments of a function."""

    @abstractmethod
    def _call(self, name: str, arguments: dict[str, ArrayLike | None]) -> dict[str, Array]:
        """Results of a function."""

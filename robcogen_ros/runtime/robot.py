"""A robot to compute with: dynamics and kinematics on float64 arrays, batches included.

Every method takes leading batch dimensions on every argument. Units are SI, angles in radians,
spatial vectors angular first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.names import nearest
from robcogen_ros.runtime import sparse_patterns
from robcogen_ros.runtime.arguments import Signature, checked_array, common_batch
from robcogen_ros.runtime.compiling.modules import CASADI, READABLE, casadi_function
from robcogen_ros.runtime.evaluators.evaluator import Evaluator
from robcogen_ros.runtime.inverse_kinematics import PlacedRobot
from robcogen_ros.runtime.momentum_observer import ObservedRobot
from robcogen_ros.runtime.parameters import Parameters
from robcogen_ros.runtime.robots.frames import Frames
from robcogen_ros.runtime.robots.loop_functions import LoopFunctions
from robcogen_ros.runtime.robots.reduced_functions import ReducedFunctions
from robcogen_ros.runtime.robots.stability_functions import StabilityFunctions
from robcogen_ros.runtime.task_space import TaskSpace, rows_of

Array = NDArray[np.float64]


class Robot(ReducedFunctions, StabilityFunctions, LoopFunctions, ObservedRobot, PlacedRobot):
    """Base of robots with a fixed and with a floating base.

    Attributes:
        parameters: Values of named parameters, used by every later call.
    """

    def __init__(self, evaluator: Evaluator, parameters: Mapping[str, float] | None = None) -> None:
        """A robot.

        Args:
            evaluator: Who computes its functions.
            parameters: Values of all parameters; by default those of the model.
        """
        super().__init__(evaluator.summary)
        self._evaluator = evaluator
        self._signatures = {f.name: Signature(f) for f in self._summary.functions}
        self._frames = Frames(self._summary)
        self.parameters = Parameters(evaluator, parameters)

    def __reduce__(self) -> tuple[Callable[..., Robot], tuple[Evaluator, dict[str, float]]]:
        """Copies share what computes, which never changes; each has parameters of its own."""
        return type(self), (self._evaluator, dict(self.parameters))

    def __repr__(self) -> str:
        base = "floating" if self.floating_base else "fixed"
        return f"<{type(self).__name__} '{self.name}': {self.n} coordinates, {base} base>"

    @property
    def frame_names(self) -> tuple[str, ...]:
        """Names of the frames."""
        return self._frames.names

    @property
    def library_path(self) -> str | None:
        """The compiled library; None where the robot is interpreted."""
        return self._evaluator.library_path

    @property
    def operation_counts(self) -> dict[str, dict[str, int]]:
        """Operations of each function's usual call, by kind."""
        return {name: self._evaluator.operations(name) for name in self._signatures}

    @property
    def fixed_frames(self) -> dict[str, tuple[str, Array]]:
        """Links that are fixed on others: by name the other link, and the pose (4, 4) in it."""
        poses, index = self.frame_poses(np.zeros(self.n)), self._frames.index
        return {
            child: (parent, np.linalg.inv(poses[index(parent)]) @ poses[index(child)])
            for _, parent, child, fixed in self._summary.attachments
            if fixed
        }

    def carrier(self, frame: str) -> tuple[int, Array]:
        """The link that a frame is fixed on: its number in `link_names`, and the pose (4, 4) in it.

        Args:
            frame: One of `frame_names`.

        Raises:
            RobcogenError: If there is no such frame.
        """
        frames, at = self._summary.frames, self._frames.index(frame)
        own = [self.link_frames[name] for name in self.link_names]
        link = [frames[i].link for i in own].index(frames[at].link)
        poses = self.frame_poses(np.zeros(self.n))
        return link, np.linalg.inv(poses[own[link]]) @ poses[at]

    def inertia_matrix(self, q: ArrayLike) -> Array:
        """Joint-space inertia matrix H: (n, n); floating base (6+n, 6+n), base first."""
        return self._single("inertia_matrix", {"q": q})

    def inertia_matrix_entries(self, q: ArrayLike) -> Array:
        """Entries of the upper triangle of H that are not always zero, column by column.

        `inertia_matrix_pattern` tells where they are; with SciPy the triangle is
        `csc_array((entries, *robot.inertia_matrix_pattern))`.
        """
        return self._single("inertia_matrix_entries", {"q": q})

    @property
    def inertia_matrix_pattern(self) -> sparse_patterns.CompressedColumns:
        """The row of each entry, and where each column begins, as compressed columns have them."""
        return self.derivative_patterns.dtau_dqdd

    @cached_property
    def derivative_patterns(self) -> sparse_patterns.DerivativePatterns:
        """Patterns of the results of `inverse_dynamics_derivatives_entries`."""
        return sparse_patterns.derivative_patterns(self._summary)

    def inertia_factor(self, q: ArrayLike) -> Array:
        """Lower triangular L with L.T @ L = H."""
        return self._single("inertia_factor", {"q": q})

    def inertia_matrix_inverse(self, q: ArrayLike) -> Array:
        """The inverse of H."""
        return self._single("inertia_matrix_inverse", {"q": q})

    def solve_inertia(self, q: ArrayLike, b: ArrayLike) -> Array:
        """The x with H x = b, by sparse factors: (n,), or (6+n,) of a floating base."""
        return self._single("solve_inertia", {"q": q, "b": b})

    @overload
    def total_mass(self) -> float: ...

    @overload
    def total_mass(self, q: ArrayLike) -> Array: ...

    def total_mass(self, q: ArrayLike | None = None) -> float | Array:
        """Mass of all links, the base's too [kg].

        Args:
            q: (n,) positions, which change nothing; a batch gives as many results.
        """
        if q is None:
            return float(self._single("total_mass", {"q": np.zeros(self.n)}))
        return self._single("total_mass", {"q": q})

    def center_of_mass(self, q: ArrayLike) -> Array:
        """Center of all masses, the base's too, base coordinates: (3,) [m]."""
        return self._single("center_of_mass", {"q": q})

    def center_of_mass_jacobian(self, q: ArrayLike) -> Array:
        """Velocity of the center of mass per unit rates, axes of the base: (3, n).

        A floating base has six columns more, its own first.
        """
        return self._single("center_of_mass_jacobian", {"q": q})

    def centroidal_momentum_matrix(self, q: ArrayLike) -> Array:
        """Momentum [angular; linear] about the center of mass, per unit rates: (6, n).

        Axes are parallel to the base's. A floating base has six columns more, its own first.
        """
        return self._single("centroidal_momentum_matrix", {"q": q})

    def frame_poses(self, q: ArrayLike) -> Array:
        """Poses base_X_frame of all frames: (frames, 4, 4), in the order of `frame_names`."""
        return self._frames.homogeneous(self._call("kinematics", {"q": q})["poses"])

    def transform(self, to: str, frm: str, q: ArrayLike, kind: str = "homogeneous") -> Array:
        """The transform to_X_frm of coordinates in one frame to those in another.

        Args:
            to: Frame of the result's coordinates.
            frm: Frame of the given coordinates.
            kind: "homogeneous" (4, 4), or "motion" or "force" (6, 6), angular first.

        Example:
            >>> place = robot.transform("trunk", "LF_foot", q)[:3, 3]  # of the foot, in the trunk
        """
        return self._frames.transform(self._call("kinematics", {"q": q})["poses"], to, frm, kind)

    def jacobian(self, base: str, target: str, q: ArrayLike) -> Array:
        """Geometric Jacobian (6, n): motion of one frame relative to another.

        Rows are the angular velocity of the target's link, then the velocity of the target's
        origin, relative to frame `base` and in its coordinates.

        Args:
            base: Frame relative to which and in whose axes the motion is meant.
            target: Frame that moves.

        Example:
            >>> velocity = robot.jacobian("trunk", "LF_foot", q) @ qd  # [w; v]
        """
        values = self._call("kinematics", {"q": q})
        return self._frames.jacobian(values["poses"], values["axes"], base, target)

    def bias_acceleration(
        self,
        base: str | None,
        target: str,
        q: ArrayLike,
        qd: ArrayLike,
        *,
        base_velocity: ArrayLike | None = None,
    ) -> Array:
        """Acceleration of a frame where no joint accelerates, dJ/dt qd: (6,), angular first.

        The linear part is the classical acceleration of the frame's origin.

        Args:
            base: Frame relative to which and in whose axes it is meant, as in `jacobian`; None
                for space, in the axes of the base.
            target: Frame that moves.
            base_velocity: (6,) velocity of a floating base, where it is meant in space.
        """
        given = np.zeros(6) if base_velocity is None else base_velocity
        moving = checked_array("base_velocity", given, (6,)), checked_array("qd", qd, (self.n,))
        values = self._call("kinematics", {"q": q})
        common_batch(
            {"q": values["poses"].shape[:-2]}
            | {"base_velocity": moving[0].shape[:-1], "qd": moving[1].shape[:-1]}
        )
        return self._frames.bias_acceleration(values["poses"], values["axes"], base, target, moving)

    def operational_space(
        self,
        base: str | None,
        target: str,
        q: ArrayLike,
        *,
        task: str = "pose",
        damping: ArrayLike | None = None,
        kinematic: bool = False,
    ) -> TaskSpace:
        """Mobility, inertia, generalised inverse and null space of the motion of a frame.

        Args:
            base: Frame relative to which it moves; None for space, or the base that is fixed.
            target: Frame that moves.
            task: "pose", "position", "orientation", "position_x" and other single axes.
            damping: A value a row, added to the diagonal of what is inverted: it is regular then.
            kinematic: Whether inertia is left out: pseudoinverse and kinematic null space.

        Example:
            >>> space = robot.operational_space("trunk", "LF_foot", q, task="position")
            >>> Lambda, N = space.inertia(), space.null_space()
        """
        J = self._task_jacobian(base, target, q)[..., rows_of(task), :]
        H = None if kinematic else self.inertia_matrix(q)
        return TaskSpace(J, H, damping, f"the {task} of '{target}'")

    def evaluate(self, name: str, **arguments: ArrayLike) -> dict[str, Array]:
        """Any generated function by its name, such as `base_J_foot`: all outputs by name.

        Args:
            name: The function, among the keys of `required_inputs`.
            **arguments: Its inputs by name, as docs/functions.md lists them.

        Raises:
            RobcogenError: If the robot was generated without it, or cannot have it.
            TypeError: If an input is missing, unknown, or holds no real numbers.
            ValueError: If an input has another shape.

        Example:
            >>> H = robot.evaluate("inertia_matrix", q=q)["H"]
        """
        self._signature(name).named(arguments)
        return self._call(name, dict(arguments))

    def casadi(self, name: str) -> Any:
        """Any generated function by its name, as a `casadi.Function` of one state.

        Inputs and outputs have the names and shapes of `evaluate`, vectors as columns, entries
        that are always zero as structural zeros. Arguments that may be left out are inputs of
        `<name>_general` only. Of a robot with open parameters the last input is `parameters`, in
        the order of `robot.parameters`, whose values do not enter. `jacobian()` of inverse and
        forward dynamics takes our derivatives where these need fewer operations.

        Args:
            name: The function.

        Raises:
            ImportError: If there is no CasADi (`pip install casadi`).
        """
        function = name.removesuffix("_general") if isinstance(name, str) else name
        self._signature(function)
        return casadi_function(self._evaluator.module(CASADI, function), name)

    def readable(self, name: str, language: str = "python") -> str:
        """The algorithm of a generated function as a textbook writes it: docs/readable.md.

        Args:
            name: The function.
            language: "python" or "cpp".

        Returns:
            A page that can be run, or compiled, by itself.

        Raises:
            RobcogenError: If there is no such function or language, or colcon built the robot.
        """
        self._signature(name)
        if language not in READABLE:
            raise RobcogenError(f"no pages in '{language}'; there are {', '.join(READABLE)}")
        return self._evaluator.module(language, name)

    def _task_jacobian(self, base: str | None, target: str, q: ArrayLike) -> Array:
        """Returns the Jacobian over all degrees of freedom, the base's first if it floats."""
        if base is None and self.floating_base:
            values = self._call("kinematics", {"q": q})
            return self._frames.full_jacobian(values["poses"], values["axes"], target)
        J = self.jacobian(self.link_names[0] if base is None else base, target, q)
        still = np.zeros((*J.shape[:-1], 6 if self.floating_base else 0))
        return np.concatenate([still, J], axis=-1)

    def _call(self, name: str, arguments: dict[str, ArrayLike | None]) -> dict[str, Array]:
        signature = self._signature(name)
        arrays, batch = signature.checked(arguments)
        results = self._evaluator.call(name, arrays, self.parameters.constants(), batch)
        return signature.shaped(results, batch)

    def _signature(self, name: str) -> Signature:
        signature = self._signatures.get(name) if isinstance(name, str) else None
        if signature is None:
            raise RobcogenError(self._missing(name))
        return signature

    def _missing(self, name: str) -> str:
        reason = self._summary.unavailable.get(name)
        if reason is not None:
            return f"{name} of robot '{self.name}' is refused: {reason}"
        return self._where_none_follows(name) or (
            f"robot '{self.name}' was generated without {name}; name it in "
            f"{self._evaluator.wanted}{nearest(name, self._signatures)}"
        )

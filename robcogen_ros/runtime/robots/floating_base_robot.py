"""Dynamics of a robot whose base moves freely, on float64 arrays."""

from __future__ import annotations

from numpy.typing import ArrayLike

from robcogen_ros.runtime.derivatives import (
    ForwardDynamicsDerivatives,
    InverseDynamicsDerivatives,
)
from robcogen_ros.runtime.legged_robot import LeggedRobot
from robcogen_ros.runtime.robot import Array, Robot


class FloatingBaseRobot(LeggedRobot, Robot):
    """A robot whose base moves freely; base quantities are in base coordinates, angular first.

    Its acceleration is the true one, of which gravity is a part. Each array may have leading
    dimensions, a batch. Errors name the argument.

    Example:
        >>> robot = robcogen_ros.build("quadruped.kindsl", floating_base=True)
        >>> gravity = R.T @ [0, 0, -9.81]  # R from the base to the world
        >>> qdd, base_acceleration = robot.forward_dynamics(q, qd, tau, base_velocity, gravity)
    """

    def inverse_dynamics(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        base_velocity: ArrayLike,
        gravity: ArrayLike,
        *,
        external_forces: ArrayLike | None = None,
    ) -> tuple[Array, Array]:
        """Joint forces and base acceleration for a joint motion, no wrench on the base.

        Returns:
            tau (n,), and the true spatial acceleration of the base (6,), gravity included.
        """
        values = self._call(
            "inverse_dynamics",
            {
                "q": q,
                "qd": qd,
                "qdd": qdd,
                "base_velocity": base_velocity,
                "gravity": gravity,
                "external_forces": external_forces,
            },
        )
        return values["tau"], values["base_acceleration"]

    def inverse_dynamics_fully_actuated(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        base_velocity: ArrayLike,
        base_acceleration: ArrayLike,
        gravity: ArrayLike,
        *,
        external_forces: ArrayLike | None = None,
    ) -> tuple[Array, Array]:
        """Joint forces tau (n,) and the wrench on the base (6,) that give a motion."""
        values = self._call(
            "inverse_dynamics_fully_actuated",
            {
                "q": q,
                "qd": qd,
                "qdd": qdd,
                "base_velocity": base_velocity,
                "base_acceleration": base_acceleration,
                "gravity": gravity,
                "external_forces": external_forces,
            },
        )
        return values["tau"], values["base_wrench"]

    def gravity_torques(self, q: ArrayLike, gravity: ArrayLike) -> tuple[Array, Array]:
        """Joint forces tau (n,) and base wrench (6,) that hold the robot at rest."""
        values = self._call("gravity_torques", {"q": q, "gravity": gravity})
        return values["tau"], values["base_wrench"]

    def coriolis_torques(
        self, q: ArrayLike, qd: ArrayLike, base_velocity: ArrayLike
    ) -> tuple[Array, Array]:
        """Coriolis and centrifugal joint forces tau (n,) and base wrench (6,)."""
        values = self._call("coriolis_torques", {"q": q, "qd": qd, "base_velocity": base_velocity})
        return values["tau"], values["base_wrench"]

    def forward_dynamics(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        base_velocity: ArrayLike,
        gravity: ArrayLike,
        *,
        external_forces: ArrayLike | None = None,
    ) -> tuple[Array, Array]:
        """Accelerations qdd (n,) and the true base acceleration (6,) that joint forces give."""
        values = self._call(
            "forward_dynamics",
            {
                "q": q,
                "qd": qd,
                "tau": tau,
                "base_velocity": base_velocity,
                "gravity": gravity,
                "external_forces": external_forces,
            },
        )
        return values["qdd"], values["base_acceleration"]

    def kinetic_energy(self, q: ArrayLike, qd: ArrayLike, base_velocity: ArrayLike) -> Array:
        """Kinetic energy of all links: () [J]."""
        arguments = {"q": q, "qd": qd, "base_velocity": base_velocity}
        return self._single("kinetic_energy", {**arguments})

    def potential_energy(self, q: ArrayLike, gravity: ArrayLike) -> Array:
        """Energy of all masses under gravity, zero at the origin of the base: () [J]."""
        return self._single("potential_energy", {"q": q, "gravity": gravity})

    def link_velocities(self, q: ArrayLike, qd: ArrayLike, base_velocity: ArrayLike) -> Array:
        """Spatial velocity of each link in its own coordinates, base first: (links, 6)."""
        return self._by_link("link_velocities", _moving(q, qd, base_velocity))

    def link_accelerations(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        base_velocity: ArrayLike,
        base_acceleration: ArrayLike,
    ) -> Array:
        """Spatial acceleration of each link in its own coordinates, base first: (links, 6)."""
        more = {"qdd": qdd, "base_acceleration": base_acceleration}
        return self._by_link("link_accelerations", {**_moving(q, qd, base_velocity), **more})

    def joint_wrenches(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        base_velocity: ArrayLike,
        base_acceleration: ArrayLike,
        gravity: ArrayLike,
        *,
        external_forces: ArrayLike | None = None,
    ) -> Array:
        """Wrench on each link through the joint that carries it: (links, 6), link coordinates.

        The base's is what must act on it for the motion given.
        """
        return self._by_link(
            "joint_wrenches",
            {
                **_moving(q, qd, base_velocity),
                "qdd": qdd,
                "base_acceleration": base_acceleration,
                "gravity": gravity,
                "external_forces": external_forces,
            },
        )

    def center_of_mass_velocity(
        self, q: ArrayLike, qd: ArrayLike, base_velocity: ArrayLike
    ) -> Array:
        """Velocity of the center of mass, axes of the base: (3,) [m/s]."""
        return self._single("center_of_mass_velocity", _moving(q, qd, base_velocity))

    def centroidal_momentum_bias(
        self, q: ArrayLike, qd: ArrayLike, base_velocity: ArrayLike
    ) -> Array:
        """Rate of the centroidal momentum where nothing accelerates, dA/dt [v0; qd]: (6,)."""
        return self._single("centroidal_momentum_bias", _moving(q, qd, base_velocity))

    def generalized_momentum(
        self, q: ArrayLike, qd: ArrayLike, base_velocity: ArrayLike, gravity: ArrayLike
    ) -> tuple[Array, Array]:
        """Momentum H v (6+n,) of base and coordinates, and its rate (6+n,) where no forces act.

        The momentum changes by [wrench on the base; tau] + J' f + bias, bias = C' v - g, less
        friction. The base's six are [angular; linear] momentum of the whole robot about the
        base's origin, in its turning coordinates: there C' v is -v0 x* of it.
        """
        arguments = {**_moving(q, qd, base_velocity), "gravity": gravity}
        values = self._call("generalized_momentum", arguments)
        return values["momentum"], values["bias"]

    def inverse_dynamics_derivatives(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        base_velocity: ArrayLike,
        base_acceleration: ArrayLike,
        gravity: ArrayLike,
        *,
        external_forces: ArrayLike | None = None,
    ) -> InverseDynamicsDerivatives:
        """Derivatives of [base wrench; tau] of the fully actuated robot: (6+n, 6+n) each.

        Columns are those of the base first: turns and shifts of it in its own axes, its velocity,
        its acceleration. As it turns, gravity stays where it is in space.
        """
        found = self._call(
            "inverse_dynamics_derivatives",
            {
                **_moving(q, qd, base_velocity),
                "qdd": qdd,
                "base_acceleration": base_acceleration,
                "gravity": gravity,
                "external_forces": external_forces,
            },
        )
        return InverseDynamicsDerivatives(**found)

    def inverse_dynamics_derivatives_entries(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        base_velocity: ArrayLike,
        base_acceleration: ArrayLike,
        gravity: ArrayLike,
        *,
        external_forces: ArrayLike | None = None,
    ) -> InverseDynamicsDerivatives:
        """Returns each derivative's entries that are not always zero; of H its upper triangle.

        `derivative_patterns` tells where they are; with SciPy the first is
        `csc_array((found.dtau_dq, *robot.derivative_patterns.dtau_dq))`.
        """
        found = self._call(
            "inverse_dynamics_derivatives_entries",
            {
                **_moving(q, qd, base_velocity),
                "qdd": qdd,
                "base_acceleration": base_acceleration,
                "gravity": gravity,
                "external_forces": external_forces,
            },
        )
        return InverseDynamicsDerivatives(*found.values())

    def forward_dynamics_derivatives(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        base_velocity: ArrayLike,
        gravity: ArrayLike,
        *,
        external_forces: ArrayLike | None = None,
    ) -> ForwardDynamicsDerivatives:
        """Derivatives of [base acceleration; qdd]: (6+n, 6+n) each, the base's columns first."""
        found = self._call(
            "forward_dynamics_derivatives",
            {
                **_moving(q, qd, base_velocity),
                "tau": tau,
                "gravity": gravity,
                "external_forces": external_forces,
            },
        )
        return ForwardDynamicsDerivatives(**found)

    def inverse_dynamics_regressor(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        base_velocity: ArrayLike,
        base_acceleration: ArrayLike,
        gravity: ArrayLike,
    ) -> Array:
        """The regressor Y of [base wrench; tau]: (6+n, 10 links)."""
        more = {"qdd": qdd, "base_acceleration": base_acceleration, "gravity": gravity}
        arguments = {**_moving(q, qd, base_velocity), **more}
        return self._single("inverse_dynamics_regressor", arguments)

    def inverse_dynamics_parameter_derivatives(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        base_velocity: ArrayLike,
        base_acceleration: ArrayLike,
        gravity: ArrayLike,
        *,
        external_forces: ArrayLike | None = None,
    ) -> Array:
        """Derivatives of [base wrench; tau] by the parameters, in their order."""
        return self._single(
            "inverse_dynamics_parameter_derivatives",
            {
                **_moving(q, qd, base_velocity),
                "qdd": qdd,
                "base_acceleration": base_acceleration,
                "gravity": gravity,
                "external_forces": external_forces,
            },
        )

    def full_jacobian(self, target: str, q: ArrayLike) -> Array:
        """Jacobian (6, 6+n) of a frame from [base_velocity; qd], in base coordinates.

        Args:
            target: Frame that moves, one of `frame_names`.
        """
        values = self._call("kinematics", {"q": q})
        return self._frames.full_jacobian(values["poses"], values["axes"], target)


def _moving(q: ArrayLike, qd: ArrayLike, base_velocity: ArrayLike) -> dict[str, ArrayLike | None]:
    return {"q": q, "qd": qd, "base_velocity": base_velocity}

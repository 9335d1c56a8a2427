"""Dynamics of a robot whose base is fixed, on float64 arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from robcogen_ros.runtime.derivatives import (
    ForwardDynamicsDerivatives,
    InverseDynamicsDerivatives,
)
from robcogen_ros.runtime.legged_robot import LeggedRobot
from robcogen_ros.runtime.robot import Array, Robot


class FixedBaseRobot(Robot):
    """A robot on a fixed base.

    Each array may have leading dimensions, a batch. Errors name the argument.

    Example:
        >>> arm = robcogen_ros.build("arm.urdf")
        >>> tau = arm.inverse_dynamics(q, qd, qdd)
        >>> H = arm.inertia_matrix(q)
        >>> J = arm.jacobian("base_link", "tool0", q)
    """

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Says what robots on legs alone have."""
            why = ""
            if name in vars(LeggedRobot) and not name.startswith("_"):
                why = ": its base is fixed; build it with floating_base=True and contacts"
            message = f"a {type(self).__name__} has no '{name}'{why}"
            raise AttributeError(message, name=name, obj=self)  # Python names the nearest

    @property
    def gravity(self) -> Array:
        """(3,) free fall in base coordinates where calls give none [m/s^2]."""
        return np.array(self._summary.gravity)

    def inverse_dynamics(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        *,
        external_forces: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
    ) -> Array:
        """Joint forces that give a motion: (n,) [N m or N]."""
        arguments = {"q": q, "qd": qd, "qdd": qdd}
        optional = {"gravity": gravity, "external_forces": external_forces}
        return self._single("inverse_dynamics", {**arguments, **optional})

    def gravity_torques(self, q: ArrayLike, *, gravity: ArrayLike | None = None) -> Array:
        """Joint forces that hold the robot at rest against gravity: (n,) [N m or N]."""
        return self._single("gravity_torques", {"q": q, "gravity": gravity})

    def coriolis_torques(self, q: ArrayLike, qd: ArrayLike) -> Array:
        """Coriolis and centrifugal joint forces: (n,) [N m or N]."""
        return self._single("coriolis_torques", {"q": q, "qd": qd})

    def forward_dynamics(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        *,
        external_forces: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
    ) -> Array:
        """Accelerations that joint forces give: (n,) [rad/s^2 or m/s^2]."""
        arguments = {"q": q, "qd": qd, "tau": tau}
        optional = {"gravity": gravity, "external_forces": external_forces}
        return self._single("forward_dynamics", {**arguments, **optional})

    def kinetic_energy(self, q: ArrayLike, qd: ArrayLike) -> Array:
        """Kinetic energy of all links: () [J]."""
        return self._single("kinetic_energy", {"q": q, "qd": qd})

    def potential_energy(self, q: ArrayLike, *, gravity: ArrayLike | None = None) -> Array:
        """Energy of all masses under gravity, zero at the origin of the base: () [J]."""
        return self._single("potential_energy", {"q": q, "gravity": gravity})

    def link_velocities(self, q: ArrayLike, qd: ArrayLike) -> Array:
        """Spatial velocity of each link in its own coordinates, base first: (links, 6)."""
        return self._by_link("link_velocities", {"q": q, "qd": qd})

    def link_accelerations(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike) -> Array:
        """Spatial acceleration of each link in its own coordinates, base first: (links, 6)."""
        return self._by_link("link_accelerations", {"q": q, "qd": qd, "qdd": qdd})

    def joint_wrenches(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        *,
        external_forces: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
    ) -> Array:
        """Wrench on each link through the joint that carries it: (links, 6), link coordinates.

        The base's is what holds it.
        """
        arguments = {"q": q, "qd": qd, "qdd": qdd}
        optional = {"gravity": gravity, "external_forces": external_forces}
        return self._by_link("joint_wrenches", {**arguments, **optional})

    def center_of_mass_velocity(self, q: ArrayLike, qd: ArrayLike) -> Array:
        """Velocity of the center of mass, axes of the base: (3,) [m/s]."""
        return self._single("center_of_mass_velocity", {"q": q, "qd": qd})

    def centroidal_momentum_bias(self, q: ArrayLike, qd: ArrayLike) -> Array:
        """Rate of the centroidal momentum where no joint accelerates, dA/dt qd: (6,)."""
        return self._single("centroidal_momentum_bias", {"q": q, "qd": qd})

    def generalized_momentum(
        self, q: ArrayLike, qd: ArrayLike, *, gravity: ArrayLike | None = None
    ) -> tuple[Array, Array]:
        """Momentum H qd (n,) of the coordinates, and its rate (n,) where no forces act.

        The momentum changes by tau + J' f + bias, bias = C' qd - g, less friction.
        """
        values = self._call("generalized_momentum", {"q": q, "qd": qd, "gravity": gravity})
        return values["momentum"], values["bias"]

    def inverse_dynamics_derivatives(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        *,
        external_forces: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
    ) -> InverseDynamicsDerivatives:
        """Derivatives of the joint forces by q, qd, qdd: (n, n) each."""
        arguments = {"q": q, "qd": qd, "qdd": qdd}
        optional = {"gravity": gravity, "external_forces": external_forces}
        found = self._call("inverse_dynamics_derivatives", {**arguments, **optional})
        return InverseDynamicsDerivatives(**found)

    def inverse_dynamics_derivatives_entries(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        *,
        external_forces: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
    ) -> InverseDynamicsDerivatives:
        """Returns each derivative's entries that are not always zero; of H its upper triangle.

        `derivative_patterns` tells where they are; with SciPy the first is
        `csc_array((found.dtau_dq, *robot.derivative_patterns.dtau_dq))`.
        """
        arguments = {"q": q, "qd": qd, "qdd": qdd}
        optional = {"gravity": gravity, "external_forces": external_forces}
        name = "inverse_dynamics_derivatives_entries"
        found = self._call(name, {**arguments, **optional})
        return InverseDynamicsDerivatives(*found.values())

    def forward_dynamics_derivatives(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        *,
        external_forces: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
    ) -> ForwardDynamicsDerivatives:
        """Derivatives of the accelerations by q, qd, tau: (n, n) each."""
        arguments = {"q": q, "qd": qd, "tau": tau}
        optional = {"gravity": gravity, "external_forces": external_forces}
        found = self._call("forward_dynamics_derivatives", {**arguments, **optional})
        return ForwardDynamicsDerivatives(**found)

    def inverse_dynamics_regressor(
        self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, *, gravity: ArrayLike | None = None
    ) -> Array:
        """The regressor Y with Y @ inertial_parameters().ravel() = tau: (n, 10 (links - 1))."""
        arguments = {"q": q, "qd": qd, "qdd": qdd, "gravity": gravity}
        return self._single("inverse_dynamics_regressor", arguments)

    def inverse_dynamics_parameter_derivatives(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        *,
        external_forces: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
    ) -> Array:
        """Derivatives of the joint forces by the parameters, in their order: (n, parameters)."""
        arguments = {"q": q, "qd": qd, "qdd": qdd}
        optional = {"gravity": gravity, "external_forces": external_forces}
        name = "inverse_dynamics_parameter_derivatives"
        return self._single(name, {**arguments, **optional})

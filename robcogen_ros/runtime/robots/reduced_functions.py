"""Robots that stand on limbs which follow what else moves, on float64 arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from robcogen_ros.runtime.robots.contact_functions import Array, ContactFunctions, numbers


class ReducedFunctions(ContactFunctions):
    """Functions of a robot whose every contact has as many rows as the limb before it has joints.

    These limbs stand: their joints follow from where the base and all other joints are, and how
    they move. `contact_poses` are the places of the contacts' frames in base coordinates,
    (contacts, 4, 4), or (contacts, 3) where all are points. `branch` has a 1 or -1 for each joint
    of a limb that has two solutions. What is given of the joints of these limbs does not matter.
    """

    def contact_forward_dynamics_eliminated(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        base_velocity: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        *,
        contact_acceleration: ArrayLike | None = None,
        contact_rotation: ArrayLike | None = None,
        external_forces: ArrayLike | None = None,
    ) -> tuple[Array, ...]:
        """Returns contact_forward_dynamics of closed contacts; not where limbs are singular."""
        return tuple(self._of_contacts("contact_forward_dynamics_eliminated", locals()).values())

    def dependent_positions(
        self, q: ArrayLike, contact_poses: ArrayLike, branch: ArrayLike
    ) -> tuple[Array, Array]:
        """Positions of all joints (n,), and how far each contact is within reach (contacts,).

        Positions of limbs that do not reach their contacts are NaN, their margins negative.
        """
        found = self._of_limbs("dependent_positions", locals())
        return found["positions"], found["margin"]

    def dependent_velocities(
        self, q: ArrayLike, qd: ArrayLike, base_velocity: ArrayLike | None = None
    ) -> Array:
        """Velocities of all joints at which the contacts rest: (n,); of q all count."""
        return self._of_contacts("dependent_velocities", locals())["velocities"]

    def reduced_dynamics(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        base_velocity: ArrayLike | None = None,
        gravity: ArrayLike | None = None,
        *,
        contact_poses: ArrayLike,
        branch: ArrayLike,
        contact_rotation: ArrayLike | None = None,
        external_forces: ArrayLike | None = None,
    ) -> dict[str, Array]:
        """The motion of a robot that stands, and positions and velocities of all its joints.

        The caller integrates the motion of the base, and of joints that are in no such limb.

        Returns:
            qdd (n,), floating also base_acceleration (6,), contact_forces (m,), positions (n,),
            velocities (n,), margin (contacts,).
        """
        return self._of_limbs("reduced_dynamics", locals())

    def _of_limbs(self, name: str, given: Mapping[str, Any]) -> dict[str, Array]:
        """Results of a function of limbs that stand.

        Raises:
            ValueError: If a branch is neither 1 nor -1, or poses have a wrong shape.
        """
        places, count = numbers("contact_poses", given["contact_poses"]), len(self.contacts)
        points = all(len(contact.rows) == 3 for contact in self.contact_records)
        if points and places.shape[-2:] == (count, 3):
            whole = np.zeros((*places.shape[:-1], 4, 4))
            whole[..., :3, 3] = places
            places = whole
        if places.shape[-3:] != (count, 4, 4):
            either = f"({count}, 3) or " if points else ""
            raise ValueError(
                f"contact_poses: expected shape (..., {either}{count}, 4, 4), found {places.shape}"
            )
        if not np.all(np.abs(numbers("branch", given["branch"])) == 1):
            raise ValueError(f"branch: expected 1 or -1, found {given['branch']!r}")
        beside = places.swapaxes(-3, -2).reshape(*places.shape[:-3], 4, 4 * count)
        return self._of_contacts(name, {**given, "contact_poses": beside})

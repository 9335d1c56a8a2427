"""Results of the functions that compute derivatives of the dynamics."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class InverseDynamicsDerivatives(NamedTuple):
    """Derivatives of `tau`, of a floating base of `[wrench on the base; tau]`.

    Attributes:
        dtau_dq: By positions; of a floating base, by small turns and shifts of it first.
        dtau_dqd: By velocities, the base's first.
        dtau_dqdd: By accelerations: the inertia matrix.
    """

    dtau_dq: Array
    dtau_dqd: Array
    dtau_dqdd: Array


class ForwardDynamicsDerivatives(NamedTuple):
    """Derivatives of `qdd`, of a floating base of `[base acceleration; qdd]`.

    Attributes:
        dqdd_dq: By positions; of a floating base, by small turns and shifts of it first.
        dqdd_dqd: By velocities, the base's first.
        dqdd_dtau: By forces, the wrench on a floating base first: the inverse of H.
    """

    dqdd_dq: Array
    dqdd_dqd: Array
    dqdd_dtau: Array


class ContactForwardDynamicsDerivatives(NamedTuple):
    """Derivatives of the motion of a robot in contact, and of the forces of the contacts.

    Attributes:
        dqdd_dq: Of `qdd`, of a floating base of `[base acceleration; qdd]`, by positions; of a
            floating base, by small turns and shifts of it first. The ground stays where it is.
        dqdd_dqd: By velocities, the base's first.
        dqdd_dtau: By forces, the wrench on a floating base first.
        dforces_dq: Of the contact forces, by positions.
        dforces_dqd: By velocities.
        dforces_dtau: By forces.
    """

    dqdd_dq: Array
    dqdd_dqd: Array
    dqdd_dtau: Array
    dforces_dq: Array
    dforces_dqd: Array
    dforces_dtau: Array


class ImpactDerivatives(NamedTuple):
    """Derivatives of `qd`, of a floating base of `[base velocity; qd]`, after an impact.

    Attributes:
        dqd_dq: By positions; of a floating base, by small turns and shifts of it first.
        dqd_dqd: By velocities before the impact, the base's first.
        dimpulses_dq: Of the impulses, by positions.
        dimpulses_dqd: By velocities before the impact.
    """

    dqd_dq: Array
    dqd_dqd: Array
    dimpulses_dq: Array
    dimpulses_dqd: Array

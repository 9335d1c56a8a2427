"""What the derivatives of the dynamics are returned in."""

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

"""The base parameter that measurements tell least of, and the joint that would tell it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.identification.sample import Sample
from robcogen_ros.runtime.identification import JOINT_TERMS
from robcogen_ros.runtime.identified import Identified

Array = NDArray[np.float64]

_FASTER = 1.5


@dataclass(frozen=True)
class WorstKnown:
    """The parameter whose error is largest beside parameters of its kind.

    Attributes:
        parameter: Its number.
        share: Its standard error, by the largest parameter of its kind.
        joint: Number of the joint whose faster motion tells most of it.
        less: Part of the error that is left where this joint moves half as fast again.
    """

    parameter: int
    share: float
    joint: int
    less: float


def worst_known(sample: Sample, found: Identified) -> WorstKnown:
    """Returns the parameter that is known worst.

    Args:
        sample: Measured states.
        found: What was identified of these.
    """
    kinds = [_kind(found.base.names[column]) for column in found.base.columns]
    sizes = dict.fromkeys(kinds, 0.0)
    for kind, value in zip(kinds, found.values.tolist(), strict=True):
        sizes[kind] = max(sizes[kind], abs(value))
    shares = found.standard_errors / [sizes[kind] or 1.0 for kind in kinds]
    worst = int(np.argmax(shares))
    _, q, qd, qdd, _ = (each.reshape(-1, each.shape[-1]) for each in sample.arrays())
    n = q.shape[1]
    speeds = np.ones((n + 1, n))
    speeds[np.arange(n), np.arange(n)] = _FASTER
    errors = [_error(found, worst, q, qd * s, qdd * s**2) for s in speeds]
    joint = int(np.argmin(errors[:n]))
    return WorstKnown(worst, float(shares[worst]), joint, errors[joint] / errors[n])


def _kind(name: str) -> str:
    """Returns what is of the same unit and order as the parameter of a name."""
    word = name.rpartition(".")[2]
    return word if word in JOINT_TERMS else word.rstrip("xyz")


def _error(found: Identified, parameter: int, q: Array, qd: Array, qdd: Array) -> float:
    """Returns a parameter's standard error in these states, of forces as noisy as their weights."""
    Y = found.base.regressor(found.regressor(q=q, qd=qd, qdd=qdd)) * found.weights[:, None]
    inverse = np.linalg.pinv(np.linalg.qr(Y.reshape(-1, Y.shape[-1]), mode="r"))
    return float(np.linalg.norm(inverse[parameter]))

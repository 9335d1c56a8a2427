"""The time by which efforts lag behind positions.

Forces of a moment later are those of now and their rate times the delay: one more column of least
squares, beside those of the parameters.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.identification.sample import Sample
from robcogen_ros.runtime.identified import Identified

Array = NDArray[np.float64]

_EVEN = 1.5
"""Times the usual step that steps of a run may be."""


def delay(sample: Sample, found: Identified) -> tuple[float, float]:
    """Returns how late efforts are [s], negative if early, and the standard error of that.

    Args:
        sample: Measured states.
        found: What was identified of these.
    """
    time, q, qd, qdd, tau = sample.arrays()
    steps = np.abs(np.diff(time, axis=1))
    even = steps.max(axis=1) < _EVEN * np.median(steps)
    time, q, qd, qdd, tau = (each[even] for each in (time, q, qd, qdd, tau))
    if len(time) < 2 or not np.isfinite(time).all():
        return 0.0, np.inf
    told = found.predict(q, qd, qdd)
    rates = np.gradient(told, float(np.median(steps)), axis=1)[:, 1:-1]
    Y = found.base.regressor(found.regressor(q=q, qd=qd, qdd=qdd))[:, 1:-1]
    left = (tau - told)[:, 1:-1]
    runs, columns = len(time), Y.shape[-1]
    weights = found.weights[:, None]
    rows, wanted, given = (
        (array * weights).reshape(runs, -1, array.shape[-1])
        for array in (Y, -rates[..., None], left[..., None])
    )
    flat = rows.reshape(-1, columns)
    apart, rest = (
        array.reshape(-1) - flat @ np.linalg.lstsq(flat, array.reshape(-1), rcond=None)[0]
        for array in (wanted, given)
    )
    size = apart @ apart
    late = float(apart @ rest / size) if size else 0.0
    scores = (apart * (rest - late * apart)).reshape(runs, -1).sum(axis=1)
    return late, float(np.sqrt(scores @ scores) / size) if size else np.inf

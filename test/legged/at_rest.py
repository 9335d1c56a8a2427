"""An estimator of HyQ at rest on level ground."""

from __future__ import annotations

from typing import Any

import numpy as np

from test.support.hyq import STANCE

UP = np.array([0.0, 0.0, 9.81])
STEP = 1e-3


def still(estimator: Any, seconds: float = STEP, **other: Any) -> Any:
    """What an estimator has of the robot at rest on level ground after a while."""
    reading = {"angular_velocity": np.zeros(3), "linear_acceleration": UP}
    for _ in range(round(seconds / STEP)):
        found = estimator.update(
            **{"q": STANCE, "closed": np.ones(4), "cycle": STEP, **reading, **other}
        )
    return found

"""How far apart two kinematic trees are."""

from __future__ import annotations

import numpy as np

from robcogen_ros.model.robot import Robot
from robcogen_ros.model.spatial import Pose, SpatialInertia


def entries(pose: Pose) -> np.ndarray:
    rows = (*pose.rotation, pose.translation)
    return np.array([[float(entry) for entry in row] for row in rows])


def moments(inertia: SpatialInertia) -> np.ndarray:
    return np.array([float(x) for x in (inertia.mass, *inertia.moment, *inertia.tensor)])


def distance(a: Robot, b: Robot) -> float:
    """Largest difference of joint poses [1, m] and inertias (relative), in public order."""
    assert len(a.links) == len(b.links)
    assert [c.kind for c in a.coordinates] == [c.kind for c in b.coordinates]
    worst = 0.0
    for i, j in zip(a.link_order, b.link_order, strict=True):
        first, second = moments(a.links[i].inertia), moments(b.links[j].inertia)
        scale = max(abs(first).max(), np.finfo(float).tiny)
        worst = max(worst, abs(first - second).max() / scale)
        if i:
            poses = entries(a.joints[i - 1].pose) - entries(b.joints[j - 1].pose)
            worst = max(worst, abs(poses).max())
    return worst

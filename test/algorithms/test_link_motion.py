"""The net force of Newton and Euler is that of spatial algebra."""

import numpy as np
import pytest

from robcogen_ros.algorithms.mechanics.link_motion import LinkMotion
from robcogen_ros.model.spatial import MotionVector, SpatialInertia, Symmetric3, Vector


def test_net_force_is_the_spatial_equation_of_motion():
    random = np.random.default_rng(4)
    velocity, acceleration = (MotionVector.of(random.normal(size=6)) for _ in range(2))
    tensor = Symmetric3(2.0, 0.1, -0.2, 2.5, 0.3, 1.5)
    inertia = SpatialInertia.about_center(1.3, Vector(*random.normal(size=3)), tensor)
    found = LinkMotion.of_base(velocity, acceleration).net_force(inertia)
    expected = inertia.apply(acceleration) + velocity.cross_force(inertia.apply(velocity))
    assert list(found) == pytest.approx(list(expected), rel=1e-12)


def test_points_of_a_link_accelerate_as_its_motion_says():
    w, a, r = Vector(0.3, -0.7, 1.1), Vector(1.0, 2.0, 3.0), Vector(0.2, 0.5, -0.4)
    wd = Vector(-0.5, 0.4, 0.9)
    found = a + LinkMotion.of(w, wd, a).Omega.apply(r)
    assert list(found) == pytest.approx(list(a + wd.cross(r) + w.cross(w.cross(r))))

"""Robots of any number of equal limbs, compiled: side by side these give what they give alone."""

import numpy as np
import pytest

import robcogen_ros
from test.support.random_robots import Joint, Link, Tree


def spider(legs):
    """Legs of three joints about the base, no two of equal numbers."""
    joints, bodies = [], [Link("base", 5.0, (0.0, 0.0, 0.1), tensor=(0.2, 0, 0, 0.3, 0, 0.4))]
    axes = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 1.0, 0.0)]
    for leg in range(legs):
        for i, axis in enumerate(axes):
            name, parent = f"leg{leg}_{i}", f"leg{leg}_{i - 1}" if i else "base"
            xyz = (0.1 * leg - 0.2, 0.3, -0.1 * i) if not i else (0.0, 0.02 * leg, -0.3)
            joints.append(Joint(f"{name}_joint", "revolute", parent, name, xyz, (0, 0, 0), axis))
            size = 0.01 * (1 + 0.1 * leg + i)
            tensor = (size, 0.0, 0.0, 1.5 * size, 0.0, 0.8 * size)
            bodies.append(
                Link(name, 1.0 + 0.1 * leg, (0.01, 0.02, -0.1 - 0.01 * leg), tensor=tensor)
            )
    return Tree(tuple(bodies), tuple(joints))


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("legs", [2, 3, 4, 6])
def test_the_inertia_matrix_is_that_of_one_leg_after_the_other(legs, floating, tmp_path):
    path = tmp_path / "spider.urdf"
    path.write_text(spider(legs).urdf(), encoding="utf-8")
    compiled = robcogen_ros.build(path, floating_base=floating, functions=["inertia_matrix"])
    plain = robcogen_ros.build(
        path, floating_base=floating, functions=["inertia_matrix"], backend="numpy"
    )
    q = np.random.default_rng(legs).uniform(-3, 3, 3 * legs)
    np.testing.assert_allclose(compiled.inertia_matrix(q), plain.inertia_matrix(q), atol=1e-13)

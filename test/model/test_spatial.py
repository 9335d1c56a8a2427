"""Rotating matrices: the short ways about one axis agree with the long one."""

from decimal import Decimal

import numpy as np
import pytest

from robcogen_ros.model.scalars import number
from robcogen_ros.model.spatial import (
    Matrix3,
    Symmetric3,
    Vector,
    rotation_x,
    rotation_y,
    rotation_z,
)


def array(matrix):
    return np.array([list(row) for row in matrix], dtype=float)


@pytest.mark.parametrize("rotation", [rotation_x, rotation_y, rotation_z])
def test_a_matrix_turned_about_one_axis_is_R_M_Rt(rotation):
    R = rotation(0.7)
    M = Matrix3(*(Vector(*row) for row in np.random.default_rng(3).normal(size=(3, 3))))
    expected = array(R) @ array(M) @ array(R).T
    assert array(R.rotate_matrix(M)) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("starts", ["xy", "yx", "xx", "yy"])
@pytest.mark.parametrize("rotation", [rotation_x, rotation_y, rotation_z])
def test_a_tensor_turned_about_one_axis_is_R_T_Rt(rotation, starts):
    R, T = rotation(-2.1), Symmetric3(1.0, 0.2, -0.3, 2.0, 0.4, 3.0)
    expected = array(R) @ array(T.matrix()) @ array(R).T
    assert array(R.rotate_symmetric(T, starts).matrix()) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize(
    ("starts", "kept"), [("xy", (True, False)), ("yx", (False, True)), ("xx", (True, True))]
)
def test_what_starts_from_the_smaller_entry_keeps_its_digits(starts, kept):
    angles = np.linspace(-3, 3, 601)
    small, large = Decimal("0.0000001"), Decimal(1)
    turned = rotation_z(angles).rotate_symmetric(
        Symmetric3(float(small), 0, 0, 1.0, 0, 1.0), starts
    )
    squares = [(number.cos(a) ** 2, number.sin(a) ** 2) for a in map(Decimal, angles.tolist())]
    exact = [[float(c * small + s * large), float(s * small + c * large)] for c, s in squares]
    found = np.stack([turned.xx, turned.yy], axis=1)
    errors = np.abs(found / np.array(exact) - 1).max(axis=0)
    assert tuple(errors < 2e-15) == kept

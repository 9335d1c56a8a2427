"""Rotating matrices: the short ways about one axis agree with the long one."""

import numpy as np
import pytest

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


@pytest.mark.parametrize("rotation", [rotation_x, rotation_y, rotation_z])
def test_a_tensor_turned_about_one_axis_is_R_T_Rt(rotation):
    R, T = rotation(-2.1), Symmetric3(1.0, 0.2, -0.3, 2.0, 0.4, 3.0)
    expected = array(R) @ array(T.matrix()) @ array(R).T
    assert array(R.rotate_symmetric(T).matrix()) == pytest.approx(expected, abs=1e-14)

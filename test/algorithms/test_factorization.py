"""Symmetric positive definite systems, solved as their sparse factors do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robcogen_ros.algorithms.mechanics.factorization import solve


def spd(parents, seed):
    """A matrix with an entry where one row's ancestors include the other; well conditioned."""
    random, n = np.random.default_rng(seed), len(parents)
    L = np.eye(n)
    for i in range(n):
        j = parents[i]
        while j >= 0:
            L[i, j] = random.uniform(-1, 1)
            j = parents[j]
    return L.T @ np.diag(random.uniform(0.1, 3, n)) @ L


TREES = st.integers(1, 9).flatmap(lambda n: st.tuples(*(st.integers(-1, i - 1) for i in range(n))))


@given(TREES, st.integers(0, 1000))
def test_the_solution_is_that_of_the_system(parents, seed):
    H, b = spd(parents, seed), np.random.default_rng(seed + 1).normal(size=len(parents))
    upper_is_not_read = np.tril(H) + np.triu(np.full(H.shape, np.nan), 1)
    x = np.array(solve(upper_is_not_read.tolist(), b.tolist()))
    np.testing.assert_allclose(H @ x, b, rtol=0, atol=1e-11 * (1 + np.abs(x).max()))


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_rows_of_any_unit_are_solved(scale):
    H = spd([-1, 0, 1, 2, 3, 4], 3)
    units = np.array([1, scale, 1, scale, scale, 1])
    x = np.arange(1.0, 7.0) / units
    H = H * units[:, None] * units
    np.testing.assert_allclose(solve(H.tolist(), (H @ x).tolist()), x, rtol=1e-12)

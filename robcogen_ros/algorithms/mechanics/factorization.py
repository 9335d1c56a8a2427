"""Sparse factors of symmetric positive definite matrices (Featherstone 2008, section 6.5).

L'L and L'DL start at the last row, so that a joint-space inertia matrix in an order where parents
come before children is factored without fill-in. What is structurally zero is skipped; any other
symmetric matrix, as that of a robot whose joints follow others, gets just the fill-in it needs.
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import named, noted, step
from robcogen_ros.model.scalars.operation import Scalar, is_zero, sqrt

Matrix = list[list[Scalar]]


def ltl(H: Sequence[Sequence[Scalar]]) -> Matrix:
    """Lower triangular L with L'L = H (table 6.3).

    Args:
        H: (n, n) symmetric positive definite; its lower triangle is read.
    """
    L = _lower(H)
    for k in reversed(range(len(L))):
        step(f"row {k + 1} of L")
        L[k][k] = named(sqrt(L[k][k]), f"L{k + 1}_{k + 1}")
        support = [i for i in range(k) if not is_zero(L[k][i])]
        for i in support:
            L[k][i] = named(L[k][i] / L[k][k], f"L{k + 1}_{i + 1}")
        for i in support:
            for j in support:
                if j <= i:
                    L[i][j] = L[i][j] - L[k][i] * L[k][j]
    return L


def ltdl(H: Sequence[Sequence[Scalar]]) -> tuple[Matrix, list[Scalar]]:
    """Unit lower triangular L and diagonal D with L'DL = H (table 6.3); D is returned inverted.

    Args:
        H: (n, n) symmetric positive definite; its lower triangle is read.
    """
    L = _lower(H)
    inverse_D: list[Scalar] = [0] * len(L)
    for k in reversed(range(len(L))):
        step(f"row {k + 1} of the factor L of H = L'DL")
        inverse_D[k] = named(1 / L[k][k], f"d{k + 1}")
        support = [i for i in range(k) if not is_zero(L[k][i])]
        for i in reversed(support):
            a = named(L[k][i] * inverse_D[k], f"L{k + 1}_{i + 1}")
            for j in support:
                if j <= i:
                    L[i][j] = L[i][j] - a * L[k][j]
            L[k][i] = a
        L[k][k] = 1
    return L, inverse_D


def ltl_from_rows(rows: Sequence[Sequence[Scalar]]) -> Matrix:
    """Lower triangular L with L'L = H, from the lower triangle DL of H = L'DL."""
    L = _lower(rows)
    for k, row in enumerate(L):
        row[k] = named(sqrt(row[k]), f"L{k + 1}_{k + 1}")
        inverse = 1 / row[k]
        for i in range(k):
            if not is_zero(row[i]):
                row[i] = named(row[i] * inverse, f"L{k + 1}_{i + 1}")
    return L


def solve_by_rows(rows: Sequence[Sequence[Scalar]], b: Sequence[Scalar]) -> list[Scalar]:
    """The x with H x = b, from the lower triangle DL of H = L'DL."""
    return solve_factored(*factors_of_rows(rows), b)


def solve(H: Sequence[Sequence[Scalar]], b: Sequence[Scalar]) -> list[Scalar]:
    """The x with H x = b, by L'DL and two substitutions (table 6.5).

    Args:
        H: (n, n) symmetric positive definite; its lower triangle is read.
        b: (n,).
    """
    return solve_factored(*ltdl(H), b)


def solve_factored(
    L: Sequence[Sequence[Scalar]], inverse_D: Sequence[Scalar], b: Sequence[Scalar]
) -> list[Scalar]:
    """The x with L'D L x = b, from the factors that `ltdl` returns."""
    step("solve L'D L x = b")
    y = solve_transposed(L, b)
    return solve_lower(L, [value * d for value, d in zip(y, inverse_D, strict=True)])


def solve_transposed(L: Sequence[Sequence[Scalar]], b: Sequence[Scalar]) -> list[Scalar]:
    """The x with L'x = b, of a unit lower triangular L (table 6.5)."""
    x = list(b)
    for i in reversed(range(len(x))):
        x[i] = noted(x[i], f"y{i + 1}")
        if not is_zero(x[i]):
            for j in range(i):
                if not is_zero(L[i][j]):
                    x[j] = x[j] - L[i][j] * x[i]
    return x


def solve_lower(L: Sequence[Sequence[Scalar]], b: Sequence[Scalar]) -> list[Scalar]:
    """The x with L x = b, of a unit lower triangular L (table 6.5)."""
    x = list(b)
    for i in range(len(x)):
        for j in range(i):
            if not is_zero(L[i][j]):
                x[i] = x[i] - L[i][j] * x[j]
        x[i] = noted(x[i], f"x{i + 1}")
    return x


def factors_of_rows(rows: Sequence[Sequence[Scalar]]) -> tuple[Matrix, list[Scalar]]:
    """L and the inverse of D, from the lower triangle DL of H = L'DL."""
    inverse_D = [named(1 / row[k], f"d{k + 1}") for k, row in enumerate(rows)]
    L = [
        [0 if is_zero(x) else noted(x * d, f"L{k + 1}_{i + 1}") for i, x in enumerate(row[:k])]
        for k, (row, d) in enumerate(zip(rows, inverse_D, strict=True))
    ]
    return L, inverse_D


def inverse_from_ltl(L: Sequence[Sequence[Scalar]]) -> Matrix:
    """The inverse of H = L'L: L^-1 (L^-1)', all of it, also where H itself is zero.

    Args:
        L: (n, n) lower triangular.
    """
    W = _inverse_of_lower(L)
    n = len(L)
    inverse: Matrix = [[0] * n for _ in range(n)]
    for i in range(n):
        step(f"row {i + 1} of the inverse")
        for j in range(i + 1):
            shared = [k for k in range(j + 1) if not is_zero(W[i][k]) and not is_zero(W[j][k])]
            entry: Scalar = 0
            for k in shared:
                entry = entry + W[i][k] * W[j][k]
            inverse[i][j] = inverse[j][i] = entry
    return inverse


def _inverse_of_lower(L: Sequence[Sequence[Scalar]]) -> Matrix:
    """L^-1, lower triangular, with the fill-in that L's pattern causes (none for a tree)."""
    n = len(L)
    W: Matrix = [[0] * n for _ in range(n)]
    for i in range(n):
        step(f"row {i + 1} of the inverse of L")
        W[i][i] = named(1 / L[i][i], f"W{i + 1}_{i + 1}")
        for j in range(i):
            total: Scalar = 0
            for k in range(j, i):
                if not is_zero(L[i][k]) and not is_zero(W[k][j]):
                    total = total + L[i][k] * W[k][j]
            if not is_zero(total):
                W[i][j] = named(-(total * W[i][i]), f"W{i + 1}_{j + 1}")
    return W


def _lower(H: Sequence[Sequence[Scalar]]) -> Matrix:
    return [[H[i][j] if j <= i else 0 for j in range(len(H))] for i in range(len(H))]

"""Sparse factors of symmetric positive definite matrices (Featherstone 2008, section 6.5).

L'L and L'DL start at the last row, so that a joint-space inertia matrix in an order where parents
come before children is factored without fill-in. What is structurally zero is skipped; any other
symmetric matrix, as that of a robot whose joints follow others, gets just the fill-in it needs.
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.model.operation import Scalar, is_zero, sqrt

Matrix = list[list[Scalar]]

_FEW = 4
"""Rows that depend on two others which are taken together, at most."""

_Row = list[tuple[int, Scalar]]
"""Entries before the diagonal that are not zero, with their columns."""


def ltl(H: Sequence[Sequence[Scalar]]) -> Matrix:
    """Lower triangular L with L'L = H (table 6.3).

    Args:
        H: (n, n) symmetric positive definite; its lower triangle is read.
    """
    L = _lower(H)
    for k in reversed(range(len(L))):
        step(f"row {k + 1} of L")
        L[k][k] = named(sqrt(L[k][k]), f"L{k}_{k}")
        support = [i for i in range(k) if not is_zero(L[k][i])]
        for i in support:
            L[k][i] = named(L[k][i] / L[k][k], f"L{k}_{i}")
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
        inverse_D[k] = named(1 / L[k][k], f"d{k}")
        support = [i for i in range(k) if not is_zero(L[k][i])]
        for i in reversed(support):
            a = named(L[k][i] * inverse_D[k], f"L{k}_{i}")
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
        row[k] = named(sqrt(row[k]), f"L{k}_{k}")
        inverse = 1 / row[k]
        for i in range(k):
            if not is_zero(row[i]):
                row[i] = named(row[i] * inverse, f"L{k}_{i}")
    return L


def solve_by_rows(rows: Sequence[Sequence[Scalar]], b: Sequence[Scalar]) -> list[Scalar]:
    """The x with H x = b, from the lower triangle DL of H = L'DL."""
    inverse_D = [named(1 / row[k], f"d{k}") for k, row in enumerate(rows)]
    L = [
        [0 if is_zero(x) else x * d for x in row[:k]]
        for k, (row, d) in enumerate(zip(rows, inverse_D, strict=True))
    ]
    return solve_factored(L, inverse_D, b)


def solve(H: Sequence[Sequence[Scalar]], b: Sequence[Scalar]) -> list[Scalar]:
    """The x with H x = b, by L'DL and two substitutions (table 6.5).

    Neighbours that depend on each other are taken together where few rows depend on them: D then
    has blocks of two rows, the inverse of each takes one division instead of two, one after the
    other, and what is divided is computed meanwhile; each entry of those rows takes an operation
    more.

    Args:
        H: (n, n) symmetric positive definite; its lower triangle is read.
        b: (n,).
    """
    D, x = _lower(H), list(b)
    rows: list[_Row] = []
    k = len(x)
    while k > 0:
        pair = k > 1 and not is_zero(D[k - 1][k - 2]) and len(_touched(D, k - 2)) <= _FEW
        k -= 2 if pair else 1
        step(f"rows {k + 1} and {k + 2} of H x = b" if pair else f"row {k + 1} of H x = b")
        rows = [*(_eliminate_pair(D, x, k) if pair else _eliminate(D, x, k)), *rows]
    step("solve L x = D^-1 L'^-1 b")
    for i, row in enumerate(rows):
        for j, entry in row:
            x[i] = x[i] - entry * x[j]
    return x


def _eliminate(H: Matrix, b: list[Scalar], k: int) -> list[_Row]:
    """Take row k out of those before it; what is left is its row of L, and b becomes D^-1 b."""
    inverse = named(1 / H[k][k], f"d{k}")
    support = [i for i in range(k) if not is_zero(H[k][i])]
    row = [(i, named(H[k][i] * inverse, f"L{k}_{i}")) for i in support]
    for i, a in row:
        for j in support:
            if j <= i:
                H[i][j] = H[i][j] - a * H[k][j]
        b[i] = b[i] - a * b[k]
    b[k] = b[k] * inverse
    return [row]


def _touched(H: Matrix, k: int) -> list[int]:
    """The rows that depend on row k or k + 1."""
    return [i for i in range(k) if not (is_zero(H[k][i]) and is_zero(H[k + 1][i]))]


def _eliminate_pair(H: Matrix, b: list[Scalar], k: int) -> list[_Row]:
    """Take rows k and k + 1 out of those before them, both at once."""
    first, second = H[k], H[k + 1]
    p, r, s = first[k], second[k], second[k + 1]
    inverse = named(1 / (p * s - r * r), f"d{k}")
    support = _touched(H, k)
    answers = [(i, s * first[i] - r * second[i], p * second[i] - r * first[i]) for i in support]
    for i, x, y in answers:
        for j in support:
            if j <= i:
                H[i][j] = H[i][j] - (x * first[j] + y * second[j]) * inverse
        b[i] = b[i] - (x * b[k] + y * b[k + 1]) * inverse
    b[k], b[k + 1] = (s * b[k] - r * b[k + 1]) * inverse, (p * b[k + 1] - r * b[k]) * inverse
    return [
        [(i, named(x * inverse, f"L{k}_{i}")) for i, x, _ in answers],
        [(i, named(y * inverse, f"L{k + 1}_{i}")) for i, _, y in answers],
    ]


def solve_factored(
    L: Sequence[Sequence[Scalar]], inverse_D: Sequence[Scalar], b: Sequence[Scalar]
) -> list[Scalar]:
    """The x with L'D L x = b, from the factors that `ltdl` returns."""
    x = list(b)
    n = len(x)
    step("solve L'D L x = b")
    for i in reversed(range(n)):
        for j in range(i):
            if not is_zero(L[i][j]):
                x[j] = x[j] - L[i][j] * x[i]
    x = [value * d for value, d in zip(x, inverse_D, strict=True)]
    for i in range(n):
        for j in range(i):
            if not is_zero(L[i][j]):
                x[i] = x[i] - L[i][j] * x[j]
    return x


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
        W[i][i] = named(1 / L[i][i], f"W{i}_{i}")
        for j in range(i):
            total: Scalar = 0
            for k in range(j, i):
                if not is_zero(L[i][k]) and not is_zero(W[k][j]):
                    total = total + L[i][k] * W[k][j]
            if not is_zero(total):
                W[i][j] = named(-(total * W[i][i]), f"W{i}_{j}")
    return W


def _lower(H: Sequence[Sequence[Scalar]]) -> Matrix:
    return [[H[i][j] if j <= i else 0 for j in range(len(H))] for i in range(len(H))]

"""Operational space of a task with Jacobian J (Khatib, A unified approach, 1987).

    mobility            J H^-1 J'               acceleration of the task per unit force on it
    Lambda              (J H^-1 J' + d)^-1      the inertia that a force on the task feels
    Jbar                H^-1 J' Lambda          the inverse of J of least kinetic energy
    N                   1 - Jbar J              motion that the task does not feel

With 1 for H: J', (J J' + d)^-1, the pseudoinverse and its null space. The damping d, a diagonal,
is zero unless given; where J loses rank, what needs it is then not finite, or huge.
"""

from __future__ import annotations

from collections.abc import Sequence

from robcogen_ros.algorithms.annotate import step
from robcogen_ros.algorithms.mechanics.factorization import (
    inverse_from_ltl,
    ltdl,
    ltl,
    solve_factored,
)
from robcogen_ros.model.scalars.operation import Scalar, is_zero

Matrix = list[list[Scalar]]


def responses(H: Matrix, J: Matrix) -> Matrix:
    """H^-1 J', the acceleration of each coordinate per unit force on each row of the task: (n, m).

    Args:
        H: (n, n) inertia matrix.
        J: (m, n).
    """
    L, inverse_D = ltdl(H)
    return transposed([solve_factored(L, inverse_D, row) for row in J])


def mobility(J: Matrix, response: Matrix) -> Matrix:
    """J times what a unit force on each row of the task does: (m, m), symmetric."""
    step("mobility of the task")
    columns = transposed(response)
    lower = [[dot(J[i], columns[j]) for j in range(i + 1)] for i in range(len(J))]
    return [[lower[max(i, j)][min(i, j)] for j in range(len(lower))] for i in range(len(lower))]


def inertia(mobility: Matrix, damping: Sequence[Scalar]) -> Matrix:
    """(mobility + damping)^-1: (m, m)."""
    step("inertia that the task feels")
    damped = [
        [entry + damping[i] if i == j else entry for j, entry in enumerate(row)]
        for i, row in enumerate(mobility)
    ]
    return inverse_from_ltl(ltl(damped))


def generalised_inverse(response: Matrix, inertia: Matrix) -> Matrix:
    """Returns the motion of each coordinate per unit motion of each row of the task: (n, m)."""
    step("generalised inverse of the Jacobian")
    return product(response, inertia)


def null_space(inverse: Matrix, J: Matrix) -> Matrix:
    """1 - inverse J, the projector of rates onto those that the task does not feel: (n, n)."""
    step("projector onto the null space")
    taken = product(inverse, J)
    return [[int(i == j) - entry for j, entry in enumerate(row)] for i, row in enumerate(taken)]


def transposed(matrix: Sequence[Sequence[Scalar]]) -> Matrix:
    """The transpose."""
    return [list(column) for column in zip(*matrix, strict=True)]


def product(left: Sequence[Sequence[Scalar]], right: Sequence[Sequence[Scalar]]) -> Matrix:
    """The product of two matrices."""
    columns = transposed(right)
    return [[dot(row, column) for column in columns] for row in left]


def times(matrix: Sequence[Sequence[Scalar]], vector: Sequence[Scalar]) -> list[Scalar]:
    """The product of a matrix and a vector."""
    return [dot(row, vector) for row in matrix]


def plus(left: Matrix, right: Matrix) -> Matrix:
    """The sum of two matrices."""
    return [[x + y for x, y in zip(*rows, strict=True)] for rows in zip(left, right, strict=True)]


def dot(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    """Returns the scalar product, without what is structurally zero."""
    total: Scalar = 0
    for x, y in zip(a, b, strict=True):
        if not is_zero(x) and not is_zero(y):
            total = total + x * y
    return total

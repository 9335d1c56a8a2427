"""A nonlinear program put together from blocks: one function evaluated at many places.

Collocation writes the same few equations at every instant. A block is one such function with the
places where it is evaluated. Its Jacobian and its Hessian are found once, for one place; those of
the whole program are entries of them put where they belong, so that an evaluation costs what its
instants cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import casadi
import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Equations:
    """Rows of one place, their Jacobian and the Hessian of the weighted rows, as functions."""

    rows: Any
    jacobian: Any
    hessian: Any
    slopes: tuple[Places, Places]
    curvatures: tuple[Places, Places]


@lru_cache(maxsize=128)
def _derived(rows: str) -> _Equations:
    """Returns the derivatives of a function as text: phases may have equal rows, and grids have."""
    function = casadi.Function.deserialize(rows)
    z, weights = casadi.SX.sym("z", function.size1_in(0)), casadi.SX.sym("w", function.size1_out(0))
    c = function(z)
    jacobian = casadi.jacobian(c, z)
    hessian = casadi.triu(casadi.hessian(casadi.dot(weights, c), z)[0])
    return _Equations(
        _function([z], c),
        _function([z], casadi.SX(jacobian.nz[:])),
        _function([z, weights], casadi.SX(hessian.nz[:])),
        _entries(jacobian),
        _entries(hessian),
    )


class Block:
    """Rows `lower <= c(z) <= upper` at several places.

    Attributes:
        names: What the rows say, one a row, for messages.
        places: Numbers of the variables that the arguments are, a row a place (places, k).
        lower: Bounds (places, r).
        upper: Bounds (places, r).
        where: What each place is called, for messages.
        slopes: Rows and columns of the entries of the Jacobian that are not always zero.
        curvatures: The same of the upper triangle of the Hessian of the weighted rows.
    """

    def __init__(
        self,
        names: Sequence[str],
        z: Any,
        c: Any,
        places: Places,
        lower: Array,
        upper: Array,
        where: Sequence[str],
    ) -> None:
        """Finds the derivatives of rows c (SX, r) by arguments z (SX, k)."""
        self.names, self.where, self.places = names, where, places
        self.lower, self.upper = lower, upper
        equations = _derived(casadi.Function("rows", [z], [c]).serialize())
        self.slopes, self.curvatures = equations.slopes, equations.curvatures
        self._equations = equations

    @property
    def size(self) -> int:
        """The number of rows at all places."""
        return self.lower.size

    def rows(self, x: Any) -> Any:
        """Values (r, places) at all variables (MX)."""
        return self._equations.rows.map(len(self.places))(self._local(x))

    def jacobian(self, x: Any) -> Any:
        """Entries of the Jacobian, those of a place after those of the one before."""
        return casadi.vec(self._equations.jacobian.map(len(self.places))(self._local(x)))

    def hessian(self, x: Any, weights: Any) -> Any:
        """Entries of the Hessian of the weighted (r, places) rows, as those of the Jacobian."""
        return casadi.vec(self._equations.hessian.map(len(self.places))(self._local(x), weights))

    def _local(self, x: Any) -> Any:
        count, size = self.places.shape
        return casadi.reshape(x[self.places.ravel().tolist()], size, count)


@dataclass(slots=True)
class Program:
    """Variables with bounds and a start, rows with bounds, and what is minimised.

    Attributes:
        lower: Lower bounds of the variables.
        upper: Upper bounds of the variables.
        start: Where the search begins.
        names: What the variables are called, for messages.
        scale: Their units: the solver sees variables of about one.
        blocks: The rows.
        shared: Variables that enter rows at all places, as symbols and as numbers.
    """

    lower: list[float] = field(default_factory=list)
    upper: list[float] = field(default_factory=list)
    start: list[float] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    scale: list[float] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    shared: tuple[Any, Places] = field(
        default_factory=lambda: (casadi.SX(0, 1), np.zeros(0, dtype=np.int64))
    )
    _merits: list[Block] = field(default_factory=list)

    def variables(
        self,
        names: Sequence[str],
        start: ArrayLike,
        lower: ArrayLike,
        upper: ArrayLike,
        scale: ArrayLike = 1.0,
    ) -> Places:
        """More variables; returns their numbers."""
        count, first = len(names), len(self.start)
        for values, more in (
            (self.start, start),
            (self.lower, lower),
            (self.upper, upper),
            (self.scale, scale),
        ):
            values.extend(np.broadcast_to(np.asarray(more, dtype=float), count).tolist())
        self.names.extend(names)
        return np.arange(first, first + count)

    def constrain(
        self,
        names: Sequence[str],
        z: Any,
        c: Any,
        places: Sequence[Places] | Places,
        where: Sequence[str],
        lower: ArrayLike = 0.0,
        upper: ArrayLike = 0.0,
    ) -> None:
        """More rows, `lower <= c <= upper` at each place; equations if no bounds are given."""
        if not c.shape[0] or not len(places):
            return
        shape = (len(places), c.shape[0])
        low, high = (np.broadcast_to(np.asarray(a, dtype=float), shape) for a in (lower, upper))
        z, numbers = self._with_shared(z, c, places)
        self.blocks.append(Block(names, z, c, numbers, low, high, where))

    def minimise(self, z: Any, c: Any, places: Sequence[Places] | Places) -> None:
        """One more term (SX, 1) of the merit, the sum over its places."""
        none = np.zeros((len(places), 1))
        self._merits.append(Block(["merit"], z, c, np.array(places), none, none, []))

    def _with_shared(self, z: Any, c: Any, places: Sequence[Places] | Places) -> tuple[Any, Places]:
        """Arguments and places with what is shared, if rows depend on it."""
        symbols, numbers = self.shared
        own = np.array(places)
        if not symbols.shape[0] or not casadi.depends_on(c, symbols):
            return z, own
        return casadi.vertcat(z, symbols), np.hstack([own, np.tile(numbers, (len(own), 1))])

    @property
    def row_limits(self) -> tuple[Array, Array]:
        """Bounds of all rows, in the order of the function."""
        return (
            np.concatenate([block.lower.ravel() for block in self.blocks]),
            np.concatenate([block.upper.ravel() for block in self.blocks]),
        )

    def row_name(self, row: int) -> str:
        """Returns the name of a row, and its place."""
        for block in self.blocks:
            if row < block.size:
                place, entry = divmod(row, block.lower.shape[1])
                return f"{block.names[entry]} {block.where[place]}"
            row -= block.size
        raise IndexError(row)

    def functions(self) -> dict[str, Any]:
        """The program as `casadi.nlpsol` takes it, with its derivatives as options."""
        seen, p = casadi.MX.sym("x", len(self.start)), casadi.MX.sym("p", 0)
        x = casadi.DM(self.scale) * seen
        sigma, lam = casadi.MX.sym("lam_f"), casadi.MX.sym("lam_g", self._size)
        merit = sum(casadi.sum2(block.rows(x)) for block in self._merits)
        g = casadi.vertcat(*[casadi.vec(block.rows(x)) for block in self.blocks])
        return {
            "nlp": {"x": seen, "f": merit, "g": g},
            "grad_f": casadi.Function("grad_f", [seen, p], [merit, self._gradient(x)]),
            "jac_g": casadi.Function("jac_g", [seen, p], [g, self._jacobian(x)]),
            "hess_lag": casadi.Function(
                "hess_lag", [seen, p, sigma, lam], [self._hessian(x, sigma, lam)]
            ),
        }

    @property
    def _size(self) -> int:
        return sum(block.size for block in self.blocks)

    def _gradient(self, x: Any) -> Any:
        """Dense: what is not always zero is not told to the solver."""
        at = np.concatenate([block.places[:, block.slopes[1]].ravel() for block in self._merits])
        values = casadi.vertcat(*[block.jacobian(x) for block in self._merits])
        scale = casadi.DM(self.scale)
        return casadi.densify(scale * (_gathering(at, len(self.start)) @ values))

    def _jacobian(self, x: Any) -> Any:
        first, rows, columns = 0, [], []
        for block in self.blocks:
            own, of = block.slopes
            each = block.size // len(block.places)
            rows.append((first + each * np.arange(len(block.places))[:, None] + own).ravel())
            columns.append(block.places[:, of].ravel())
            first += block.size
        at, scale = np.concatenate(columns), np.array(self.scale)
        values = casadi.vertcat(*[block.jacobian(x) for block in self.blocks])
        shape = (first, len(self.start))
        return _placed(np.concatenate(rows), at, casadi.DM(scale[at]) * values, shape)

    def _hessian(self, x: Any, sigma: Any, lam: Any) -> Any:
        first, values = 0, []
        for block in self.blocks:
            weights = lam[first : first + block.size]
            first += block.size
            count = len(block.places)
            values.append(block.hessian(x, casadi.reshape(weights, block.size // count, count)))
        for block in self._merits:
            values.append(block.hessian(x, casadi.repmat(sigma, 1, len(block.places))))
        blocks = (*self.blocks, *self._merits)
        one, other = (
            np.concatenate([b.places[:, b.curvatures[k]].ravel() for b in blocks]) for k in (0, 1)
        )
        n, scale = len(self.start), np.array(self.scale)
        entries = casadi.DM(scale[one] * scale[other]) * casadi.vertcat(*values)
        return _placed(np.minimum(one, other), np.maximum(one, other), entries, (n, n))


def _function(arguments: Sequence[Any], result: Any) -> Any:
    return casadi.Function("block", list(arguments), [casadi.densify(result)], {"cse": True})


def _entries(matrix: Any) -> tuple[Places, Places]:
    """Rows and columns of the entries of a sparse matrix, in the order of its values."""
    rows, columns = matrix.sparsity().get_triplet()
    return np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64)


def _placed(rows: Places, columns: Places, values: Any, shape: tuple[int, int]) -> Any:
    """A sparse matrix whose entries are sums of values."""
    keys, entry = np.unique(columns * shape[0] + rows, return_inverse=True)
    sparsity = casadi.Sparsity.triplet(
        *shape, (keys % shape[0]).tolist(), (keys // shape[0]).tolist()
    )
    return casadi.MX(sparsity, _gathering(entry, len(keys)) @ values)


def _gathering(entry: Places, count: int) -> Any:
    """The matrix of ones that sums values into their entries."""
    sparsity = casadi.Sparsity.triplet(count, len(entry), entry.tolist(), list(range(len(entry))))
    return casadi.DM(sparsity, 1.0)

"""Inertial parameters of each body that exist, near those of a description, from base parameters.

Least squares over the logarithms of Cholesky factors (Rucker, Wensing 2022, "Smooth
parameterization of rigid-body inertia"): every point of that space is a real body, so no constraint
is left that a solver could violate by its tolerance, and SciPy's least squares do. What forces
leave open stays as described: as one standard error count a mass or a principal radius that is e
times as large, a center of mass that moves by such a radius, and terms of joints that change by
their own size, or by 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.extras import package
from robcogen_ros.identification.pseudo_inertia import factor, inertial_parameters
from robcogen_ros.runtime.identified import Identified

Array = NDArray[np.float64]

_ROWS, _COLUMNS = np.triu_indices(4)
_DIAGONAL = _ROWS == _COLUMNS
_POWERS = np.where(_DIAGONAL, np.where(_ROWS == 3, 0.5, 1.0), 0.0)
"""Powers, so that an unknown is the logarithm of a mass, whose root is in the factor, or of a
radius."""
_LARGEST = 8.0
"""Bound of the unknowns: masses change by less than e^8."""
_SHARES, _MOST = (1e-4, 1e-3, 1e-2, 1e-1, 1.0), 100
"""Weights that measurements get beside the description, one after the other, and steps of each:
the narrow valley of the last is entered where it begins."""
_LEAST_DRAWS, _FEW = 2, 20
"""Draws that have a spread, and steps of each, which begins at what was found."""
_ENOUGH = 1e-5
"""Part by which the squares of a step's residuals fall at the end."""
_SIGNED = ("offset", "preload", "stribeck")
"""Terms of joints that may have either sign."""


@dataclass(frozen=True)
class Physical:
    """Parameters of bodies and joints that exist.

    Attributes:
        bodies: (links, 10) of each body of the file that carries what was identified, in the frame
            of the link that the joint moves.
        whole: (links, 10) of each link with all that is fixed on it.
        joints: What of the joints was found, by term: (n,); of springs `stiffness` and `rest`.
        values: (b,) base parameters of these.
        deviations: (b,) how many standard errors these are from the identified ones.
        drawn: (draws, links, 10) the bodies if measurements and description were others, at
            random; their spread is that of `bodies`.
        drawn_joints: The same of the joints, by term: (draws, n).
    """

    bodies: Array
    whole: Array
    joints: dict[str, Array]
    values: Array
    deviations: Array
    drawn: Array
    drawn_joints: dict[str, Array]

    def joint_errors(self, term: str) -> Array:
        """Returns (n,) standard errors of a term; NaN where nothing was drawn."""
        return spread(self.drawn_joints[term])


def physical(
    found: Identified, bodies: Array, fixed: Array, joints: dict[str, Array], draws: int = 0
) -> Physical:
    """Returns the parameters of real bodies that fit what was identified, near those described.

    Bounds make their errors other than normal, so these are found by a parametric bootstrap: base
    parameters are drawn by their covariance, the description by the size of what it says, and the
    real bodies of each are found (Bardsley et al. 2014, "Randomize-then-optimize").

    Args:
        found: What was identified.
        bodies: (links, 10) described parameters of the bodies that may change, in the frames of
            the links that joints move; those without a mass stay as they are.
        fixed: (links, 10) of what else is fixed on each link, which stays as it is.
        joints: What of the joints was identified, as described: each term's (n,) values.
        draws: How many are made for the errors.

    Raises:
        RobcogenError: If SciPy is missing.
    """
    optimize = package("scipy.optimize", "identification of physical parameters")
    problem = _Problem(found, bodies, fixed, joints)
    lower, upper = problem.bounds()
    start = np.clip(problem.start(), lower, upper)
    unknowns = start

    def solved(start: Array, most: int) -> Array:
        found: Array = optimize.least_squares(
            problem.residuals,
            start,
            problem.jacobian,
            (lower, upper),
            ftol=_ENOUGH,
            max_nfev=most,
        ).x
        return found

    for share in _SHARES:
        problem.weigh(share)
        unknowns = solved(unknowns, _MOST)
    own, terms = problem.split(unknowns)
    values = problem.base_values(own, terms)
    deviations = (values - found.values) / np.maximum(found.standard_errors, 1e-300)
    random, drawn = np.random.default_rng(0), []
    for _ in range(draws):
        problem.draw(random)
        drawn.append(problem.split(solved(unknowns, _FEW)))
    return Physical(
        own,
        own + fixed,
        _by_term(joints, terms),
        values,
        deviations,
        np.array([each for each, _ in drawn]),
        _by_term(joints, np.array([each for _, each in drawn]).reshape(draws, len(terms))),
    )


def spread(drawn: Array) -> Array:
    """Returns the standard deviation of (draws, ...) values; NaN where there are too few."""
    few = len(drawn) < _LEAST_DRAWS
    return np.full(drawn.shape[1:], np.nan) if few else np.asarray(drawn.std(axis=0, ddof=1))


def _by_term(joints: dict[str, Array], terms: Array) -> dict[str, Array]:
    """Returns (..., n) values of each term, of springs the position of rest for the preload."""
    n = n_of(joints)
    found = {name: terms[..., k * n : (k + 1) * n] for k, name in enumerate(joints)}
    if "preload" in found:
        stiffness, preload = found["stiffness"], found.pop("preload")
        found["rest"] = -np.divide(preload, stiffness, np.zeros(preload.shape), where=stiffness > 0)
    return found


def n_of(joints: dict[str, Array]) -> int:
    """Returns how many joints there are."""
    return len(next(iter(joints.values()), ()))


class _Problem:
    """Base parameters of bodies and joints, beside what was identified."""

    def __init__(
        self, found: Identified, bodies: Array, fixed: Array, joints: dict[str, Array]
    ) -> None:
        self._found, self._values, self._whole = found, found.values, found.information
        self._information = found.information
        self._bodies, self._fixed = bodies, fixed
        self._free = [k for k, body in enumerate(bodies) if body[0] > 0]
        self._factors = [factor(bodies[k]) for k in self._free]
        self._described = np.concatenate([np.zeros(0), *joints.values()])
        told = np.zeros(len(found.base.names))
        told[found.base.columns] = np.abs(found.values)
        own = told[len(told) - len(self._described) :]
        self._sizes = np.maximum.reduce([own, np.abs(self._described), np.ones(len(own))])
        self._signed = np.repeat([name in _SIGNED for name in joints], n_of(joints))
        self._grouping = found.base.grouping
        self._middle = np.concatenate([np.zeros(10 * len(self._free)), self._described])

    def draw(self, random: np.random.Generator) -> None:
        """Takes other measurements and another description, at random."""
        sizes, axes = np.linalg.eigh(self._found.covariance)
        apart = axes @ (np.sqrt(np.maximum(sizes, 0.0)) * random.normal(size=len(sizes)))
        self._values = self._found.values + apart
        self._middle = np.concatenate([np.zeros(10 * len(self._free)), self._described])
        self._middle += self._scales() * random.normal(size=len(self._middle))

    def weigh(self, share: float) -> None:
        """Let what was identified count as a share of what it is."""
        self._information = share * self._whole

    def bounds(self) -> tuple[Array, Array]:
        """Returns the least and the greatest unknowns."""
        inertial = np.full(10 * len(self._free), _LARGEST)
        least = np.where(self._signed, -np.inf, 0.0)
        return (
            np.concatenate([-inertial, least]),
            np.concatenate([inertial, np.full(len(least), np.inf)]),
        )

    def start(self) -> Array:
        """Returns the unknowns of what is described; joint terms inside of their bounds."""
        inside = np.maximum(self._described, 1e-3)
        return np.concatenate(
            [np.zeros(10 * len(self._free)), np.where(self._signed, self._described, inside)]
        )

    def split(self, unknowns: Array) -> tuple[Array, Array]:
        """Returns (links, 10) parameters of the bodies, and those of joints."""
        own, count = self._bodies.copy(), 10 * len(self._free)
        for k, U, x in zip(
            self._free, self._factors, unknowns[:count].reshape(-1, 10), strict=True
        ):
            root = U @ _upper(x)
            own[k] = inertial_parameters(root @ root.T)
        return own, unknowns[count:]

    def base_values(self, own: Array, terms: Array) -> Array:
        """Returns (b,) base parameters."""
        parameters = np.concatenate([(own + self._fixed).ravel(), terms])
        return np.asarray(self._grouping @ parameters, dtype=np.float64)

    def residuals(self, unknowns: Array) -> Array:
        """Returns what base parameters differ by, then what bodies and joints changed by."""
        own, terms = self.split(unknowns)
        apart = self._information @ (self.base_values(own, terms) - self._values)
        return np.concatenate([apart, self._changes(unknowns)])

    def _changes(self, unknowns: Array) -> Array:
        return np.asarray((unknowns - self._middle) / self._scales(), dtype=np.float64)

    def _scales(self) -> Array:
        return np.concatenate([np.ones(10 * len(self._free)), self._sizes])

    def jacobian(self, unknowns: Array) -> Array:
        """Returns the derivatives of the residuals."""
        links, free = len(self._bodies), len(self._free)
        by_unknowns = np.zeros((10 * links + len(self._described), len(unknowns)))
        parts = unknowns[: 10 * free].reshape(-1, 10)
        for number, (k, U, x) in enumerate(zip(self._free, self._factors, parts, strict=True)):
            half = U @ _changed(x) @ _upper(x).T @ U.T
            derivatives = inertial_parameters(half + half.transpose(0, 2, 1))
            by_unknowns[10 * k : 10 * k + 10, 10 * number : 10 * number + 10] = derivatives.T
        terms = np.arange(len(self._described))
        by_unknowns[10 * links + terms, 10 * free + terms] = 1
        top = self._information @ self._grouping @ by_unknowns
        return np.vstack([top, np.diag(1 / self._scales())])


def _upper(x: Array) -> Array:
    """Returns an upper triangular matrix of its entries, the diagonal by logarithms."""
    matrix = np.zeros((4, 4))
    matrix[_ROWS, _COLUMNS] = np.where(_DIAGONAL, np.exp(_POWERS * x), x)
    return matrix


def _changed(x: Array) -> Array:
    """Returns (10, 4, 4) derivatives of that matrix."""
    each = np.zeros((10, 4, 4))
    slopes = np.where(_DIAGONAL, _POWERS * np.exp(_POWERS * x), 1)
    each[np.arange(10), _ROWS, _COLUMNS] = slopes
    return each

"""The functions that are measured, and what other libraries call them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

PINOCCHIO, CODEGEN, KDL, MUJOCO = "pinocchio", "cppadcodegen", "kdl", "mujoco"
WHOLE = "pinocchio-whole"
"""Pinocchio, the lower triangle of matrices filled in as well, which it leaves to its users."""

VECTOR, MATRIX, ENTRIES = "vector", "matrix", "entries"
DERIVATIVES, DERIVATIVE_ENTRIES = "derivatives", "entries of derivatives"
INVERSE, JACOBIAN, AXES = "inverse of a matrix", "Jacobian", "axes of joints"
BASE_FIRST, NUMBERS = "vectors, base first", "numbers"
MOTION, MOTION_DERIVATIVES, IMPACT_DERIVATIVES = "motion", "of motion", "of an impact"
"""Motion of a robot in contact, the forces of contacts after it, and their derivatives."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A function to measure.

    Attributes:
        name: Its name.
        floating: The name of what is compared where the base floats; empty for the same.
        last: Which of our arguments the third of the other libraries is, after q and qd.
        result: What its results are, which tells how those of others are brought into our order.
        peers: For each library that has it, the names of the ways in which it computes it.
    """

    name: str
    floating: str = ""
    last: str = "qdd"
    result: str = VECTOR
    peers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def entries(self) -> bool:
        """True if it computes, of what another does, only the entries that are not zero."""
        return self.result in (ENTRIES, DERIVATIVE_ENTRIES)

    @property
    def derivative(self) -> bool:
        """True if it computes derivatives, which are large."""
        kinds = DERIVATIVES, DERIVATIVE_ENTRIES, MOTION_DERIVATIVES, IMPACT_DERIVATIVES
        return self.result in kinds

    def of(self, floating_base: bool) -> str:
        """The name of our function."""
        return self.floating if floating_base and self.floating else self.name


def _conventions(name: str) -> tuple[str, ...]:
    """The names of a function of Pinocchio by its two conventions."""
    return f"{name}_local", f"{name}_world"


def _everywhere(name: str) -> dict[str, tuple[str, ...]]:
    """The names of a function that all libraries have."""
    both = _conventions(name)
    return {PINOCCHIO: both, CODEGEN: both, KDL: (name,), MUJOCO: (name,)}


def _matrix(name: str) -> dict[str, tuple[str, ...]]:
    """Returns the ways of a symmetric matrix, with those that give all of it."""
    return {**_everywhere(name), WHOLE: (f"{name}_local_whole", f"{name}_world_whole")}


FUNCTIONS = (
    Measured(
        "inverse_dynamics",
        "inverse_dynamics_fully_actuated",
        peers=dict.fromkeys((PINOCCHIO, CODEGEN, KDL, MUJOCO), ("inverse_dynamics",)),
    ),
    Measured("inertia_matrix", result=MATRIX, peers=_matrix("inertia_matrix")),
    Measured(
        "inertia_matrix_entries",
        result=ENTRIES,
        peers={PINOCCHIO: _conventions("inertia_matrix")},
    ),
    Measured("forward_dynamics", last="tau", peers=_everywhere("forward_dynamics")),
    Measured(
        "inverse_dynamics_derivatives",
        result=DERIVATIVES,
        peers=dict.fromkeys((PINOCCHIO, CODEGEN), ("inverse_dynamics_derivatives",)),
    ),
    Measured(
        "inverse_dynamics_derivatives_entries",
        result=DERIVATIVE_ENTRIES,
        peers={PINOCCHIO: ("inverse_dynamics_derivatives",)},
    ),
)
"""Comparisons unless functions are named; one line a function."""


def _pinocchio(name: str, result: str, ways: tuple[str, ...] = (), last: str = "qdd") -> Measured:
    """A function that is compared with Pinocchio's."""
    return Measured(name, last=last, result=result, peers={PINOCCHIO: ways or (name,)})


IN_CONTACT = ("contact_forward_dynamics_constraint", "contact_forward_dynamics_lcaba")
"""The ways of Pinocchio to a motion in contact, and of what loops close."""

MORE = (
    _pinocchio("gravity_torques", VECTOR),
    _pinocchio("coriolis_torques", VECTOR),
    Measured(
        "inertia_matrix_inverse",
        result=INVERSE,
        peers={PINOCCHIO: ("inertia_matrix_inverse",), WHOLE: ("inertia_matrix_inverse_whole",)},
    ),
    _pinocchio("solve_inertia", BASE_FIRST, _conventions("solve_inertia"), last="b"),
    _pinocchio("forward_dynamics_derivatives", DERIVATIVES, last="tau"),
    _pinocchio("kinematics", AXES),
    _pinocchio("center_of_mass", NUMBERS),
    _pinocchio("center_of_mass_jacobian", JACOBIAN),
    _pinocchio("centroidal_momentum_matrix", JACOBIAN),
    _pinocchio("generalized_momentum", BASE_FIRST),
    _pinocchio("kinetic_energy", NUMBERS),
    _pinocchio("potential_energy", NUMBERS),
    _pinocchio("contact_forward_dynamics", MOTION, IN_CONTACT, last="tau"),
    _pinocchio("contact_forward_dynamics_eliminated", MOTION, IN_CONTACT, last="tau"),
    _pinocchio("contact_forward_dynamics_derivatives", MOTION_DERIVATIVES, last="tau"),
    _pinocchio("impact", MOTION),
    _pinocchio("impact_derivatives", IMPACT_DERIVATIVES),
)
"""Comparisons that are made where they are named."""


def measured(name: str) -> Measured:
    """Returns the measured function of a name; in no table, nobody else has it."""
    known = {function.name: function for function in (*FUNCTIONS, *MORE)}
    return known.get(name, Measured(name))

"""Jacobians of a robot's functions, from those functions of the robot that compute derivatives.

Arrays are those of any library with the names of NumPy. A rule takes a call of other functions, the
arguments of its own by name, and those by which it is differentiated. It returns, by output and
argument, arrays (..., shape of the output, numbers of the argument).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from robcogen_ros.runtime.arguments import namespace, size

Values = Mapping[str, Any]
Blocks = dict[tuple[str, str], Any]
Call = Callable[..., dict[str, Any]]
Rule = Callable[[Call, Values, frozenset[str]], Blocks]

PARAMETERS = "parameters"
"""The argument that all functions of a robot with parameters have beside their own."""

_PLACES = ("q", "contact", "contact_rotation", "damping")
"""Arguments that tell where a robot is, and which of its contacts are closed."""


def rule_of(name: str, functions: Collection[str], floating_base: bool) -> Rule | None:
    """Returns how the Jacobian of a function is found, or None where nothing computes it.

    Args:
        name: The function.
        functions: Names of all functions of the robot.
        floating_base: Whether its base moves freely.
    """
    known = (_FLOATING if floating_base else _FIXED).get(name) or _EITHER.get(name)
    if known is not None:
        return known
    for word, derivative, rule in (("_X_", "_J_", _pose), ("_J_", "_hessian_", _frame_jacobian)):
        parts = name.split(word)
        for i in range(1, len(parts)):
            other = word.join(parts[:i]) + derivative + word.join(parts[i:])
            if other in functions:
                return partial(rule, name, other)
    return None


def names_with_rules(floating_base: bool) -> list[str]:
    """Returns the functions that can have a Jacobian, frames as A and B."""
    return sorted({*(_FLOATING if floating_base else _FIXED), *_EITHER, "A_X_B", "A_J_B"})


def _inverse_dynamics(call: Call, given: Values, by: frozenset[str]) -> Blocks:
    d = call("inverse_dynamics_derivatives", **given)
    blocks = {
        ("tau", "q"): d["dtau_dq"],
        ("tau", "qd"): d["dtau_dqd"],
        ("tau", "qdd"): d["dtau_dqdd"],
    }
    for argument in by & {"gravity", "external_forces"}:
        blocks["tau", argument] = _columns(call, "inverse_dynamics", given, argument)["tau"]
    if PARAMETERS in by:
        blocks["tau", PARAMETERS] = _by_parameters(call, given)
    return blocks


def _forward_dynamics(call: Call, given: Values, by: frozenset[str]) -> Blocks:
    d = call("forward_dynamics_derivatives", **given)
    blocks = {
        ("qdd", "q"): d["dqdd_dq"],
        ("qdd", "qd"): d["dqdd_dqd"],
        ("qdd", "tau"): d["dqdd_dtau"],
    }
    same = {name: value for name, value in given.items() if name != "tau"}
    for argument in by & {"gravity", "external_forces"}:
        forces = _columns(call, "inverse_dynamics", {**same, "qdd": given["tau"]}, argument)["tau"]
        blocks["qdd", argument] = -d["dqdd_dtau"] @ forces
    if PARAMETERS in by:
        motion = {**same, "qdd": call("forward_dynamics", **given)["qdd"]}
        blocks["qdd", PARAMETERS] = -d["dqdd_dtau"] @ _by_parameters(call, motion)
    return blocks


def _inertia_matrix(call: Call, given: Values, by: frozenset[str]) -> Blocks:
    """Derivatives of H: of its column j those of what an acceleration of coordinate j takes."""
    q = given["q"]
    xp = namespace(q)
    n = q.shape[-1]
    still = xp.zeros_like(q[..., None, :])
    at = {"q": q[..., None, :], "qd": still, "gravity": xp.zeros(3, dtype=q.dtype)}
    moved = call("inverse_dynamics_derivatives", **at, qdd=still + xp.eye(n, dtype=q.dtype))[
        "dtau_dq"
    ]
    rest = call("inverse_dynamics_derivatives", **at, qdd=still)["dtau_dq"]
    return {("H", "q"): xp.moveaxis(moved - rest, -3, -2)}


def _gravity_torques(call: Call, given: Values, by: frozenset[str]) -> Blocks:
    still = namespace(given["q"]).zeros_like(given["q"])
    blocks = _inverse_dynamics(call, {**given, "qd": still, "qdd": still}, by)
    return {block: value for block, value in blocks.items() if block[1] in (*given, PARAMETERS)}


def _fully_actuated(call: Call, given: Values, by: frozenset[str]) -> Blocks:
    """Derivatives of a floating base's wrench and of the forces along the joints."""
    d = call("inverse_dynamics_derivatives", **given)
    blocks = _of_base(
        "base_wrench",
        "tau",
        {
            "q": d["dtau_dq"][..., 6:],
            "base_velocity": d["dtau_dqd"][..., :6],
            "qd": d["dtau_dqd"][..., 6:],
            "base_acceleration": d["dtau_dqdd"][..., :6],
            "qdd": d["dtau_dqdd"][..., 6:],
            "gravity": -d["dtau_dqdd"][..., 3:6],
        },
    )
    if "external_forces" in by:
        name, argument = "inverse_dynamics_fully_actuated", "external_forces"
        for output, columns in _columns(call, name, given, argument).items():
            blocks[output, argument] = columns
    if PARAMETERS in by:
        blocks |= _of_base("base_wrench", "tau", {PARAMETERS: _by_parameters(call, given)})
    return blocks


def _floating_inverse_dynamics(call: Call, given: Values, by: frozenset[str]) -> Blocks:
    """Derivatives where the base accelerates so that no wrench acts on it (RBDA section 9.5)."""
    xp = namespace(given["q"])
    a = call("inverse_dynamics", **given)["base_acceleration"]
    actuated = _fully_actuated(call, {**given, "base_acceleration": a}, by)
    held = actuated["base_wrench", "base_acceleration"]
    blocks = {}
    for argument in {name for _, name in actuated} - {"base_acceleration"}:
        moved = -xp.linalg.solve(held, actuated["base_wrench", argument])
        forces = actuated["tau", "base_acceleration"] @ moved
        blocks["base_acceleration", argument] = moved
        blocks["tau", argument] = actuated["tau", argument] + forces
    return blocks


def _floating_forward_dynamics(call: Call, given: Values, by: frozenset[str]) -> Blocks:
    xp = namespace(given["q"])
    d = call("forward_dynamics_derivatives", **given)
    inverse = d["dqdd_dtau"]
    falling = (
        xp.zeros_like(inverse[..., :3]) + xp.eye(inverse.shape[-1], dtype=inverse.dtype)[:, 3:6]
    )
    parts = {
        "q": d["dqdd_dq"][..., 6:],
        "base_velocity": d["dqdd_dqd"][..., :6],
        "qd": d["dqdd_dqd"][..., 6:],
        "tau": inverse[..., 6:],
        "gravity": falling,
    }
    same = {name: value for name, value in given.items() if name != "tau"}
    if by & {"external_forces", PARAMETERS}:
        motion = {**same, **call("forward_dynamics", **given)}
        forces = _fully_actuated(call, motion, by)
        for argument in by & {"external_forces", PARAMETERS}:
            both = [forces["base_wrench", argument], forces["tau", argument]]
            parts[argument] = -inverse @ xp.concatenate(both, axis=-2)
    return _of_base("base_acceleration", "qdd", parts)


def _contact_forward_dynamics(call: Call, given: Values, by: frozenset[str]) -> Blocks:
    d = call("contact_forward_dynamics_derivatives", **given)
    floating = "base_velocity" in given
    blocks: Blocks = {}
    for output, of in (("qdd", "qdd"), ("contact_forces", "forces")):
        parts = _by_state(floating, d[f"d{of}_dq"], d[f"d{of}_dqd"], d[f"d{of}_dtau"])
        if floating and output == "qdd":
            blocks |= _of_base("base_acceleration", output, parts)
        else:
            blocks |= {(output, argument): part for argument, part in parts.items()}
    for argument in by & {"gravity", "external_forces", "contact_acceleration"}:
        columns = _columns(call, "contact_forward_dynamics", given, argument)
        blocks |= {(output, argument): part for output, part in columns.items()}
    return blocks


def _impact(call: Call, given: Values, by: frozenset[str]) -> Blocks:
    d = call("impact_derivatives", **given)
    floating = "base_velocity" in given
    parts = _by_state(floating, d["dqd_dq"], d["dqd_dqd"])
    if floating:
        blocks = _of_base("base_velocity_after", "qd_after", parts)
    else:
        blocks = {("qd_after", argument): part for argument, part in parts.items()}
    impulses = _by_state(floating, d["dimpulses_dq"], d["dimpulses_dqd"])
    return blocks | {("impulses", argument): part for argument, part in impulses.items()}


def _center_of_mass(call: Call, given: Values, by: frozenset[str]) -> Blocks:
    J = call("center_of_mass_jacobian", **given)["J"]
    return {("center", "q"): J[..., -given["q"].shape[-1] :]}


def _pose(transform: str, jacobian: str, call: Call, given: Values, by: frozenset[str]) -> Blocks:
    """Derivatives of a homogeneous transform: dR = w x R, dp = v of its frame."""
    X, J = call(transform, **given)["X"], call(jacobian, **given)["J"]
    return {("X", "q"): pose_rates(X, J)}


def _frame_jacobian(
    name: str, hessian: str, call: Call, given: Values, by: frozenset[str]
) -> Blocks:
    stacked = call(hessian, **given)["hessian"]
    columns, n = stacked.shape[-2] // 6, stacked.shape[-1]
    apart = stacked.reshape(*stacked.shape[:-2], columns, 6, n)
    return {("J", "q"): namespace(stacked).swapaxes(apart, -3, -2)}


def pose_rates(X: Any, J: Any) -> Any:
    """Returns derivatives (..., 4, 4, n) of a transform (..., 4, 4) that moves as a Jacobian says.

    Args:
        X: Homogeneous transform A_X_B.
        J: (..., 6, n) velocity of B in A's axes [w; v] per unit rates.
    """
    xp = namespace(X)
    R = X[..., :3, :3]
    w, v = xp.swapaxes(J[..., :3, :], -1, -2), J[..., 3:, :]
    turned = xp.linalg.cross(w[..., :, None, :], xp.swapaxes(R, -1, -2)[..., None, :, :])
    rates = xp.concatenate([xp.moveaxis(turned, -3, -1).swapaxes(-3, -2), v[..., None, :]], axis=-2)
    return xp.concatenate([rates, xp.zeros_like(rates[..., :1, :, :])], axis=-3)


def _columns(call: Call, name: str, given: Values, argument: str) -> dict[str, Any]:
    """Returns the derivatives of each result by an argument in which it is linear.

    They are what unit arguments add to it where the robot rests and nothing else acts.
    """
    q = given["q"]
    xp = namespace(q)
    rank = 2 if argument == "external_forces" else 1
    shape = tuple(given[argument].shape[-rank:])
    numbers = size(shape)
    kept = {k: _apart(v, k) for k, v in given.items() if k in _PLACES and v is not None}
    still = {
        k: xp.zeros_like(_apart(v, k))
        for k, v in given.items()
        if k not in (*_PLACES, "gravity", "external_forces", argument) and v is not None
    }
    at = {**kept, **still, "gravity": xp.zeros(3, dtype=q.dtype)}
    units = xp.eye(numbers, dtype=q.dtype).reshape(numbers, *shape)
    acting, without = call(name, **{**at, argument: units}), call(name, **at)
    return {k: xp.swapaxes(acting[k] - without[k], -1, -2) for k in acting}


def _apart(array: Any, name: str) -> Any:
    """Returns an argument with a dimension more before those of its own."""
    return array[..., None, :, :] if name == "contact_rotation" else array[..., None, :]


def _by_parameters(call: Call, given: Values) -> Any:
    return call("inverse_dynamics_parameter_derivatives", **given)["dtau_dp"]


def _by_state(floating: bool, by_q: Any, by_qd: Any, by_tau: Any = None) -> Values:
    """Returns the columns of derivatives by argument; those of a floating base come first."""
    base = 6 if floating else 0
    parts = {"q": by_q[..., base:], "qd": by_qd[..., base:]}
    if floating:
        parts["base_velocity"] = by_qd[..., :base]
    if by_tau is not None:
        parts["tau"] = by_tau[..., base:]
    return parts


def _of_base(base: str, joints: str, parts: Values) -> Blocks:
    """Returns rows of a floating base, which come first, and those of the joints."""
    blocks = {}
    for argument, part in parts.items():
        blocks[base, argument] = part[..., :6, :]
        blocks[joints, argument] = part[..., 6:, :]
    return blocks


_FIXED: dict[str, Rule] = {
    "inverse_dynamics": _inverse_dynamics,
    "forward_dynamics": _forward_dynamics,
    "gravity_torques": _gravity_torques,
    "inertia_matrix": _inertia_matrix,
}
_FLOATING: dict[str, Rule] = {
    "inverse_dynamics_fully_actuated": _fully_actuated,
    "inverse_dynamics": _floating_inverse_dynamics,
    "forward_dynamics": _floating_forward_dynamics,
}
_EITHER: dict[str, Rule] = {
    "center_of_mass": _center_of_mass,
    "contact_forward_dynamics": _contact_forward_dynamics,
    "impact": _impact,
}

"""All functions of robots on JAX arrays that have derivatives: values and gradients.

    python -m test.drivers.jax_functions [--floating-base] FILE...

Values of 1000 states are compared with the compiled batch, bit by bit. Jacobians in both modes, by
each argument, are compared with those of the generated Python, which is called with complex numbers
(Squire, Trapp 1998: f'(x) = imag f(x + ih) / h), relative to the largest entry. `check_grads` of
JAX compares both modes with differences, by masses of two links too. On a floating base two ends of
limbs are contacts. ROBCOGEN_CXXFLAGS="-O1 -march=native" spares minutes.
"""

from __future__ import annotations

import argparse
import cmath
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import robcogen_ros
from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.formats.read import read
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library
from test.drivers.usage import usage

STATES = 1000
_STEP = 1e-150
_FALLING = np.array([0.5, -0.3, -9.7])
_CONTACTS = ("contact_forward_dynamics", "impact")
_IN_CONTACT = ("q", "qd", "tau", "base_velocity", "gravity", "external_forces")
_BY = ("qdd", "base_acceleration")
"""Arguments by which functions are differentiated, beside those in contact."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--floating-base", action="store_true")
    parser.add_argument("files", nargs="+")
    given = parser.parse_args()
    print(f"{'robot':20} {'n':>3} {'function':34} equal jacfwd  jacrev  check_grads")
    for file in given.files:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for row in rows(file, given.floating_base):
                print(f"{Path(file).stem:20.20} {row}", flush=True)


def rows(file: str, floating: bool) -> Iterator[str]:
    """Yields the columns of each function of a robot."""
    import jax

    jax.config.update("jax_enable_x64", True)
    plain = read(file, floating_base=floating).robot
    ends = _ends(plain) if floating else []
    tip = plain.link_names[max(range(len(plain.links)), key=lambda i: len(plain.support(i)))]
    pose, jacobian, hessian = (
        f"{plain.link_names[0]}_{word}_{tip}" for word in ("X", "J", "hessian")
    )
    own = ["inverse_dynamics", "forward_dynamics", *(_CONTACTS if ends else ())]
    derivatives = [f"{name}_derivatives" for name in own]
    own += (
        ["inverse_dynamics_fully_actuated"] if floating else ["gravity_torques", "inertia_matrix"]
    )
    own += ["center_of_mass", pose, jacobian]
    functions = [*own, *derivatives, "center_of_mass_jacobian", hessian]
    options = {"contacts": ends, "floating_base": floating}
    robot = robcogen_ros.build(file, functions=functions, batch=True, **options)
    python = _python(read(file, **options).robot, own)
    for name in own:
        yield f"{robot.n:3} {name:34} {_beside(robot, python, name)}"
    masses = [f"{link}.mass" for link in robot.link_names[-2:]]
    by_masses = own[:2] + [each for each in own if each.endswith(("actuated", "torques"))]
    functions = [*by_masses, *derivatives[:2], "inverse_dynamics_parameter_derivatives"]
    options = {"parameters": masses, "floating_base": floating}
    robot = robcogen_ros.build(file, functions=functions, **options)
    for name in by_masses:
        yield f"{robot.n:3} {name + ', by masses':34} {_by_masses(robot, name)}"


def _ends(robot: Robot) -> list[str]:
    """Returns links at the ends of two limbs of three joints or more, with no joint in common."""
    supports = [set(robot.support(i)) for i in range(len(robot.links))]
    found: list[int] = []
    for i in sorted(range(len(supports)), key=lambda i: len(supports[i]), reverse=True):
        if len(supports[i]) > 2 and all(supports[i].isdisjoint(supports[j]) for j in found):
            found.append(i)
    return [robot.link_names[i] for i in found[:2]]


def _python(robot: Robot, functions: list[str]) -> dict[str, Any]:
    """Returns the functions of a robot as generated Python."""
    (text,) = BACKENDS["python"](Library(robot, functions), Target("p", "robot", "")).values()
    module: dict[str, Any] = {}
    exec(compile(text, "<robot>", "exec"), module)
    return module


def _beside(robot: Any, python: dict[str, Any], name: str) -> str:
    """Returns the columns of a function: values beside the batch, Jacobians, check_grads."""
    import jax
    from jax.test_util import check_grads

    on_jax = robcogen_ros.jax(robot)
    arguments = _arguments(robot, name)
    by = tuple(
        k for k in arguments if k in (_IN_CONTACT if name in _CONTACTS else _IN_CONTACT + _BY)
    )
    if name == "impact":
        by = tuple(k for k in by if k != "gravity")
    mapped = jax.jit(jax.vmap(lambda values: on_jax.evaluate(name, **values)))(arguments)
    own = robot.evaluate(name, **arguments)
    equal = all(np.array_equal(mapped[key], own[key]) for key in own)
    state = {key: value[0] for key, value in arguments.items()}

    def function(*values: Any) -> Any:
        return on_jax.evaluate(name, **{**state, **dict(zip(by, values, strict=True))})

    values = tuple(state[key] for key in by)
    exact = [_complex_step(python[name], state, key) for key in by]
    errors = []
    for mode in (jax.jacfwd, jax.jacrev):
        found = jax.jit(mode(function, argnums=tuple(range(len(by)))))(*values)
        pairs = [
            (np.asarray(found[output][i]), exact[i][j])
            for j, output in enumerate(own)
            for i in range(len(by))
        ]
        errors.append(max(map(_error, *zip(*pairs, strict=True))))
    checked = "ok"
    try:
        check_grads(function, values, order=1, modes=["fwd", "rev"], atol=1e-4, rtol=1e-4, eps=1e-6)
    except AssertionError as found:
        checked = str(found).strip().splitlines()[0][:60]
    return f"{equal!s:5} {errors[0]:.1e} {errors[1]:.1e} {checked}"


def _arguments(robot: Any, name: str) -> dict[str, np.ndarray]:
    """Returns random states, gravity and wrenches on all links for a function."""
    random = np.random.default_rng(1)
    shapes = robot._signatures[name].shapes
    taken = {key: shape for key, shape in shapes.items() if key in _IN_CONTACT + _BY}
    found = {key: random.normal(size=(STATES, *shape)) for key, shape in taken.items()}
    if "gravity" in found:
        found["gravity"] = _FALLING + np.zeros((STATES, 3))
    return found


def _complex_step(function: Any, state: dict[str, np.ndarray], by: str) -> list[np.ndarray]:
    """Returns the derivative of each output by an argument: shape of the one, then of the other."""
    columns: list[list[np.ndarray]] = []
    for place in np.ndindex(state[by].shape):
        moved = {key: value.astype(complex).astype(object) for key, value in state.items()}
        moved[by][place] += _STEP * 1j
        results = function(**moved, maths=cmath)
        listed = results if isinstance(results, tuple) else (results,)
        columns.append([np.asarray(each, complex).imag / _STEP for each in listed])
    return [
        np.stack(each, axis=-1).reshape(*each[0].shape, *state[by].shape)
        for each in zip(*columns, strict=True)
    ]


def _error(found: np.ndarray, exact: np.ndarray) -> float:
    scale = np.abs(exact).max()
    return float(np.abs(found - exact).max() / (scale or 1.0))


def _by_masses(robot: Any, name: str) -> str:
    """Returns the columns of a function by parameters: both modes, and differences."""
    import jax
    from jax.test_util import check_grads

    state = {key: value[0] for key, value in _arguments(robot, name).items()}
    p = robot.parameters.array()

    def function(values: Any) -> Any:
        return robcogen_ros.jax(robot, values).evaluate(name, **state)

    forth, back = (jax.jit(mode(function))(p) for mode in (jax.jacfwd, jax.jacrev))
    apart = max(_error(np.asarray(forth[k]), np.asarray(back[k])) for k in forth)
    checked = "ok"
    try:
        check_grads(function, (p,), order=1, modes=["fwd", "rev"], atol=1e-4, rtol=1e-4, eps=1e-5)
    except AssertionError as found:
        checked = str(found).strip().splitlines()[0][:60]
    values = robot.evaluate(name, **state)
    equal = all(np.array_equal(function(p)[key], values[key]) for key in values)
    return f"{equal!s:5} {apart:.1e} apart   {checked}"


if __name__ == "__main__":
    with usage():
        main()

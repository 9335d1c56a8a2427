"""Quantities that a document computes from its parameters: masses that follow lengths.

The oracles are the same robot with numbers in place of its parameters, which is another path
through everything but the reader, and a pendulum whose equations are known.
"""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import robcogen_ros

LEG = """Robot Leg {
    limb arm (length, side) {
        children { bone via pivot }
        link bone {
            inertia_params {
                mass = rho*length CoM = (length/2, side*w, 0.0)
                Ix = rho*length*2*w^2 Iy = rho*length*(length^2/3 + w*w)
                Iz = rho*length*(length^2/3 + 2*w*w)
                Ixy = side*rho*length^2*w/2 Ixz = 0.0 Iyz = 0.0
            }
            children {}
        }
        r_joint pivot { ref_frame { translation = (0.1, side*w, 0.0) rotation = (tilt, 0.5, 0.0) } }
    }
    RobotBase base {
        inertia_params {
            mass = 5.0*w + 1 CoM = (0.0, 0.0, w/4) Ix = 2*w*w Iy = 2*w^2 + 0.1 Iz = 3*w*w + 0.1
            Ixy = 0.0 Ixz = 0.0 Iyz = 0.0
        }
        children {
            thigh via hip arm left_ (length = L, side = 1) arm right_ (length = L, side = -1)
        }
    }
    link thigh {
        id = 1
        inertia_params {
            mass = rho[2.7]*L[0.4] CoM = (L/2, w[0.1]/3, L*sin(tilt))
            Ix = rho*L^3/2 Iy = rho*L*(L^2 + w^2) Iz = rho*L^3 Ixy = 0.0 Ixz = 0.0 Iyz = -w*L*0.01
        }
        children { shank via knee }
    }
    link shank {
        id = 2
        inertia_params {
            mass = m[0.7] CoM = (L*k[0.4], 0.0, 0.0) Ix = m*w*w
            Iy = m*(L*k)^2 + w^2 Iz = m*(k*L)^2 + w^2
            Ixy = 0.0 Ixz = 0.001 Iyz = 0.0
        }
        children {}
        frames { foot { translation = (k*L, w, L*cos(tilt)) rotation = (-tilt[0.3], 0.2, 0.0) } }
    }
    r_joint hip { ref_frame { translation = (w, 0.0, L*w) rotation = (tilt, PI/2.0, 0.0) } }
    p_joint knee { ref_frame { translation = (L - w/2, 0.02, 0.0) rotation = (0.0, tilt/3, 0.3) } }
}
"""
NAMES = ("rho", "L", "w", "m", "k", "tilt")
PENDULUM = """Robot Pendulum {
    RobotBase base { children { rod via pivot } }
    link rod {
        id = 1
        inertia_params {
            mass = rho*L CoM = (L/2, 0.0, 0.0)
            Ix = 0.0 Iy = rho*L^3/3 Iz = rho*L^3/3 Ixy = 0.0 Ixz = 0.0 Iyz = 0.0
        }
        children { }
        frames { tip { translation = (L, 0.0, 0.0) rotation = (0.0, 0.0, 0.0) } }
    }
    r_joint pivot { ref_frame { translation = (0.0, 0.0, 0.0) rotation = (-PI/2.0, 0.0, 0.0) } }
}
"""


def with_numbers(text: str, values: dict[str, float]) -> str:
    """The document with numbers for its parameters."""
    text = re.sub(r"\[[^]]*\]", "", text)
    return re.sub(rf"\b({'|'.join(values)})\b", lambda name: f"({values[name[0]]!r})", text)


def interpreted(text: str, floating_base: bool):
    wanted = ["all", "derivatives"]
    return robcogen_ros.build(
        text=text, floating_base=floating_base, functions=wanted, backend="numpy"
    )


def agree(robot, other, random) -> None:
    """Every function that both have gives the same."""
    for name, signature in robot._signatures.items():
        if "parameter_derivatives" in name:
            continue
        given = {key: random.normal(size=shape) for key, shape in signature.shapes.items()}
        found, expected = robot.evaluate(name, **given), other.evaluate(name, **given)
        for key, value in expected.items():
            scale = 1e-12 * max(1.0, np.abs(value).max(initial=0.0))
            np.testing.assert_allclose(found[key], value, rtol=0, atol=scale, err_msg=name)


def drawn(random) -> dict[str, float]:
    return {name: float(random.uniform(0.2, 1.2)) for name in NAMES}


@pytest.mark.parametrize("floating_base", [False, True])
def test_every_function_is_that_of_the_robot_with_numbers(floating_base):
    random = np.random.default_rng(5)
    robot, values = interpreted(LEG, floating_base), drawn(random)
    robot.parameters.update(values)
    agree(robot, interpreted(with_numbers(LEG, values), floating_base), random)


@pytest.mark.slow
def test_compiled_functions_are_those_of_the_robot_with_numbers():
    random = np.random.default_rng(6)
    wanted = ["inverse_dynamics", "inertia_matrix", "center_of_mass_jacobian"]
    robot = robcogen_ros.build(text=LEG, floating_base=True, functions=wanted)
    values = drawn(random)
    robot.parameters.update(values)
    agree(robot, interpreted(with_numbers(LEG, values), floating_base=True), random)


def test_derivatives_by_parameters_are_the_differences():
    random = np.random.default_rng(7)
    wanted = ["inverse_dynamics", "inverse_dynamics_parameter_derivatives"]
    robot = robcogen_ros.build(text=LEG, functions=wanted, backend="numpy")
    values = drawn(random)
    robot.parameters.update(values)
    state = {name: random.normal(size=robot.n) for name in ("q", "qd", "qdd")}
    slopes = robot.evaluate("inverse_dynamics_parameter_derivatives", **state)["dtau_dp"]
    for column, name in enumerate(robot.parameters):
        ends = []
        for step in (1e-6, -1e-6):
            robot.parameters.update({**values, name: values[name] + step})
            ends.append(robot.inverse_dynamics(*state.values()))
        np.testing.assert_allclose(slopes[:, column], (ends[0] - ends[1]) / 2e-6, atol=1e-7)


@pytest.mark.parametrize(("length", "density"), [(0.6, 2.7), (1.3, 0.4)])
def test_a_rod_is_a_pendulum_in_closed_form(length, density):
    """m = rho L, I = m L^2/3 about the pivot, tau = I qdd - m g (L/2) cos q for q from level."""
    pendulum = robcogen_ros.build(text=PENDULUM, backend="numpy")
    pendulum.parameters.update({"L": length, "rho": density})
    mass, inertia = density * length, density * length**3 / 3
    q, qd, qdd = [0.4], [1.5], [-0.7]
    effort = inertia * qdd[0] - mass * 9.81 * length / 2 * math.cos(q[0])
    assert pendulum.total_mass() == pytest.approx(mass, rel=1e-14)
    assert pendulum.inverse_dynamics(q, qd, qdd)[0] == pytest.approx(effort, rel=1e-13)
    assert pendulum.forward_dynamics(q, qd, [effort])[0] == pytest.approx(qdd[0], rel=1e-13)
    assert pendulum.kinetic_energy(q, qd) == pytest.approx(inertia * qd[0] ** 2 / 2, rel=1e-14)
    (problem,) = pendulum.parameters.check({"rho": -1.0})
    assert problem == f"link 'rod' (of rho, L) has a negative mass: {-length} kg"


def test_defaults_are_wanted_where_no_value_could_be_found():
    """An expression without defaults is looked at with values that it takes."""
    text = PENDULUM.replace("translation = (L,", "translation = (sqrt(L - 1),")
    assert robcogen_ros.build(text=text, backend="numpy").parameters
    never = PENDULUM.replace("translation = (0.0,", "translation = (1/(L - L),")
    with pytest.raises(robcogen_ros.RobcogenError, match="an expression of L has no value: it div"):
        robcogen_ros.build(text=never, backend="numpy")

"""The control law in C++ against the one in Python and closed forms."""

from __future__ import annotations

import shutil
import subprocess
from itertools import product

import numpy as np
import pytest

from robcogen_ros.control.law import ControlLaw, Mode, Settings
from robcogen_ros.control.reference import SetPoint
from robcogen_ros.control.trajectory import MotionState
from test.control.cpp_controller import ARM, CPP, MODES, CppController, Law, N, rows, set_point

pytestmark = pytest.mark.slow

PYTHON_MODES = [mode for mode in MODES if mode in set(Mode)]


@pytest.fixture
def controller(pendulum_library):
    return CppController(pendulum_library)


@pytest.mark.parametrize(
    ("mode", "feed_forward", "friction"),
    list(product(PYTHON_MODES, [True, False], [True, False])),
)
def test_law_gives_the_efforts_of_the_one_in_python(controller, mode, feed_forward, friction):
    rng = np.random.default_rng(7)
    saturated = 0
    for limits in ([np.inf, np.inf], [12.0, 3.0], [1.0, 40.0]):
        gravity = None if limits[0] > 20 else np.array([0.0, 0.0, rng.uniform(-12, 3)])
        law = Law(mode, feed_forward, friction, limits=np.array(limits), gravity=gravity)
        settings = Settings(
            Mode(mode), law.kp, law.kd, law.limits, feed_forward, friction, law.gravity
        )
        expected_law = ControlLaw(ARM, settings)
        controller.set(law)
        for _ in range(40):
            q, qd = rng.normal(0, 3, N), rng.normal(0, 6, N)
            wanted = rows(q + rng.normal(0, 1, N), *rng.normal(0, 2, (3, N)))
            reply = controller.law(q, qd, wanted)
            expected = expected_law.command(q, qd, MotionState(*wanted))
            np.testing.assert_allclose(reply.effort, expected.effort, atol=1e-9)
            assert reply.scale == pytest.approx(expected.scale, abs=1e-9)
            support = expected_law.support(q).effort
            np.testing.assert_allclose(reply.gravity, support, atol=1e-9)
            assert reply.sound
            saturated += reply.scale < 1
    assert saturated or mode == "gravity"


def test_feed_forward_is_inverse_dynamics_of_the_reference(controller):
    controller.set(Law("feed_forward"))
    q, qd = np.array([0.4, -1.1]), np.array([0.9, 1.7])
    wanted = rows([0.5, -1.0], [0.2, -3.0], [3.0, -2.0], [0.1, 0.2])
    motion = ARM.inverse_dynamics(*wanted[:3])
    loss = ARM.damping * wanted[1] + ARM.friction * np.sign(wanted[1])
    reply = controller.law(q, qd, wanted)
    np.testing.assert_allclose(reply.effort, motion + loss + wanted[3], atol=1e-9)
    np.testing.assert_allclose(reply.gravity, ARM.gravity_torques(q), atol=1e-9)


def test_share_scales_what_exceeds_gravity(controller):
    q, qd = np.array([0.4, -1.1]), np.array([0.9, 1.7])
    wanted = rows([0.5, -1.0])
    whole = controller.law(q, qd, wanted).effort
    gravity = ARM.gravity_torques(q)
    reply = controller.law(q, qd, wanted, share=0.25)
    np.testing.assert_allclose(reply.effort, gravity + 0.25 * (whole - gravity), atol=1e-9)


@pytest.mark.parametrize("age", [-0.1, 0.0, 0.03, 0.1, 0.2])
def test_set_point_is_carried_on_as_in_python(pendulum_library, age):
    state = rows([0.4, 2.0], [1.0, -2.0], [3.0, 0.5], 1.5)
    expected = SetPoint(0.0, MotionState(*state), 0.1).sample(age)
    got = set_point(pendulum_library, state, patience=0.1, age=age)
    np.testing.assert_allclose(got, expected, atol=1e-12)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_all_modes_and_faults_run_where_allocating_aborts(pendulum_library, tmp_path):
    program = tmp_path / "no_allocation"
    command = ["cc", "-std=gnu99", CPP / "no_allocation.c", "-o", program, "-ldl", "-lm"]
    subprocess.run(command, check=True)
    done = subprocess.run(
        [program, pendulum_library._name], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{5 * 2000 * N} finite efforts\n"

"""The control law in C++ against closed forms: an object of the core, and compiled for a robot."""

import shutil
import subprocess
from itertools import product

import numpy as np
import pytest

from test.control.cpp_controller import ARM, CPP, MODES, Law, N, rows

pytestmark = pytest.mark.slow

REST = np.zeros(N)
SLIDING = 0.01
LIMITS = {"none": [np.inf, np.inf], "both": [12.0, 3.0], "too weak": [1.0, 40.0]}
GRAVITIES = {"none": None, "both": np.array([0.0, 0.0, -3.0]), "too weak": np.zeros(3)}


def asked(law, q, qd, wanted):
    """Efforts that carry the weight, and those of the law without limits."""
    error = wanted[0] - q
    error[0] = (error[0] + np.pi) % (2 * np.pi) - np.pi
    feedback = law.kp * error + law.kd * (wanted[1] - qd)
    friction = ARM.damping * wanted[1] + ARM.friction * np.tanh(wanted[1] / SLIDING)
    lost = law.compensate_friction * friction

    def dynamics(*motion):
        return ARM.inverse_dynamics(*motion, gravity=law.gravity)

    weight, whole = dynamics(q, REST, REST), dynamics(q, qd, wanted[2] + feedback) + lost
    efforts = {
        "gravity": weight,
        "compensation": dynamics(q, qd, REST),
        "pd_gravity": weight + feedback,
        "computed_torque": whole if law.feed_forward else dynamics(q, REST, feedback),
        "feed_forward": dynamics(*wanted[:3]) + lost,
    }
    return weight, efforts[law.mode] + wanted[3]


def scale_within(limits, weight, excess):
    """The greatest share of an excess that no joint gives too much for, but weak ones."""
    carried = np.abs(weight) < limits
    beyond = carried & (np.abs(weight + excess) > limits)
    shares = (limits * np.sign(excess) - weight)[beyond] / excess[beyond]
    return min([1.0, *shares])


@pytest.mark.parametrize("limited", LIMITS)
@pytest.mark.parametrize(
    ("mode", "feed_forward", "friction"), list(product(MODES, [True, False], [True, False]))
)
def test_law_is_the_closed_form_within_limits(
    make_controller, mode, feed_forward, friction, limited
):
    rng, limits, scales = np.random.default_rng(7), np.array(LIMITS[limited]), []
    law = Law(mode, feed_forward, friction, limits=limits, gravity=GRAVITIES[limited])
    controller = make_controller()
    controller.set(law)
    for _ in range(20):
        q, qd = rng.normal(0, 3, N), rng.normal(0, 6, N)
        position = np.clip(q + rng.normal(0, 1, N), [-np.inf, -2.9], [np.inf, 2.9])
        wanted = rows(position, *rng.normal(0, 2, (3, N)))
        reply = controller.law(q, qd, wanted)
        weight, effort = asked(law, q, qd, wanted)
        scales.append(scale_within(limits, weight, effort - weight))
        expected = weight + scales[-1] * (effort - weight)
        np.testing.assert_allclose(reply.effort, np.clip(expected, -limits, limits), atol=1e-8)
        np.testing.assert_allclose(reply.gravity, np.clip(weight, -limits, limits), atol=1e-9)
        assert reply.scale == pytest.approx(scales[-1], abs=1e-9)
        assert reply.sound
    assert (min(scales) < 1) == (limited != "none") or mode == "gravity"


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_all_modes_and_faults_run_where_allocating_aborts(pendulum_library, tmp_path):
    program = tmp_path / "no_allocation"
    command = ["cc", "-std=gnu99", CPP / "no_allocation.c", "-o", program, "-ldl", "-lm"]
    subprocess.run(command, check=True)
    done = subprocess.run(
        [program, pendulum_library._name], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{5 * 2000 * N} finite efforts\n"

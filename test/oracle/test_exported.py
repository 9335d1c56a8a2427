"""MuJoCo computes with our MJCF what we compute; `test.oracle.exported` tries all robots."""

from __future__ import annotations

import pytest

pytest.importorskip("mujoco")

from test.oracle.exported import RefusedError, errors
from test.support.scaled import wrong

ROBOTS = [
    ("panda_description/urdf/panda.urdf", False),
    ("ur_description/urdf/ur5_robot.urdf", True),
    ("hyq_description/robots/hyq_no_sensors.urdf", True),
    ("allegro_hand_description/urdf/allegro_left_hand.urdf", False),
    ("tiago_description/robots/tiago.urdf", False),
    ("so_arm_description/urdf/so101.urdf", True),
]


@pytest.mark.parametrize(("name", "floating"), ROBOTS)
def test_mujoco_computes_what_we_compute(name, floating):
    assert wrong(errors(name, floating)) == {}


def test_an_inertia_that_mujoco_takes_in_no_form_is_refused_with_its_links():
    with pytest.raises(RefusedError) as error:
        errors("romeo_description/urdf/romeo_small.urdf", True)
    message = str(error.value)
    assert "romeo_small.urdf:" in message
    assert (
        "link 'RShoulderYawLink', with all that is fixed on it, has an impossible inertia"
        in message
    )
    assert "0.0006618, 0.0006794, 0.006565 kg m^2" in message
    assert "--balance-inertia" in message

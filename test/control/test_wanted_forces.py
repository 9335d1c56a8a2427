"""Forces that are wanted of the ground on feet that stand."""

from __future__ import annotations

import numpy as np
import pytest

from robcogen_ros.errors import RobcogenError
from test.control.balance_loop import Loop
from test.support.fault_table import fault

pytestmark = pytest.mark.slow


@fault("wanted forces beyond what friction allows", "wanted forces fall silent")
@pytest.mark.parametrize(("size", "reached"), [(10.0, 10.0), (-10.0, -10.0), (900.0, None)])
def test_feet_that_stand_push_each_other_as_wanted(quadruped, size, reached):
    """Left and right against each other, which leaves the trunk alone; for so long as it holds."""
    loop = Loop(*quadruped)
    loop.run(150)
    base, sides = loop.robot.link_names[0], []
    for contact in loop.robot.contact_records:
        place = loop.robot.transform(base, contact.frame_name, loop.ground.q)[:3, 3]
        sides.append(np.sign(place[1]))
    alone = loop.balance.estimate["forces"].reshape(-1, 3).copy()
    for i, side in enumerate(sides):
        wrench = np.concatenate([np.zeros(3), alone[i] + [0.0, side * size, 0.0]])
        loop.balance.want_force(i, wrench, loop.time)
    where = loop.ground.position
    loop.run(40)  # 0.08 s of the 0.1 s for which it holds
    wanted = loop.balance.estimate["forces"].reshape(-1, 3).copy()
    more = np.array(sides) * (wanted - alone)[:, 1]
    if reached is not None:
        np.testing.assert_allclose(more, reached, atol=0.1 * abs(reached))
    else:
        across = np.abs(wanted[:, 1])  # straight aside the pyramid within the cone is narrowest
        np.testing.assert_allclose(across, 0.5 / np.sqrt(2.0) * wanted[:, 2], rtol=0.01)
    np.testing.assert_allclose(wanted[:, 2].sum(), alone[:, 2].sum(), rtol=0.02)
    np.testing.assert_allclose(loop.ground.position, where, atol=2e-3)
    loop.run(100)
    again = loop.balance.estimate["forces"].reshape(-1, 3)
    np.testing.assert_allclose(again, alone, atol=0.5)


@fault("a wanted force that is not finite, or in axes of the robot")
def test_a_wanted_force_is_refused_with_its_reason():
    pytest.importorskip("geometry_msgs")
    from geometry_msgs.msg import WrenchStamped

    from robcogen_ros.ros.messages.contact import wrench_in

    message = WrenchStamped()
    message.wrench.force.z, message.wrench.torque.x = 50.0, 2.0
    np.testing.assert_array_equal(wrench_in(message, ["LF_foot"]), [2.0, 0, 0, 0, 0, 50.0])
    message.header.frame_id = "LF_foot"
    with pytest.raises(RobcogenError, match="found those of frame 'LF_foot' of the robot"):
        wrench_in(message, ["LF_foot"])
    message.header.frame_id, message.wrench.force.x = "odom", float("nan")
    with pytest.raises(RobcogenError, match="not finite"):
        wrench_in(message, ["LF_foot"])

import numpy as np
import pytest

from robcogen_ros.control.law import ControlLaw, Mode, Settings
from robcogen_ros.control.trajectory import MotionState
from test.control.arms import DoublePendulum, Pendulum

Q, QD = np.array([0.4, -1.1]), np.array([0.9, 1.7])
EFFORT = np.array([1.0, 0.5])
WANTED = MotionState(np.array([0.5, -1.0]), np.array([0.2, 0.1]), np.array([3.0, -2.0]), EFFORT)


def law(mode=Mode.COMPUTED_TORQUE, robot=None, limits=np.inf, **changes):
    robot = robot or DoublePendulum()
    gains = {"kp": np.full(robot.n, 100.0), "kd": np.full(robot.n, 20.0)}
    limits = np.full(robot.n, limits)
    return ControlLaw(robot, Settings(mode, effort_limits=limits, **{**gains, **changes}))


def test_computed_torque_makes_the_error_a_linear_oscillation():
    effort = law().command(Q, QD, WANTED).effort - WANTED.effort
    got = DoublePendulum().forward_dynamics(Q, QD, effort)
    error, rate = WANTED.position - Q, WANTED.velocity - QD
    np.testing.assert_allclose(got, WANTED.acceleration + 100 * error + 20 * rate)


def test_without_feed_forward_only_feedback_and_gravity_are_left():
    robot = DoublePendulum()
    effort = law(feed_forward=False).command(Q, QD, WANTED).effort
    feedback = 100 * (WANTED.position - Q) + 20 * (WANTED.velocity - QD)
    np.testing.assert_allclose(
        effort, robot.inertia_matrix(Q) @ feedback + robot.gravity_torques(Q) + EFFORT
    )


def test_pd_gravity_has_its_gains_in_efforts():
    effort = law(Mode.PD_GRAVITY).command(Q, QD, WANTED).effort
    feedback = 100 * (WANTED.position - Q) + 20 * (WANTED.velocity - QD)
    np.testing.assert_allclose(effort, feedback + DoublePendulum().gravity_torques(Q) + EFFORT)


def test_compensation_lets_the_arm_coast():
    effort = law(Mode.COMPENSATION).command(Q, QD, WANTED).effort - EFFORT
    got = DoublePendulum().forward_dynamics(Q, QD, effort)
    np.testing.assert_allclose(got, 0, atol=1e-12)


def test_gravity_mode_and_support_carry_the_weight():
    weight = DoublePendulum().gravity_torques(Q)
    np.testing.assert_allclose(law(Mode.GRAVITY).command(Q, QD, WANTED).effort, weight + EFFORT)
    np.testing.assert_allclose(law().support(Q).effort, weight)


def test_a_robot_that_carries_its_own_weight_gets_no_gravity_torque():
    weightless = law(Mode.GRAVITY, gravity=np.zeros(3))
    np.testing.assert_allclose(weightless.command(Q, QD, WANTED).effort, EFFORT)


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("feed_forward", [True, False])
def test_the_effort_of_the_reference_is_added_in_each_mode(mode, feed_forward):
    robot = DoublePendulum(damping=[0.5, 0.2], friction=[0.3, 0.1])
    control = law(mode, robot, feed_forward=feed_forward)
    without = control.command(Q, QD, WANTED._replace(effort=np.zeros(2))).effort
    np.testing.assert_allclose(control.command(Q, QD, WANTED).effort, without + EFFORT)


def test_a_mode_says_whether_it_follows_positions():
    followed = {mode for mode in Mode if "positions are followed" in mode.said}
    assert followed == {Mode.PD_GRAVITY, Mode.COMPUTED_TORQUE, Mode.FEED_FORWARD}


def test_a_continuous_joint_is_not_turned_back_a_full_turn():
    robot = Pendulum(continuous=True)
    q = np.array([3.1])
    wanted = MotionState.at_rest(np.array([-3.1]))
    effort = law(Mode.PD_GRAVITY, robot).command(q, np.zeros(1), wanted).effort
    assert effort[0] - robot.gravity_torques(q)[0] == pytest.approx(100 * (2 * np.pi - 6.2))


def test_limits_are_kept_and_saturation_is_told():
    command = law(limits=1.5).command(Q, QD, WANTED)
    assert (np.abs(command.effort) <= 1.5).all()
    assert command.scale < 1.0


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.filterwarnings("ignore:invalid value")
def test_what_is_not_finite_never_leaves(bad):
    for mode in Mode:
        command = law(mode).command(Q, QD, MotionState.at_rest(np.array([bad, 0.0])))
        assert np.isfinite(command.effort).all()
        broken = law(mode).command(np.array([bad, 0.0]), QD, WANTED)
        assert np.isfinite(broken.effort).all()
        assert not broken.sound


def test_feed_forward_is_inverse_dynamics_of_the_reference_wherever_the_robot_is():
    robot = DoublePendulum(damping=[0.5, 0.2])
    command = law(Mode.FEED_FORWARD, robot).command(Q, QD, WANTED)
    motion = robot.inverse_dynamics(WANTED.position, WANTED.velocity, WANTED.acceleration)
    loss = robot.damping * WANTED.velocity
    np.testing.assert_allclose(command.effort, motion + loss + WANTED.effort)
    np.testing.assert_array_equal(command.position, WANTED.position)
    np.testing.assert_array_equal(command.velocity, WANTED.velocity)


def test_drives_with_loops_of_their_own_stay_where_the_robot_is_seen():
    for command in (
        law(Mode.FEED_FORWARD).support(Q),
        law(Mode.FEED_FORWARD).command(Q, QD, MotionState.at_rest(np.array([np.nan, 0.0]))),
    ):
        np.testing.assert_allclose(command.effort, DoublePendulum().gravity_torques(Q))
        np.testing.assert_array_equal(command.position, Q)
        np.testing.assert_array_equal(command.velocity, [0.0, 0.0])


@pytest.mark.parametrize("mode", [mode for mode in Mode if mode is not Mode.FEED_FORWARD])
def test_other_modes_command_efforts_alone(mode):
    assert law(mode).command(Q, QD, WANTED).position is None
    assert law(mode).support(Q).position is None


def test_a_share_is_of_what_goes_beyond_gravity():
    whole, weight = law().command(Q, QD, WANTED).effort, DoublePendulum().gravity_torques(Q)
    part = law().command(Q, QD, WANTED, share=0.25).effort
    np.testing.assert_allclose(part, weight + 0.25 * (whole - weight))
    np.testing.assert_allclose(law().command(Q, QD, WANTED, share=0.0).effort, weight)

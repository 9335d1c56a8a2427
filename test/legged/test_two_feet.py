"""Talos's legs step, walk, turn and stop on the simulated ground; other legs cannot."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import robcogen_ros
from robcogen_ros.bench.standing import Subject
from robcogen_ros.control.balance import Balance
from robcogen_ros.control.legged_loop import LeggedLoop
from robcogen_ros.errors import RobcogenError
from robcogen_ros.runtime.compiling.toolchain import proxsuite_directory
from robcogen_ros.runtime.gait import GAITS
from robcogen_ros.standing.footing import find_footing
from robcogen_ros.standing.posture import Legs
from robcogen_ros.standing.soles import rectangle
from test.gait.swaying import turn
from test.support.fault_table import fault
from test.support.humanoid import BEND, ROLL, SOLE_ROLL, YAW, write_humanoid
from test.support.robots import robot_path, robots_directory

Array = NDArray[np.float64]

BASE = "position", "orientation", "base_velocity"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(proxsuite_directory() is None, reason="proxsuite is not installed"),
]


@pytest.fixture(scope="module")
def talos() -> Subject:
    """Its legs, with all the rest fixed on the pelvis."""
    if robots_directory() is None:
        pytest.skip("example-robot-data is not installed")
    path = robot_path("talos_data/robots/talos_reduced.urdf")
    footing = find_footing(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        robot = robcogen_ros.build(
            path,
            floating_base=True,
            contacts=footing.names,
            tips=[contact.frame_name for contact in footing.contacts],
            keep_attached=True,
            functions=["total_mass", "kinematics", "gravity_torques", "center_of_mass"],
            ground=True,
            whole_body=True,
        )
    footing = find_footing(path, contacts=footing.names)
    standing = {n: v for n, v in (footing.standing or {}).items() if n in robot.joint_names}
    posture = Legs(robot, footing.feet).standing(standing)
    return Subject("Talos", path, robot, footing, posture, robot.total_mass(), "walk")


def stepping(talos: Subject, **gait: Any) -> LeggedLoop:
    return talos.loop(talos.on_ground(), {"name": "walk", "posture": talos.posture.q, **gait})


def places(loop: LeggedLoop, talos: Subject) -> Array:
    """(2, 3) of the feet in the world."""
    world, base = loop.world, talos.robot.link_names[0]
    feet = [contact.frame_name for contact in talos.footing.contacts]
    local = np.array([talos.robot.transform(base, foot, world.q)[:3, 3] for foot in feet])
    return np.asarray(world.position + local @ loop.turn.T)


def test_it_walks_ahead_in_a_curve_and_stops(talos: Subject) -> None:
    """Feet take turns, one stands always, and none comes near the other leg."""
    loop = stepping(talos)
    wide = abs(places(loop, talos)[0, 1] - places(loop, talos)[1, 1])
    apart = []
    for _ in range(60):
        loop.run(0.05, steps=True, velocity=[0.15, 0.0], yaw_rate=0.1)
        left, right = places(loop, talos)
        heading = np.arctan2(loop.turn[1, 0], loop.turn[0, 0])
        apart.append((left - right) @ [-np.sin(heading), np.cos(heading), 0.0])
    stood = np.array(loop.stood)
    assert stood.any(axis=1).all()
    assert (~stood).any(axis=0).all()
    lifts = np.flatnonzero(np.diff(stood[:, 0].astype(int)) == -1)
    others = np.flatnonzero(np.diff(stood[:, 1].astype(int)) == -1)
    assert abs(len(lifts) - len(others)) <= 1
    assert min(apart) > 0.6 * wide
    assert heading == pytest.approx(0.3, abs=0.1)
    assert np.linalg.norm(loop.world.position[:2]) == pytest.approx(0.15 * 3.0, abs=0.15)
    assert loop.tilt < 0.05
    loop.run(2.0)
    assert loop.rests


def test_it_stays_on_the_spot(talos: Subject) -> None:
    loop = stepping(talos)
    start = loop.world.position
    loop.run(3.0, steps=True)
    assert loop.stepping
    assert np.abs(loop.world.position - start).max() < 0.1


def astride(talos: Subject, roll: float) -> Array:
    """Positions of the joints with the legs rolled out at the hips, soles level."""
    q = talos.posture.q.copy()
    for joint, sign in {"left_2": 1, "right_2": -1, "left_6": -1, "right_6": 1}.items():
        q[talos.robot.joint_names.index(f"leg_{joint}_joint")] += sign * roll
    return q


def motionless(talos: Subject, roll: float = 0.3) -> dict[str, Any]:
    """Where the robot stands astride."""
    state = {"position": [0.0, 0.0, 1.0], "orientation": [0.0, 0.0, 0.0, 1.0]}
    return state | {
        "q": astride(talos, roll),
        "base_velocity": np.zeros(6),
        "qd": np.zeros(talos.robot.n),
    }


@pytest.mark.parametrize("roll", [0.25, 0.3, 0.35])
def test_astride_it_sways_until_it_steps_its_feet_together(talos: Subject, roll: float) -> None:
    """Its legs reach half of the lean to a foot; it then walks as from its usual posture."""
    robot, usual, q = talos.robot, talos.posture.q, astride(talos, roll)
    base, foot = robot.link_names[0], talos.footing.contacts[0].frame_name
    raised = robot.transform(base, foot, q)[2, 3] - robot.transform(base, foot, usual)[2, 3]
    wide = np.ptp(places(stepping(talos), talos)[:, 1])
    ground = talos.on_ground()
    ground.place(q, position=[0.0, 0.0, talos.posture.height - raised])
    loop = talos.loop(ground, {"name": "walk", "posture": usual})
    assert np.ptp(places(loop, talos)[:, 1]) > 2.5 * wide
    loop.run(1.0)
    loop.run(4.0, steps=True)
    before = loop.world.position[0]
    loop.run(4.0, steps=True, velocity=[0.15, 0.0])
    assert loop.world.position[0] - before == pytest.approx(0.15 * 4.0, abs=0.05)
    loop.run(2.0)
    assert np.ptp(places(loop, talos)[:, 1]) == pytest.approx(wide, abs=0.02)
    assert loop.rests
    assert loop.tilt < 0.1
    assert not loop.faults["cannot_step"]


@pytest.mark.parametrize(
    "leans", [[0.1], [0.3], [0.4, 0.3], [0.4] * 7, [0.4, -0.2, -0.2, -0.2, -0.2, -0.2, -0.2]]
)
def test_it_gives_up_after_seven_waits_or_short_of_a_third_of_the_way(
    talos: Subject, leans: list[float]
) -> None:
    """Of a robot whose capture point is so far on its way to the next foot, wait by wait."""
    state = motionless(talos)
    gait = talos.robot.gait(posture=talos.posture.q, name="walk", soles=talos.footing.soles)
    gait.start(**state)
    base, soles = talos.robot.link_names[0], []
    for foot in talos.footing.contacts:
        middle = np.append(np.mean(talos.footing.soles[foot.name], axis=0), 1.0)
        soles.append(talos.robot.transform(base, foot.frame_name, state["q"]) @ middle)
    across, center = np.array(soles)[:, 1], talos.robot.center_of_mass(state["q"])
    rate = np.sqrt(9.81 / (center[2] - soles[0][2]))
    wait = int(gait.period / 2 / 0.01) + 1
    cycles, reference = 0, None
    while reference is None or not reference.stuck:
        lean = leans[cycles // wait] * (-1.0) ** (cycles // wait)  # of the way to the left
        at = np.mean(across) + lean * np.ptp(across) / 2
        state["base_velocity"][4] = rate * (at - center[1])
        reference = gait.update(**state, closed=np.ones(2), cycle=0.01, steps=True)
        assert reference.stepping
        assert not reference.swing
        cycles += 1
    assert cycles == len(leans) * wait
    state["base_velocity"][4] = 0.0
    for _ in range(10 * wait - 20):
        reference = gait.update(**state, closed=np.ones(2), cycle=0.01, steps=True)
        assert reference.stuck
    assert abs(reference.trunk.linear_acceleration[1]) < 0.5  # it leans to none of its feet
    for _ in range(20):
        reference = gait.update(**state, closed=np.ones(2), cycle=0.01, steps=True)
    assert not reference.stuck
    assert abs(reference.trunk.linear_acceleration[1]) > 2.0


@pytest.mark.parametrize("roll", [0.0, 0.3])
def test_astride_a_foot_lifts_off_as_soon_as_the_other_one_has_landed(
    talos: Subject, roll: float
) -> None:
    """Else both stand for a tenth of the period, in which far legs would stop the robot."""
    state, cycle = motionless(talos, roll), 0.002
    gait = talos.robot.gait(posture=talos.posture.q, name="walk", soles=talos.footing.soles)
    gait.start(**state)
    base, middles = talos.robot.link_names[0], []
    for foot in talos.footing.contacts:
        middle = np.append(np.mean(talos.footing.soles[foot.name], axis=0), 1.0)
        middles.append(talos.robot.transform(base, foot.frame_name, state["q"]) @ middle)
    center = talos.robot.center_of_mass(state["q"])
    rate = np.sqrt(9.81 / (center[2] - middles[0][2]))

    def cycles(carrier: int, closed: tuple[int, int], until: tuple[bool, bool]) -> int:
        """How many there are until feet swing, the capture point above one."""
        state["base_velocity"][4] = rate * (middles[carrier][1] - center[1])
        count, swing = 0, None
        while swing != until and count < 1000:
            reference = gait.update(**state, closed=closed, cycle=cycle, steps=True)
            swing = tuple(foot.name in reference.swing for foot in talos.footing.contacts)
            count += 1
        return count

    cycles(0, (1, 1), (False, True))
    for _ in range(round(0.4 * gait.period / cycle)):
        gait.update(**state, closed=(1, 0), cycle=cycle, steps=True)
    cycles(0, (1, 1), (False, False))
    pause = cycle * cycles(1, (1, 1), (True, False))
    assert pause == pytest.approx(0.1 * gait.period if roll == 0.0 else 0.0, abs=0.01)


def middles(talos: Subject, state: dict[str, Any]) -> Array:
    """(2, 3) middles of the soles from the base."""
    base, result = talos.robot.link_names[0], []
    for foot in talos.footing.contacts:
        middle = np.append(np.mean(talos.footing.soles[foot.name], axis=0), 1.0)
        result.append(talos.robot.transform(base, foot.frame_name, state["q"]) @ middle)
    return np.array(result)[:, :3]


@pytest.mark.parametrize("roll", [0.0, 0.15, 0.35])
def test_its_trunk_sinks_where_its_feet_are_apart(talos: Subject, roll: float) -> None:
    """By 0.7 of what legs as long as its center of mass is high would lower it."""
    state, usual = motionless(talos, roll), motionless(talos, 0.0)
    gait = talos.robot.gait(posture=talos.posture.q, name="walk", soles=talos.footing.soles)
    gait.start(**state)
    for _ in range(200):
        reference = gait.update(**state, closed=np.ones(2), cycle=0.01)
    feet, stands = middles(talos, state), middles(talos, usual)
    leg = talos.robot.center_of_mass(state["q"])[2] - feet[0, 2]
    out = 0.5 * (np.ptp(feet[:, 1]) - np.ptp(stands[:, 1]))
    lower = 0.7 * (leg - np.sqrt(leg**2 - out**2))
    assert lower == pytest.approx({0.0: 0.0, 0.15: 0.004, 0.35: 0.028}[roll], abs=0.004)
    height = reference.trunk.position[2] - state["position"][2] - feet[0, 2]
    assert height == pytest.approx(-stands[0, 2] - lower, abs=2e-4)


@pytest.mark.parametrize(("ahead", "least"), [(0.05, 1.0), (0.11, 0.0), (0.2, 0.6)])
def test_pushed_it_steps_so_fast_that_its_foot_need_not_go_too_far(
    talos: Subject, ahead: float, least: float
) -> None:
    """The error of the capture point grows by exp(w t) until then."""
    state, cycle, longest = motionless(talos, 0.0), 0.001, 0.3
    gait = talos.robot.gait(
        posture=talos.posture.q, name="walk", soles=talos.footing.soles, longest_step=longest
    )
    gait.start(**state)
    feet, center = middles(talos, state), talos.robot.center_of_mass(state["q"])
    rate = np.sqrt(9.81 / (center[2] - feet[0, 2]))
    to = feet[0, :2] + [ahead, 0.0] - center[:2]  # the capture point, above the left foot
    state["base_velocity"][3:5] = rate * to
    swings = 0
    for _ in range(1000):
        reference = gait.update(**state, closed=np.ones(2), cycle=cycle, steps=True)
        swings += len(reference.swing)
        if swings and not reference.swing:
            break
    half, side = np.exp(rate * gait.period / 2), feet[0, 1] - np.mean(feet[:, 1])
    steady = np.exp(rate * 0.1 * gait.period) * -2.0 * side / (half + 1.0)
    off = np.hypot(ahead, steady)
    share = np.clip(np.log(1.5 * longest / off) / (rate * 0.4 * gait.period), 0.6, 1.0)
    assert share == least or 0.65 < share < 0.95
    # Contacts count from half of a swing on, the third of them.
    assert swings * cycle == pytest.approx(0.5 * share * 0.4 * gait.period, abs=4 * cycle)


@fault("two feet are too far apart to lean over one")
def test_legs_that_do_not_lean_are_told(talos: Subject) -> None:
    """From half a period on."""
    state, settings = motionless(talos), {"posture": talos.posture.q, "gait": 2.0}
    state["base_velocity"][4] = 0.1  # the capture point is 0.03 of 0.27 m aside
    balance = Balance(talos.robot, settings, soles=talos.footing.soles)
    for time in np.arange(150) * 0.01:
        balance.command((0.0, 0.0, 0.0), time)
        balance.take_base(*(np.array(state[n]) for n in BASE), time)
        balance.take_joints(talos.robot.joint_names, state["q"], state["qd"], time)
    gait = talos.robot.gait(posture=talos.posture.q, name="walk", soles=talos.footing.soles)
    assert balance.faults["cannot_step"] == pytest.approx(150 - 50 * gait.period, abs=10)


def test_it_does_not_trot_nor_play_a_file(talos: Subject) -> None:
    with pytest.raises(RobcogenError, match="it can 'stand' and 'walk'"):
        talos.robot.gait(posture=talos.posture.q, name="trot")
    given = {"posture": talos.posture.q, "gait": 3.0}
    with pytest.raises(
        RobcogenError, match="stand or walk on two feet, trot, walk or played on four"
    ):
        Balance(talos.robot, given, soles=talos.footing.soles, gait_file="/any.csv")


def test_a_walk_that_is_found_keeps_feet_on_their_sides(talos: Subject) -> None:
    """Legs that cross pass through each other; soles may only touch."""
    pytest.importorskip("casadi")
    from robcogen_ros.gait import Specification, find_gait
    from robcogen_ros.gait.motion import FUNCTIONS

    contacts, (left, right) = talos.footing.contacts, talos.footing.soles.values()
    legs = robcogen_ros.build(
        talos.file,
        floating_base=True,
        contacts=talos.footing.names,
        tips=[contact.frame_name for contact in contacts],
        keep_attached=True,
        functions=FUNCTIONS,
        backend="numpy",
    )
    wanted = Specification(
        gait="walk",
        speed=(0.15, 0.15),
        stride=(0.8, 1.6),
        duty=0.6,
        step_height=0.03,
        stability="static",
        reach=0.97,
        friction=0.4,
    )
    standing = dict(zip(legs.joint_names, talos.posture.q, strict=True))
    gait = find_gait(legs, talos.footing.feet, wanted, standing=standing)
    assert gait.solution.succeeded, gait.solution
    base, apart = legs.link_names[0], []
    middles = [np.append(sole.mean(axis=0), 1.0) for sole in (left, right)]
    for q, orientation in zip(gait.q, gait.orientation, strict=True):
        poses = [legs.transform(base, contact.frame_name, q)[:3] for contact in contacts]
        one, other = (pose @ middle for pose, middle in zip(poses, middles, strict=True))
        apart.append((turn(orientation) @ (one - other))[1])
    width = 0.5 * (np.ptp(left[:, 1]) + np.ptp(right[:, 1]))
    assert min(apart) == pytest.approx(width, abs=1e-3)


def massive(path: Path, contacts: list[str], **efforts: float) -> Any:
    """A humanoid of links of 1 kg and a trunk of 20 kg, with limits of efforts [N m]."""
    mass = '"><inertial><mass value="1"/>'
    mass += '<inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
    text = re.sub(r'(<link name="\w+)"/>', rf"\1{mass}", path.read_text())
    for joint, effort in efforts.items():
        text = re.sub(f'({joint}_joint".*?effort=)"90"', rf'\1"{effort}"', text, flags=re.DOTALL)
    path.write_text(text)
    functions = ["center_of_mass", "total_mass"]
    return robcogen_ros.build(
        path, floating_base=True, contacts=contacts, functions=functions, whole_body=True
    )


def level(robot: Any) -> Array:
    """A posture with bent legs and level soles."""
    bent = {"hip": -0.5, "knee": 1.0, "ankle": -0.5}
    return np.array([bent.get(name[1:-6], 0.0) for name in robot.joint_names])


@fault("`gait: walk` of two flat feet, one of which alone is more than a joint can carry")
def test_a_robot_steps_if_its_joints_can_carry_it_on_one_foot(tmp_path: Path) -> None:
    """Its right hip, at y = -0.1 m, carries the trunk, 0.104 m aside, the arm, 0.1, and the six
    links of the other leg, 0.2 m."""
    contacts = ["lsole:pose", "rsole:pose"]
    soles = {contact: rectangle(-0.1, 0.1, -0.05, 0.05, 0.0) for contact in contacts}
    needed = 9.80665 * (20 * 0.104 + 1 * 0.1 + 6 * 0.2)
    for share in (0.95, 1.25):
        path = write_humanoid(tmp_path, (YAW, ROLL, *BEND, SOLE_ROLL))
        robot = massive(path, contacts, lroll=needed / share, rroll=needed / share)
        posture = level(robot)
        for make in (
            lambda of, q, name: of.gait(posture=q, name=name, soles=soles),
            lambda of, q, name: Balance(
                of, {"posture": q, "gait": float(GAITS.index(name))}, soles=soles
            ),
        ):
            make(robot, posture, "stand")
            if share < 1.0:
                make(robot, posture, "walk")
            else:
                told = "joint 'rroll_joint' would need 125 % of its greatest effort"
                with pytest.raises(RobcogenError, match=told):
                    make(robot, posture, "walk")


@fault(
    "`gait` of soles that no joint keeps level as their leg moves them over the ground, as of legs "
    "of five joints without the roll of an ankle"
)
@pytest.mark.parametrize(
    ("joints", "foot"),
    [((YAW, ROLL, *BEND), "ankle"), ((ROLL, *BEND, SOLE_ROLL), "sole")],
    ids=["without the roll of an ankle", "without the yaw of a hip"],
)
def test_a_robot_steps_if_its_joints_keep_a_sole_level_that_goes_aside(
    tmp_path: Path, joints: tuple[tuple[str, str, float], ...], foot: str
) -> None:
    contacts = [f"l{foot}:pose", f"r{foot}:pose"]
    soles = {contact: rectangle(-0.1, 0.1, -0.05, 0.05, 0.0) for contact in contacts}
    robot = massive(write_humanoid(tmp_path, joints), contacts)
    for posture in (np.zeros(robot.n), level(robot)):
        makers = (
            lambda q=posture: robot.gait(posture=q, name="walk", soles=soles),
            lambda q=posture: Balance(robot, {"posture": q, "gait": 2.0}, soles=soles),
        )
        for make in makers:
            if foot == "sole":
                make()
            else:
                with pytest.raises(
                    RobcogenError, match="no joint keeps the sole 'lankle:pose' lev"
                ):
                    make()
    robot.gait(posture=level(robot), name="stand", soles=soles)
    Balance(robot, {"posture": level(robot)}, soles=soles)


@pytest.mark.parametrize("closed", [(1, 1), (0, 1)])
@pytest.mark.parametrize("angle", [0.3, 0.7, 1.57, 3.14])
def test_soles_tell_an_imu_that_is_misplaced(
    talos: Subject, closed: tuple[int, int], angle: float
) -> None:
    """Ahead, aside and upside down, beyond the 0.35 rad that a slope may have."""
    for axis in ([angle, 0.0, 0.0], [0.0, angle, 0.0]):
        found = talos.robot.base_estimator().update(
            talos.posture.q,
            closed=closed,
            cycle=1e-3,
            angular_velocity=np.zeros(3),
            linear_acceleration=Rotation.from_rotvec(axis).apply([0.0, 0.0, 9.81]),
        )
        assert found.known == (angle < 0.35)
        assert found.faults == (() if angle < 0.35 else ("imu_misplaced",))
        assert found.imu_angle == pytest.approx(angle, abs=0.11)


@pytest.mark.parametrize("closed", [(1, 1), (1, 0), (0, 1)])
def test_the_world_of_an_estimate_begins_on_the_soles_that_touch(
    talos: Subject, closed: tuple[int, int]
) -> None:
    """These are below their frames as those of ankles are, here one more than the other."""
    low, up = np.array([0.05, 0.09]), np.array([0.0, 0.0, 9.81])
    feet = zip(talos.footing.soles.items(), low, strict=True)
    soles = {foot: corners - [0.0, 0.0, z] for (foot, corners), z in feet}
    height = talos.posture.height + low @ closed / sum(closed)
    q, still = talos.posture.q, np.zeros(3)
    found = talos.robot.base_estimator(soles=soles).update(
        q, closed=closed, cycle=1e-3, angular_velocity=still, linear_acceleration=up
    )
    assert found.position[2] == pytest.approx(height, abs=1e-6)
    balance = Balance(talos.robot, {"posture": q, "base_state": 2.0}, soles=soles)
    for time in (0.0, 0.002):
        balance.take_imu(still, up, time)
        for foot, touches in enumerate(closed):
            balance.take_force(foot, np.array([0.0, 0.0, 450.0 * touches]))
        balance.take_joints(talos.robot.joint_names, q, 0.0 * q, time)
    assert balance.estimate["base"][2] == pytest.approx(height, abs=1e-4)


def test_soles_that_land_on_an_edge_come_to_rest_in_few_events(talos: Subject) -> None:
    """A sole rocks from corner to corner ever faster; all of these stand in the end."""
    ground = talos.on_ground()
    pitch = 0.03
    orientation = [0.0, np.sin(pitch / 2), 0.0, np.cos(pitch / 2)]
    ground.place(
        talos.posture.q, position=[0, 0, talos.posture.height + 0.01], orientation=orientation
    )
    gains, before = 8.0 * talos.robot.effort_limits, 0
    for _ in range(400):
        held = gains * (talos.posture.q - ground.q - 0.02 * ground.qd)
        ground.advance(np.clip(held, -talos.robot.effort_limits, talos.robot.effort_limits), 1e-3)
        events = ground.counters["impacts"] + ground.counters["switches"]
        assert events - before <= 7
        before = events
    assert before > 0
    assert ground.touches.all()
    assert np.abs(ground.wrenches[:, 5]).sum() == pytest.approx(talos.mass * 9.81, rel=0.1)

"""The same joint states into robot_state_publisher and into ours: the same transforms and times."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("tf2_msgs", reason="tf2_msgs is not built")

from builtin_interfaces.msg import Time
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

from test.ros.harness import ARM, LATCHED, Node

PREFIXES = os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)
FOUND = [
    path
    for prefix in PREFIXES
    if (path := Path(prefix, "lib/robot_state_publisher/robot_state_publisher")).is_file()
]
COMMANDS = ([sys.executable, "-m", "robcogen_ros.ros.transform_publisher"], FOUND[:1])
pytestmark = pytest.mark.skipif(not FOUND, reason="robot_state_publisher is not installed")

SECOND = 10**9
AXES = ("1 0 0", "0 -1 0", "0 0 1", "0.6 0 0.8", "0.1 -0.7 0.2")


class Process(Node):
    """A node with its parameters in a file."""

    def __init__(self, command, namespace, parameters, directory):
        path = directory / f"{Path(namespace).name}.yaml"
        heard = f"qos_overrides.{namespace}/joint_states.subscription"
        more = {f"{heard}.reliability": "reliable", f"{heard}.depth": 1000}
        values = {"/**": {"ros__parameters": {**parameters, **more}}}
        path.write_text(json.dumps(values), encoding="utf-8")
        command = [*command, "--ros-args", "--params-file", path]
        for rule in (f"__ns:={namespace}", f"/tf:={namespace}/tf"):
            command += ["-r", rule]
        command += ["-r", f"/tf_static:={namespace}/tf_static"]
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )


class Pair:
    """Both nodes, fed alike."""

    def __init__(self, probe, directory, **parameters):
        self.probe = probe
        self.names = [f"/{directory.name}/{name}" for name in ("ours", "theirs")]
        self.nodes = [
            Process(command, name, parameters, directory)
            for command, name in zip(COMMANDS, self.names, strict=True)
        ]
        self.heard, self.static, self.states = {}, {}, {}
        for name in self.names:
            self.heard[name] = probe.listen(TFMessage, f"{name}/tf", 1000)
            self.static[name] = probe.listen(TFMessage, f"{name}/tf_static", LATCHED)
            self.states[name] = probe.node.create_publisher(
                JointState, f"{name}/joint_states", 1000
            )
        probe.until(lambda: all(p.get_subscription_count() for p in self.states.values()))
        probe.until(lambda: all(self.static.values()))

    def send(self, states):
        """Sends states (names, positions, time [ns]); the transforms from each node.

        The state that is latest must be one that is published.
        """
        for heard in self.heard.values():
            heard.clear()
        for names, positions, stamp in states:
            state = JointState(name=list(names), position=[float(p) for p in positions])
            state.header.stamp = Time(sec=stamp // SECOND, nanosec=stamp % SECOND)
            for publisher in self.states.values():
                publisher.publish(state)
        last = max(stamp for _, _, stamp in states)
        self.probe.until(lambda: all(_ended(heard, last) for heard in self.heard.values()))
        return [transforms(self.heard[name]) for name in self.names]

    def set(self, name, value):
        for namespace in self.names:
            assert self.probe.set(f"{namespace}/robot_state_publisher", name, value).successful

    def close(self):
        for node in self.nodes:
            node.kill()


def _ended(messages, last):
    stamps = (m.transforms[0].header.stamp for m in messages if m.transforms)
    return any(stamp.sec * SECOND + stamp.nanosec == last for stamp in stamps)


def transforms(messages):
    """(m, 7) numbers by time, parent and child."""
    found = {}
    for stamped in (t for message in messages for t in message.transforms):
        stamp = stamped.header.stamp
        p, r = stamped.transform.translation, stamped.transform.rotation
        key = stamp.sec * SECOND + stamp.nanosec, stamped.header.frame_id, stamped.child_frame_id
        found.setdefault(key, []).append([p.x, p.y, p.z, r.x, r.y, r.z, r.w])
    return found


def assert_alike(ours, theirs):
    assert list(ours) == list(theirs), "the same frames at the same times in the same order"
    assert_equal(ours, theirs)


def assert_equal(ours, theirs):
    """All of our poses are equal to theirs; q and -q are the same rotation."""
    for key, numbers in ours.items():
        mine, other = np.array(numbers), np.array(theirs[key])
        mine[:, 3:] *= np.sign(np.sum(mine[:, 3:] * other[:, 3:], axis=1, keepdims=True))
        np.testing.assert_allclose(mine, other, atol=1e-12, rtol=0, err_msg=str(key))


def tree(seed, count=12):
    """A random robot: joints of all kinds, some of them mimicking an earlier one."""
    random = np.random.default_rng(seed)
    kinds, parts, free = ["fixed", "revolute", "continuous", "prismatic"], ["<link name='l0'/>"], []
    for i in range(1, count + 1):
        kind = kinds[i % 4]
        xyz, rpy = random.normal(size=3), random.uniform(-3, 3, 3)
        mimic = ""
        if kind != "fixed" and free and random.random() < 0.4:
            leader = free[random.integers(len(free))]
            mimic = f"<mimic joint='{leader}' multiplier='{random.normal()}' offset='0.3'/>"
        elif kind != "fixed":
            free.append(f"j{i}")
        limit = "<limit lower='-9' upper='9' velocity='1' effort='1'/>"
        parts.append(
            f"<link name='l{i}'/><joint name='j{i}' type='{kind}'>"
            f"<parent link='l{random.integers(i)}'/><child link='l{i}'/>"
            f"<origin xyz='{' '.join(map(str, xyz))}' rpy='{' '.join(map(str, rpy))}'/>"
            f"<axis xyz='{AXES[i % len(AXES)]}'/>{'' if kind == 'fixed' else limit}{mimic}</joint>"
        )
    return f"<robot name='random{seed}'>{''.join(parts)}</robot>"


def random_states(seed, names, count=150):
    """States of some of the joints and of others, at uneven times, some of them going back."""
    random = np.random.default_rng(seed)
    stamp, states = 1000 * SECOND, []
    for _ in range(count):
        stamp += int(random.normal(9e6, 8e6))
        chosen = random.permutation(names)[: random.integers(len(names) + 1)]
        states.append((chosen, random.uniform(-7, 7, len(chosen)), stamp))
    states.append((names, random.uniform(-7, 7, len(names)), stamp + 10 * SECOND))
    return states


@pytest.fixture(scope="module")
def pair(probe, tmp_path_factory):
    made = Pair(
        probe,
        tmp_path_factory.mktemp("pair"),
        robot_description=tree(1),
        frame_prefix="a/",
        publish_frequency=50.0,
    )
    yield made
    made.close()


JOINTS = [*(f"j{i}" for i in range(1, 13)), "unknown"]


def test_random_states_give_the_same_transforms_at_the_same_times(pair):
    ours, theirs = pair.send(random_states(2, JOINTS))
    assert len(ours) > 100
    assert_alike(ours, theirs)


def test_every_state_is_published_where_time_is_ignored(pair):
    pair.set("ignore_timestamp", True)
    states = [(*state[:2], state[2] + 100 * SECOND) for state in random_states(3, JOINTS)]
    ours, theirs = pair.send([(JOINTS, np.ones(13), 0), *states])
    assert_alike(ours, theirs)
    pair.set("ignore_timestamp", False)


@pytest.mark.parametrize(
    ("start", "text"),
    [(3000, tree(5)), (4000, ARM.read_text()), (5000, tree(1))],
    ids=["another", "arm", "as_it_was"],
)
def test_after_a_reload_it_is_the_new_robot(pair, start, text):
    for heard in pair.static.values():
        heard.clear()
    pair.set("robot_description", text)
    pair.probe.until(lambda: all(pair.static.values()))
    ours, theirs = ({k[1:]: v for k, v in transforms(s).items()} for s in pair.static.values())
    assert ours
    assert_equal(ours, theirs)
    names = [*JOINTS, "shoulder", "elbow", "finger"]
    times = [start * SECOND + i * 10_000_000 for i in range(21)]
    states = [(names, np.full(len(names), 0.1 * i), stamp) for i, stamp in enumerate(times)]
    assert_alike(*pair.send(states))


def test_time_that_jumps_back_is_told_apart(probe, tmp_path):
    clock = probe.node.create_publisher(Clock, "/clock", 10)
    pair = Pair(probe, tmp_path, robot_description=tree(1), use_sim_time=True)
    try:
        for now in (50, 60, 20):
            probe.until(lambda: clock.get_subscription_count() >= 2)
            clock.publish(Clock(clock=Time(sec=now)))
            probe.spin(0.3)
            times = [now * SECOND + i * 20_000_000 for i in range(10)]
            ours, theirs = pair.send([(JOINTS, np.ones(13), stamp) for stamp in times])
            assert_alike(ours, theirs)
    finally:
        pair.close()

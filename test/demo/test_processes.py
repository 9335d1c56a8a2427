"""Commands that start the nodes of the demo, by what a machine has."""

import shlex

import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("nav_msgs", reason="nav_msgs is not installed")

from robcogen_ros.control.leg_sensors import sensor_settings
from robcogen_ros.demo import arm_nodes, standing_nodes
from robcogen_ros.demo.processes import by_hand

ARM = arm_nodes.nodes_of({"model": "arm_example/arm"}, 500.0)
DOG = {"model_file": "my dog.urdf", "contacts": ["a", "b"]}


def words_of(nodes):
    """The words of each command."""
    _, *commands = by_hand(nodes).splitlines()
    return [shlex.split(command) for command in commands]


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine with nothing, and what puts executables there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"/nowhere:{tmp_path}")

    def has(*files):
        for file in files:
            place = tmp_path / file
            place.parent.mkdir(parents=True, exist_ok=True)
            place.touch(0o755)

    return has


NODES = tuple(f"lib/robcogen_ros/{node}" for node in ARM)


@pytest.mark.parametrize(
    ("files", "program"),
    [
        ((), "python3 -m robcogen_ros.ros.simulated_robot"),
        (("bin/ros2",), "python3 -m robcogen_ros.ros.simulated_robot"),
        (("bin/ros2", *NODES), "ros2 run robcogen_ros simulated_robot"),
        (("bootstrap/run", *NODES), "bootstrap/run simulated_robot"),
        (("bootstrap/run",), "bootstrap/run python3 -m robcogen_ros.ros.simulated_robot"),
    ],
)
def test_nodes_are_started_by_what_is_there(machine, files, program):
    machine(*files)
    for node, words in zip(ARM, words_of(ARM), strict=True):
        begin = program.replace("simulated_robot", node).split()
        assert words[: len(begin) + 1] == [*begin, "--ros-args"]


@pytest.mark.parametrize("gait", ["trot", "stand"])
def test_of_the_robot_on_legs_each_node_gets_what_it_takes(gait):
    sensors = sensor_settings(10.0)
    commands = words_of(standing_nodes.nodes_of(DOG, 200.0, 0.5, gait, sensors))
    for words in commands:
        assert words[words.index("--ros-args") + 1 :][:2] == ["-p", 'model_file:="my dog.urdf"']
    assert ["floating_base:=true" in words for words in commands] == [True, False, False]
    assert ['contacts:=["a", "b"]' in words for words in commands] == [True, False, True]
    assert [f'gait:="{gait}"' in words for words in commands] == [False, False, True]
    assert ['base_state:="estimator"' in words for words in commands] == [False, False, True]
    assert ["rate:=200.0" in words for words in commands] == [True, False, False]
    noise = f"force_noise:={sensors['force_noise']}"
    assert [noise in words for words in commands] == [True, False, False]


@pytest.mark.parametrize("nodes", [ARM, standing_nodes.nodes_of(DOG, 1000.0, 0.5, "trot", None)])
def test_the_robot_waits_for_the_others_in_simulated_time(nodes):
    robot, *others = words_of(nodes)
    assert {"publish_clock:=true", "lockstep:=true"} < set(robot)
    assert all("use_sim_time:=true" in words for words in others)

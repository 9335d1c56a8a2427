"""Reading and writing interfaces of ros2_control, which throw where a type is not theirs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from robcogen_ros.backends.render import include_directory

SOURCE = Path(__file__).parent / "cpp" / "interfaces.cpp"


@pytest.mark.slow
def test_numbers_of_all_types(tmp_path: Path) -> None:
    """Floats are numbers as doubles are; of other types it is told, and nothing is thrown.

    Feet are named by their frames, in topics in letters that these have.
    """
    program = tmp_path / "interfaces"
    flags = ["-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", f"-I{include_directory()}"]
    subprocess.run(["c++", *flags, str(SOURCE), "-o", str(program)], check=True)
    said = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == [
        "0.5 1.5 1 2.5 ",
        "0.5 1.5 1 2.5 ",
        "0.5 nan 0 nan interface 'b': expected data type double or float32, found uint8",
        "there is no interface 'b'",
        "0.5 1.5 1 2.5 ",
        "left_foot left_foot",
        "left-sole left_sole",
        "a::b a__b",
        "1_foot foot_1_foot",
        "é左 c3a9e5b7a6",
    ]


def test_the_node_names_topics_of_feet_as_the_plugin_does() -> None:
    contact = pytest.importorskip("robcogen_ros.ros.messages.contact", exc_type=ImportError)
    for frame, token in (
        ("left-sole", "left_sole"),
        ("1_foot", "foot_1_foot"),
        ("é左", "c3a9e5b7a6"),
    ):
        assert contact.topic(frame) == f"contacts/{token}"

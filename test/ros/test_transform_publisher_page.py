"""The page on the node says what its table says."""

from pathlib import Path

import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("tf2_msgs", reason="tf2_msgs is not built")

from robcogen_ros.ros.transform_publisher import TABLE

PAGE = Path(__file__).parents[2] / "docs" / "transform_publisher.md"


def test_parameters_and_defaults_are_those_of_the_node():
    rows = [line.split(" | ") for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    told = {row[0][2:]: row[1].strip("`") for row in rows}
    for parameter in TABLE:
        default = parameter.default
        expected = str(default).replace("'", '"') if default not in ("",) else '""'
        assert told[f"`{parameter.name}`"] == expected

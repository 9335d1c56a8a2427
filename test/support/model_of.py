"""Robots of texts."""

from __future__ import annotations

from robcogen_ros.formats.load import load
from robcogen_ros.formats.source import Source
from robcogen_ros.model.reduce import reduce
from robcogen_ros.model.robot import Robot


def model_of(text: str, name: str = "robot.urdf", **options: object) -> Robot:
    """The robot of a text, whose file would be called so; options as those of `reduce`."""
    return reduce(load(Source(name, text)), **options)

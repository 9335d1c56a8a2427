"""The command mjcf2urdf, which is kindsl2urdf for another format."""

from robcogen_ros.cli.kindsl2urdf import from_mjcf as main

__all__ = ["main"]

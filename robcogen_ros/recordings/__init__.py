"""Recorded motions, read block by block: npz, CSV, Parquet, rosbag2."""

from robcogen_ros.recordings.conventions import Conventions
from robcogen_ros.recordings.motion import Motion
from robcogen_ros.recordings.recording import Recording

__all__ = ["Conventions", "Motion", "Recording"]

"""Gaits of robots on legs by trajectory optimisation; needs CasADi."""

from robcogen_ros.gait.playback import Playback
from robcogen_ros.gait.result import Gait
from robcogen_ros.gait.search import find_gait
from robcogen_ros.gait.settings import read_settings
from robcogen_ros.gait.specification import Specification

__all__ = ["Gait", "Playback", "Specification", "find_gait", "read_settings"]

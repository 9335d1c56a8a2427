"""What this machine offers: its ROS 2, its tools, its Python."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"


def sourced_ros() -> str:
    """Returns the prefixes of the ROS 2 that the user sourced, joined by colons; empty: none."""
    prefixes = os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)
    return os.pathsep.join(p for p in prefixes if p and not Path(p).is_relative_to(ROOT))


def ros_distribution() -> str:
    """Returns the name of the ROS 2 that is sourced, or "wheels"."""
    return os.environ.get("ROS_DISTRO", "sourced") if sourced_ros() else "wheels"


def has_ros_wheels() -> bool:
    """Tells whether PyPI holds ROS 2 Kilted for this system and this Python."""
    system = platform.system() == "Linux" and platform.machine() == "x86_64"
    glibc = platform.libc_ver()[0] == "glibc"
    return system and glibc and (3, 10) <= sys.version_info[:2] <= (3, 14)


def has_ros() -> bool:
    """Tells whether there is a ROS 2 to build with, or will be."""
    return bool(sourced_ros()) or has_ros_wheels()


def has_package(name: str) -> bool:
    """Tells whether the sourced ROS 2 holds the package `name`."""
    prefixes = filter(None, sourced_ros().split(os.pathsep))
    return any((Path(prefix) / "share" / name / "package.xml").exists() for prefix in prefixes)


def has_python_headers() -> bool:
    """Tells whether C extensions of Python can be compiled."""
    return (Path(sysconfig.get_path("include")) / "Python.h").exists()


def has(command: str) -> bool:
    """Tells whether `command` is on the path, outside of `.venv`."""
    directories = os.environ.get("PATH", os.defpath).split(os.pathsep)
    outside = [d for d in directories if d and not Path(d).is_relative_to(VENV)]
    return shutil.which(command, path=os.pathsep.join(outside)) is not None


def name() -> str:
    """Returns the system and the Python, for messages."""
    return f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"

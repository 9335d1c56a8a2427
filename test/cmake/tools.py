"""What the tests of this folder build with."""

from __future__ import annotations

import os
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from test.support.linkages import FOUR_BAR, FOUR_BAR_LOOPS

ROOT = Path(__file__).parents[2]
PACKAGES = Path(__file__).parent / "packages"

CMAKE = shutil.which("cmake") or "cmake"
COMPILER = Path(shutil.which("c++") or "/usr/bin/c++")
NOTHING_SOURCED = {"PATH": f"{COMPILER.parent}:/usr/bin:/bin"}

needs_ros = pytest.mark.skipif(
    not os.environ.get("AMENT_PREFIX_PATH") or shutil.which("colcon") is None,
    reason="no ROS 2 to build with",
)


def needs_packages(*packages: str) -> pytest.MarkDecorator:
    """Skips what is built with packages that are not all here."""
    prefixes = [Path(p) for p in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if p]
    missing = [p for p in packages if not any((at / "share" / p).is_dir() for at in prefixes)]
    reason = f"not here to build with: {' '.join(missing)}"
    return pytest.mark.skipif(bool(missing), reason=reason)


def is_described(installed: Path, line: str, name: str, base: str) -> None:
    """Asserts that a line of the index leads to the description and the library of a plugin."""
    package = installed.name
    library = ET.parse(installed / line).getroot()
    (described,) = library.findall("class")
    assert described.attrib == {
        "name": f"{package}/{name}",
        "type": f"{package}::{name}",
        "base_class_type": base,
    }
    file = installed / "lib" / f"lib{library.attrib['path']}.so"
    assert f"{package}::{name}" in run(["nm", "--dynamic", "--demangle", file])


def environment() -> dict[str, str]:
    """This environment without any robcogen_ros that is already built."""
    built = "robcogen_ros", "arm_example"
    result = dict(os.environ)
    for name in ("AMENT_PREFIX_PATH", "CMAKE_PREFIX_PATH", "COLCON_PREFIX_PATH", "PYTHONPATH"):
        entries = [e for e in os.environ.get(name, "").split(os.pathsep) if e]
        kept = [e for e in entries if not any(package in Path(e).parts for package in built)]
        result[name] = os.pathsep.join(kept)
    return result


def run(
    command: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    fails: bool = False,
    timeout: float = 300,
) -> str:
    """What `command` prints on both streams."""
    result = subprocess.run(
        command,
        env=environment() if env is None else env,
        cwd=cwd,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=timeout,
    )
    assert (result.returncode != 0) == fails, result.stdout
    return result.stdout


def colcon_build(
    workspace: Path, *options: str, underlay: Path | None = None, fails: bool = False
) -> str:
    """Builds the sources of a workspace, with robcogen_ros or on the one of `underlay`."""
    env = environment()
    paths: list[str | Path] = ["src"]
    if underlay is None:
        paths.append(ROOT)
        options = (*options, "--cmake-args", "-DROBCOGEN_ROS_CORE=OFF")  # takes a minute
    else:
        installed = underlay / "install" / "robcogen_ros"
        for name in ("AMENT_PREFIX_PATH", "CMAKE_PREFIX_PATH"):
            env[name] = f"{installed}{os.pathsep}{env[name]}"
    command = ["colcon", "build", "--event-handlers", "console_cohesion+", "--base-paths", *paths]
    minutes = 20  # the controllers of ros2_control take three of a processor
    return run([*command, *options], env=env, cwd=workspace, fails=fails, timeout=60 * minutes)


def make_workspace(directory: Path, *packages: str) -> Path:
    """Copies test packages into the sources of a new workspace."""
    (directory / "src").mkdir(parents=True, exist_ok=True)
    for package in packages:
        shutil.copytree(PACKAGES / package, directory / "src" / package)
    return directory


def dynamic_symbols(library: Path) -> tuple[set[str], set[str]]:
    """Names that a shared library exports, and names that it must find elsewhere."""
    lines = run(["nm", "--dynamic", library]).splitlines()
    rows = [line.split()[-2:] for line in lines]
    exported = {name.split("@")[0] for kind, name in rows if kind not in "Uvw"}
    undefined = {name.split("@")[0] for kind, name in rows if kind == "U"}
    return exported, undefined


def make_plain_project(folder: Path) -> Path:
    """Writes a project of plain CMake: a robot of files of two folders, and one with a loop."""
    shutil.copytree(PACKAGES / "plain", folder, dirs_exist_ok=True)
    shutil.copytree(PACKAGES / "two_arms" / "urdf", folder / "urdf")
    shutil.move(folder / "urdf" / "pendulum.urdf.xacro", folder)
    (folder / "linkage.urdf").write_text(FOUR_BAR)
    (folder / "loops.yaml").write_text(FOUR_BAR_LOOPS)
    return folder

"""Flags of the environment that would let compilers compute otherwise than is written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import robcogen_ros
from robcogen_ros.runtime.compiling import toolchain
from test.support.examples import example_path

ANGLES = [[0.1, 1000.0, -987654.3], [0.0, 1e9, 2.5], [0.2, float("nan"), 0.3]]
PRINT = f"""
import sys
import robcogen_ros
robot = robcogen_ros.build(sys.argv[1], functions=["gravity_torques"])
print(robot.gravity_torques({ANGLES}).tolist(), sys.float_info.min / 2 > 0.0)
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ROBCOGEN_CXXFLAGS", "CXX"])
def test_they_change_no_result(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = example_path("hyl")
    monkeypatch.delenv("ROBCOGEN_CXXFLAGS", raising=False)
    plain = robcogen_ros.build(model, functions=["gravity_torques"]).gravity_torques(ANGLES)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv(name, {"CXX": "c++ -Ofast -ffast-math"}.get(name, "-Ofast -ffast-math"))
    command = [sys.executable, "-c", PRINT.replace("nan", 'float("nan")'), str(model)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"{plain.tolist()} True"


@pytest.mark.parametrize(
    ("cxx", "flags", "processor", "native"),
    [
        ("c++", "-O1", "one", True),
        ("c++", "-march=x86-64", "one", False),
        ("c++ -mavx2", "", "one", False),
        ("c++", "", "", False),
    ],
)
def test_code_is_for_this_processor_unless_flags_name_one(
    cxx: str, flags: str, processor: str, native: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", flags)
    monkeypatch.setattr(toolchain, "processor", lambda: processor)
    chosen = toolchain.flags_for_here(cxx.split())
    assert ("-march=native" in chosen) == native
    assert set(flags.split()) <= set(chosen)


def test_what_is_kept_for_one_processor_is_not_taken_on_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keys = set()
    for processor in ("flags: sse2", "flags: sse2 avx2"):
        monkeypatch.setattr(toolchain, "processor", lambda name=processor: name)
        keys.add(toolchain.fingerprint("a robot", []))
    assert len(keys) == 2

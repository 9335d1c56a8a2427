"""A compiled robot allocates nothing, is re-entrant, and calls only what real time allows."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import robcogen_ros
from test.support.compiler import compile_program
from test.support.random_robots import arm_with_everything

SYMBOL = "robcogen_model_robcogen_cache__robot"
MATHS = {"sin", "cos", "sincos", "tan", "atan2", "sqrt", "fma"}
MEMORY = {"memcpy", "memset", "memmove", "__stack_chk_fail"}
LOADER = {"__cxa_finalize", "__gmon_start__", "_ITM_deregisterTMCloneTable"}
LOADER |= {"_ITM_registerTMCloneTable"}
UNWINDING = {
    "__gxx_personality_v0"
}  # tables for exceptions name it; where none is thrown none call it


@pytest.fixture(scope="module", params=[False, True], ids=["fixed", "floating"])
def robot(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("robot") / "robot.urdf"
    path.write_text(arm_with_everything().urdf())
    return robcogen_ros.build(path, floating_base=request.param)


@pytest.fixture(scope="module")
def run_all(tmp_path_factory):
    source = Path(__file__).with_name("run_all.cpp")
    return compile_program(source, tmp_path_factory.mktemp("run_all"), "-ldl", "-pthread")


def test_all_functions_run_where_allocating_aborts(robot, run_all):
    done = subprocess.run(
        [run_all, robot.library_path, SYMBOL], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) >= 9


@pytest.mark.skipif(shutil.which("nm") is None, reason="nm is not installed")
def test_library_calls_maths_and_memory_copies_only(robot):
    called = {name: kind for kind, name in _symbols(robot.library_path, "--undefined-only")}
    weak = {name for name, kind in called.items() if kind == "w"}
    assert weak <= LOADER
    assert set(called) - weak <= MATHS | MEMORY | UNWINDING


@pytest.mark.skipif(shutil.which("nm") is None, reason="nm is not installed")
def test_library_exports_one_symbol(robot):
    assert [name for _, name in _symbols(robot.library_path, "--defined-only")] == [SYMBOL]


def _symbols(library: str, which: str) -> list[tuple[str, str]]:
    """(kind, name without version) of the library's dynamic symbols."""
    listing = subprocess.run(
        ["nm", "-D", which, library], capture_output=True, text=True, check=True
    ).stdout
    return re.findall(r"([A-Za-z]) (\w+)", listing)

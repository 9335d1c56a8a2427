"""Constants handed to a real-time thread: whole, newest, without a data race."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.backends.render import write_changed
from robcogen_ros.program.library import Library
from test.support.compiler import compile_program
from test.support.eigen import eigen_directory
from test.support.parametric import parametric_leg

pytestmark = pytest.mark.slow

SOURCE = Path(__file__).with_name("exchange.cpp")


def can_sanitize(directory: Path) -> bool:
    """Whether programs compile, link and start under ThreadSanitizer here."""
    probe = directory / "probe.cpp"
    probe.write_text("int main() { return 0; }\n")
    try:
        program = compile_program(probe, directory, "-fsanitize=thread")
    except subprocess.CalledProcessError:
        return False
    return subprocess.run([program], capture_output=True).returncode == 0


def test_values_arrive_whole_and_in_order(tmp_path):
    program = compile_program(SOURCE, tmp_path, "-pthread")
    done = subprocess.run([program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "sound\n")


def test_no_data_race_under_the_thread_sanitizer(tmp_path):
    if not can_sanitize(tmp_path):
        pytest.skip("no ThreadSanitizer here: -fsanitize=thread does not compile or run")
    program = compile_program(SOURCE, tmp_path, "-pthread", "-g", "-fsanitize=thread")
    done = subprocess.run([program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_threads_with_parameters_of_their_own_do_not_meet(tmp_path):
    if not can_sanitize(tmp_path):
        pytest.skip("no ThreadSanitizer here: -fsanitize=thread does not compile or run")
    library = Library(parametric_leg(), ["inertia_matrix"])
    files = BACKENDS["cpp"](library, Target("demo", "leg", "leg.kindsl"))
    write_changed({tmp_path / path: text for path, text in files.items()})
    bodies = [tmp_path / "src" / f"{name}.cpp" for name in ("inertia_matrix", "more")]
    flags = [f"-DCONSTANT_COUNT={library.constant_count}", f"-I{tmp_path / 'include'}"]
    flags += ["-isystem", str(eigen_directory()), "-pthread", "-g", "-fsanitize=thread"]
    source = SOURCE.with_name("robot_threads.cpp")
    program = compile_program(source, tmp_path, *map(str, bodies), *flags)
    done = subprocess.run([program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "0 0 0\n", "")

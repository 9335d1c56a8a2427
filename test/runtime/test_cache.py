"""Where compiled robots cannot be kept or made, what is said names the place and the variable."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

import pytest

import robcogen_ros
from robcogen_ros.errors import RobcogenError
from robcogen_ros.realtime.program import build_program
from robcogen_ros.runtime.compiling import compile as compilation
from robcogen_ros.runtime.compiling import toolchain
from robcogen_ros.runtime.compiling.commands import run
from robcogen_ros.runtime.evaluators import interpreter
from robcogen_ros.runtime.load import _module
from test.support.examples import example, example_path


def build() -> object:
    return robcogen_ros.build(example_path("hyl"), functions=["gravity_torques"])


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def left_behind(cache: Path) -> list[Path]:
    return [path for path in cache.rglob("*") if path.is_file()]


@pytest.mark.slow
@pytest.mark.parametrize("place", ["/proc/nope", "/dev/null"])
def test_a_cache_that_cannot_be_written_to(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", place)
    for make in (build, lambda: build_program(example("hyl"))):
        with pytest.raises(RobcogenError, match=f"{place}/robcogen_ros: .*XDG_CACHE_HOME"):
            make()


@pytest.mark.slow
def test_no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", home)
    with pytest.raises(RobcogenError, match=r"no home directory.*XDG_CACHE_HOME"):
        build()


@pytest.mark.slow
@pytest.mark.parametrize("writer", ["this program", "the compiler"])
def test_a_full_cache(writer: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if writer == "this program":

        def write_bytes(path: Path, data: bytes) -> int:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "write_bytes", write_bytes)
    else:

        def fails(command: object) -> None:
            raise RobcogenError("fatal error: error writing to librobot.so")

        monkeypatch.setattr(compilation, "run", fails)
        monkeypatch.setattr(toolchain, "_LITTLE_SPACE", 1 << 63)
    with pytest.raises(RobcogenError, match=f"{cache}/robcogen_ros: No space.*XDG_CACHE_HOME"):
        build()
    assert left_behind(cache) == []


@pytest.mark.slow
def test_what_a_compiler_refuses_is_told_and_nothing_is_kept(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", "-fno-such-option")
    with pytest.raises(RobcogenError, match="-fno-such-option"):
        build()
    assert left_behind(cache) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("CXX", "/nope/g++", "no C.. compiler found .CXX names '/nope/g..'.*backend='interpreter'"),
        ("PATH", "/nope", "no C.. compiler found.*variable CXX"),
        ("CXX", "'g++", "variable CXX: no closing quotation in ''g.."),
        ("ROBCOGEN_CXXFLAGS", "-O2 '", "variable ROBCOGEN_CXXFLAGS: no closing quotation"),
    ],
)
def test_no_compiler(
    variable: str, value: str, said: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setenv(variable, value)
    with pytest.raises(RobcogenError, match=said):
        build()
    assert not cache.exists()


@pytest.mark.slow
def test_a_compiler_that_is_no_program(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = cache.parent / "c++"
    command.write_bytes(b"\0")
    command.chmod(0o755)
    monkeypatch.setenv("CXX", str(command))
    with pytest.raises(RobcogenError, match=f"cannot run {command}"):
        build()


@pytest.mark.slow
def test_a_kept_library_that_cannot_be_loaded(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def kept(files: object, cxx: object, flags: object, path: Path) -> None:
        path.parent.mkdir(parents=True)
        path.write_bytes(b"")

    monkeypatch.setattr(compilation, "compile_library", kept)
    with pytest.raises(RobcogenError, match=r"so: file too short; remove.*XDG_CACHE_HOME"):
        build()


@pytest.mark.slow
def test_a_library_that_several_want_is_compiled_once(cache: Path) -> None:
    made, path = [], cache / "key" / "librobot.so"

    def files() -> dict[PurePosixPath, str]:
        made.append(1)
        return {PurePosixPath("src/one.cpp"): "int one() { return 1; }"}

    with ThreadPoolExecutor(3) as pool:
        jobs = [
            pool.submit(compilation.compile_library, files, toolchain.compiler(), ["-fPIC"], path)
            for _ in range(3)
        ]
        for job in jobs:
            job.result()
    assert len(made) == 1
    assert left_behind(cache) == [path]


def test_what_a_compiler_says_need_not_be_in_this_encoding() -> None:
    with pytest.raises(RobcogenError, match="caf"):
        run(["sh", "-c", r"printf 'caf\351' >&2; exit 1"])


def test_a_compiler_that_a_signal_ends_is_told_with_the_signal() -> None:
    with pytest.raises(RobcogenError, match=r"kill -9 .* was ended: Killed"):
        run(["sh", "-c", "kill -9 $$"])


def test_why_casadi_functions_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RobcogenError, match=r"there is no .*add casadi to BACKENDS"):
        _module(tmp_path, "a/b", "casadi", "kinematics")
    (tmp_path / f"{tmp_path.name}_casadi.py").mkdir()
    with pytest.raises(RobcogenError, match=r"cannot read .*Is a directory"):
        _module(tmp_path, "a/b", "casadi", "kinematics")


def test_why_an_interpreter_cannot_be_loaded(tmp_path: Path) -> None:
    library = tmp_path / "interpreter.so"
    library.write_bytes(b"")
    with pytest.raises(RobcogenError, match=r"file too short; remove the file, or set .*XDG_CACHE"):
        interpreter._loaded(library)


@pytest.mark.parametrize("entry", [b"", b"lib/librobot.so", b"\xff\xfe"])
def test_an_entry_of_the_index_that_is_none(
    entry: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = tmp_path / "share" / "ament_index" / "resource_index" / "robcogen_models" / "a__b"
    marker.parent.mkdir(parents=True)
    marker.write_bytes(entry)
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path))
    with pytest.raises(RobcogenError, match=f"{marker}.*build its package again"):
        robcogen_ros.load("a/b")

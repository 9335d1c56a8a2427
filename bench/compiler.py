"""Compiling what counts the operations of others."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
BUILD = Path("build/bench")

_PINOCCHIO_DEFINES = (
    "BOOST_MPL_LIMIT_LIST_SIZE=30",
    "BOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "BOOST_FUSION_INVOKE_MAX_ARITY=12",
)
"""What Pinocchio's own CMake package defines for its users."""


def codegen_program() -> Path | None:
    """The program that counts CppADCodeGen's operations; None where its headers are not found.

    They come with the PyPI package `cmeel-cppadcodegen`, or where CPLUS_INCLUDE_PATH says.
    """
    prefix = Path(sysconfig.get_paths()["purelib"], "cmeel.prefix/include")
    probe = [os.environ.get("CXX", "g++"), f"-isystem{prefix}", "-xc++", "-E", "-M", "-"]
    text = "#include <cppad/cg/declare_cg.hpp>"
    if subprocess.run(probe, input=text, text=True, capture_output=True).returncode:
        return None
    flags = [*(f"-D{define}" for define in _PINOCCHIO_DEFINES), "-ldl"]
    source = HERE / "cpp/codegen_counts.cpp"
    return _program("codegen_counts", [source], [prefix, prefix / "eigen3"], flags)


def _program(
    name: str, sources: Sequence[Path], include: Sequence[Path], flags: Sequence[str]
) -> Path:
    """An executable, compiled again where a source or the machine's flags changed."""
    BUILD.mkdir(parents=True, exist_ok=True)
    compiler = os.environ.get("CXX", "g++")
    common = [compiler, "-std=c++17", "-DNDEBUG", "-w", "-O0"]
    common += [*(f"-isystem{path}" for path in include), *flags]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(lambda source: _object(common, source), sources))
    program = BUILD / name
    subprocess.run([compiler, *map(str, objects), *flags, "-o", str(program)], check=True)
    return program


def _object(command: Sequence[str], source: Path) -> Path:
    target = BUILD / f"{source.stem}.o"
    record = target.with_suffix(".command")
    headers = source.parent.glob("*.hpp")
    newest = max(path.stat().st_mtime for path in (source, *headers))
    line = " ".join(command)
    known = record.is_file() and record.read_text() == line
    if not known or not target.is_file() or target.stat().st_mtime < newest:
        print(f"compiling {source.name} ...", file=sys.stderr, flush=True)
        subprocess.run([*command, "-c", str(source), "-o", str(target)], check=True)
        record.write_text(line)
    return target

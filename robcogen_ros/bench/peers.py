"""The libraries that ours is compared with, where they are installed."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from robcogen_ros.backends.render import beside
from robcogen_ros.bench.compilers import Compiled, Compiler, compile_object, flags, lacks
from robcogen_ros.bench.kept import SOURCES, kept
from robcogen_ros.bench.measured import CODEGEN, KDL, MUJOCO, PINOCCHIO, WHOLE, Measured
from robcogen_ros.errors import RobcogenError
from robcogen_ros.progress import task
from robcogen_ros.runtime.compiling.commands import run, run_all

_PINOCCHIO_FLAGS = (
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
)
"""Definitions that Pinocchio's own CMake package makes for its users."""

_ALIGNED_AS_KDL = "-DEIGEN_MAX_ALIGN_BYTES=16"
"""Memory of Eigen is freed as Debian's KDL took it, whatever this computer's vectors need."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A library that is compared with ours.

    Attributes:
        name: What it is asked for by.
        title: What it is called in tables.
        header: A header of it, which tells whether it is installed.
        package: What to install to have it.
        files: Which of our sources make a side of it that computes a function in a `{way}`; none
            where code is generated.
        options: Further options of the compiler.
        fixed_base_only: Whether it knows no floating base.
    """

    name: str
    title: str
    header: str
    package: str
    files: tuple[str, ...]
    options: Callable[[], tuple[str, ...]]
    fixed_base_only: bool = False


def _none() -> tuple[str, ...]:
    return ()


def _pinocchio() -> tuple[str, ...]:
    return _PINOCCHIO_FLAGS


def _mujoco() -> tuple[str, ...]:
    spec = importlib.util.find_spec("mujoco")
    folder = Path(spec.origin).parent if spec is not None and spec.origin else Path("/nowhere")
    found = sorted(folder.glob("libmujoco.so*"))
    if not found:
        return ("-lmujoco",)
    return (f"-isystem{folder / 'include'}", str(found[-1]), f"-Wl,-rpath,{folder}")


_OF_SIDES = ("-fPIC", "-fvisibility=hidden")
"""Flags of sides, which are libraries that show nothing but how they are opened."""

_OF_PINOCCHIO = ("pinocchio/robot.cpp", "pinocchio/**/{way}.cpp")
"""Sources that open a robot, and that compute a function in one way, which takes long to
compile."""

PEERS = (
    Peer(PINOCCHIO, "Pinocchio", "pinocchio/fwd.hpp", "PyPI: pin", _OF_PINOCCHIO, _pinocchio),
    Peer(
        WHOLE,
        "Pinocchio, whole matrix",
        "pinocchio/fwd.hpp",
        "PyPI: pin",
        _OF_PINOCCHIO,
        _pinocchio,
    ),
    Peer(
        CODEGEN,
        "Pinocchio + CppADCodeGen",
        "pinocchio/codegen/cppadcg.hpp",
        "PyPI: pin, cmeel-cppadcodegen",
        (),
        _pinocchio,
    ),
    Peer(
        KDL,
        "KDL",
        "kdl/tree.hpp",
        "Debian: liborocos-kdl-dev",
        ("kdl.cpp",),
        lambda: ("-lorocos-kdl", _ALIGNED_AS_KDL),
        fixed_base_only=True,
    ),
    Peer(MUJOCO, "MuJoCo", "mujoco/mujoco.h", "PyPI: mujoco", ("mujoco.cpp",), _mujoco),
)


def include_folders() -> list[Path]:
    """Returns the folders of other libraries' headers that compilers do not know."""
    wheels = Path(sysconfig.get_paths()["purelib"], "cmeel.prefix", "include")
    prefixes = [
        Path(p) / "include" for p in os.environ.get("AMENT_PREFIX_PATH", "").split(":") if p
    ]
    folders = [wheels, *prefixes, Path("/usr/include")]
    return [each for folder in folders for each in (folder, folder / "eigen3") if each.is_dir()]


def missing(peer: Peer, compiler: Compiler) -> str:
    """Returns why a library cannot be used, in the compiler's words; empty if it can."""
    return lacks(compiler, peer.header, [*_includes(), *peer.options()])


def side(peer: Peer, compiler: Compiler, way: str) -> Path:
    """The library that runs a peer's function on any robot, kept once it is compiled.

    Raises:
        RobcogenError: If the compiler refuses it.
    """
    sources, line = _sources(peer, way), _line(compiler, peer)
    path = kept(f"{peer.name}.so", line, sources)
    if not path.is_file():
        objects = [_object([*line, *_OF_SIDES], source) for source in sources]
        with beside(path) as partial:
            run([*line, "-shared", *map(str, objects), *peer.options(), "-o", str(partial)])
    return path


def uncompiled(
    peer: Peer, found: Sequence[str], compilers: Sequence[Compiler]
) -> dict[Path, tuple[list[str], Path]]:
    """Objects that sides of several ways lack, each with its compiler's line and its source."""
    lines = [[*_line(compiler, peer), *_OF_SIDES] for compiler in compilers]
    sources = [source for way in found for source in _sources(peer, way)]
    pieces = {_object_file(line, source): (line, source) for line in lines for source in sources}
    return {path: piece for path, piece in pieces.items() if not path.is_file()}


def compile_ahead(peer: Peer, found: Sequence[str], compilers: Sequence[Compiler]) -> None:
    """Compiles what the sides of several ways consist of, one beside the other.

    What a compiler refuses is told by `side`.
    """
    pieces = uncompiled(peer, found, compilers)
    missing = list(pieces)
    partials = [path.with_suffix(f".{os.getpid()}") for path in missing]
    pairs = zip(missing, partials, strict=True)
    commands = [_compiling(*pieces[path], partial) for path, partial in pairs]
    with task(f"compiling {peer.title}, kept for the next time", len(missing), "files") as step:

        def keep(place: int) -> None:
            partials[place].replace(missing[place])
            step.advance(detail=missing[place].name)

        try:
            run_all(commands, keep)
        except RobcogenError:
            return
        finally:
            for partial in partials:
                partial.unlink(missing_ok=True)


def generated_code(
    peer: Peer, function: str, robot: Path, compiler: Compiler, folder: Path
) -> Path:
    """C that CppADCodeGen makes of a function of a robot; its operations are beside it, `.counts`.

    Raises:
        RobcogenError: If it cannot.
    """
    program = _generator(peer, compiler)
    source = folder / f"{function}.c"
    if not source.is_file():
        line = [str(program), str(robot), function, str(source)]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RobcogenError(f"{peer.title} cannot generate {function}: {done.stderr.strip()}")
        source.with_suffix(".counts").write_text(done.stdout, encoding="utf-8")
    return source


def compile_generated(source: Path, compiler: Compiler, folder: Path) -> tuple[Path, Compiled]:
    """Code of CppADCodeGen's as a library, and what it cost.

    Raises:
        RobcogenError: If the compiler refuses it.
    """
    own = folder / source.name
    own.write_bytes(source.read_bytes())
    compiled = compile_object([*compiler.command, "-xc", "-std=gnu11", *flags(), "-fPIC"], own)
    library = own.with_suffix(".so")
    run([*compiler.command, "-shared", str(compiled.path), "-o", str(library), "-lm"])
    return library, compiled


def counted(source: Path) -> tuple[int, int]:
    """Multiplications and additions of code that was generated."""
    multiplications, additions = source.with_suffix(".counts").read_text("utf-8").split()
    return int(multiplications), int(additions)


def ways(peer: Peer, function: Measured) -> Sequence[str]:
    """The names of the ways in which a library computes a function; none if it does not."""
    return function.peers.get(peer.name, ())


@lru_cache
def _generator(peer: Peer, compiler: Compiler) -> Path:
    """The program that generates code."""
    source = SOURCES / "codegen.cpp"
    line = [*compiler.command, "-std=c++17", "-O0", "-DNDEBUG", "-w", *_includes(), *peer.options()]
    path = kept("codegen", line, [source])
    if not path.is_file():
        with task(f"compiling {peer.title}, kept for the next time"), beside(path) as partial:
            run([*line, str(source), "-o", str(partial), "-ldl"])
    return path


def _sources(peer: Peer, way: str) -> list[Path]:
    return [path for file in peer.files for path in SOURCES.glob(file.format(way=way))]


def _object(line: Sequence[str], source: Path) -> Path:
    """The object of a source, kept for itself: none is compiled twice."""
    target = _object_file(line, source)
    if not target.is_file():
        with beside(target) as partial:
            run(_compiling(line, source, partial))
    return target


def _object_file(line: Sequence[str], source: Path) -> Path:
    return kept(f"{source.stem}.o", line, [source])


def _compiling(line: Sequence[str], source: Path, target: Path) -> list[str]:
    return [*line, "-c", str(source), "-o", str(target)]


def _line(compiler: Compiler, peer: Peer) -> list[str]:
    options = [option for option in peer.options() if option.startswith(("-D", "-isystem"))]
    return [*compiler.command, "-std=c++17", "-w", *flags(), *_includes(), *options]


def _includes() -> list[str]:
    return [f"-isystem{folder}" for folder in include_folders() if folder != Path("/usr/include")]

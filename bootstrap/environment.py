"""Makes `.venv`, the environment that everything of this project runs in.

    python3 bootstrap/environment.py [demo|test|more|lint|docs]

It needs Python alone. ROS 2 is the one that is sourced or, where none is, the wheels of Kilted;
what pip fetches, and from where, is the user's own configuration of pip. A group that is already
there, for the same Python and the same ROS 2, is left alone.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import host
import wheels

HERE = Path(__file__).parent
TITLES = {
    "bench": "rivals: CppADCodeGen, MuJoCo",
    "build": "CMake and Ninja",
    "colcon": "colcon",
    "demo": "plotting: matplotlib",
    "lint": "checkers: ruff, mypy, clang-format, flake8",
    "more": "MuJoCo, and a browser that tests steer",
    "docs": "documentation: Sphinx and its theme",
    "ros": "ROS 2 Kilted: rclpy, messages, Fast DDS, colcon",
    "runtime": "NumPy, xacro, lark, jinja2",
    "test": "judges: pytest, hypothesis, Pinocchio, robots",
}
HEADERS_MISSING = (
    "Python's C headers are missing: tf2_msgs is not built, so transform_publisher and the demo"
    " will not run (Debian, Ubuntu: apt install python3-dev)"
)


class Failure(Exception):
    """A step failed; the text says which and why."""


def main(arguments: Sequence[str]) -> int:
    """Makes the groups named in `arguments` ready."""
    if sys.version_info < (3, 10):  # noqa: UP036  (this is what tells so)
        print("Python 3.10 or newer is needed: make PYTHON=python3.12 ...", file=sys.stderr)
        return 1
    steps = [step for group in ["base", *arguments] for step in missing(group)]
    try:
        for number, (title, action) in enumerate(steps, 1):
            run_step(f"[{number}/{len(steps)}] {title}", action)
        mark_as_prefix()
    except Failure as failure:
        print(f"\n{failure}", file=sys.stderr)
        return 1
    return 0


Step = tuple[str, Callable[[], None]]


def missing(group: str) -> list[Step]:
    """Returns the steps that make `group` ready; none where it is."""
    mark = host.VENV / f".{group}"
    fingerprint = fingerprint_of(group)
    if mark.exists() and mark.read_text() == fingerprint and base_is_current():
        return []
    steps = base_steps() if group == "base" else [install(group)]
    title, action = steps[-1]

    def action_and_mark() -> None:
        action()
        mark.write_text(fingerprint)

    return [*steps[:-1], (title, action_and_mark)]


def base_is_current() -> bool:
    """Tells whether `.venv` was made for this Python and this ROS 2."""
    mark = host.VENV / ".base"
    return mark.exists() and mark.read_text() == fingerprint_of("base")


def fingerprint_of(group: str) -> str:
    """Returns a text that changes whenever `group` must be set up anew."""
    names = ["build", "runtime", "ros", "colcon"] if group == "base" else [group]
    texts = [requirements(name).read_text() for name in names]
    state = [host.ros_distribution(), platform.python_version(), *texts]
    if not host.has_python_headers():
        state.append("no headers")
    return hashlib.sha256("\n".join(state).encode()).hexdigest()


def base_steps() -> list[Step]:
    """Returns the steps from nothing to an environment that generates, builds and runs."""
    steps: list[Step] = [("Python environment .venv", make_venv)]
    common = [install("runtime"), ("Eigen", install_eigen)]
    if host.sourced_ros():
        print(f"ROS 2: the one sourced ({host.sourced_ros()})")
        tools = {"build": "cmake", "colcon": "colcon"}
        steps += [install(group) for group, tool in tools.items() if not host.has(tool)]
        steps += common
    elif host.has_ros_wheels():
        steps += [install("build"), install("ros"), *common, ("joining the pieces", join_wheels)]
    else:
        print(f"ROS 2: none sourced, and no wheels for {host.name()}: its parts are skipped")
        steps += [install("build"), *common]
    if host.has_ros() and not host.has_package("tf2_msgs"):
        if host.has_python_headers():
            steps.append(("the message of /tf: tf2_msgs", build_tf2_msgs))
        else:
            print(HEADERS_MISSING)
    return steps


def requirements(group: str) -> Path:
    """Returns the file that lists what `group` consists of."""
    return HERE / "requirements" / f"{group}.txt"


def install(group: str) -> Step:
    """Returns the step that installs `group` by pip."""
    return TITLES[group], lambda: pip("install", "--requirement", requirements(group))


def pip(command: str, *arguments: str | Path) -> None:
    """Runs pip in `.venv`; what is installed is compiled when it is first imported, if ever."""
    options = ["--quiet", *(["--no-compile"] if command == "install" else [])]
    call([host.PYTHON, "-m", "pip", command, *options, *arguments])


def install_eigen() -> None:
    """Installs Eigen's headers into `.venv`, also where Python has them elsewhere."""
    pip("install", "--ignore-installed", "--no-deps", "cmeel-eigen")


def make_venv() -> None:
    """Makes an empty `.venv`, which sees the system's packages where a ROS 2 is sourced.

    A workspace built with the one before goes: it remembers paths of programs in it.
    """
    shutil.rmtree(host.ROOT / "build" / "workspace", ignore_errors=True)
    options = ["--clear", *(["--system-site-packages"] if host.sourced_ros() else [])]
    try:
        call([sys.executable, "-m", "venv", *options, host.VENV])
    except Failure as failure:
        raise Failure(f"{failure}\n(Debian, Ubuntu: apt install python3-venv)") from None
    (host.VENV / "COLCON_IGNORE").touch()


def mark_as_prefix() -> None:
    """Lets colcon build upon `.venv`, and the shells that source such a workspace find it."""
    for shell in ("sh", "bash", "zsh"):
        (host.VENV / f"local_setup.{shell}").touch()


def join_wheels() -> None:
    """Makes the wheels of ROS 2 work together."""
    # Both names own the module `lark`; only the one named `lark` is alive.
    pip("uninstall", "--yes", "lark-parser")
    pip("install", "--force-reinstall", "--no-deps", "lark>=1.1")
    wheels.repair(host.VENV)


def build_tf2_msgs() -> None:
    """Builds the one message that has no wheel into `.venv`."""
    build = host.ROOT / "build" / "tf2_msgs"
    shutil.rmtree(build, ignore_errors=True)
    prefix = f"-DCMAKE_INSTALL_PREFIX={host.VENV}"
    call([HERE / "run", "cmake", "-S", HERE / "tf2_msgs", "-B", build, prefix])
    call([HERE / "run", "cmake", "--build", build, "--parallel", "2", "--target", "install"])


def run_step(title: str, action: Callable[[], None]) -> None:
    """Does one step, printing its name at once and the time it took at its end."""
    print(f"{title:<60}", end="", flush=True)
    start = time.monotonic()
    action()
    print(f"{time.monotonic() - start:6.1f} s", flush=True)


def call(command: Sequence[str | Path]) -> None:
    """Runs a command, silent unless it fails."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        raise Failure(f"failed: {' '.join(map(str, command))}\n{result.stdout}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The controller in C++, compiled for a double pendulum and called from Python."""

from __future__ import annotations

import ctypes
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.controller import CONTROLLER, control_plugin_files
from robcogen_ros.backends.render import write_changed
from robcogen_ros.control.dynamics import Array
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from test.control.arms import FUNCTIONS, DoublePendulum, urdf
from test.support.cpp_program import CppRobot

CPP = Path(__file__).parent / "cpp"
MODES = ("gravity", "compensation", "pd_gravity", "computed_torque", "feed_forward")
CONDITIONS = ("normal", "stale", "lost", "unsound")
PARTINGS = ("zero", "hold_gravity", "keep")
PERIOD = 0.001
N = 2
NAN = np.full(N, np.nan)
ARM = DoublePendulum(continuous=[True, False], damping=[0.3, 0.2], friction=[0.5, 0.1])


def double_pendulum() -> str:
    """The URDF of `ARM`: its second joint has no limit of effort that means one."""
    return urdf(ARM, efforts=(30, 0))


@dataclass(frozen=True)
class Reply:
    """What a cycle gave."""

    effort: Array
    gravity: Array
    scale: float
    sound: bool
    condition: str = ""


@dataclass
class Law:
    """How to control; the arguments of `session_set`."""

    mode: str = "computed_torque"
    feed_forward: bool = True
    compensate_friction: bool = True
    kp: Array = field(default_factory=lambda: np.array([100.0, 80.0]))
    kd: Array = field(default_factory=lambda: np.array([20.0, 15.0]))
    limits: Array = field(default_factory=lambda: np.full(N, np.inf))
    gravity: Array | None = None

    def numbers(self) -> Array:
        """In the order in which C++ takes them."""
        head = [MODES.index(self.mode), self.feed_forward, self.compensate_friction]
        return np.array([*head, *self.kp, *self.kd, *self.limits], dtype=float)

    def settings(self) -> dict[str, Array | float | None]:
        """By name, as the core takes them."""
        return {
            "mode": MODES.index(self.mode),
            "feed_forward": self.feed_forward,
            "compensate_friction": self.compensate_friction,
            "kp": self.kp,
            "kd": self.kd,
            "effort_limits": self.limits,
            "gravity": self.gravity,
        }


class CppController:
    """The controller of one session; `loaded()` gives its library."""

    def __init__(
        self,
        library: ctypes.CDLL,
        *,
        activation_time: float = 0.0,
        stale: int = 3,
        missed: int = 10,
        hold: bool = True,
        estimate: bool = False,
        failure: str = "hold_gravity",
        period: float = PERIOD,
    ) -> None:
        """Start; no torque ramp unless it is asked for."""
        given = [activation_time, stale, missed, hold, estimate, PARTINGS.index(failure), period]
        self._library = library
        library.session_new.restype = ctypes.c_void_p
        self._session = ctypes.c_void_p(library.session_new(_numbers(given)))
        self.set(Law())
        library.session_activate(self._session)

    def __del__(self) -> None:
        """Free the session."""
        self._library.session_delete(self._session)

    def set(self, law: Law) -> None:
        """Control in another way from now on."""
        gravity = None if law.gravity is None else _numbers(law.gravity)
        self._library.session_set(self._session, _numbers(law.numbers()), gravity)

    def activate(self) -> None:
        """Begin anew."""
        self._library.session_activate(self._session)

    def law(self, q: Array, qd: Array, wanted: Array) -> Reply:
        """The control law alone; `wanted` has positions, velocities, accelerations, efforts."""
        out = (ctypes.c_double * (2 * N + 2))()
        self._library.session_law(
            self._session, _numbers(q), _numbers(qd), _numbers(wanted), ctypes.c_double(1.0), out
        )
        return _reply(out)

    def update(self, q: Array, qd: Array, wanted: Array, period: float = PERIOD) -> Reply:
        """One cycle."""
        out = (ctypes.c_double * (2 * N + 2))()
        arguments = _numbers(q), _numbers(qd), _numbers(wanted), ctypes.c_double(period)
        condition = self._library.session_update(self._session, *arguments, out)
        return _reply(out, CONDITIONS[condition])

    def parting(self, kind: str) -> Array:
        """Efforts to leave the robot with."""
        out = (ctypes.c_double * (2 * N + 2))()
        self._library.session_parting(self._session, PARTINGS.index(kind), out)
        return np.array(out[:N])

    def report(self) -> dict[str, Array | float]:
        """What it tells of itself."""
        out = (ctypes.c_double * (3 + 3 * N))()
        self._library.session_report(self._session, out)
        rows = dict(
            zip(("velocity", "reference", "moving"), np.reshape(out[3:], (3, N)), strict=True)
        )
        return {"failed": bool(out[0]), "missed": int(out[1]), "share": out[2], **rows}


def compile_into(folder: Path) -> None:
    """Build the library of the double pendulum's controller."""
    model = folder / "arm.urdf"
    model.write_text(double_pendulum())
    reading = read(model)
    library = Library(reading.robot, [*FUNCTIONS, "gravity_torques"])
    robot = CppRobot(library, folder)
    files = control_plugin_files(
        CONTROLLER, reading.alone, library, Target("demo", "arm", "model"), True
    )
    write_changed({folder / path: text for path, text in files.items()})
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
    command = ["c++", "-std=c++17", "-O0", "-shared", "-fPIC", *warnings, *robot.include]
    sources = [str(CPP / "pendulum.cpp"), str(folder / "src" / "inverse_dynamics.cpp")]
    subprocess.run([*command, *sources, "-o", str(folder / "controller.so")], check=True)


def loaded(folder: Path) -> ctypes.CDLL:
    """The library that is in a folder."""
    library = ctypes.CDLL(str(folder / "controller.so"))
    texts = ("refusal", "differences", "differences_of_names")
    for name in (*texts, "reference_problem"):
        getattr(library, name).restype = ctypes.c_char_p
    return library


def rows(
    position: object, velocity: object = 0.0, acceleration: object = 0.0, effort: object = 0.0
):
    """A reference of all joints, as C++ takes it."""
    parts = (position, velocity, acceleration, effort)
    return np.array([np.broadcast_to(part, N) for part in parts], dtype=float)


def reference_problem(library: ctypes.CDLL, reference: Array) -> str:
    """Why a reference, as `rows` has it, must not be followed."""
    said: bytes = library.reference_problem(_numbers(reference))
    return said.decode()


def set_point(
    library: ctypes.CDLL, point: Array, *, patience: float, age: float, position: Array = NAN
) -> Array:
    """Where to be by a point that came a while ago, as `rows` has it, near a position."""
    sampled = (ctypes.c_double * (4 * N))()
    times = map(ctypes.c_double, (patience, age))
    library.set_point_sample(_numbers(point), _numbers(position), *times, sampled)
    return np.reshape(sampled, (4, N))


def computed_torque(q: Array, qd: Array, wanted: Array, arm: DoublePendulum = ARM) -> Array:
    """What `Law()` commands by hand, but for friction and limits."""
    law = Law()
    acceleration = wanted[2] + law.kp * (wanted[0] - q) + law.kd * (wanted[1] - qd)
    return arm.inverse_dynamics(np.asarray(q), np.asarray(qd), acceleration) + wanted[3]


def _numbers(values: object) -> ctypes.Array:
    flat = np.asarray(values, dtype=float).ravel()
    return (ctypes.c_double * len(flat))(*flat)


def _reply(out: ctypes.Array, condition: str = "") -> Reply:
    effort, gravity = np.array(out[:N]), np.array(out[N : 2 * N])
    return Reply(effort, gravity, out[2 * N], bool(out[2 * N + 1]), condition)

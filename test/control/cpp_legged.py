"""Whole-body control and the simulated ground in C++, of a quadruped, called from Python."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.controller import (
    WHOLE_BODY_CONTROLLER,
    control_plugin_files,
    plugin_functions,
)
from robcogen_ros.backends.render import write_changed
from robcogen_ros.control.dynamics import Array
from robcogen_ros.formats.read import read
from robcogen_ros.program.library import Library
from test.support.cpp_program import CppRobot

CPP = Path(__file__).parent / "cpp" / "legged.cpp"
CONDITIONS = ("normal", "stale", "lost", "fallen", "unsound")
PARTINGS = ("zero", "hold_gravity", "keep")
FAULTS = (
    "state_not_finite",
    "reference_not_finite",
    "reference_out_of_reach",
    "all_contacts_lost",
    "schedule_disagrees",
    "no_solution",
    "limits_exceeded",
    "trunk_not_followed",
    "position_limits",
    "cannot_step",
    "foot_not_felt",
    "gait_not_played",
    "velocities_zero",
    "imu_leans",
)
PERIOD = 0.001
FEET = ("lf", "rf", "lh", "rh")
JOINTS = 13
LIMIT = 60.0
STANDING = np.append(np.tile([0.0, 0.6, -1.2], 4), 0.0)
MASS = 10.0 + 4 * (0.8 + 0.5 + 0.2) + 1.0
WEIGHT = 9.81 * MASS
LEG = """
  <joint name="{f}_haa" type="revolute"><origin xyz="{x} {y} 0"/><parent link="trunk"/>
    <child link="{f}_hip"/><axis xyz="1 0 0"/><limit lower="-2" upper="2" effort="60" velocity="0"/>
  </joint>
  <link name="{f}_hip"><inertial><mass value="0.8"/>
    <inertia ixx="0.002" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.002"/></inertial></link>
  <joint name="{f}_hfe" type="revolute"><parent link="{f}_hip"/><child link="{f}_thigh"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="60" velocity="0"/></joint>
  <link name="{f}_thigh"><inertial><origin xyz="0 0 -0.12"/><mass value="0.5"/>
    <inertia ixx="0.003" ixy="0" ixz="0" iyy="0.003" iyz="0" izz="0.0005"/></inertial></link>
  <joint name="{f}_kfe" type="revolute"><origin xyz="0 0 -0.25"/><parent link="{f}_thigh"/>
    <child link="{f}_shank"/><axis xyz="0 1 0"/>
    <limit lower="-2.5" upper="2" effort="60" velocity="0"/></joint>
  <link name="{f}_shank"><inertial><origin xyz="0 0 -0.1"/><mass value="0.2"/>
    <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.0002"/></inertial></link>
  <joint name="{f}_ankle" type="fixed"><origin xyz="0 0 -0.25"/><parent link="{f}_shank"/>
    <child link="{f}"/></joint>
  <link name="{f}"/>"""
ARM = """
  <joint name="shoulder" type="revolute"><origin xyz="0 0 0.1"/><parent link="trunk"/>
    <child link="arm"/><axis xyz="1 0 0"/><limit lower="-2" upper="2" effort="60" velocity="0"/>
  </joint>
  <link name="arm"><inertial><origin xyz="0 0 0.2"/><mass value="1"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.001"/></inertial></link>"""


def quadruped() -> str:
    """The URDF of a quadruped with three joints a leg, and an arm."""
    hips = ((0.3, 0.15), (0.3, -0.15), (-0.3, 0.15), (-0.3, -0.15))
    legs = (LEG.format(f=f, x=x, y=y) for f, (x, y) in zip(FEET, hips, strict=True))
    return f"""<robot name="quadruped"><link name="trunk"><inertial><mass value="10"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.4" iyz="0" izz="0.45"/></inertial></link>
    {"".join(legs)}{ARM}</robot>"""


def quadruped_library(folder: Path) -> Library:
    """Its functions that a whole-body controller calls."""
    model = folder / "quadruped.urdf"
    model.write_text(quadruped())
    robot = read(model, floating_base=True, contacts=FEET).robot
    return Library(robot, plugin_functions(WHOLE_BODY_CONTROLLER, robot))


def compile_into(folder: Path) -> None:
    """Build the library of the quadruped's controller and world."""
    library = quadruped_library(folder)
    robot = CppRobot(library, folder, name="quadruped")
    files = control_plugin_files(
        WHOLE_BODY_CONTROLLER,
        read(folder / "quadruped.urdf", floating_base=True, contacts=FEET).description,
        library,
        Target("demo", "quadruped", "model"),
        True,
    )
    write_changed({folder / path: text for path, text in files.items()})
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
    sources = [s for s in (folder / "src").glob("*.cpp") if "controller" not in s.name]
    command = ["c++", "-std=c++17", "-O0", "-shared", "-fPIC", *warnings, *robot.include]
    subprocess.run(
        [*command, str(CPP), *map(str, sources), "-o", str(folder / "legged.so")], check=True
    )


def loaded(folder: Path) -> ctypes.CDLL:
    """The library that is in a folder."""
    library = ctypes.CDLL(str(folder / "legged.so"))
    texts = ("refusal", "request_names", "world_problem", "world_names")
    for name in (*texts, "world_advance"):
        getattr(library, name).restype = ctypes.c_char_p
    for name in ("session_new", "world_new"):
        getattr(library, name).restype = ctypes.c_void_p
    return library


class Loop:
    """The controller of one session; parameters as YAML has them."""

    def __init__(self, library: ctypes.CDLL, **parameters: object) -> None:
        """Make and activate one."""
        self._library = library
        self._session = ctypes.c_void_p(library.session_new(_text(parameters)))
        self.names = tuple(library.request_names().decode().split())
        library.session_activate(self._session)

    def __del__(self) -> None:
        """Free the session."""
        self._library.session_delete(self._session)

    def change(self, **parameters: object) -> None:
        """Set other parameters."""
        self._library.session_change(self._session, _text(parameters))

    def activate(self) -> None:
        """Begin anew."""
        self._library.session_activate(self._session)

    def update(
        self,
        readings: Mapping[str, Array],
        request: Mapping[str, object] | None = None,
        velocity: Sequence[float] = (np.nan, np.nan, np.nan),
        yields: bool = False,
    ) -> Reply:
        """One cycle, for readings as `standing()` has them and requests by names of vectors.

        `velocity` is commanded: ahead, to the left, turning; `yields` where `request` goes before.
        """
        numbers = np.concatenate([np.ravel(readings[name]) for name in READINGS])
        wanted = np.full(len(self.names), np.nan)
        for name, values in (request or {}).items():
            places = [i for i, n in enumerate(self.names) if n == name or n.startswith(f"{name}.")]
            wanted[places] = values
        out = (ctypes.c_double * (JOINTS + 2 + 8 + 6 + 12))()
        asked = _numbers([*velocity, yields])
        arguments = _numbers(numbers), _numbers(wanted), asked, ctypes.c_double(PERIOD), out
        condition = self._library.session_update(self._session, *arguments)
        return Reply(CONDITIONS[condition], np.array(out))

    def parting(self, kind: str) -> Array:
        """Efforts to leave the robot with."""
        out = (ctypes.c_double * JOINTS)()
        self._library.session_parting(self._session, PARTINGS.index(kind), out)
        return np.array(out)


class Reply:
    """What a cycle gave."""

    def __init__(self, condition: str, out: Array) -> None:
        """Take numbers apart."""
        parts = np.split(out, np.cumsum([JOINTS, 1, 1, 8, 3, 3]))
        self.condition = condition
        self.efforts: Array = parts[0]
        self.faults = {name for i, name in enumerate(FAULTS) if int(parts[1][0]) >> i & 1}
        self.failed = bool(parts[2][0])
        self.closed, self.stance = parts[3][::2] > 0, parts[3][1::2] > 0
        self.position, self.velocity = parts[4], parts[5]
        self.forces: Array = parts[6].reshape(4, 3)


class World:
    """The quadruped on a simulated ground."""

    def __init__(
        self, library: ctypes.CDLL, q: Array = STANDING, parameters: Sequence[str] = ()
    ) -> None:
        """Make one; `problem` says what is wrong with it."""
        self._library = library
        text = ";".join(parameters).encode()
        self._world = ctypes.c_void_p(library.world_new(text, _numbers(q)))
        self.problem = library.world_problem(self._world).decode()
        self.names = tuple(library.world_names(self._world).decode().split())
        self._values: Array = np.zeros(len(self.names))
        if not self.problem:
            self.fault = self.advance(np.zeros(JOINTS), 0.0)

    def __del__(self) -> None:
        """Free it."""
        self._library.world_delete(self._world)

    def advance(self, efforts: Array, time: float = PERIOD) -> str:
        """Move on; returns what is wrong, nothing if all is well."""
        out = (ctypes.c_double * len(self.names))()
        arguments = _numbers(efforts), ctypes.c_double(time), out
        said = self._library.world_advance(self._world, *arguments)
        self._values = np.array(out)
        return said.decode() if said else ""

    def __getitem__(self, name: str) -> Array:
        """The readings of an interface, or of those that have it before the dot."""
        places = [i for i, n in enumerate(self.names) if n == name or n.startswith(f"{name}.")]
        return self._values[places]

    def joints(self, quantity: str) -> Array:
        """The readings of all joints."""
        return self._values[[i for i, n in enumerate(self.names) if n.endswith(f"/{quantity}")]]

    def readings(self) -> dict[str, Array]:
        """What a controller reads."""
        return {
            "position": self.joints("position"),
            "velocity": self.joints("velocity"),
            "base_position": self["trunk/position"],
            "orientation": self["trunk/orientation"],
            "linear_velocity": self["trunk/linear_velocity"],
            "angular_velocity": self["trunk/angular_velocity"],
            "forces": np.stack([self[f"{foot}/force"] for foot in FEET]),
            "imu_rate": self["imu/angular_velocity"],
            "imu_acceleration": self["imu/linear_acceleration"],
        }


READINGS = (
    "position",
    "velocity",
    "base_position",
    "orientation",
    "linear_velocity",
    "angular_velocity",
    "forces",
    "imu_rate",
    "imu_acceleration",
)


def carried_on(library: ctypes.CDLL, motion: Array, age: float, patience: float) -> Array:
    """Where a motion leads: position, quaternion, velocities, accelerations (19 numbers)."""
    numbers = _numbers(motion)
    library.carry_on(numbers, ctypes.c_double(age), ctypes.c_double(patience))
    return np.array(numbers)


def said_before(library: ctypes.CDLL, age: float, patience: float) -> Array:
    """What is left of a request and of a command of velocity, as `say_before` tells (9 numbers)."""
    out = (ctypes.c_double * 9)()
    library.say_before(ctypes.c_double(age), ctypes.c_double(patience), out)
    return np.array(out)


def _text(parameters: Mapping[str, object]) -> bytes:
    return ";".join(f"{name}={value}" for name, value in parameters.items()).encode()


def _numbers(values: object) -> ctypes.Array:
    flat = np.asarray(values, dtype=float).ravel()
    return (ctypes.c_double * len(flat))(*flat)

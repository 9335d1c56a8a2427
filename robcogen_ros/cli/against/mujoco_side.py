"""A robot as MuJoCo has it: from the text of its URDF, or from an MJCF of the user's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.cli.against.mujoco_forces import (
    MujocoForces,
    actuated,
    armature,
    damping,
    stiffness,
)
from robcogen_ros.cli.against.mujoco_reading import of_file, package, read, text_of
from robcogen_ros.errors import Location, ModelError, Problem
from robcogen_ros.formats.bodies import Body
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.meshes.named import Meshes
from robcogen_ros.formats.mjcf.writer import mujoco_type
from robcogen_ros.formats.weighed import Weighed, position
from robcogen_ros.model.description import ShapeDescription

Array = NDArray[np.float64]

_ADVICE = "; robcogen urdf2mjcf writes what it reads"


@dataclass(frozen=True, slots=True)
class Coupling:
    """An equality that holds a joint, or makes it follow another.

    Attributes:
        number: Its number there.
        leader: The other joint; None if it is held.
        multiplier: Its position is `multiplier * leader's position + offset`.
        offset: See multiplier [rad or m].
        plain: Whether this is all.
    """

    number: int
    leader: str | None
    multiplier: float
    offset: float
    plain: bool


class MujocoSide:
    """MuJoCo's model of a robot; joints are found by name, a base by that of its link.

    Attributes:
        version: MuJoCo's.
        problems: What is to be said about the way it was read.
        of_shapes: Whether links without inertia have that of their shapes: it was read from a URDF.
    """

    def __init__(
        self, model: Any, problems: Sequence[Problem] = (), of_shapes: bool = False
    ) -> None:
        self._mujoco = package()
        self._model = model
        self._data = self._mujoco.MjData(model)
        off = self._off("GRAVITY")
        self._gravity = np.zeros(3) if off else np.array(model.opt.gravity)
        model.opt.disableflags &= ~int(self._mujoco.mjtDisableBit.mjDSBL_GRAVITY)
        self._turn, self._origin, self._base = np.eye(3), np.zeros(3), 0
        self.version = self._mujoco.__version__
        self.problems = tuple(problems)
        self.of_shapes = of_shapes

    @classmethod
    def of_file(cls, path: str, servos: bool = True) -> MujocoSide:
        """An MJCF.

        Args:
            path: The file.
            servos: Whether the bias of its actuators counts, which is a control law.

        Raises:
            ModelError: If MuJoCo cannot read it.
            RobcogenError: If MuJoCo is not installed.
        """
        if not Path(path).is_file():
            raise ModelError.at(Location(path), "cannot read the file: there is none")
        problems: list[Problem] = []
        model = read(path, lambda mujoco: of_file(mujoco, path, problems), problems)
        if not servos:
            model.actuator_biasprm[:] = 0.0
        return cls(model, problems)

    @classmethod
    def of_urdf(
        cls,
        name: str,
        urdf: Element | str,
        shapes: Sequence[ShapeDescription],
        package_paths: Mapping[str, str],
    ) -> MujocoSide:
        """A URDF, its meshes where MuJoCo can read them.

        Raises:
            ModelError: If MuJoCo refuses it.
            RobcogenError: If MuJoCo is not installed.
        """
        assets: dict[str, bytes] = {}
        problems: list[Problem] = []
        if not isinstance(urdf, str):
            meshes = Meshes("MuJoCo", (".stl", ".obj"), package_paths, None)
            urdf = text_of(urdf, shapes, meshes, assets)
            problems += meshes.problems()
        text = urdf
        model = read(
            name, lambda mujoco: mujoco.MjModel.from_xml_string(text, assets), problems, _ADVICE
        )
        return cls(model, problems, of_shapes=True)

    def place(
        self, bodies: Sequence[Body], q: Mapping[str, float], gravity: Sequence[float]
    ) -> None:
        """Puts it where a robot is, at rest; what the robot has not stays where it is."""
        model, data = self._model, self._data
        self._mujoco.mj_resetData(model, data)
        self._base = self._carrier(bodies)
        for body in bodies:
            joint = self._joint(body)
            if body.movement and joint >= 0:
                data.qpos[model.jnt_qposadr[joint]] = position(body.movement, q)
        self._mujoco.mj_kinematics(model, data)
        self._origin = np.array(data.xpos[self._base])
        self._turn = np.array(data.xmat[self._base]).reshape(3, 3)
        model.opt.gravity[:] = self._turn @ gravity
        self._mujoco.mj_forward(model, data)

    def gravity(self, floating: bool) -> Array:
        """Returns its own gravity, in the axes of a fixed base, else in the world's [m/s^2]."""
        return np.asarray(self._gravity if floating else self._turn.T @ self._gravity)

    def weighed(self, body: Body) -> Weighed | None:
        """A body of ours, as it is there; None if it is not."""
        model, data, number = self._model, self._data, self._number(body)
        if number < 0 or (number == 0 and body.movement):
            return None
        parts = [i for i in range(model.nbody) if self._root(i) == number]
        joint = self._joint(body)
        if joint >= 0 and joint + 1 < model.body_jntadr[number] + model.body_jntnum[number]:
            parts = []
        mass = float(model.body_mass[parts].sum())
        centers = (data.xipos[parts] - self._origin) @ self._turn
        center = data.xpos[number] - self._origin
        center = self._turn.T @ center
        if mass:
            center = model.body_mass[parts] @ centers / mass
        tensor = np.zeros((3, 3))
        for part, at in zip(parts, centers - center, strict=True):
            axes = self._turn.T @ data.ximat[part].reshape(3, 3)
            tensor += axes @ np.diag(model.body_inertia[part]) @ axes.T
            tensor += model.body_mass[part] * (at @ at * np.eye(3) - np.outer(at, at))
        if joint < 0:
            return Weighed(mass, center, tensor)
        return Weighed(
            mass,
            center,
            tensor,
            self._turn.T @ (data.xanchor[joint] - self._origin),
            self._turn.T @ data.xaxis[joint],
            float(data.qfrc_bias[model.jnt_dofadr[joint]]),
        )

    def floats(self, body: Body) -> bool:
        """Returns True if a body moves freely."""
        return self._free(body) is not None

    def _free(self, body: Body) -> int | None:
        """The free joint of a body, if there is one."""
        free = self._model.jnt_type == self._mujoco.mjtJoint.mjJNT_FREE
        found = np.flatnonzero(free & (self._model.jnt_bodyid == self._root(self._number(body))))
        return int(found[0]) if len(found) else None

    def moving(self, body: Body) -> list[str]:
        """Names of the joints of what is a body of ours there."""
        joints = np.flatnonzero(self._model.jnt_bodyid == self._number(body))
        return [f"'{self._model.joint(joint).name}'" for joint in joints]

    def kind(self, body: Body) -> str:
        """Returns the kind of its joint: hinge, slide, ball or free; empty if there is none."""
        joint = self._joint(body)
        if joint < 0:
            return ""
        kind = self._mujoco.mjtJoint(self._model.jnt_type[joint]).name
        return str(kind.removeprefix("mjJNT_").lower())

    def terms(self, body: Body) -> dict[str, float]:
        """Returns the terms that the joint of a body has by itself."""
        model, joint = self._model, self._joint(body)
        if joint < 0:
            return {}
        dof = model.jnt_dofadr[joint]
        limited = model.jnt_limited[joint] and not self._off("LIMIT", "CONSTRAINT")
        rubs = not self._off("FRICTIONLOSS", "CONSTRAINT")
        least, most = self._efforts(joint)
        return {
            "damping": float(damping(self._mujoco, model)[dof]),
            "friction": float(model.dof_frictionloss[dof]) if rubs else 0.0,
            "armature": float(armature(self._mujoco, model)[dof]),
            "stiffness": float(pulls := stiffness(self._mujoco, model)[dof]),
            "rest": float(model.qpos_spring[model.jnt_qposadr[joint]]) if pulls else 0.0,
            "lower": float(model.jnt_range[joint, 0]) if limited else -np.inf,
            "upper": float(model.jnt_range[joint, 1]) if limited else np.inf,
            "effort": most,
            "effort backwards": -least,
        }

    def reference(self, body: Body) -> float:
        """Returns its position of a joint where its file draws the body [rad or m]."""
        return float(self._model.qpos0[self._model.jnt_qposadr[self._joint(body)]])

    def _efforts(self, joint: int) -> tuple[float, float]:
        """The least and the greatest effort of a joint's actuators, if it has any."""
        model, least, most = self._model, 0.0, 0.0
        for actuator, driven in actuated(self._mujoco, model):
            gear = float(model.actuator_gear[actuator, 0])
            if driven == joint and gear:
                ends = gear * self._forces(actuator)
                least, most = least + min(ends), most + max(ends)
        if (least, most) == (0.0, 0.0):
            least, most = -np.inf, np.inf
        if model.jnt_actfrclimited[joint]:
            lower, upper = model.jnt_actfrcrange[joint]
            least, most = max(least, lower), min(most, upper)
        return float(least), float(most)

    def _forces(self, actuator: int) -> Array:
        """The least and the greatest force of an actuator."""
        model, mujoco = self._model, self._mujoco
        if model.actuator_forcelimited[actuator]:
            return np.array(model.actuator_forcerange[actuator])
        is_motor = (
            model.actuator_gaintype[actuator] == mujoco.mjtGain.mjGAIN_FIXED
            and model.actuator_biastype[actuator] == mujoco.mjtBias.mjBIAS_NONE
            and model.actuator_ctrllimited[actuator]
            and not self._off("CLAMPCTRL")
        )
        if not is_motor:
            return np.array([-np.inf, np.inf])
        return np.asarray(
            model.actuator_gainprm[actuator, 0] * np.array(model.actuator_ctrlrange[actuator])
        )

    def couplings(self, body: Body) -> Iterator[Coupling]:
        """The equalities that hold the joint of a body, also those by which its leader follows."""
        model, joint = self._model, self._joint(body)
        active = model.eq_active0 & (model.eq_type == self._mujoco.mjtEq.mjEQ_JOINT)
        for number in np.flatnonzero(active) if not self._off("EQUALITY", "CONSTRAINT") else ():
            one, two = model.eq_obj1id[number], model.eq_obj2id[number]
            (c0, c1), plain = model.eq_data[number, :2], not model.eq_data[number, 2:5].any()
            start = model.qpos0[model.jnt_qposadr[one]] + c0
            if one == joint and two < 0:
                yield Coupling(int(number), None, 0.0, float(start), True)
            elif one == joint:
                offset = start - c1 * model.qpos0[model.jnt_qposadr[two]]
                name = str(model.joint(two).name)
                yield Coupling(int(number), name, float(c1), float(offset), plain)
            elif two == joint and c1 and plain and body.movement:
                offset = model.qpos0[model.jnt_qposadr[two]] - start / c1
                name = str(model.joint(one).name)
                if name == body.movement.leader:
                    yield Coupling(int(number), name, float(1 / c1), float(offset), True)

    def tendons(self, bodies: Sequence[Body]) -> Iterator[str]:
        """Yields friction and limits of tendons on a robot, which no position shows."""
        model, wrap = self._model, self._mujoco.mjtWrap
        joints = {joint for body in bodies if (joint := self._joint(body)) >= 0}
        numbers = {self._root(self._number(body)) for body in bodies} - {0}
        for tendon in range(model.ntendon):
            first = model.tendon_adr[tendon]
            passed = range(first, first + model.tendon_num[tendon])
            if any(
                (model.wrap_type[i] == wrap.mjWRAP_JOINT and model.wrap_objid[i] in joints)
                or (
                    model.wrap_type[i] == wrap.mjWRAP_SITE
                    and self._root(model.site_bodyid[model.wrap_objid[i]]) in numbers
                )
                for i in passed
            ):
                name = str(model.tendon(tendon).name) or str(tendon)
                friction = float(model.tendon_frictionloss[tendon])
                if friction and not self._off("FRICTIONLOSS", "CONSTRAINT"):
                    yield f"tendon '{name}' has friction {friction:.5g} there"
                if model.tendon_limited[tendon] and not self._off("LIMIT", "CONSTRAINT"):
                    lower, upper = model.tendon_range[tendon]
                    yield f"tendon '{name}' has limits of length {lower:.5g}, {upper:.5g} there"

    def others(self, bodies: Sequence[Body]) -> list[str]:
        """Names of the joints of it that move a robot or hang on it, but are none of its joints."""
        ours = {self._joint(body) for body in bodies} | {self._free(bodies[0])}
        mine = {number for body in bodies if (number := self._number(body)) > 0}
        above = set[int]().union(*map(self._above, mine))
        found = []
        for joint in range(self._model.njnt):
            number = int(self._model.jnt_bodyid[joint])
            if joint not in ours and (number in above or mine & self._above(number)):
                found.append(str(self._model.joint(joint).name) or f"joint {joint}")
        return found

    def forces(
        self,
        bodies: Sequence[Body],
        names: Sequence[str],
        gravity: Sequence[float],
        floating: bool,
    ) -> MujocoForces | None:
        """Returns its forces in our coordinates; None if it has not the same joints.

        Args:
            bodies: Our bodies; it was placed with them.
            names: The joints of ours that are free.
            gravity: Acceleration of free fall in the axes of the base [m/s^2].
            floating: Whether our base floats.
        """
        joints = [(body.movement, self._joint(body)) for body in bodies if body.movement]
        kinds = [
            self.kind(body) == mujoco_type(body.movement.kind) for body in bodies if body.movement
        ]
        if not all(kinds) or self.floats(bodies[0]) != floating or self.others(bodies):
            return None
        model = copy(self._model)
        model.opt.gravity[:] = gravity if floating else self._turn @ gravity
        base = self._free(bodies[0]) if floating else None
        return MujocoForces(self._mujoco, model, joints, names, base)

    def _off(self, *flags: str) -> bool:
        bits = (getattr(self._mujoco.mjtDisableBit, f"mjDSBL_{flag}") for flag in flags)
        return any(self._model.opt.disableflags & bit for bit in bits)

    def _carrier(self, bodies: Sequence[Body]) -> int:
        """The body that is our base: by its name, else by the joints on it."""
        kind = self._mujoco.mjtObj.mjOBJ_BODY
        number = int(self._mujoco.mj_name2id(self._model, kind, bodies[0].name))
        for body in bodies[1:] if number <= 0 else ():
            if body.parent == 0 and self._joint(body) >= 0:
                below = int(self._model.body_parentid[self._number(body)])
                return self._root(below) or (below if number < 0 else 0)
        return max(number, 0)

    def _above(self, number: int) -> set[int]:
        found = set()
        while number:
            found.add(int(number))
            number = self._model.body_parentid[number]
        return found

    def _root(self, number: int) -> int:
        """The body that one is fixed on."""
        return int(self._model.body_weldid[number])

    def _joint(self, body: Body) -> int:
        if body.movement is None:
            return -1
        kind = self._mujoco.mjtObj.mjOBJ_JOINT
        return int(self._mujoco.mj_name2id(self._model, kind, body.movement.name))

    def _number(self, body: Body) -> int:
        """The body that the joint moves, else the one of the name."""
        joint = self._joint(body)
        if joint >= 0:
            return int(self._model.jnt_bodyid[joint])
        if body.movement is None:
            return self._base
        kind = self._mujoco.mjtObj.mjOBJ_BODY
        return int(self._mujoco.mj_name2id(self._model, kind, body.name))

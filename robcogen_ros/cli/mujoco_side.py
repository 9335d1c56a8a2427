"""A robot as MuJoCo has it: from the text of its URDF, or from an MJCF of the user's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.errors import Location, ModelError, Problem, RobcogenError
from robcogen_ros.formats.bodies import Body
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.meshes import Meshes
from robcogen_ros.formats.regular_file import contents
from robcogen_ros.formats.weighed import Weighed, position
from robcogen_ros.model.description import ShapeDescription

Array = NDArray[np.float64]

_ADVICE = "; robcogen urdf2mjcf writes what it reads"


class MujocoSide:
    """What MuJoCo has of a robot; joints are found by name, a base by that of its link.

    Attributes:
        version: MuJoCo's.
        problems: What is to be said about the way it was read.
    """

    def __init__(self, model: Any, problems: Sequence[Problem] = ()) -> None:
        self._mujoco = _import()
        self._model = model
        self._data = self._mujoco.MjData(model)
        self._gravity = np.array(model.opt.gravity)
        self._turn, self._origin = np.eye(3), np.zeros(3)
        self.version = self._mujoco.__version__
        self.problems = tuple(problems)

    @classmethod
    def of_file(cls, path: str) -> MujocoSide:
        """An MJCF.

        Raises:
            ModelError: If MuJoCo cannot read it.
            RobcogenError: If MuJoCo is not installed.
        """
        if not Path(path).is_file():
            raise ModelError.at(Location(path), "cannot read the file: there is none")
        problems: list[Problem] = []
        model = _read(path, lambda mujoco: mujoco.MjModel.from_xml_path(path), problems)
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
            urdf = _text(urdf, shapes, meshes, assets)
            problems += meshes.problems()
        text = urdf
        model = _read(
            name, lambda mujoco: mujoco.MjModel.from_xml_string(text, assets), problems, _ADVICE
        )
        return cls(model, problems)

    def place(
        self, bodies: Sequence[Body], q: Mapping[str, float], gravity: Sequence[float]
    ) -> None:
        """Puts it where a robot is, at rest; what the robot has not stays where it is."""
        model, data = self._model, self._data
        self._mujoco.mj_resetData(model, data)
        for body in bodies:
            joint = self._joint(body)
            if body.movement and joint >= 0:
                data.qpos[model.jnt_qposadr[joint]] = position(body.movement, q)
        self._mujoco.mj_kinematics(model, data)
        base = self._number(bodies[0])
        self._origin = np.array(data.xpos[max(base, 0)])
        self._turn = np.array(data.xmat[max(base, 0)]).reshape(3, 3)
        model.opt.gravity[:] = self._turn @ gravity
        self._mujoco.mj_forward(model, data)

    @property
    def gravity(self) -> Array:
        """Its own gravity in the axes of the base, where it was placed last [m/s^2]."""
        return np.asarray(self._turn.T @ self._gravity)

    def weighed(self, body: Body) -> Weighed | None:
        """A body of ours, as it is there; None if it is not."""
        model, data, number = self._model, self._data, self._number(body)
        if number < 0 or (number == 0 and body.movement):
            return None
        parts = [i for i in range(model.nbody) if self._root(i) == number]
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
        joint = self._joint(body)
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
        """Whether a body moves freely."""
        number = self._number(body)
        free = self._mujoco.mjtJoint.mjJNT_FREE
        joints = self._model.jnt_type[self._model.jnt_bodyid == number] if number > 0 else []
        return any(joint == free for joint in joints)

    def terms(self, body: Body) -> dict[str, float]:
        """What the joint of a body has by itself."""
        model, joint = self._model, self._joint(body)
        if joint < 0:
            return {}
        dof = model.jnt_dofadr[joint]
        limited, forced = model.jnt_limited[joint], model.jnt_actfrclimited[joint]
        return {
            "damping": float(np.ravel(model.dof_damping[dof])[0]),
            "friction": float(model.dof_frictionloss[dof]),
            "armature": float(model.dof_armature[dof]),
            "lower": float(model.jnt_range[joint, 0]) if limited else -np.inf,
            "upper": float(model.jnt_range[joint, 1]) if limited else np.inf,
            "effort": float(model.jnt_actfrcrange[joint, 1]) if forced else np.inf,
        }

    def follows(self, body: Body) -> tuple[str, float, float] | None:
        """Leader, multiplier and offset of a joint that follows another."""
        model, joint = self._model, self._joint(body)
        kind = self._mujoco.mjtEq.mjEQ_JOINT
        active = model.eq_active0 & (model.eq_type == kind)
        for equality in np.flatnonzero(active):
            if model.eq_obj1id[equality] == joint:
                leader = model.eq_obj2id[equality]
                if leader >= 0:
                    offset, multiplier = model.eq_data[equality, :2]
                    return str(model.joint(leader).name), float(multiplier), float(offset)
        return None

    def others(self, bodies: Sequence[Body]) -> list[str]:
        """Names of the joints of it that move what hangs on a robot, but are none of its joints."""
        ours = {self._joint(body) for body in bodies}
        mine = {number for body in bodies if (number := self._number(body)) > 0}
        found = []
        for joint in range(self._model.njnt):
            number = self._model.jnt_bodyid[joint]
            is_base = number == self._number(bodies[0])
            if joint not in ours and not is_base and mine & self._above(number):
                found.append(str(self._model.joint(joint).name) or f"joint {joint}")
        return found

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
        """The body that the joint moves, else the one of the name; of a base else the world."""
        joint = self._joint(body)
        if joint >= 0:
            return int(self._model.jnt_bodyid[joint])
        kind = self._mujoco.mjtObj.mjOBJ_BODY
        number = int(self._mujoco.mj_name2id(self._model, kind, body.name))
        return 0 if number < 0 and body.movement is None else number


def _import() -> Any:
    try:
        import mujoco
    except ImportError as error:
        raise RobcogenError("MuJoCo is not installed: pip install mujoco") from error
    return mujoco


def _read(
    name: str, reader: Callable[[Any], Any], problems: list[Problem], advice: str = ""
) -> Any:
    """MuJoCo's model; what it warns of is said here, instead of in a log file of its own."""
    mujoco = _import()
    place, program = Location(name), f"MuJoCo {mujoco.__version__}"
    before = mujoco.get_mju_user_warning()
    warnings: list[str] = []
    mujoco.set_mju_user_warning(warnings.append)
    try:
        return reader(mujoco)
    except Exception as error:  # MuJoCo raises ValueError and others
        reason = " ".join(str(error).split()).removesuffix(".")
        message = f"{program} does not read it: {reason}"
        raise ModelError.at(place, message + advice) from error
    finally:
        mujoco.set_mju_user_warning(before)
        problems += [Problem(f"{program}: {text}", place, "note") for text in warnings]


def _text(
    root: Element, shapes: Sequence[ShapeDescription], meshes: Meshes, assets: dict[str, bytes]
) -> str:
    """The text of a URDF, without shapes that are meshes which MuJoCo cannot read."""
    names: dict[tuple[Location | None, str], str] = {}
    for shape in shapes:
        path = meshes.path(shape) if shape.form == "mesh" else None
        if path is not None:
            names[shape.location, shape.mesh] = name = f"{len(assets)}{Path(path).suffix}"
            assets[name] = contents(Path(path))

    def copied(element: Element) -> ElementTree.Element | None:
        copy = ElementTree.Element(element.tag, element.attributes)
        copy.text = element.text or None
        for child in element.children:
            part = copied(child)
            if child.tag == "mesh" and element.tag == "geometry":
                name = names.get((child.location, child.attributes.get("filename", "").strip()))
                if name is None:
                    return None
                assert part is not None
                part.set("filename", name)
            if part is not None:
                copy.append(part)
            elif child.tag == "geometry":
                return None
        return copy

    whole = copied(root)
    assert whole is not None
    return ElementTree.tostring(whole, encoding="unicode")

"""A robot on legs in MuJoCo, of its own file: a world that shares nothing with ours."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robcogen_ros.control.dynamics import Array
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.quaternions import rotation
from robcogen_ros.standing.footing import Footing
from robcogen_ros.standing.posture import Posture

LEAST_RADIUS, THICKNESS = 1e-3, 0.01
"""Radius of feet that are points, and half the thickness of soles [m]."""
_ROOT = "robcogen_floating_base"
NEGLIGIBLE = 1e-5
"""Mass of a link that is only a frame, and may have moments that no body has [kg]."""
TOUCHING = 1e-3
"""Height of a foot that touches: contacts here are soft [m]."""


class MujocoWorld:
    """Soft contacts, elliptic cones, feet as balls and boxes; a `control.legged_loop.World`."""

    def __init__(
        self, file: Path, robot: Any, footing: Footing, posture: Posture, friction: float
    ) -> None:
        """Stands at rest, its base level, feet on the plane.

        Args:
            file: The robot's URDF or MJCF.
            robot: The robot as we know it, for names.
            footing: Its feet.
            posture: In which it stands.
            friction: Coefficient of friction of the plane.

        Raises:
            RobcogenError: If MuJoCo is not installed or cannot read the file.
        """
        try:
            import mujoco
        except ImportError as error:
            raise RobcogenError("--mujoco needs MuJoCo: pip install mujoco") from error
        self._mujoco = mujoco
        try:
            spec = _bare(mujoco, file)
        except ValueError as error:
            raise RobcogenError(f"MuJoCo cannot read '{file}': {error}") from error
        spec.worldbody.add_geom(
            type=mujoco.mjtGeom.mjGEOM_PLANE, size=[50, 50, 1], **_touching(friction)
        )
        root = spec.body(robot.link_names[0])
        for joint in root.joints:
            spec.delete(joint)
        root.add_freejoint(name=_ROOT)
        frames = [contact.frame_name for contact in footing.contacts]
        for frame, foot in zip(frames, footing.feet, strict=True):
            link, pose = robot.carrier(frame)
            up = robot.transform(frame, robot.link_names[0], posture.q)[:3, 2]
            self._add_foot(spec.body(robot.link_names[link]), pose, frame, foot, up, friction)
        for name in robot.joint_names:
            motor = spec.add_actuator(name=name, target=name)
            motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
            motor.set_to_motor()
        known = {*robot.joint_names, _ROOT}
        for joint in spec.joints:
            if joint.name not in known:
                joint.range, joint.limited = [-1e-4, 1e-4], True
        self._model = model = spec.compile()
        model.opt.cone, model.opt.impratio = mujoco.mjtCone.mjCONE_ELLIPTIC, 10.0
        self._data = mujoco.MjData(model)
        joints = [model.joint(name) for name in robot.joint_names]
        self._at = np.array([joint.qposadr[0] for joint in joints])
        self._rate_at = np.array([joint.dofadr[0] for joint in joints])
        self._feet = [model.geom(frame).id for frame in frames]
        self._base = model.jnt_bodyid[model.joint(_ROOT).id]
        self.wrenches = np.zeros((len(self._feet), 6))
        self._data.qpos[:7], self._data.qpos[self._at] = [0, 0, 0, 1, 0, 0, 0], posture.q
        mujoco.mj_forward(model, self._data)
        self._data.qpos[2] = -min(self._lowest(geom) for geom in self._feet)
        mujoco.mj_forward(model, self._data)
        self._touches = np.ones(len(self._feet), dtype=bool)

    def _add_foot(
        self, body: Any, pose: Array, name: str, foot: Any, up: Array, friction: float
    ) -> None:
        geoms = self._mujoco.mjtGeom
        common = {"name": name, "mass": 0.0, **_touching(friction)}
        if foot.corners is None:
            size = [max(foot.radius, LEAST_RADIUS), 0.0, 0.0]
            body.add_geom(type=geoms.mjGEOM_SPHERE, size=size, pos=pose[:3, 3], **common)
            return
        sides = np.diff(foot.corners, axis=0)[:2]
        lengths = np.linalg.norm(sides, axis=1)
        along, across = sides / lengths[:, None]
        normal = np.cross(along, across)
        across, normal = (np.sign(normal @ up) * axis for axis in (across, normal))
        turn, axes = np.zeros(4), pose[:3, :3] @ np.array([along, across, normal]).T
        self._mujoco.mju_mat2Quat(turn, axes.flatten())
        center = foot.corners.mean(axis=0) + THICKNESS * normal
        place = pose[:3, :3] @ center + pose[:3, 3]
        size = [*(0.5 * lengths), THICKNESS]
        body.add_geom(type=geoms.mjGEOM_BOX, size=size, pos=place, quat=turn, **common)

    def _lowest(self, geom: int) -> float:
        """Height of a foot's lowest point, its sole level."""
        model, data = self._model, self._data
        sphere = model.geom_type[geom] == self._mujoco.mjtGeom.mjGEOM_SPHERE
        depth = model.geom_size[geom, 0] if sphere else THICKNESS
        return float(data.geom_xpos[geom, 2] - depth)

    @property
    def q(self) -> Array:
        """(n,) positions of the joints."""
        return np.array(self._data.qpos[self._at])

    @property
    def position(self) -> Array:
        """(3,) position of the base [m]."""
        return np.array(self._data.qpos[:3])

    @property
    def orientation(self) -> Array:
        """(4,) quaternion x, y, z, w from the base to the world."""
        return np.array(self._data.qpos[[4, 5, 6, 3]])

    @property
    def base_velocity(self) -> Array:
        """(6,) spatial velocity of the base in its coordinates."""
        linear = rotation(self.orientation).T @ self._data.qvel[:3]
        return np.concatenate([self._data.qvel[3:6], linear])

    @property
    def qd(self) -> Array:
        """(n,) velocities of the joints."""
        return np.array(self._data.qvel[self._rate_at])

    @property
    def touches(self) -> NDArray[np.bool_]:
        """(contacts,) whether each foot touches the plane."""
        return self._touches

    def advance(
        self, effort: ArrayLike, step: float, *, external_forces: ArrayLike | None = None
    ) -> None:
        """Moves on by a step under efforts, and forces on the base.

        Raises:
            RobcogenError: If MuJoCo cannot go on.
        """
        data = self._data
        self._model.opt.timestep, data.ctrl[:] = step, effort
        if external_forces is not None:
            # at the base's origin, given to MuJoCo at its center of mass
            force = rotation(self.orientation) @ np.asarray(external_forces)[0, 3:]
            lever = data.qpos[:3] - data.xipos[self._base]
            data.xfrc_applied[self._base] = [*force, *np.cross(lever, force)]
        self._mujoco.mj_step(self._model, data)
        if not np.isfinite(data.qpos).all() or data.qpos[2] < 0.0:
            raise RobcogenError("the robot has fallen")
        self._feel()

    def _feel(self) -> None:
        """Forces on the feet in world axes; their moments are left out."""
        data, found = self._data, np.zeros(6)
        self.wrenches[:] = 0.0
        self._touches = np.array([self._lowest(geom) < TOUCHING for geom in self._feet])
        for i in range(data.ncon):
            contact = data.contact[i]
            for foot, geom in enumerate(self._feet):
                if geom in (contact.geom1, contact.geom2):
                    self._mujoco.mj_contactForce(self._model, data, i, found)
                    sign = 1.0 if geom == contact.geom2 else -1.0
                    self.wrenches[foot, 3:] += sign * contact.frame.reshape(3, 3).T @ found[:3]
                    self._touches[foot] |= found[0] > 0.0


def _touching(friction: float) -> dict[str, Any]:
    """Returns how a shape touches, whatever the defaults of the file are."""
    return {"friction": [friction, 0.005, 1e-4], "contype": 1, "conaffinity": 1, "condim": 3}


def _bare(mujoco: Any, file: Path) -> Any:
    """Returns a robot as MuJoCo reads its file, without shapes that touch and without actuators.

    Raises:
        ValueError: If it does not read it.
    """
    if file.suffix == ".urdf":
        return mujoco.MjSpec.from_string(_without_shapes(file))
    spec = mujoco.MjSpec.from_file(str(file))
    spec.option = mujoco.MjSpec().option  # the solver of a file may hardly iterate
    parts = spec.sensors, spec.keys, spec.actuators, spec.pairs, spec.excludes, spec.worldbody.geoms
    for part in [part for group in parts for part in group]:
        spec.delete(part)
    for geom in list(spec.geoms):
        if geom.parent.explicitinertial:  # MuJoCo weighs a body by its shapes if it tells nothing
            spec.delete(geom)
        else:
            geom.contype = geom.conaffinity = 0
    used = {geom.meshname for geom in spec.geoms}
    for mesh in list(spec.meshes):
        if mesh.name not in used:
            spec.delete(mesh)
    return spec


def _without_shapes(urdf: Path) -> str:
    """The URDF as MuJoCo takes it: without shapes, all links kept."""
    tree = ElementTree.parse(urdf).getroot()
    for link in tree.iter("link"):
        for name in ("visual", "collision"):
            for shape in link.findall(name):
                link.remove(shape)
        inertial = link.find("inertial")
        if inertial is not None and float(_child(inertial, "mass").get("value", "0")) <= NEGLIGIBLE:
            link.remove(inertial)
    for name in ("gazebo", "transmission", "mujoco"):
        for part in tree.findall(name):
            tree.remove(part)
    options = ElementTree.Element("mujoco")
    flags = {"angle": "radian", "fusestatic": "false", "balanceinertia": "true"}
    ElementTree.SubElement(options, "compiler", attrib=flags)
    tree.insert(0, options)
    return ElementTree.tostring(tree, encoding="unicode")


def _child(element: ElementTree.Element, name: str) -> ElementTree.Element:
    found = element.find(name)
    if found is None:
        raise RobcogenError(f"<{element.tag}> has no <{name}>")
    return found

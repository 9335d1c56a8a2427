"""A robot of ours as SDF, read by rules of SDF's specification into a model of Pinocchio."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pinocchio
from numpy.typing import NDArray

from robcogen_ros.formats.read import read
from test.oracle.states import within_limits
from test.support.full_calls import FullCalls
from test.support.scaled import absolute_error, bounded_error

Array = NDArray[np.float64]


class SdfRobot:
    """The dynamics of an SDF model with a tree of joints.

    Attributes:
        model: Pinocchio's model; joints and frames have the names of the file.
        errors: Names that several links, joints and frames share, and attachments to none.
    """

    def __init__(self, text: str) -> None:
        root = ElementTree.fromstring(text)
        assert root.tag == "sdf" and root.get("version") == "1.9"
        (self._file,) = root
        links = {link.get("name"): link for link in self._file.iter("link")}
        joints = list(self._file.iter("joint"))
        names = [e.get("name") for e in self._file if e.tag in ("link", "joint", "frame")]
        self.errors = sorted({name for name in names if names.count(name) > 1 or name == "world"})
        self._places = {name: self._place(links, name) for name in links}
        self.model = model = pinocchio.Model()
        mover = {joint.findtext("child"): joint for joint in joints}
        self._bodies: dict[str, int] = {"world": 0}
        root_link = next(n for n in links if n not in mover or mover[n].get("type") == "fixed")
        if root_link in mover:
            assert mover[root_link].findtext("parent") == "world"
            self._bodies[root_link] = 0
        else:
            free = pinocchio.JointModelFreeFlyer()
            self._bodies[root_link] = model.addJoint(0, free, pinocchio.SE3.Identity(), "free")
        for joint in joints:
            if joint.get("type") != "fixed":
                self._add(joint)
        for name, link in links.items():
            index = self._bodies[name]
            if index:
                model.appendBodyToJoint(
                    index, _inertia(link.find("inertial")), pinocchio.SE3.Identity()
                )
            self._frame(name, index, pinocchio.SE3.Identity())
        for frame in self._file.iter("frame"):
            self._frame(
                frame.get("name"), self._bodies[frame.get("attached_to")], _pose(frame.find("pose"))
            )
        self.data = model.createData()

    def _place(self, links, name: str):
        """Pose model_X_link."""
        pose = links[name].find("pose")
        if pose is None or pose.get("relative_to") is None:
            return _pose(pose)
        return self._place(links, pose.get("relative_to")) * _pose(pose)

    def _add(self, joint) -> None:
        parent, child = joint.findtext("parent"), joint.findtext("child")
        axis = _numbers(joint.findtext("axis/xyz"))
        axis = axis / np.linalg.norm(axis)
        pitch = float(joint.findtext("screw_thread_pitch", "0"))
        assert bool(pitch) == (joint.get("type") == "screw")
        assert joint.find("pose") is None
        assert joint.find("axis/xyz").get("expressed_in") is None
        if pitch:
            kind = pinocchio.JointModelHelicalUnaligned(axis, pitch / (2 * np.pi))
        elif joint.get("type") == "prismatic":
            kind = pinocchio.JointModelPrismaticUnaligned(axis)
        else:
            kind = pinocchio.JointModelRevoluteUnaligned(axis)
        between = self._places[parent].inverse() * self._places[child]
        before = self._bodies[parent]
        index = self.model.addJoint(before, kind, between, joint.get("name"))
        self._bodies[child] = index

    def _frame(self, name: str, body: int, pose) -> None:
        kind = pinocchio.FrameType.OP_FRAME
        self.model.addFrame(pinocchio.Frame(name, body, 0, pose, kind))

    def positions(self, q: dict[str, float]) -> Array:
        """Pinocchio's positions; of a floating base at the origin."""
        found = pinocchio.neutral(self.model)
        for name, value in q.items():
            found[self.model.joints[self.model.getJointId(name)].idx_q] = value
        return found

    def indices(self) -> dict[str, int]:
        """Where each joint's velocity is."""
        model = self.model
        return {model.names[i]: model.joints[i].idx_v for i in range(1, model.njoints)}


def _inertia(element):
    pose = _pose(element.find("pose"))
    names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    xx, xy, xz, yy, yz, zz = (float(element.findtext(f"inertia/{name}")) for name in names)
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    tensor = pose.rotation @ tensor @ pose.rotation.T
    return pinocchio.Inertia(float(element.findtext("mass")), pose.translation, tensor)


def _pose(element):
    if element is None:
        return pinocchio.SE3.Identity()
    x, y, z, *turn = _numbers(element.text)
    if element.get("rotation_format") == "quat_xyzw":
        return pinocchio.XYZQUATToSE3(np.array([x, y, z, *turn]))
    return pinocchio.SE3(pinocchio.rpy.rpyToMatrix(*turn), np.array([x, y, z]))


def _numbers(text: str) -> Array:
    return np.array(text.split(), dtype=float)


def compared(robot, path, text: str, renamed: dict[str, str] | None = None) -> dict[str, float]:
    """The largest errors between a robot and what Pinocchio computes of its SDF.

    Args:
        robot: The robot, without joint terms.
        path: Its own file.
        text: Its SDF.
        renamed: Names of the SDF by those of the robot, where they differ.
    """
    there_called = renamed or {}
    theirs, ours, random = SdfRobot(text), FullCalls(robot), np.random.default_rng(1)
    assert theirs.errors == []
    base, places, joints = 6 * robot.floating_base, theirs.indices(), read(path).robot.joints
    found = {"inverse_dynamics": 0.0, "poses": 0.0}
    for q in within_limits(robot, random, 3):
        velocity, acceleration = random.normal(size=(2, ours.size))
        gravity = random.normal(size=3) * 5
        J, positions = np.zeros((theirs.model.nv, ours.size)), {}
        if base:
            J[:3, 3:6] = J[3:6, :3] = np.eye(3)
        for joint in joints:
            name = (
                joint.name
                if joint.name in places
                else there_called.get(joint.name, f"{joint.name}_2")
            )
            J[places[name], base + joint.coordinate] = multiplier = float(joint.multiplier)
            positions[name] = multiplier * q[joint.coordinate] + float(joint.offset)
        theirs.model.gravity.linear = gravity
        there = theirs.positions(positions)
        tau = J.T @ pinocchio.rnea(theirs.model, theirs.data, there, J @ velocity, J @ acceleration)
        expected = ours.inverse_dynamics(q, velocity, acceleration, gravity)
        error = bounded_error(tau, expected, np.abs(expected))
        found["inverse_dynamics"] = max(found["inverse_dynamics"], error)
        pinocchio.framesForwardKinematics(theirs.model, theirs.data, there)
        for name, ours_at in zip(robot.frame_names, robot.frame_poses(q), strict=True):
            known = theirs.model.existFrame(name)
            frame = theirs.model.getFrameId(name if known else there_called.get(name, f"{name}_2"))
            pose = theirs.data.oMf[frame].homogeneous
            found["poses"] = max(found["poses"], absolute_error(pose, ours_at))
    return found

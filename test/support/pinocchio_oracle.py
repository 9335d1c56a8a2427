"""Pinocchio's results in our conventions.

Pinocchio sorts the children of a link by name, puts the linear part of a spatial vector first,
gives a continuous joint two coordinates and knows no mimic joint in its articulated-body
algorithm; its inertia matrix is its upper triangle. All of that is undone here. Mimic joints are
handled by projecting the robot without mimic: q = G q_r + c, tau_r = G' tau, H_r = G' H G.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pinocchio
from numpy.typing import NDArray

from test.support.right_angles import with_exact_right_angles
from test.support.urdf_tree import UrdfTree, read_urdf_tree

Array = NDArray[np.float64]

STANDARD_GRAVITY = np.array([0.0, 0.0, -9.81])
_SWAP = [3, 4, 5, 0, 1, 2]


class PinocchioOracle:
    """A robot of a URDF file, computed by Pinocchio.

    With a floating base, every vector and matrix over joints starts with six entries for the base:
    its velocity, acceleration or wrench, angular first, in base coordinates.

    Attributes:
        root: Name of the root link.
        joint_names: Free joints, depth first, children in document order.
        n: Number of joints.
        floating: Whether the root link moves freely.
        frame_names: Names of all links.
        model: Pinocchio's model.
        velocity_map: The matrix from our velocities to Pinocchio's.
    """

    def __init__(self, path: Path, floating: bool = False, lock: Sequence[str] = ()) -> None:
        """The robot of a file, some joints and those that follow them locked at zero."""
        tree = read_urdf_tree(path).without(lock)
        self.root, self.joint_names, self.floating = tree.root, tree.free_joints, floating
        self.n = len(self.joint_names)
        free_flyer = [pinocchio.JointModelFreeFlyer()] if floating else []
        urdf = with_exact_right_angles(path.read_text(encoding="utf-8"))
        self.model = pinocchio.buildModelFromXML(urdf, *free_flyer)
        self._make_helical(tree.pitches)
        if lock:
            self._lock_all_but(tree.joints)
        self._data = self.model.createData()
        self._joints = [self.model.getJointId(name) for name in tree.joints]
        self._frames = {
            frame.name: index
            for index, frame in enumerate(self.model.frames)
            if frame.type == pinocchio.FrameType.BODY
        }
        self.frame_names = tuple(self._frames)
        self._spread, self._offset = _mimic_map(tree)
        self.velocity_map = self._velocities()

    def add_kindsl_frames(self) -> None:
        """Adds the frames of Kinematics-DSL: `fr_LINK`, and `fr_JOINT` where a joint begins."""
        self._frames.update({f"fr_{name}": frame for name, frame in self._frames.items()})
        for joint in self._joints:
            name, parent = f"fr_{self.model.names[joint]}", self.model.parents[joint]
            place, kind = self.model.jointPlacements[joint], pinocchio.FrameType.OP_FRAME
            self._frames[name] = self.model.addFrame(pinocchio.Frame(name, parent, place, kind))
        self._data = self.model.createData()

    def inverse_dynamics(
        self,
        q: Array,
        velocity: Array,
        acceleration: Array,
        gravity: Array = STANDARD_GRAVITY,
        external_forces: dict[str, Array] | None = None,
    ) -> Array:
        """Joint forces; with a floating base, the base's wrench first (fully actuated)."""
        self.model.gravity.linear[:] = gravity
        tau = pinocchio.rnea(
            self.model,
            self._data,
            self.configuration(q),
            self.velocity_map @ velocity,
            self.velocity_map @ acceleration,
            self._forces(external_forces or {}),
        )
        return self.velocity_map.T @ tau

    def inertia_matrix(self, q: Array) -> Array:
        """The inertia matrix H, of the base too where it floats."""
        upper = np.triu(pinocchio.crba(self.model, self._data, self.configuration(q)))
        full = upper + np.triu(upper, 1).T
        return self.velocity_map.T @ full @ self.velocity_map

    def frame_pose(self, frame: str, q: Array) -> Array:
        """The pose root_X_frame, homogeneous."""
        self._place(q)
        return np.array(self._data.oMf[self._frames[frame]].homogeneous)

    def jacobian(self, base: str, target: str, q: Array) -> Array:
        """Velocity of target's origin relative to frame base, in base's coordinates, 6 x n."""
        of_base, of_target = self.full_jacobian(base, q), self.full_jacobian(target, q)
        base_pose, target_pose = (self._data.oMf[self._frames[name]] for name in (base, target))
        arm = target_pose.translation - base_pose.translation
        angular = of_target[:3] - of_base[:3]
        linear = of_target[3:] - of_base[3:] - np.cross(of_base[:3], arm, axis=0)
        back = base_pose.rotation.T
        return np.vstack([back @ angular, back @ linear])[:, self._base_size :]

    def full_jacobian(self, target: str, q: Array) -> Array:
        """Velocity of target's origin and angular velocity of its link, in root coordinates."""
        self._place(q)
        if not self.model.nv:  # Pinocchio crashes on a Jacobian without columns
            return np.zeros((6, 0))
        linear_first = pinocchio.getFrameJacobian(
            self.model,
            self._data,
            self._frames[target],
            pinocchio.ReferenceFrame.LOCAL_WORLD_ALIGNED,
        )
        return linear_first[_SWAP] @ self.velocity_map

    def center_of_mass(self, q: Array) -> Array:
        """The centre of all masses, those fixed to the root included, in root coordinates."""
        self._place(q)
        moment, mass = np.zeros(3), 0.0
        for inertia, pose in zip(self.model.inertias, self._data.oMi, strict=True):
            moment += inertia.mass * pose.act(inertia.lever)
            mass += inertia.mass
        return moment / mass

    def centroidal_momentum_matrix(self, q: Array) -> Array:
        """Momentum of all links about their centre of mass, angular first, per unit rates."""
        zero = np.zeros(self.model.nv)
        linear_first = pinocchio.ccrba(self.model, self._data, self.configuration(q), zero)
        linear, angular = linear_first[:3], linear_first[3:]
        arm = self._data.com[0] - self.center_of_mass(q)  # Pinocchio leaves the root's mass out
        angular = angular + np.cross(arm, linear, axis=0)
        return np.vstack([angular, linear]) @ self.velocity_map

    def energies(self, q: Array, velocity: Array, gravity: Array) -> tuple[float, float]:
        """Kinetic and potential energy of all links."""
        self.model.gravity.linear[:] = gravity
        configuration = self.configuration(q)
        v = self.velocity_map @ velocity
        kinetic = pinocchio.computeKineticEnergy(self.model, self._data, configuration, v)
        potential = pinocchio.computePotentialEnergy(self.model, self._data, configuration)
        root = self.model.inertias[0]
        return kinetic, potential - root.mass * gravity @ root.lever

    def _make_helical(self, pitches: dict[str, float]) -> None:
        """Replaces joints that Pinocchio has read as revolute ones."""
        for name, pitch in pitches.items():
            i = self.model.getJointId(name)
            turning = self.model.joints[i]
            data = turning.createData()
            turning.calc(data, np.ones(turning.nq))
            axis = np.array(data.S).ravel()[3:]
            helical = pinocchio.JointModelHelicalUnaligned(axis, pitch / (2 * np.pi))
            helical.setIndexes(i, turning.idx_q, turning.idx_v)
            self.model.joints[i] = pinocchio.JointModel(helical)

    def _lock_all_but(self, joints: Sequence[str]) -> None:
        first = 2 if self.floating else 1
        names = list(self.model.names)
        locked = [i for i in range(first, len(names)) if names[i] not in joints]
        neutral = pinocchio.neutral(self.model)
        self.model = pinocchio.buildReducedModel(self.model, locked, neutral)

    @property
    def _base_size(self) -> int:
        return 6 if self.floating else 0

    def _velocities(self) -> Array:
        size = self._base_size
        matrix = np.zeros((self.model.nv, size + self.n))
        matrix[range(size), _SWAP[:size]] = 1.0
        rows = [self.model.joints[joint].idx_v for joint in self._joints]
        matrix[rows, size:] = self._spread
        return matrix

    def configuration(self, q: Array) -> Array:
        """Pinocchio's own coordinates."""
        configuration = pinocchio.neutral(self.model)
        for joint, value in zip(self._joints, self._spread @ q + self._offset, strict=True):
            model = self.model.joints[joint]
            coordinates = [value] if model.nq == 1 else [np.cos(value), np.sin(value)]
            configuration[model.idx_q : model.idx_q + model.nq] = coordinates
        return configuration

    def _forces(self, by_link: dict[str, Array]) -> pinocchio.StdVec_Force:
        forces = [pinocchio.Force.Zero() for _ in range(self.model.njoints)]
        for link, wrench in by_link.items():
            frame = self.model.frames[self._frames[link]]
            forces[frame.parentJoint] += frame.placement.act(pinocchio.Force(wrench[_SWAP]))
        return pinocchio.StdVec_Force(forces)

    def _place(self, q: Array) -> None:
        configuration = self.configuration(q)
        pinocchio.computeJointJacobians(self.model, self._data, configuration)
        pinocchio.updateFramePlacements(self.model, self._data)


def _mimic_map(tree: UrdfTree) -> tuple[Array, Array]:
    """G and c of: all joints' positions = G free joints' positions + c."""
    free = tree.free_joints
    spread, offset = np.zeros((len(tree.joints), len(free))), np.zeros(len(tree.joints))
    for row, joint in enumerate(tree.joints):
        leader, multiplier, offset[row] = tree.leader(joint)
        spread[row, free.index(leader)] = multiplier
    return spread, offset

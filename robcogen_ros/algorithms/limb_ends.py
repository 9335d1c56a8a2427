"""Ends of limbs whose joints articulated bodies remove at once, as one joint of several freedoms.

Within an end all links but the joint's own are stiff (Featherstone 2008, table 6.2), across its
first joint the freedoms of all its joints are removed together (table 7.1 with S of as many
columns). With composite bodies of ten numbers instead of articulated ones of 21 that takes fewer
operations where what carries the end feels little of it:

F_j = Ic_j S_j,  H_jk = S_k' kX*_j F_j for k = j, ... , first joint of the end;  U_j = lX*_j F_j
u_j = tau_j - S_j' p_j,  p: force that all links beyond take in the reference motion
H = L'DL, from the last joint on:  L_jk = H_jk / D_j,  U_k -= L_jk U_j,  u_k -= L_jk u_j
IA_l += lXi* Ic_i iXl - sum_j U_j U_j' / D_j,  pA_l += lXi* p_i + sum_j U_j u_j / D_j
e_j = (u_j - U_j' d_l) / D_j - sum_k L_jk e_k, from the first joint on

with i, l the links after and before the first joint, and d_l what link l accelerates on top of its
reference motion.

Rounding errors are relative to the inertia that a joint feels of a stiff end, which may be many
times what it feels of a free one: `careful_ends` tells which ends lose no digits by that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.articulated_inertia import ArticulatedInertia
from robcogen_ros.algorithms.joint_terms import armature_of
from robcogen_ros.algorithms.joints import JointTransform, axis_component, axis_force
from robcogen_ros.model.operation import Scalar
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.spatial import Force, Motion, SpatialInertia

Group = tuple[Joint, ...]
"""Joints that are removed at once, in the order of the robot's."""


@dataclass(frozen=True, slots=True)
class _Removed:
    """What the removal of an end leaves for one joint.

    Attributes:
        joint: The joint.
        K: U / D.
        gain: u / D, what it accelerates beyond its reference if nothing before it does.
        row: The joints of the end before it, by their successors, and its entries of L.
    """

    joint: Joint
    K: Force
    gain: Scalar
    row: tuple[tuple[int, Scalar], ...]


@dataclass(frozen=True, slots=True)
class RemovedEnd:
    """What the removal of an end leaves for the accelerations: its joints, the first one first."""

    joints: tuple[_Removed, ...]

    def accelerations(self, change: list[Motion]) -> list[tuple[Joint, Scalar]]:
        """What its joints accelerate beyond their reference.

        Args:
            change: What each link accelerates beyond its own; of links in the end none is needed.
        """
        first = self.joints[0].joint
        d = change[first.predecessor]
        step(f"joint {first.name} and all beyond: accelerations")
        e: dict[int, Scalar] = {}
        for removed in self.joints:
            i = removed.joint.successor
            gain = removed.gain - d.dot(removed.K)
            for k, entry in removed.row:
                gain = gain - entry * e[k]
            e[i] = named(gain, f"e{i}")
        return [(removed.joint, e[removed.joint.successor]) for removed in self.joints]


@dataclass(slots=True)
class _Freedom:
    """A joint of an end that is not removed yet.

    Attributes:
        joint: The joint.
        row: Entries of H with the joints before it and itself, by their successors.
        U: The force on the end's predecessor that its unit acceleration takes.
        u: The force left over for it.
    """

    joint: Joint
    row: dict[int, Scalar]
    U: Force
    u: Scalar


def removal_groups(robot: Robot, most: int) -> list[Group]:
    """All joints, parents first, those of each largest subtree of at most so many together."""
    beyond = [0] * len(robot.links)
    for joint in reversed(robot.joints):
        beyond[joint.predecessor] += 1 + beyond[joint.successor]
    groups: dict[int, list[Joint]] = {}
    end_of: dict[int, int] = {}
    for joint in robot.joints:
        first = end_of.get(joint.predecessor, joint.successor)
        groups.setdefault(first, []).append(joint)
        if beyond[joint.successor] < most:
            end_of[joint.successor] = first
    return [tuple(group) for group in groups.values()]


def remove_end(
    robot: Robot,
    transforms: Sequence[JointTransform],
    end: Group,
    free: Sequence[Scalar],
    composite: Sequence[SpatialInertia],
    inertia: list[ArticulatedInertia],
    bias_force: list[Force],
) -> RemovedEnd:
    """Hand the articulated inertia and bias force of an end to its predecessor.

    Args:
        robot: The robot.
        transforms: Transform across each joint.
        end: The joints, the first of which carries all others.
        free: Forces on the coordinates, less what rotors take in the reference motion.
        composite: Composite inertia of each link.
        inertia: Articulated inertia of each link before the end; the predecessor's grows.
        bias_force: Bias force of each link likewise, net force of those in the end.
    """
    first = end[0]
    i, parent = first.successor, first.predecessor
    step(f"joint {first.name} and all beyond: articulated inertia handed to link {parent}")
    _add_up(transforms, end, bias_force)
    freedoms = {
        joint.successor: _freedom(robot, transforms, joint, first, composite) for joint in end
    }
    for k, freedom in freedoms.items():
        joint = freedom.joint
        force = joint.multiplier * free[joint.coordinate]
        freedom.u = named(force - axis_component(joint, bias_force[k]), f"u{k}")
    X = transforms[i - 1]
    IA, pA = ArticulatedInertia.of(X.inertia(composite[i])), X.force(bias_force[i])
    removed: list[_Removed] = []
    for joint in reversed(end):
        freedom = freedoms[joint.successor]
        left = _eliminate(freedom, freedoms)
        IA, pA = IA.less_outer(freedom.U, left.K), pA + left.K * freedom.u
        removed.append(left)
    inertia[parent] = (inertia[parent] + IA).named(f"IA{parent}")
    bias_force[parent] = named(bias_force[parent] + pA, f"pA{parent}")
    return RemovedEnd(tuple(reversed(removed)))


def _add_up(transforms: Sequence[JointTransform], end: Group, force: list[Force]) -> None:
    """Add to the force of each link of an end that of all links beyond."""
    for joint in reversed(end[1:]):
        i, parent = joint.successor, joint.predecessor
        force[parent] = named(force[parent] + transforms[i - 1].force(force[i]), f"p{parent}")


def _freedom(
    robot: Robot,
    transforms: Sequence[JointTransform],
    joint: Joint,
    first: Joint,
    composite: Sequence[SpatialInertia],
) -> _Freedom:
    """A joint, with its row of the inertia matrix of an end; the force for it comes later."""
    i = joint.successor
    F = named(axis_force(joint, composite[i]), f"F{i}")
    row = {i: axis_component(joint, F) + armature_of(robot, joint.coordinate)}
    while i != first.successor:
        F = transforms[i - 1].force(F)
        i = robot.joints[i - 1].predecessor
        row[i] = axis_component(robot.joints[i - 1], F)
    return _Freedom(joint, row, transforms[i - 1].force(F), 0)


def _eliminate(freedom: _Freedom, freedoms: dict[int, _Freedom]) -> _Removed:
    """Take a joint out of those before it, of which there is nothing left beyond it."""
    i = freedom.joint.successor
    inverse_D = named(1 / freedom.row.pop(i), f"d{i}")
    row = [(k, named(entry * inverse_D, f"L{i}_{k}")) for k, entry in freedom.row.items()]
    for k, entry in row:
        before = freedoms[k]
        for j in before.row:
            before.row[j] = before.row[j] - entry * freedom.row[j]
        before.U = before.U - freedom.U * entry
        before.u = before.u - entry * freedom.u
    K = named(freedom.U * inverse_D, f"K{i}")
    return _Removed(freedom.joint, K, freedom.u * inverse_D, tuple(row))

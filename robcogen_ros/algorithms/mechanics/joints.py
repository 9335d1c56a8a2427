"""Joint transforms and the map between coordinates and joints (Featherstone 2008, table 4.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from robcogen_ros.algorithms.annotate import named, step
from robcogen_ros.algorithms.sweeps import Body, on_links, sweeps
from robcogen_ros.model.conditioned import Conditioning, conditioning
from robcogen_ros.model.robot import Joint, Robot
from robcogen_ros.model.scalars.operation import Scalar, cos, is_zero, sin
from robcogen_ros.model.spatial import (
    Force,
    Matrix3,
    MotionVector,
    PlainRotation,
    Pose,
    RotationZ,
    SpatialInertia,
    Vector,
)

_ZEROS_ABOUT_AN_AXIS, _ZEROS_OF_RIGHT_ANGLES = 4, 6


@dataclass(frozen=True, slots=True)
class JointTransform:
    """The transform lambda(i)_X_i across joint i, kept in its two factors.

    Attributes:
        fixed: Pose of the joint frame on the predecessor, constant.
        moved: Pose of the successor in the joint frame: a turn about z, or a slide along z.
        pose: Their product, the pose of the successor in the predecessor.
        conditioning: How tensors of inertia keep their digits.
    """

    fixed: Pose
    moved: Pose
    pose: Pose
    conditioning: Conditioning = Conditioning()

    @property
    def factors(self) -> tuple[Pose, ...]:
        """The transforms to apply one after the other, predecessor first, for fewest operations.

        A fixed rotation about one of the axes costs less than it adds to the product.
        """
        about_an_axis = self._zeros >= _ZEROS_ABOUT_AN_AXIS
        return (self.fixed, self.moved) if about_an_axis else (self.pose,)

    @property
    def turns_by_right_angles(self) -> bool:
        """True if the joint frame's axes are those of the predecessor."""
        return self._zeros >= _ZEROS_OF_RIGHT_ANGLES

    @property
    def _zeros(self) -> int:
        return sum(is_zero(entry) for row in self.fixed.rotation for entry in row)

    def turned(self, vector: Vector) -> Vector:
        """A free vector's coordinates in the predecessor, from those in the successor."""
        for pose in reversed(self.factors):
            vector = pose.rotation.apply(vector)
        return vector

    def turned_back(self, vector: Vector) -> Vector:
        """A free vector's coordinates in the successor, from those in the predecessor."""
        for pose in self.factors:
            vector = pose.rotation.transposed().apply(vector)
        return vector

    def turned_matrix(self, matrix: Matrix3) -> Matrix3:
        """A matrix's entries on the axes of the predecessor, from those of the successor."""
        for pose in (self.moved, self.fixed):
            matrix = pose.rotation.rotate_matrix(matrix)
        return matrix

    def motion_back(self, motion: MotionVector) -> MotionVector:
        """A motion vector's coordinates in the successor, from those in the predecessor."""
        for pose in self.factors:
            motion = pose.motion_back(motion)
        return motion

    def force(self, force: Force) -> Force:
        """A force vector's coordinates in the predecessor, from those in the successor."""
        for pose in reversed(self.factors):
            force = pose.force(force)
        return force

    def inertia(self, inertia: SpatialInertia) -> SpatialInertia:
        """An inertia of the successor in the predecessor's coordinates."""
        moved = self.moved.inertia(inertia, self.conditioning.rigid)
        return self.fixed.inertia(moved, self.conditioning.fixed)

    def turned_inertia(self, inertia: SpatialInertia) -> SpatialInertia:
        """An inertia on the axes of the predecessor, from those of the successor; same origin."""
        moment, tensor, own = inertia.moment, inertia.tensor, self.conditioning
        for pose, starts in ((self.moved, own.rigid), (self.fixed, own.fixed)):
            moment = pose.rotation.apply(moment)
            tensor = pose.rotation.rotate_symmetric(tensor, starts)
        return SpatialInertia(inertia.mass, moment, tensor)

    def point(self, point: Vector) -> Vector:
        """A point's coordinates in the predecessor, from those in the successor."""
        return self.fixed.point(self.moved.point(point))

    def mass_moment(self, mass: Scalar, moment: Vector) -> Vector:
        """A first moment of mass of the successor in the predecessor's coordinates."""
        for pose in (self.moved, self.fixed):
            moment = pose.rotation.apply(moment) + pose.translation * mass
        return moment


def joint_transforms(robot: Robot, q: Sequence[Scalar]) -> Sequence[JointTransform]:
    """The transform across each joint.

    Args:
        robot: The robot, n coordinates, at the position if it has loops.
        q: (n,) positions [rad or m].
    """
    positions = joint_positions(robot, q)
    title = "{joint}: transform"
    found = sweeps(robot).each(title, _joint_transform, positions, conditioning(robot))
    turns = {k: joint.turn for k, joint in enumerate(robot.joints) if joint.turn is not None}
    return with_turns(robot, found, turns) if turns else found


def with_turns(
    robot: Robot,
    transforms: Sequence[JointTransform],
    turns: Mapping[int, tuple[Scalar, Scalar]],
) -> Sequence[JointTransform]:
    """Transforms across joints of which some turn by an angle of given cosine and sine.

    Args:
        robot: The robot.
        transforms: Transform across each joint.
        turns: Cosine and sine, by the number of the joint.
    """

    def turned(
        body: Body, X: JointTransform, turn: tuple[Scalar, Scalar] | None, own: Conditioning
    ) -> JointTransform:
        return X if turn is None else _moved(body, Pose(_rotation(body, *turn)), own)

    own = [turns.get(k) for k in range(len(robot.joints))]
    return sweeps(robot).each("{joint}: transform", turned, transforms, own, conditioning(robot))


def _joint_transform(body: Body, position: Scalar, own: Conditioning) -> JointTransform:
    def turned(position: Scalar) -> RotationZ:
        angle = named(position, f"theta{body.number}")
        return _rotation(body, cos(angle), sin(angle))

    moved = body.joint.kind.pose(position + body.joint.offset, turned)
    return _moved(body, moved, own)


def _rotation(body: Body, cosine: Scalar, sine: Scalar) -> RotationZ:
    i = body.number
    return RotationZ.of(named(cosine, f"c{i}"), named(sine, f"s{i}"))


def _moved(body: Body, moved: Pose, own: Conditioning) -> JointTransform:
    joint, i = body.joint, body.number
    pose = joint.pose @ moved
    pose = Pose(named(pose.rotation, f"R{i}"), named(pose.translation, f"p{i}"))
    if own.plain:
        pose = Pose(PlainRotation(*pose.rotation), pose.translation)
        return JointTransform(pose, Pose(), pose, own)
    return JointTransform(joint.pose, moved, pose, own)


def joint_rates(robot: Robot, rates: Sequence[Scalar]) -> list[Scalar]:
    """Velocity or acceleration of each joint from that of the coordinates: G qd."""
    return [_rate(joint, rates) for joint in robot.joints]


def joint_positions(robot: Robot, q: Sequence[Scalar]) -> list[Scalar]:
    """Position of each joint from that of the coordinates, less its offset; 0 of a turn."""
    return [_position(joint, q) for joint in robot.joints]


def _position(joint: Joint, q: Sequence[Scalar]) -> Scalar:
    if joint.position is not None:
        return joint.position
    return 0 if joint.turn or joint.is_open else _rate(joint, q)


def _rate(joint: Joint, rates: Sequence[Scalar]) -> Scalar:
    (first, share), *more = joint.rates
    total = share * rates[first]
    for k, share in more:
        total = total + share * rates[k]
    return total


def coordinate_forces(robot: Robot, forces: Sequence[Scalar]) -> list[Scalar]:
    """Force on each coordinate from that on the joints: G' tau."""
    step("forces on the coordinates")
    total: list[Scalar] = [0] * robot.n
    for joint, force in zip(robot.joints, forces, strict=True):
        for k, share in joint.rates:
            total[k] = total[k] + share * force
    return total


def link_forces(robot: Robot, external_forces: Sequence[Scalar]) -> Sequence[Force]:
    """Wrench on each link in the coordinates of its own link frame.

    Args:
        robot: The robot.
        external_forces: Six values a link in public order, base first: moment, force, on the
            link, about and in the coordinates of the link's public frame.

    Returns:
        One force a link, by link number.
    """
    forces = [Force()] * len(robot.links)
    for row, number in enumerate(robot.link_order):
        force = Force.of(external_forces[6 * row : 6 * row + 6])
        forces[number] = force
    base = robot.links[0].frame.force(forces[0])
    return on_links(base, sweeps(robot).each("{link}: external force", _link_force, forces[1:]))


def _link_force(body: Body, force: Force) -> Force:
    on_link: Force = named(body.link.frame.force(force), f"fx{body.number}")
    return on_link

"""Robots made up at random: any tree, any joint, any axis, written as URDF."""

from __future__ import annotations

import math
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import robcogen_ros
from test.support.poses import pose, rpy_of

Array = NDArray[np.float64]
Triple = tuple[float, float, float]

ZERO: Triple = (0.0, 0.0, 0.0)

PITCH = -1.3
"""Of helical joints, which are left-handed [m per turn]."""

_FEW = settings(deadline=None, suppress_health_check=list(HealthCheck))


def for_random(*strategies, examples: int = 20):
    """Runs a test on a few random robots."""
    few = settings(_FEW, max_examples=examples)
    return lambda test: few(given(*strategies)(test))


@dataclass(frozen=True)
class Link:
    """A link; `mass` None leaves its inertial out.

    Attributes:
        name: Its name.
        mass: Mass [kg].
        xyz: Centre of mass in the link [m].
        rpy: Orientation of the tensor's axes in the link [rad].
        tensor: xx, xy, xz, yy, yz, zz about the centre of mass [kg m^2].
    """

    name: str
    mass: float | None = None
    xyz: Triple = ZERO
    rpy: Triple = ZERO
    tensor: tuple[float, ...] = (0.0,) * 6

    def urdf(self) -> str:
        """Its element."""
        if self.mass is None:
            return f'<link name="{self.name}"/>'
        names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        entries = " ".join(f'{n}="{v!r}"' for n, v in zip(names, self.tensor, strict=True))
        return (
            f'<link name="{self.name}"><inertial>{_origin(self.xyz, self.rpy)}'
            f'<mass value="{self.mass!r}"/><inertia {entries}/></inertial></link>'
        )


@dataclass(frozen=True)
class Joint:
    """A joint; `mimic` is (leader, multiplier, offset), `terms` damping, friction, armature.

    A helical one slides by `PITCH` a turn; URDF calls it revolute.
    """

    name: str
    kind: str
    parent: str
    child: str
    xyz: Triple = ZERO
    rpy: Triple = ZERO
    axis: Triple = (0.0, 0.0, 1.0)
    mimic: tuple[str, float, float] | None = None
    terms: Triple = ZERO

    def urdf(self) -> str:
        """Its element."""
        helical = self.kind == "helical"
        kind = "revolute" if helical else self.kind
        parts = [
            f'<joint name="{self.name}" type="{kind}">{_origin(self.xyz, self.rpy)}',
            f'<parent link="{self.parent}"/><child link="{self.child}"/>',
        ]
        if self.kind != "fixed":
            pitch = f' screw_thread_pitch="{PITCH}"' if helical else ""
            parts.append(f'<axis xyz="{_numbers(self.axis)}"{pitch}/>')
            parts.append('<limit lower="-9" upper="9" effort="9" velocity="9"/>')
        if any(self.terms):
            damping, friction, armature = self.terms
            parts.append(
                f'<dynamics damping="{damping!r}" friction="{friction!r}" armature="{armature!r}"/>'
            )
        if self.mimic:
            leader, multiplier, offset = self.mimic
            parts.append(
                f'<mimic joint="{leader}" multiplier="{multiplier!r}" offset="{offset!r}"/>'
            )
        return "".join(parts) + "</joint>"

    @property
    def origin(self) -> Array:
        """Pose parent_X_joint."""
        return pose(self.xyz, self.rpy)


@dataclass(frozen=True)
class Tree:
    """A robot; the first link is the root."""

    links: tuple[Link, ...]
    joints: tuple[Joint, ...]

    def urdf(self) -> str:
        """Its URDF."""
        elements = [element.urdf() for element in (*self.links, *self.joints)]
        return '<robot name="random">\n' + "\n".join(elements) + "\n</robot>\n"

    @property
    def free_joints(self) -> tuple[Joint, ...]:
        """Joints that move of their own."""
        return tuple(j for j in self.joints if j.kind != "fixed" and not j.mimic)

    def with_joint(self, joint: Joint) -> Tree:
        """The robot with the joint of that name replaced."""
        return replace(
            self, joints=tuple(joint if j.name == joint.name else j for j in self.joints)
        )

    def build(self, floating: bool = False, backend: str = "numpy", **options):
        """The robot, ready to compute."""
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory, "random.urdf")
            path.write_text(self.urdf(), encoding="utf-8")
            return robcogen_ros.build(path, floating_base=floating, backend=backend, **options)


def _origin(xyz: Triple, rpy: Triple) -> str:
    return f'<origin xyz="{_numbers(xyz)}" rpy="{_numbers(rpy)}"/>'


def _numbers(values: Triple) -> str:
    return " ".join(repr(float(value)) for value in values)


_LENGTH = st.integers(-50, 50).map(lambda k: k / 100)
_ANGLE = st.sampled_from([0.0, 0.0, math.pi / 2, -math.pi / 2, math.pi]) | st.integers(-31, 31).map(
    lambda k: k / 10
)
_AXES = st.sampled_from(
    [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)]
) | st.sampled_from([(0.6, 0.0, 0.8), (1.0, 2.0, -3.0), (-0.5, 0.7, 0.1)])
_KINDS = st.sampled_from(["revolute", "revolute", "continuous", "prismatic", "helical", "fixed"])
_triples = st.tuples


@st.composite
def links(draw, name: str, massless: bool = False) -> Link:
    """A link with a physical inertia, or with none."""
    if massless and draw(st.integers(0, 4)) == 0:
        return Link(name)
    mass = draw(st.integers(2, 50)) / 10
    x, y, z = (draw(st.integers(1, 9)) * mass / 1000 for _ in range(3))
    turn = pose(ZERO, tuple(draw(_triples(_ANGLE, _ANGLE, _ANGLE))))[:3, :3]
    tensor = turn @ np.diag([y + z, x + z, x + y]) @ turn.T
    entries = tuple(float(tensor[i, j]) for i in range(3) for j in range(i, 3))
    return Link(
        name,
        mass,
        draw(_triples(_LENGTH, _LENGTH, _LENGTH)),
        draw(_triples(_ANGLE, _ANGLE, _ANGLE)),
        entries,
    )


@st.composite
def trees(draw, most: int = 6, mimic: bool = True) -> Tree:
    """A robot with some moving joints, at least one of them free."""
    count = draw(st.integers(1, most))
    bodies = [draw(links("link0"))]
    joints: list[Joint] = []
    for i in range(1, count + 1):
        kind = draw(_KINDS) if i > 1 else "revolute"
        leaders = [j.name for j in joints if j.kind != "fixed"]
        follows = mimic and kind != "fixed" and leaders and draw(st.integers(0, 4)) == 0
        joints.append(
            Joint(
                f"joint{i}",
                kind,
                f"link{draw(st.integers(0, i - 1))}",
                f"link{i}",
                draw(_triples(_LENGTH, _LENGTH, _LENGTH)),
                draw(_triples(_ANGLE, _ANGLE, _ANGLE)),
                draw(_AXES),
                _mimic(draw, leaders) if follows else None,
            )
        )
        bodies.append(draw(links(f"link{i}", massless=i < count)))
    return Tree(tuple(bodies), tuple(joints))


def _mimic(draw, leaders: list[str]) -> tuple[str, float, float]:
    return (
        draw(st.sampled_from(leaders)),
        draw(st.sampled_from([1.0, -1.0, 0.5, 2.0])),
        draw(st.sampled_from([0.0, 0.3])),
    )


@dataclass(frozen=True)
class State:
    """A random state: three rows, so that batches are tried along the way.

    Attributes:
        q: Positions, (3, n).
        velocity: Velocities, the base's first, (3, N).
        acceleration: Accelerations, the base's first, (3, N).
        gravity: (3, 3).
    """

    q: Array
    velocity: Array
    acceleration: Array
    gravity: Array


def state_of(robot, seed: int = 0) -> State:
    """A state of a robot."""
    random = np.random.default_rng(seed)
    size = robot.n + (6 if robot.floating_base else 0)
    return State(
        random.uniform(-3, 3, (3, robot.n)),
        random.normal(size=(3, size)),
        random.normal(size=(3, size)),
        random.normal(size=(3, 3)) * 5,
    )


def is_regular(H: Array) -> bool:
    """Whether inertia matrices are far enough from singular to be inverted."""
    scale = np.sqrt(np.abs(np.diagonal(H, axis1=-2, axis2=-1)))
    if not scale.all():
        return False
    return bool(np.linalg.eigvalsh(H / scale[..., None] / scale[..., None, :]).min() > 1e-4)


def locked(tree: Tree, name: str, value: float) -> Tree:
    """The robot with a joint, and those that follow it, fixed where they are at a position."""
    joint = next(j for j in tree.joints if j.name == name)
    moved = joint.origin @ _motion(joint, value)
    fixed = replace(
        joint, kind="fixed", xyz=tuple(moved[:3, 3]), rpy=rpy_of(moved[:3, :3]), mimic=None
    )
    tree = tree.with_joint(fixed)
    for other in tree.joints:
        if other.mimic and other.mimic[0] == name:
            tree = locked(tree, other.name, other.mimic[1] * value + other.mimic[2])
    return tree


def _motion(joint: Joint, value: float) -> Array:
    axis = np.array(joint.axis) / np.linalg.norm(joint.axis)
    motion = np.eye(4)
    if joint.kind == "prismatic":
        motion[:3, 3] = axis * value
        return motion
    if joint.kind == "helical":
        motion[:3, 3] = axis * value * PITCH / (2 * math.pi)
    K = np.cross(np.eye(3), axis)
    motion[:3, :3] += math.sin(value) * K + (1 - math.cos(value)) * K @ K
    return motion


def split(tree: Tree, name: str, share: float, at: Array) -> Tree:
    """The robot with a link cut in two, its children on the new part, joined by a fixed joint.

    Args:
        tree: The robot.
        name: The link to cut.
        share: The part of its mass that the new link `<name>_cut` has.
        at: Pose link_X_new of the new link.
    """
    back = np.linalg.inv(at)

    def moved(xyz: Triple, rpy: Triple) -> tuple[Triple, Triple]:
        new = back @ pose(xyz, rpy)
        return tuple(new[:3, 3]), rpy_of(new[:3, :3])

    bodies, joints = [], []
    for link in tree.links:
        if link.name != name or link.mass is None:
            bodies.append(link)
            continue
        xyz, rpy = moved(link.xyz, link.rpy)
        rest = tuple(t * (1 - share) for t in link.tensor)
        bodies.append(replace(link, mass=link.mass * (1 - share), tensor=rest))
        part = tuple(t * share for t in link.tensor)
        bodies.append(Link(f"{name}_cut", link.mass * share, xyz, rpy, part))
    for joint in tree.joints:
        if joint.parent == name:
            xyz, rpy = moved(joint.xyz, joint.rpy)
            joint = replace(joint, parent=f"{name}_cut", xyz=xyz, rpy=rpy)
        joints.append(joint)
    cut = Joint(
        f"{name}_cut_joint", "fixed", name, f"{name}_cut", tuple(at[:3, 3]), rpy_of(at[:3, :3])
    )
    if not any(link.name == cut.child for link in bodies):
        bodies.append(Link(cut.child))
    return Tree(tuple(bodies), (*joints, cut))


def renamed(tree: Tree, prefix: str) -> Tree:
    """The robot with a prefix before every name."""
    return Tree(
        tuple(replace(link, name=prefix + link.name) for link in tree.links),
        tuple(
            replace(
                joint,
                name=prefix + joint.name,
                parent=prefix + joint.parent,
                child=prefix + joint.child,
                mimic=joint.mimic and (prefix + joint.mimic[0], *joint.mimic[1:]),
            )
            for joint in tree.joints
        ),
    )


def arm_with_everything() -> Tree:
    """A small robot with every kind of joint, a branch, a mimic joint and a fixed link."""
    tensor = (0.02, 0.001, -0.002, 0.03, 0.003, 0.04)
    bodies = tuple(
        Link(f"link{i}", 1.0 + 0.3 * i, (0.1, -0.05 * i, 0.2), (0.1 * i, 0.2, -0.3), tensor)
        for i in range(7)
    )
    half = math.pi / 2
    return Tree(
        bodies,
        (
            Joint("turn", "revolute", "link0", "link1", (0, 0, 0.3), (half, 0, 0)),
            Joint("slide", "prismatic", "link1", "link2", (0.2, 0.1, 0), ZERO, (0.6, 0, 0.8)),
            Joint("spin", "continuous", "link2", "link3", (0, 0.3, 0), (0.1, half, 0), (0, -1, 0)),
            Joint("weld", "fixed", "link3", "link4", (0.1, 0, 0.1), (0.3, -0.2, 0.5)),
            Joint("finger", "revolute", "link2", "link5", (0, 0.1, 0.4), ZERO, (1, 2, -3)),
            Joint(
                "follower",
                "revolute",
                "link4",
                "link6",
                (0.2, 0, 0),
                (0, 0, half),
                (0, 1, 0),
                ("finger", -0.5, 0.3),
            ),
        ),
    )

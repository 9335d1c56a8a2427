"""Data of a robot that need no computation: names, limits, how links hang together."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.model.contacts import Contact
from robcogen_ros.program.summary import OriginSummary, Summary
from robcogen_ros.runtime.robots.documented import Documented
from robcogen_ros.runtime.robots.frames import Frames

Array = NDArray[np.float64]


class RobotData(Documented):
    """Names and numbers of a robot."""

    def __init__(self, summary: Summary) -> None:
        self._summary = summary

    @property
    def name(self) -> str:
        """The robot's name."""
        return self._summary.name

    @property
    def n(self) -> int:
        """Number of coordinates."""
        return len(self._summary.coordinates)

    @property
    def floating_base(self) -> bool:
        """True if the base moves freely."""
        return self._summary.floating_base

    @cached_property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the coordinates, in the order of q, H and L."""
        return tuple(c.name for c in self._summary.coordinates)

    @property
    def link_names(self) -> tuple[str, ...]:
        """Names of the links, base first, in the order of external forces."""
        return self._summary.link_names

    @property
    def required_inputs(self) -> dict[str, tuple[str, ...]]:
        """Names of the inputs that each function must be given."""
        return {
            function.name: tuple(a.name for a in function.inputs if not a.optional)
            for function in self._summary.functions
        }

    @property
    def unavailable(self) -> dict[str, str]:
        """Functions that this robot cannot have, and why."""
        return dict(self._summary.unavailable)

    @cached_property
    def lower_limits(self) -> Array:
        """(n,) least positions [rad or m]; -inf where there is none."""
        return self._limits("lower", -np.inf)

    @cached_property
    def upper_limits(self) -> Array:
        """(n,) greatest positions [rad or m]; inf where there is none."""
        return self._limits("upper", np.inf)

    @cached_property
    def velocity_limits(self) -> Array:
        """(n,) greatest speeds [rad/s or m/s]; inf where there is none."""
        return self._limits("velocity", np.inf)

    @cached_property
    def effort_limits(self) -> Array:
        """(n,) greatest forces [N m or N]; inf where there is none."""
        return self._limits("effort", np.inf)

    @cached_property
    def damping(self) -> Array:
        """(n,) viscous friction [N m s/rad or N s/m]."""
        return self._limits("damping", 0.0)

    @cached_property
    def friction(self) -> Array:
        """(n,) dry friction [N m or N]."""
        return self._limits("friction", 0.0)

    @cached_property
    def armature(self) -> Array:
        """(n,) inertia of the rotors as it is felt at the joints [kg m^2 or kg]."""
        return self._limits("armature", 0.0)

    @cached_property
    def stiffness(self) -> Array:
        """(n,) stiffness of the springs of joints [N m/rad or N/m]."""
        return self._limits("stiffness", 0.0)

    @cached_property
    def rest(self) -> Array:
        """(n,) positions at which these do not pull [rad or m]."""
        return self._limits("rest", 0.0)

    @property
    def terms(self) -> tuple[str, ...]:
        """The terms of the dynamics, of armature, damping, friction and springs."""
        return self._summary.terms

    @cached_property
    def continuous(self) -> NDArray[np.bool_]:
        """(n,) whether a position is an angle without end."""
        return np.array([c.continuous for c in self._summary.coordinates], dtype=bool)

    @cached_property
    def units(self) -> NDArray[np.str_]:
        """(n,) unit of each position: rad or m."""
        return np.array([c.kind.unit for c in self._summary.coordinates], str)

    @cached_property
    def effort_units(self) -> NDArray[np.str_]:
        """(n,) unit of each force: N m or N."""
        return np.array([c.kind.effort_unit for c in self._summary.coordinates], str)

    @property
    def moving_joint_names(self) -> tuple[str, ...]:
        """Names of all joints that move, also of those that follow others."""
        return tuple(joint.name for joint in self._summary.joints)

    @property
    def joint_coordinates(self) -> tuple[tuple[int, ...], ...]:
        """The numbers of the coordinates that each moving joint moves with."""
        return tuple((joint.coordinate, *joint.more) for joint in self._summary.joints)

    @property
    def actuated(self) -> tuple[str, ...]:
        """Names of the joints that motors move; those of all coordinates where nothing says."""
        return self._summary.actuated or self.joint_names

    @cached_property
    def gears(self) -> Array:
        """(motors,) how far each motor turns as its joint moves by one, as `actuated` has them."""
        return self._of_motors("gear", 1.0)

    @cached_property
    def motor_velocity_limits(self) -> Array:
        """(motors,) greatest speeds of motors, beyond their gears; inf where there is none."""
        return self._of_motors("velocity_limit", np.inf) * np.abs(self.gears)

    @cached_property
    def motor_effort_limits(self) -> Array:
        """(motors,) greatest efforts of motors, before their gears; inf where there is none."""
        return self._of_motors("effort_limit", np.inf) / np.abs(self.gears)

    @property
    def mimic(self) -> dict[str, tuple[str, float, float]]:
        """Joints that follow another, by name: the leader, multiplier, offset."""
        names = self.joint_names
        return {
            joint.name: (names[joint.coordinate], joint.multiplier, joint.offset)
            for joint in self._summary.joints
            if joint.name != names[joint.coordinate] and not joint.dependent
        }

    @property
    def contacts(self) -> tuple[str, ...]:
        """The contacts, as they were asked for."""
        return tuple(contact.name for contact in self._summary.contacts)

    @property
    def contact_records(self) -> tuple[Contact, ...]:
        """The contacts, each with its frame and rows."""
        return self._summary.contacts

    @cached_property
    def link_frames(self) -> dict[str, int]:
        """Index of the frame of each link of the file, by the link's name."""
        frames = enumerate(self._summary.frames)
        return {frame.of_link: i for i, frame in frames if frame.of_link is not None}

    @property
    def attachments(self) -> tuple[tuple[str, str, str, bool], ...]:
        """Joints of the file: the joint, parent link, child link, True if it is fixed."""
        return self._summary.attachments

    @property
    def origins(self) -> tuple[OriginSummary | None, ...]:
        """Places of the joints of the file on their parent links."""
        return self._summary.origins

    @property
    def link_parents(self) -> dict[str, str]:
        """Parents of the links of the file, by name, but for the root."""
        return {child: parent for _, parent, child, _ in self._summary.attachments}

    def task_joints(self, base: str | None, *targets: str) -> tuple[str, ...]:
        """The joints that a task depends on, in the order of `joint_names`.

        Args:
            base: Frame relative to which frames move; None for space, where a base that floats
                moves them too.
            targets: Frames that move.
        """
        frames = Frames(self._summary)
        found = {joint for target in targets for joint in frames.joints(base, target)}
        return tuple(self.joint_names[joint] for joint in sorted(found))

    def _of_motors(self, attribute: str, missing: float) -> Array:
        joints = {joint.name: joint for joint in self._summary.joints}
        return self._array((getattr(joints[n], attribute) for n in self.actuated), missing)

    def _limits(self, attribute: str, missing: float) -> Array:
        return self._array((getattr(c, attribute) for c in self._summary.coordinates), missing)

    def _array(self, values: Iterable[float | None], missing: float) -> Array:
        array = np.array([missing if v is None else v for v in values], dtype=np.float64)
        array.flags.writeable = False
        return array

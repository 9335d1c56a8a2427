"""A robot on its way to /tf: messages with the poses of its links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from geometry_msgs.msg import TransformStamped
from tf2_msgs.msg import TFMessage

from robcogen_ros.ros.joint_state_reader import State
from robcogen_ros.ros.link_transforms import EVERY, LinkTransforms
from robcogen_ros.ros.model_parameter import FoundRobot
from robcogen_ros.ros.transform_message import TransformMessage, filled_once

_KEPT = 64


class PlacedRobot:
    """A robot, what its frames are called, and the messages that it fills.

    Attributes:
        found: The robot.
        links: Its joints.
        unknown: Defaults that no joint has.
    """

    def __init__(self, found: FoundRobot, prefix: str, defaults: Mapping[str, float]) -> None:
        """Prepares the messages.

        Args:
            found: The robot.
            prefix: Put before the names of frames.
            defaults: Positions of joints as long as no state names them.
        """
        self.found = found
        self.links = LinkTransforms(found.robot, found.mimics, defaults)
        self.unknown = tuple(set(defaults) - set(self.links.names) - {EVERY})
        self._prefix = prefix
        self._messages: dict[tuple[str, ...], TransformMessage] = {}

    def fixed(self, time: tuple[int, int]) -> Any:
        """What to publish of the links on fixed joints."""
        fixed = self.links.fixed
        return filled_once(fixed.joints, self._prefix, time, fixed.poses)

    def moving(self, state: State) -> Any:
        """What to publish for a joint state, filled again for the next; None if it places none."""
        chosen = self.links.selection(state.names)
        if not chosen.joints:
            return None
        if chosen.names not in self._messages:
            if len(self._messages) >= _KEPT:
                self._messages.clear()
            self._messages[chosen.names] = TransformMessage(chosen.joints, self._prefix)
        return self._messages[chosen.names].filled(state.time, chosen.poses(state.positions))

    def free(self, state: Any) -> Any:
        """What to publish for a `sensor_msgs/MultiDOFJointState`; None if it places no link.

        The base of a floating robot is placed in the frame that the state is in.
        """
        poses = dict(zip(state.joint_names, state.transforms, strict=True))
        many = {joint.name: joint for joint in self.links.many}
        placed = [(j.parent, j.child, poses[n]) for n, j in many.items() if n in poses]
        self.links.hear([c for name in poses if name in many for c in many[name].coordinates])
        others = [pose for name, pose in poses.items() if name not in many]
        if self.found.robot.floating_base and state.header.frame_id and len(others) == 1:
            placed.append((state.header.frame_id, self.found.robot.link_names[0], others[0]))
        message = TFMessage()
        for parent, child, pose in placed:
            stamped = TransformStamped(child_frame_id=self._prefix + child, transform=pose)
            stamped.header.stamp = state.header.stamp
            stamped.header.frame_id = self._prefix + parent
            message.transforms.append(stamped)
        return message if placed else None

    def not_finite(self, state: State) -> tuple[str, ...]:
        """The joints of this robot whose position a state gives as infinite or no number."""
        wrong = np.flatnonzero(~np.isfinite(state.positions))
        names = {state.names[i] for i in wrong}
        return tuple(sorted(names.intersection(self.links.names)))

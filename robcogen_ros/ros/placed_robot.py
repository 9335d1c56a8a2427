"""A robot on its way to /tf: messages with the poses of its links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from robcogen_ros.errors import RobcogenError
from robcogen_ros.nodes.free_state import FreeState
from robcogen_ros.nodes.model_parameter import FoundRobot
from robcogen_ros.ros.messages.joint_state_reader import JointPositions
from robcogen_ros.ros.messages.joint_state_writer import JointStateWriter
from robcogen_ros.ros.messages.transform import TransformMessage, filled_once
from robcogen_ros.runtime.robots.joint_poses import Joint
from robcogen_ros.runtime.robots.link_transforms import EVERY, LinkTransforms
from robcogen_ros.runtime.robots.loop_followers import LoopFollowers

_KEPT = 64


class PlacedRobot:
    """A robot, what its frames are called, and the messages that it fills.

    Attributes:
        found: The robot.
        links: Its joints.
        unknown: Defaults that no joint has.
        followers: Joints that follow others through loops.
    """

    def __init__(self, found: FoundRobot, prefix: str, defaults: Mapping[str, float]) -> None:
        """Prepares the messages.

        Args:
            found: The robot.
            prefix: Put before the names of frames.
            defaults: Positions of joints as long as no state names them; that of `EVERY` stands for
                the nearest one that a joint can have.

        Raises:
            RobcogenError: If a joint cannot have the position given for it.
        """
        self.found = found
        self.links = LinkTransforms(found.robot, found.mimics, _in_range(found.robot, defaults))
        self.unknown = tuple(set(defaults) - set(self.links.names) - {EVERY})
        self.followers = LoopFollowers(found.robot, _in_range(found.robot, defaults))
        self._prefix = prefix
        self._messages: dict[tuple[str, ...], TransformMessage] = {}
        self._states: dict[tuple[str, ...], JointStateWriter] = {}

    def fixed(self, time: tuple[int, int]) -> Any:
        """Returns the message of the links on fixed joints."""
        fixed = self.links.fixed
        return filled_once(fixed.joints, self._prefix, time, fixed.poses)

    def whole(self, state: JointPositions) -> JointPositions:
        """A joint state with the joints that follow through loops."""
        names, positions = self.followers.added(state.names, state.positions)
        return replace(state, names=names, positions=positions)

    def joints(self, state: JointPositions) -> Any:
        """A joint state as a message, filled again for the next."""
        if state.names not in self._states:
            if len(self._states) >= _KEPT:
                self._states.clear()
            self._states[state.names] = JointStateWriter(state.names)
        return self._states[state.names].filled(state.time, position=state.positions)

    def moving(self, state: JointPositions) -> Any:
        """Returns the message of a joint state, filled again for the next; or None."""
        chosen = self.links.selection(state.names)
        if not chosen.joints:
            return None
        if chosen.names not in self._messages:
            if len(self._messages) >= _KEPT:
                self._messages.clear()
            self._messages[chosen.names] = TransformMessage(chosen.joints, self._prefix)
        return self._messages[chosen.names].filled(state.time, chosen.poses(state.positions))

    def free(self, state: FreeState) -> tuple[list[Any], list[str]]:
        """Returns the messages of planar and floating joints and of a floating base.

        The coordinates of a joint make its pose, so that links between are placed as by joint
        states. The base is placed in the frame that the state is in.

        Returns:
            Messages, and planar joints whose poses leave their planes.
        """
        names: list[str] = []
        positions: list[float] = []
        leaving: list[str] = []
        for joint in self.links.many:
            if joint.name in state.poses:
                found, within = joint.positions(state.poses[joint.name])
                names += joint.coordinates
                positions += found
                leaving += [] if within else [joint.name]
        placed = self.moving(JointPositions(tuple(names), state.time, np.array(positions)))
        messages = [message for message in (placed, self._base(state)) if message is not None]
        return messages, leaving

    def _base(self, state: FreeState) -> Any:
        """Returns the message of a floating base, which has any name that no joint has; or None."""
        robot = self.found.robot
        joints = {name for name, *_ in robot.attachments} | {j.name for j in self.links.many}
        poses = [pose for name, pose in state.poses.items() if name not in joints]
        if not (robot.floating_base and state.frame and len(poses) == 1):
            return None
        base = Joint("", state.frame, robot.link_names[0])
        return filled_once([base], self._prefix, state.time, poses[0])

    def not_finite(self, state: JointPositions) -> tuple[str, ...]:
        """The joints of this robot whose position a state gives as infinite or no number."""
        wrong = np.flatnonzero(~np.isfinite(state.positions))
        names = {state.names[i] for i in wrong}
        return tuple(sorted(names.intersection(self.links.names)))


def _in_range(robot: Any, defaults: Mapping[str, float]) -> dict[str, float]:
    """Positions that joints can have."""
    found = dict(defaults)
    ranges = zip(robot.joint_names, robot.lower_limits, robot.upper_limits, strict=True)
    for name, lower, upper in ranges:
        position = defaults.get(name, defaults.get(EVERY))
        if position is None or lower <= position <= upper:
            continue
        if name in defaults:
            raise RobcogenError(
                f"default_positions: joint '{name}' cannot be at {position:g}, its range is "
                f"{lower:g} to {upper:g}"
            )
        found[name] = float(np.clip(position, lower, upper))
    return found

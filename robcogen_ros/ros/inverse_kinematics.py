"""Node `inverse_kinematics`: positions of joints for a pose, by MoveIt's service GetPositionIK."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import rclpy
from numpy.typing import NDArray

from robcogen_ros.errors import RobcogenError
from robcogen_ros.nodes import model_parameter
from robcogen_ros.parameters.assignments import NO_ROBOT, NodeArguments
from robcogen_ros.ros.parameters import Parameters
from robcogen_ros.ros.running import Program, run
from robcogen_ros.runtime.inverse_kinematics import InverseKinematics

SERVICE = "compute_ik"
"""Name that move_group has for its own service."""
TIMEOUT = 0.05
"""Time of a search, for requests that give none [s]."""


class Refused(RobcogenError):
    """A request cannot be answered.

    Attributes:
        code: The name of MoveIt's error code.
    """

    def __init__(self, code: str, message: str) -> None:
        """Takes the code and the reason."""
        super().__init__(message)
        self.code = code


class InverseKinematicsNode(Program):
    """Answers `moveit_msgs/srv/GetPositionIK` by all solutions of the robot's chain.

    Attributes:
        node: The ROS node.
    """

    def __init__(self, arguments: NodeArguments = NO_ROBOT, **options: Any) -> None:
        """Starts the node.

        Args:
            arguments: The robot that the command line names.
            options: More arguments of `rclpy.create_node`.

        Raises:
            RobcogenError: If no robot is named or it is wrong, or moveit_msgs is not installed.
        """
        self.node = rclpy.create_node("inverse_kinematics", **options)
        self._log = self.node.get_logger()
        values = Parameters(self.node, "inverse_kinematics_node", arguments=arguments)
        model_parameter.tell_source(self._log, values.values)
        found = model_parameter.find_robot(values.values, more=("kinematics",))
        model_parameter.tell(self._log, found.warnings)
        try:
            from moveit_msgs.srv import GetPositionIK
        except ImportError:
            raise RobcogenError(
                "the service needs the messages of MoveIt: install moveit_msgs "
                "(apt install ros-$ROS_DISTRO-moveit-msgs)"
            ) from None
        self._robot = found.robot
        self._base = values["base_frame"] or self._robot.frame_names[0]
        self._tool = values["tool_frame"]
        if self._tool:
            self._log.info(f"'{self._tool}': {self._solver(self._tool).way}")
        self._service = self.node.create_service(GetPositionIK, SERVICE, self.answer)

    def answer(self, request: Any, response: Any) -> Any:
        """Fills in a response with the solution that is nearest to the request's state."""
        asked, code = request.ik_request, response.error_code
        try:
            names, positions = self._solved(asked)
        except Refused as error:
            code.val = getattr(code, error.code)
            if hasattr(code, "message"):
                code.message = str(error)
            self._log.warning(f"{error.code}: {error}")
            return response
        response.solution.joint_state.header = asked.pose_stamped.header
        response.solution.joint_state.name = list(names)
        response.solution.joint_state.position = positions.tolist()
        code.val = code.SUCCESS
        return response

    def _solved(self, asked: Any) -> tuple[Sequence[str], NDArray[np.float64]]:
        """Returns names and positions: the request's, with those of the chain in their place."""
        link, stamped = self._goal(asked)
        if asked.avoid_collisions:
            raise Refused("COLLISION_CHECKING_UNAVAILABLE", "collisions are not known here")
        kinds = ("joint", "position", "orientation", "visibility")
        if any(getattr(asked.constraints, f"{kind}_constraints") for kind in kinds):
            raise Refused("INVALID_GOAL_CONSTRAINTS", "constraints are not taken")
        solver, given = self._solver(link), self._given(asked.robot_state.joint_state)
        pose = self._place(stamped.header.frame_id, given) @ _transform(stamped.pose)
        seed = self._seed(solver, given)
        seconds = asked.timeout.sec + 1e-9 * asked.timeout.nanosec or TIMEOUT
        place = pose[:3, 3] if len(solver.joint_names) < 5 else pose
        try:
            found = solver.solve(place, seed=seed, timeout=seconds)
        except RobcogenError as error:
            raise Refused("NO_IK_SOLUTION", str(error)) from None
        if not len(found.positions):
            limits = ", ".join(f"{name} {count}" for name, count in found.excluded.items())
            why = f"limits exclude what there is: {limits}" if limits else "out of reach"
            raise Refused("NO_IK_SOLUTION", why)
        solved = dict(zip(solver.joint_names, found.positions[0].tolist(), strict=True))
        whole = {**given, **solved}
        return list(whole), np.array(list(whole.values()))

    def _goal(self, asked: Any) -> tuple[str, Any]:
        """Returns the link and the pose, of which there may be one."""
        several = list(asked.pose_stamped_vector)
        if len(several) > 1 or len(asked.ik_link_names) > 1:
            raise Refused("INVALID_LINK_NAME", "expected one link and its pose, found several")
        name = next(iter(asked.ik_link_names), "") or asked.ik_link_name or self._tool
        if not name:
            raise Refused(
                "INVALID_LINK_NAME", "set ik_link_name, or the node's parameter tool_frame"
            )
        return name, several[0] if several else asked.pose_stamped

    def _solver(self, link: str) -> InverseKinematics:
        try:
            solver: InverseKinematics = self._robot.inverse_kinematics_between(self._base, link)
        except RobcogenError as error:
            raise Refused("INVALID_LINK_NAME", str(error)) from None
        return solver

    def _given(self, state: Any) -> dict[str, float]:
        """Returns the positions of a state by the joints' names."""
        names, positions = list(state.name), list(state.position)
        if len(names) != len(positions) or not np.isfinite(positions).all():
            raise Refused(
                "INVALID_ROBOT_STATE", "expected a finite position for each name of robot_state"
            )
        return dict(zip(names, positions, strict=True))

    def _seed(
        self, solver: InverseKinematics, given: dict[str, float]
    ) -> NDArray[np.float64] | None:
        """Returns where the chain is; None where the state says nothing of it."""
        missing = [name for name in solver.joint_names if name not in given]
        if len(missing) == len(solver.joint_names):
            return None
        if missing:
            raise Refused("INVALID_ROBOT_STATE", f"robot_state lacks {', '.join(missing)}")
        return np.array([given[name] for name in solver.joint_names])

    def _place(self, frame: str, given: dict[str, float]) -> NDArray[np.float64]:
        """Returns base_X_frame in the state of the request."""
        if frame in ("", self._base):
            return np.eye(4)
        q = np.array([given.get(name, 0.0) for name in self._robot.joint_names])
        try:
            return np.asarray(self._robot.transform(self._base, frame, q))
        except RobcogenError as error:
            raise Refused("FRAME_TRANSFORM_FAILURE", str(error)) from None


def _transform(pose: Any) -> NDArray[np.float64]:
    """Returns the homogeneous transform (4, 4) of a message."""
    x, y, z, w = (getattr(pose.orientation, axis) for axis in "xyzw")
    size = x * x + y * y + z * z + w * w
    if not abs(size - 1.0) < 1e-3:
        raise Refused("NO_IK_SOLUTION", f"the quaternion of the pose has the length {size**0.5:g}")
    turn, across = np.array([x, y, z]), np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    result = np.eye(4)
    result[:3, :3] = (
        (w * w - turn @ turn) * np.eye(3) + 2 * np.outer(turn, turn) + 2 * w * across
    ) / size
    result[:3, 3] = pose.position.x, pose.position.y, pose.position.z
    return result


def main(args: Sequence[str] | None = None) -> int:
    """Runs the node."""
    return run(InverseKinematicsNode, args)


if __name__ == "__main__":
    sys.exit(main())

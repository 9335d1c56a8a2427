"""A leader arm that weighs nothing in the hand, and a follower that does what it does, in MuJoCo.

    python examples/leader_arm/leader_arm.py [ROBOT] [--tool FRAME] [--force 5]

The motors of the leader carry its weight and damp it a little; a hand pulls at its tool for a
second and lets go. The follower, the same arm, is kept on the leader's positions by its inverse
dynamics. Beside them the leader without its motors falls.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

import robcogen_ros

ARM = Path(__file__).resolve().parents[1] / "arm_example" / "urdf" / "arm.urdf.xacro"
STEP, PULL, SECONDS = 0.002, 1.0, 3.0
DAMPING = 4.0
"""Of the leader, each joint by the inertia that it moves [1/s]."""
KP, KD = 900.0, 60.0
"""Of the follower [1/s^2, 1/s]."""


def simulated(file: Path, q: Any) -> tuple[Any, Any]:
    """An arm in MuJoCo, at rest: its model and its state."""
    command = [sys.executable, "-m", "robcogen_ros", "urdf2mjcf", str(file)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.timestep = STEP
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    data = mujoco.MjData(model)
    data.qpos[:] = q
    return model, data


def leader_effort(robot: Any, q: Any, qd: Any) -> Any:
    """What carries the arm and damps it (n,): all that gravity compensation is."""
    return robot.gravity_torques(q) - DAMPING * robot.inertia_matrix(q).diagonal() * qd


def follower_effort(robot: Any, q: Any, qd: Any, wanted: Any, rate: Any) -> Any:
    """Computed torque towards the leader's positions and velocities (n,)."""
    return robot.inverse_dynamics(q, qd, KP * (wanted - q) + KD * (rate - qd))


def run(robot: Any, file: Path, tool: str, force: float) -> dict[str, float]:
    """Returns how far the arms went.

    In turn the tool of the leader, by the hand; then, in the last second [m]; the leader's joints
    without motors; and the follower's from the leader's, at most [rad].
    """
    start = np.clip(
        np.resize([0.3, -0.5, 0.4, 0.9], robot.n), robot.lower_limits, robot.upper_limits
    )
    arms = {name: simulated(file, start) for name in ("leader", "follower", "unpowered")}
    (_, leader), (_, follower), (_, unpowered) = arms.values()
    base = robot.frame_names[0]

    def place() -> Any:
        return robot.transform(base, tool, leader.qpos)[:3, 3]

    places, off = [place()], 0.0
    for i in range(round(SECONDS / STEP)):
        q, qd = leader.qpos.copy(), leader.qvel.copy()
        leader.qfrc_applied[:] = leader_effort(robot, q, qd)
        if i * STEP < PULL:
            hand = np.array([0.0, 0.0, 0.0, 0.0, 0.0, force])  # upwards
            leader.qfrc_applied[:] += robot.jacobian(base, tool, q).T @ hand
        state = follower.qpos, follower.qvel
        follower.qfrc_applied[:] = follower_effort(robot, *state, q, qd)
        off = max(off, float(np.abs(follower.qpos - q).max()))
        for model, data in arms.values():
            mujoco.mj_step(model, data)
        places.append(place())
    late = len(places) - round(1.0 / STEP)
    return {
        "led": float(np.linalg.norm(places[round(PULL / STEP)] - places[0])),
        "went on": float(np.linalg.norm(places[-1] - places[late])),
        "fell": float(np.abs(unpowered.qpos - start).max()),
        "off": off,
    }


def main() -> None:
    """Prints what the arms did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("robot", nargs="?", type=Path, default=ARM)
    parser.add_argument("--tool", default="tool")
    parser.add_argument("--force", type=float, default=5.0, help="of the hand [N]")
    given = parser.parse_args()
    did = run(robcogen_ros.build(given.robot), given.robot, given.tool, given.force)
    print(f"led by {1e3 * did['led']:.0f} mm; in the last second it went on by", end=" ")
    print(f"{1e3 * did['went on']:.1f} mm; the follower was up to {1e3 * did['off']:.1f} mrad off")
    print(f"without motors a joint fell by {did['fell']:.1f} rad")


if __name__ == "__main__":
    main()

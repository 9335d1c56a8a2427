"""Actions in operational space for many arms: accelerations of a tool become torques.

    python examples/sampling/operational_space.py [ROBOT] [--tool FRAME] [--arms 4096]

`tau = J' L (action - dJ/dt qd) + N' (posture) + h` with the operational-space inertia L and the
null space N (Khatib 1987), damped so that singular positions give bounded torques. All arms are one
call.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import robcogen_ros

jax.config.update("jax_enable_x64", True)

ARM = Path(__file__).resolve().parents[1] / "arm_example" / "urdf" / "arm.urdf.xacro"
DAMPING = 1e-6


def controller(robot: Any, base: str, tool: str) -> Callable[[Any, Any, Any], Any]:
    """The function from states and actions (arms, 6) to torques (arms, n), compiled by JAX."""
    on_jax = robcogen_ros.jax(robot)

    def of_frame(word: str, **arguments: Any) -> Any:
        (result,) = on_jax.evaluate(f"{base}_{word}_{tool}", **arguments).values()
        return result

    @jax.jit
    def torques(q: Any, qd: Any, action: Any) -> Any:
        damping = jnp.full(6, DAMPING)
        J = of_frame("J", q=q)
        inertia = of_frame("operational_inertia", q=q, damping=damping)
        null = of_frame("null_space", q=q, damping=damping)
        wrench = inertia @ (action - of_frame("JdQd", q=q, qd=qd))[..., None]
        rest = -20.0 * q - 5.0 * qd
        moved = J.swapaxes(-1, -2) @ wrench + null.swapaxes(-1, -2) @ rest[..., None]
        return moved[..., 0] + on_jax.inverse_dynamics(q, qd, jnp.zeros_like(q))

    return torques


def build(file: Path, tool: str) -> tuple[Any, str]:
    """The robot with the functions of its tool, and its first frame."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        base = robcogen_ros.build(file, backend="numpy").frame_names[0]
        words = ("J", "JdQd", "operational_inertia", "null_space")
        functions = ["default", *(f"{base}_{word}_{tool}" for word in words)]
        return robcogen_ros.build(file, functions=functions, batch=True), base


def main() -> None:
    """Prints how well the tools of many arms follow their actions."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("robot", nargs="?", type=Path, default=ARM)
    parser.add_argument("--tool", default="tool")
    parser.add_argument("--arms", type=int, default=4096)
    given = parser.parse_args()
    robot, base = build(given.robot, given.tool)
    random = np.random.default_rng(0)
    q, qd = random.uniform(-1, 1, size=(2, given.arms, robot.n))
    action = random.normal(size=(given.arms, 6))
    tau = controller(robot, base, given.tool)(q, qd, action)
    qdd = robot.forward_dynamics(q, qd, np.asarray(tau))
    J = robot.evaluate(f"{base}_J_{given.tool}", q=q)["J"]
    bias = robot.evaluate(f"{base}_JdQd_{given.tool}", q=q, qd=qd)["JdQd"]
    error = np.abs((J @ qdd[..., None])[..., 0] + bias - action).max(axis=-1)
    print(f"{given.arms} arms; half of them follow to {np.median(error):.1e} m/s^2 or rad/s^2")


if __name__ == "__main__":
    main()

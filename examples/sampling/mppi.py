"""A sampling controller of an arm: it reaches for a point, in MuJoCo where that is installed.

    python examples/sampling/mppi.py [ROBOT] [--tool FRAME] [--samples 256] [--seconds 2]

Model-predictive path integral control (Williams, Aldrich, Theodorou 2017): many sequences of joint
accelerations near the last one are simulated, with the efforts that they take within limits, and
the next one is their mean, weighted by the exponential of their costs. Dynamics are generated code;
the cost is written in JAX.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import robcogen_ros

jax.config.update("jax_enable_x64", True)

Step = Callable[[Any, Any, Any], Any]

ARM = Path(__file__).resolve().parents[1] / "arm_example" / "urdf" / "arm.urdf.xacro"
STEP, HORIZON = 0.02, 20
SPREAD, TEMPERATURE = 10.0, 0.02
"""Standard deviation of accelerations [rad/s^2]; how much worse samples count [m]."""


class Sampler:
    """Sequences of joint forces and what they cost."""

    def __init__(self, robot: Any, tool: str, goal: Any, samples: int) -> None:
        self.robot, self.on_jax = robot, robcogen_ros.jax(robot)
        self.tool, self.goal, self.samples = tool, jnp.asarray(goal), samples
        self.limits = jnp.asarray(robot.effort_limits)
        self.speeds = jnp.minimum(jnp.asarray(robot.velocity_limits), 10.0)
        self.next = jax.jit(self._next)

    def cost(self, q: Any, qd: Any, tau: Any) -> Any:
        """Distance of the tool to the goal [m], with a little for speed and effort: (samples,)."""
        place = self.on_jax.transform(self.robot.frame_names[0], self.tool, q)[..., :3, 3]
        far = jnp.linalg.norm(place - self.goal, axis=-1)
        return far + 0.02 * (qd**2).mean(axis=-1) + 0.01 * ((tau / self.limits) ** 2).mean(axis=-1)

    def effort(self, q: Any, qd: Any, acceleration: Any) -> Any:
        """The forces that accelerations take, within limits: (samples, n)."""
        tau = self.on_jax.inverse_dynamics(q, qd, acceleration)
        return jnp.clip(tau, -self.limits, self.limits)

    def _follow(self, state: Any, acceleration: Any) -> Any:
        """One step of all samples."""
        q, qd = state
        tau = self.effort(q, qd, acceleration)
        faster = qd + STEP * self.on_jax.forward_dynamics(q, qd, tau)
        qd = jnp.clip(faster, -self.speeds, self.speeds)
        q = q + STEP * qd
        return (q, qd), self.cost(q, qd, tau)

    def _next(self, key: Any, q: Any, qd: Any, plan: Any) -> Any:
        """The next plan (HORIZON, n), and the efforts that begin it (n,)."""
        noise = SPREAD * jax.random.normal(key, (self.samples, HORIZON, q.size))
        tried = plan + noise.at[0].set(0.0)
        state = tuple(jnp.broadcast_to(x, (self.samples, q.size)) for x in (q, qd))
        _, costs = jax.lax.scan(self._follow, state, jnp.moveaxis(tried, 1, 0))
        weights = jax.nn.softmax(-costs.mean(axis=0) / TEMPERATURE)
        plan = jnp.einsum("s,shn->hn", weights, tried)
        return plan, self.effort(q, qd, plan[0])


def own_simulation(robot: Any) -> Step:
    """The arm by its own forward dynamics, in steps of 2 ms."""

    def step(q: Any, qd: Any, tau: Any) -> Any:
        for _ in range(10):
            qd = qd + 0.002 * robot.forward_dynamics(q, qd, tau)
            q = q + 0.002 * qd
        return q, qd

    return step


def mujoco_simulation(file: Path) -> Step | None:
    """The arm in MuJoCo, converted by `robcogen urdf2mjcf`; None where MuJoCo is not installed."""
    try:
        import mujoco
    except ImportError:
        return None
    command = [sys.executable, "-m", "robcogen_ros", "urdf2mjcf", str(file)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.timestep = 0.002
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    data = mujoco.MjData(model)

    def step(q: Any, qd: Any, tau: Any) -> Any:
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = q, qd, tau
        for _ in range(10):
            mujoco.mj_step(model, data)
        return data.qpos.copy(), data.qvel.copy()

    return step


def run(file: Path, tool: str, samples: int, seconds: float) -> list[float]:
    """The distance of the tool from the goal after each step [m]."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        robot = robcogen_ros.build(file, batch=True)
    rest = np.zeros(robot.n)
    there = np.clip(np.full(robot.n, 0.6), robot.lower_limits, robot.upper_limits)
    place = partial(robot.transform, robot.frame_names[0], tool)
    goal = place(there)[:3, 3]
    simulated = mujoco_simulation(file)
    print("simulated", "in MuJoCo" if simulated else "by its own forward dynamics")
    step = simulated or own_simulation(robot)
    sampler = Sampler(robot, tool, goal, samples)
    q, qd, plan, key = rest, rest, jnp.zeros((HORIZON, robot.n)), jax.random.key(0)
    distances = []
    for i in range(round(seconds / STEP)):
        key, own = jax.random.split(key)
        plan, tau = sampler.next(own, q, qd, plan)
        q, qd = step(q, qd, np.asarray(tau))
        plan = jnp.roll(plan, -1, axis=0).at[-1].set(0.0)
        distances.append(float(np.linalg.norm(place(q)[:3, 3] - goal)))
        if i % 25 == 24:
            print(f"{(i + 1) * STEP:4.1f} s: {distances[-1]:.3f} m from the goal")
    return distances


def main() -> None:
    """Reads the options, and runs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("robot", nargs="?", type=Path, default=ARM)
    parser.add_argument("--tool", default="tool")
    parser.add_argument("--samples", type=int, default=256)
    parser.add_argument("--seconds", type=float, default=2.0)
    given = parser.parse_args()
    run(given.robot, given.tool, given.samples, given.seconds)


if __name__ == "__main__":
    main()

"""Arms that stop when they are pushed, moved by MuJoCo: how soon, and whether they stop unpushed.

    python -m test.drivers.stop_study [FILE TIP] [--minutes 10] [--push 5] [--speed 0.3]

Each joint of the model has dry friction of 1 % of its effort limit and viscous friction of half of
that at 1 rad/s; MuJoCo's joints have a fifth more, and end stops 5 mrad within the model's limits,
at which a third of the motions ends. A push against the motion, in which the fastest joint has a
speed, lasts until it is seen. Beside it: how long the limits of effort take at least from then on.
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.bench.robot_file import mjcf
from robcogen_ros.bench.robots import robot_path
from robcogen_ros.formats.bodies import depth_first
from robcogen_ros.formats.read import reading_of
from robcogen_ros.model.options import ModelOptions
from robcogen_ros.program.library import Library
from robcogen_ros.runtime.evaluators.interpreted import InterpretedEvaluator
from robcogen_ros.runtime.objects import CompiledObject, object_of
from robcogen_ros.runtime.robots.robot_of import robot_of
from test.drivers.usage import mujoco, usage

Array = NDArray[np.float64]
ARMS = (
    ("ur_description/urdf/ur5_robot.urdf", "tool0"),
    ("panda_description/urdf/panda.urdf", "panda_link8"),
)
STEP = 1e-3
UNKNOWN = 0.2
"""Share of the model's friction that MuJoCo has on top of it."""
INWARDS = 0.005
"""How far end stops lie within the model's limits [rad or m]."""

WIDEST = 3.0
"""Of limits of positions, so that they are reached [rad or m]."""


@dataclass(frozen=True)
class Push:
    """What followed a push.

    Attributes:
        seen: When the arm was told to stop [s]; NaN: never.
        rests: When no joint moved faster than 0.01 rad/s or m/s any more [s]; NaN: never.
        moved: How far the pushed joint moved until then [rad or m].
        least: How long the arm needs to rest with all the efforts that it has [s].
    """

    seen: float
    rests: float
    moved: float
    least: float


class Arm:
    """An arm under the controller of its joints, in MuJoCo."""

    def __init__(self, path: Path, tip: str, dry: float = 0.01) -> None:
        """Reads a URDF, as far as a link; dry friction is a share of the effort limit."""
        root = ElementTree.parse(path).getroot()
        for joint in root.iter("joint"):
            limit = joint.find("limit")
            if limit is not None:
                for element in joint.findall("dynamics"):
                    joint.remove(element)
                friction = dry * float(limit.get("effort", "0"))
                for side, value in (("lower", -WIDEST), ("upper", WIDEST)):
                    limit.set(side, str(np.clip(float(limit.get(side, value)), -WIDEST, WIDEST)))
                words = {"friction": str(friction), "damping": str(0.5 * friction)}
                ElementTree.SubElement(joint, "dynamics", words)
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            file = Path(folder) / path.name
            ElementTree.ElementTree(root).write(file)
            model = reading_of(file, ModelOptions(tips=(tip,))).robot
        assert depth_first(model) == list(range(model.n)), "no joints that follow"
        names = ["inverse_dynamics", "generalized_momentum"]
        self.robot = robot_of(InterpretedEvaluator(Library(model, names)))
        self.n = self.robot.n
        self.low, self.high = self.robot.lower_limits, self.robot.upper_limits
        spec = mujoco.MjSpec.from_string(mjcf(model))
        spec.option.timestep = STEP
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        for k, joint in enumerate(spec.joints):
            joint.damping = [(1 + UNKNOWN) * self.robot.damping[k], 0.0, 0.0]
            joint.frictionloss = (1 + UNKNOWN) * self.robot.friction[k]
            joint.solref_friction = [2 * STEP, 1.0]  # else friction carries light joints on
            joint.limited = True
            joint.range = [self.low[k] + INWARDS, self.high[k] - INWARDS]
        self.mujoco = spec.compile()

    def controller(self, **settings: float) -> CompiledObject:
        """Returns the controller of the joints in computed torque."""
        lists = {name: np.full(self.n, value) for name, value in settings.items()}
        lists |= {"kp": np.full(self.n, 400.0), "kd": np.full(self.n, 40.0)}
        given = {"period": STEP, "activation_time": 0.0, "stop_gain": 200.0, **lists}
        return object_of(self.robot, "inverse_dynamics_controller", given)

    def cycle(self, control: CompiledObject, data: mujoco.MjData, wanted: Array) -> bool:
        """Moves the arm on by a cycle; returns whether it is stopped."""
        found = control.call(
            "update", position=data.qpos, velocity=data.qvel, reference=wanted, step=STEP
        )
        data.qfrc_applied[:] = found["effort"]
        return bool(found["stopped"])

    def soonest(self, q: Array, qd: Array) -> float:
        """Returns how long efforts within limits take to bring the momentum to zero [s]."""
        rest = np.zeros(self.n)
        weight = self.robot.inverse_dynamics(q, rest, rest)
        momentum = self.robot.inverse_dynamics(q, rest, qd) - weight
        left = self.robot.effort_limits + np.sign(momentum) * weight
        return float(np.max(np.abs(momentum) / left))

    def way(self, start: Array, end: Array, seconds: float) -> Array:
        """Returns references from rest to rest: (cycles, 4, n)."""
        t = np.arange(1, round(seconds / STEP) + 1) * STEP / seconds
        s = t**3 * (10 - 15 * t + 6 * t**2)
        ds = 30 * t**2 * (1 - t) ** 2 / seconds
        dds = 60 * t * (1 - t) * (1 - 2 * t) / seconds**2
        result = np.zeros((len(t), 4, self.n))
        for k, factor in enumerate((s, ds, dds)):
            result[:, k] = np.outer(factor, end - start) + (start if k == 0 else 0.0)
        return result

    def motion(self, rng: np.random.Generator, start: Array) -> Array:
        """Returns references to random positions, a third of them at limits."""
        end = rng.uniform(self.low, self.high)
        if rng.random() < 1 / 3:
            k = rng.integers(self.n)
            end[k] = rng.choice([self.low[k], self.high[k]])
        speed = np.minimum(self.robot.velocity_limits, 3.0)
        fastest = 1.875 * np.max(np.abs(end - start) / speed)
        return self.way(start, end, fastest * rng.uniform(1.1, 3.0) + 0.2)


def pushed(
    arm: Arm, joint: int, effort: float, threshold: float, speed: float, seed: int = 0
) -> Push:
    """Returns what follows when a joint is pushed against its motion until it is seen."""
    rng = np.random.default_rng(seed)
    start, end = (rng.uniform(0.7 * arm.low, 0.7 * arm.high) for _ in range(2))
    ways = arm.way(start, end, 1.875 * np.abs(end - start).max() / speed)
    data, control = mujoco.MjData(arm.mujoco), arm.controller(stop_efforts=threshold)
    data.qpos[:] = start
    mujoco.mj_forward(arm.mujoco, data)
    begin = len(ways) // 2
    seen = rests = least = np.nan
    at = 0.0
    for k in range(begin + 300):
        stopped = arm.cycle(control, data, ways[min(k, len(ways) - 1)])
        if k < begin and stopped:
            raise RuntimeError("stopped before it was pushed")
        if k >= begin:
            at = data.qpos[joint] if k == begin else at
            push = 0.0 if stopped else effort
            data.qfrc_applied[joint] -= push * np.sign(end[joint] - start[joint])
            if stopped and np.isnan(seen):
                seen, least = (k - begin) * STEP, arm.soonest(data.qpos, data.qvel)
            if stopped and np.abs(data.qvel).max() < 0.01:
                rests = (k - begin) * STEP
                break
        mujoco.mj_step(arm.mujoco, data)
    return Push(seen, rests, float(data.qpos[joint] - at), least)


def unpushed(arm: Arm, threshold: float, minutes: float, seed: int = 1) -> tuple[int, float, int]:
    """Returns how often an arm stops that nothing pushes, the greatest external effort that was
    seen there over its threshold, and in how many cycles a joint was at an end stop."""
    rng = np.random.default_rng(seed)
    data, control = mujoco.MjData(arm.mujoco), arm.controller(stop_efforts=threshold)
    data.qpos[:] = 0.5 * (arm.low + arm.high)
    mujoco.mj_forward(arm.mujoco, data)
    stops, at_stops, cycles, most = 0, 0, 0, 0.0
    goal = data.qpos.copy()
    while cycles * STEP < 60 * minutes:
        ways = arm.motion(rng, goal)
        goal = ways[-1, 0]
        for wanted in ways:
            if arm.cycle(control, data, wanted):
                external = control.results("update")["external"]
                stops, most = stops + 1, max(most, float(np.abs(external).max() / threshold))
                control.call("activate")
                goal = data.qpos.copy()
                break
            mujoco.mj_step(arm.mujoco, data)
            at_stops += data.nefc > arm.n  # dry friction of each joint is one
            cycles += 1
    return stops, most, at_stops


def main() -> None:
    """Prints what arms did."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("arm", nargs="*", help="FILE TIP")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--push", type=float, default=5.0, help="[N m or N]")
    parser.add_argument("--speed", type=float, default=0.3, help="[rad/s or m/s]")
    parser.add_argument("--threshold", type=float, default=3.0, help="[N m or N]")
    given = parser.parse_args()
    for file, tip in [given.arm] if given.arm else ARMS:
        arm = Arm(Path(file) if Path(file).exists() else robot_path(file), tip)
        for joint, name in enumerate(arm.robot.joint_names):
            push = pushed(arm, joint, given.push, given.threshold, given.speed)
            told = f"seen after {1e3 * push.seen:.0f} ms, at rest after {1e3 * push.rests:.0f} ms"
            told += f" (limits take {1e3 * push.least:.0f} ms of it)"
            print(f"{arm.robot.name}, {name} pushed with {given.push:g}: {told}", end=", ")
            print(f"moved by {1e3 * push.moved:.1f} mrad or mm", flush=True)
        stops, most, at_stops = unpushed(arm, given.threshold, given.minutes)
        print(f"{arm.robot.name}, unpushed for {given.minutes:g} min: {stops} stops", end="")
        print(f" ({most:.2f} of the threshold), {at_stops} cycles at end stops", flush=True)


if __name__ == "__main__":
    with usage():
        main()

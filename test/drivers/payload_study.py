"""What is found of a body of 1 kg that simulated arms carry.

    bootstrap/run python -m test.drivers.payload_study [RUNS [URDF FRAME ...]]

UR5, Panda and URDFs that are named move for 20 s at 1 kHz, and stand in 60 poses, read once each,
then in the poses that are asked for. Noise is that of `identification_study`. A line each: worst
errors over the runs, how many numbers are within two standard errors, and two standard errors at
the bound of Cramer and Rao, which no way to find them goes below.
"""

from __future__ import annotations

import sys

import numpy as np

import robcogen_ros
from robcogen_ros.formats.read import read
from robcogen_ros.identification.payload import PayloadIdentification, payload_regressor
from robcogen_ros.identification.payload_poses import wanted_poses
from robcogen_ros.recordings import Motion
from test.drivers.identification_study import ANGLE, FORCE, ROBOTS, excitation
from test.drivers.usage import usage
from test.support.robots import robot_path

STATES, POSES = 20_000, 60
CENTER, TENSOR = [0.03, -0.02, 0.08], [0.004, 0.0005, 0.0, 0.005, 0.0, 0.003]


class Exact:
    """A recording of a motion whose rates are known."""

    smoothing = None


def noise(robot):
    """Standard deviations of the efforts."""
    return FORCE * np.where(np.isfinite(robot.effort_limits), robot.effort_limits, 50.0)


def measured(robot, states, random):
    """A motion with measured positions and forces."""
    q, qd, qdd = states
    tau = robot.inverse_dynamics(q, qd, qdd)
    tau += noise(robot) * random.normal(size=tau.shape)
    return Motion(None, q + ANGLE * random.normal(size=q.shape), qd, qdd, tau)


def motions(robot, random):
    """Yields a moving and a resting motion with measured forces."""
    states = [x[:STATES:10] for x in excitation(robot, random)[1:]]
    low, high = np.maximum(robot.lower_limits, -3), np.minimum(robot.upper_limits, 3)
    pose = random.uniform(0.9 * low + 0.1 * high, 0.1 * low + 0.9 * high, (POSES, robot.n))
    for q, qd, qdd in (states, (pose, 0 * pose, 0 * pose)):
        yield measured(robot, (q, qd, qdd), random)


def found_in(empty, frame, parts):
    """What is found of a payload in motions."""
    taken = PayloadIdentification(empty, frame)
    for part in parts:
        taken.add(Exact(), part)
    return taken.solve()


def bound(empty, frame, parts):
    """Two standard errors of mass (a part) and center [m] at the bound of Cramer and Rao."""
    regressor, count = payload_regressor(empty, frame), 4 if not parts[-1].qd.any() else 10
    rows = [regressor(q=m.q, qd=m.qd, qdd=m.qdd)[..., :count] for m in parts]
    rows = (np.concatenate(rows) / noise(empty)[:, None]).reshape(-1, count)
    covariance = np.linalg.inv(rows.T @ rows)[:4, :4]
    slope = np.hstack([-np.array(CENTER)[:, None], np.eye(3)])
    errors = np.sqrt(np.diag(slope @ covariance @ slope.T))
    return 2 * np.sqrt(covariance[0, 0]), 2 * errors.max()


def main(runs: int, robots: list[tuple[str, str]]) -> None:
    """Prints two lines for each robot."""
    values = {"payload.mass": 1.0}
    values |= dict(zip([f"payload.com.{x}" for x in "xyz"], CENTER, strict=True))
    moments = [f"payload.inertia.i{m}" for m in ("xx", "xy", "xz", "yy", "yz", "zz")]
    values |= dict(zip(moments, TENSOR, strict=True))
    names = ["inverse_dynamics", "inverse_dynamics_regressor", "kinematics"]
    for path, frame in robots:
        held = {"panda_finger_joint1": 0.0} if "panda" in str(path) else {}
        own = {"backend": "numpy", "lock": held}
        loaded = robcogen_ros.build(path, functions=names[:1], payload=frame, **own)
        loaded.parameters.update(values)
        robot = read(path, lock=held).robot
        empty = robcogen_ros.build(path, functions=names, **own)
        ways, asked = ("moving", "at rest", "as asked"), []
        found, bounds = ({way: [] for way in ways} for _ in range(2))
        for run in range(runs):
            random = np.random.default_rng(run)
            parts = {way: [m] for way, m in zip(ways, motions(loaded, random), strict=False)}
            wanted = wanted_poses(empty, found_in(empty, frame, parts["at rest"]))
            asked.append(wanted.readings if wanted else 0)
            q = np.resize(wanted.poses, (asked[-1], empty.n)) if wanted else np.zeros((0, empty.n))
            more = measured(loaded, (q, 0 * q, 0 * q), random)
            parts["as asked"] = [*parts["at rest"], more]
            for way in ways:
                found[way].append(found_in(empty, frame, parts[way]))
                bounds[way].append(bound(empty, frame, parts[way]))
        print(f"{robot.name:12} asks for {min(asked)} to {max(asked)} more readings at 6 poses")
        for way, payloads in found.items():
            mass = np.array([p.mass - 1 for p in payloads])
            center = np.array([p.center - CENTER for p in payloads])
            errors = np.concatenate(
                [
                    np.array([p.mass_error for p in payloads])[:, None],
                    np.array([p.center_errors for p in payloads]),
                ],
                axis=1,
            )
            within = np.abs(np.column_stack([mass, center])) < 2 * errors
            print(
                f"{robot.name:12} {way:8} mass {100 * np.abs(mass).max():.2f} %, center "
                f"{1000 * np.abs(center).max():.2f} mm, within two errors "
                f"{100 * within.mean():.0f} %, bound "
                "{:.2f} %, {:.2f} mm".format(*np.max(bounds[way], axis=0) * [100, 1000]),
                flush=True,
            )


if __name__ == "__main__":
    with usage(__doc__):
        own = [(robot_path(ROBOTS["UR5"]), "tool0"), (robot_path(ROBOTS["Panda"]), "panda_hand")]
        others = zip(sys.argv[2::2], sys.argv[3::2], strict=True)
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, [*own, *others])

"""Moves a simulated arm, and writes what its sensors show: empty.csv and carrying.csv.

It takes the place of a real arm. The forearm weighs 1.6 kg in truth, where arm.urdf says 0.5 kg,
its center is nearer to the elbow, and joints rub. Run it where motion.npz is.
"""

from pathlib import Path

import numpy as np

import robcogen_ros

HERE = Path(__file__).parent
TRUTH = {"forearm.mass": 1.6, "forearm.com.x": 0.07, "forearm.inertia.iyy": 0.009}
CARRIED = {"payload.mass": 0.8, "payload.com.x": 0.03, "payload.com.z": -0.02}
DAMPING, FRICTION = [0.4, 0.8, 0.3], [0.5, 1.0, 0.4]
NOISE, SHARE = 1e-4, 0.005
"""Of positions [rad], and of efforts by their limits."""
RATE = 100


def main() -> None:
    """Write both recordings."""
    arm = robcogen_ros.build(
        HERE / "arm.urdf", backend="numpy", parameters=["forearm"], payload="tool"
    )
    motion, noise = np.load("motion.npz"), np.random.default_rng(0)
    time = np.arange(motion["time"][0], motion["time"][-1], 1 / RATE)
    q, qd, qdd = (
        np.stack([np.interp(time, motion["time"], column) for column in motion[name].T], axis=1)
        for name in ("q", "qd", "qdd")
    )
    arm.parameters.update(TRUTH)
    for name, carried in (("empty.csv", {}), ("carrying.csv", CARRIED)):
        arm.parameters.update(carried)
        rubbing = DAMPING * qd + FRICTION * np.tanh(1000 * qd)
        tau = arm.inverse_dynamics(q, qd, qdd) + rubbing
        tau += SHARE * arm.effort_limits * noise.normal(size=tau.shape)
        measured = q + NOISE * noise.normal(size=q.shape)
        columns = [f"{j}.{what}" for what in ("position", "effort") for j in arm.joint_names]
        rows = np.column_stack([time, measured, tau])
        np.savetxt(
            name, rows, "%.5f", delimiter=",", header=",".join(["time", *columns]), comments=""
        )


main()

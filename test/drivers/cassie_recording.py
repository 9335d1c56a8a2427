"""The estimator of the base on a recording of others.

    python -m test.drivers.cassie_recording URDF FOLDER

The recording is that of RossHartley/invariant-ekf, FOLDER its `src/examples_matlab/data`: 10 s of
IMU, encoders and contacts of a simulated Cassie, with the truth. The URDF is `urdf/cassie.urdf` of
UMich-BipedLab/Cassie_Model. It prints how far the estimate is off from two seconds after it has
begun. Needs h5py.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import robcogen_ros
from robcogen_ros.runtime.base_estimator import BaseEstimate
from test.drivers.usage import usage

Array = NDArray[np.float64]
STEP, FIRST = 5e-4, 2
"""Time between the rows of the recording [s], and the first one that tells something."""
LEVER, DOWN = np.array([0.03155, 0.0, -0.07996]), Rotation.from_euler("x", np.pi)
"""Where the IMU is in the base [m], and how it is turned."""
SETTLED = 2.0
"""Time from the beginning of the estimate from which errors count [s]."""
TOUCHES = 0.9
"""Contact signal from which a foot touches, as the authors' `gen_data_file.m` has it."""
FRAME = '<link name="{0}"/><joint name="{0}_joint" type="fixed"><parent link="{1}"/>'
ADDED = (
    (FRAME + '<child link="{0}"/><origin xyz="0 0 0" rpy="3.141592653589793 0 0"/></joint>'),
    (FRAME + '<child link="{0}"/><origin xyz="0.01762 0.05219 0"/></joint>'),
)
"""The IMU's axes, whose z is downwards, and the point of a toe that touches."""
JOINTS = (
    *("hip_abduction", "hip_rotation", "hip_flexion", "knee_joint"),
    *("knee_to_shin", "ankle_joint", "toe_joint"),
)
"""Joints of a leg, in the order of the encoders."""


def build(file: Path) -> Any:
    """The robot of the URDF, with frames of its IMU and its feet."""
    imu, foot = ADDED
    added = imu.format("imu", "vectorNav")
    added += "".join(foot.format(f"{side}_foot", f"{side}_toe") for side in ("left", "right"))
    return robcogen_ros.build(
        text=file.read_text().replace("</robot>", f"{added}</robot>"),
        floating_base=True,
        contacts=("left_foot", "right_foot"),
        functions=("kinematics", "contact_jacobian"),
    )


def read(folder: Path) -> dict[str, Array]:
    """The recording by the names of its files, a row an instant."""
    import h5py

    result = {}
    for file in folder.glob("*/*.mat"):
        with h5py.File(file) as opened:
            parts = [np.array(part) for part in opened["#refs#"].values() if hasattr(part, "shape")]
        values = max((part for part in parts if part.dtype == float), key=lambda part: part.size)
        result[file.stem] = values.swapaxes(1, 2) if values.ndim == 3 else values.T
    return result


def estimated(robot: Any, told: dict[str, Array]) -> Iterator[tuple[int, BaseEstimate]]:
    """Yields rows of the recording, and the estimates there once the estimator has begun."""
    order = [f"{joint}_{side}" for side in ("left", "right") for joint in JOINTS]
    place = [order.index(name) for name in robot.joint_names]
    estimator = robot.base_estimator(imu_frame="imu")
    for row in range(FIRST, len(told["encoders"])):
        found = estimator.update(
            told["encoders"][row, place],
            closed=told["contact"][row] > TOUCHES,
            cycle=STEP,
            angular_velocity=told["angular_velocity"][row],
            linear_acceleration=told["linear_acceleration"][row],
        )
        if found.known:
            yield row, found


def main() -> None:
    """Prints a line."""
    told = read(Path(sys.argv[2]))
    (begun, _), *found = estimated(build(Path(sys.argv[1])), told)
    found = found[round(SETTLED / STEP) :]
    off, leans, places = [], [], []
    for row, base in found:
        own = Rotation.from_quat(base.orientation)
        true = Rotation.from_matrix(told["orientation"][row]) * DOWN.inv()
        velocity = base.base_velocity[3:] + np.cross(base.base_velocity[:3], LEVER)
        off.append(velocity - true.inv().apply(told["velocity"][row]))
        leans.append(np.arccos(min(1.0, own.as_matrix()[2] @ true.as_matrix()[2])))
        places.append([base.position + own.apply(LEVER), told["position"][row]])
    moved = np.subtract(places[-1], places[0])
    rms = np.sqrt(np.mean(np.sum(np.square(off), axis=1)))
    tilt = np.degrees(np.sqrt(np.mean(np.square(leans))))
    own_way, way = np.linalg.norm(moved[:, :2], axis=1)
    print(f"begins at {begun * STEP:.2f} s; from {SETTLED:g} s later on: velocity off by", end=" ")
    print(f"{1e3 * rms:.0f} mm/s, tilt by {tilt:.2f} degrees (rms), way", end=" ")
    print(f"{own_way:.3f} of {way:.3f} m, height at the end off by", end=" ")
    print(f"{1e3 * (moved[0] - moved[1])[2]:.0f} mm, {found[-1][1].slips} slips")


if __name__ == "__main__":
    with usage(__doc__, 2):
        main()

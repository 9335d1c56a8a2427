"""What figaroh's weighted least squares leave of the held-out states of `robcogen identify`.

    pip install figaroh
    bootstrap/run python -m test.drivers.beside_figaroh URDF RECORDING [THERE=HERE [WINDOW]]

Both have the same smoothed states, viscous and dry friction, and offsets. Fingers are locked.
"""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pinocchio
from figaroh.identification.identification_tools import weigthed_least_squares
from figaroh.tools.qrdecomposition import get_baseIndex
from figaroh.tools.regressor import (
    build_regressor_basic,
    build_regressor_reduced,
    get_index_eliminate,
)

from robcogen_ros.cli.identify import _split
from robcogen_ros.recordings import Conventions, Recording


def main(urdf: str, file: str, rename: str = "", window: str = "") -> None:
    """Prints the root mean square of each joint."""
    model = pinocchio.buildModelFromUrdf(urdf)
    locked = [k for k, name in enumerate(model.names) if "finger" in name]
    model = pinocchio.buildReducedModel(model, locked, pinocchio.neutral(model))
    names = list(model.names)[1:]
    conventions = Conventions(rename=[tuple(rename.split("="))] if rename else ())
    size = float(window) if window else None
    recording = Recording(file, names, window=size, conventions=conventions)
    used, held = zip(*(_split(recording, motion, False) for motion in recording), strict=True)
    robot = SimpleNamespace(model=model, data=model.createData())
    joints = list(range(model.nv))
    settings = {"act_idxv": joints, "act_idxq": joints, "has_friction": True}
    settings |= {"has_joint_offset": True, "has_actuator_inertia": False}

    def of(parts, name: str, rows=slice(None)) -> np.ndarray:
        return np.concatenate([getattr(part, name) for part in parts])[rows]

    def regressor(parts, rows=slice(None)) -> np.ndarray:
        states = (of(parts, name, rows) for name in ("q", "qd", "qdd"))
        return build_regressor_basic(robot, *states, settings)

    free = ~of(used, "turns").any(axis=1)
    W, tau = regressor(used, free), of(used, "tau", free).T.ravel()
    left_out, kept = get_index_eliminate(W, {str(k): 0.0 for k in range(W.shape[1])})
    base = list(get_baseIndex(build_regressor_reduced(W, left_out), kept))
    Y = build_regressor_reduced(W, left_out)[:, base]
    values = np.linalg.lstsq(Y, tau, rcond=None)[0]
    settings["idx_tau_stop"] = [free.sum() * (k + 1) for k in joints]
    values = weigthed_least_squares(robot, values, Y, tau, Y @ values, settings)
    told = build_regressor_reduced(regressor(held), left_out)[:, base] @ values
    left = of(held, "tau") - told.reshape(model.nv, -1).T
    left[of(held, "turns")] = np.nan
    for name, value in zip(names, np.sqrt(np.nanmean(left**2, axis=0)), strict=True):
        print(f"{value:10.3g}  {name}")


if __name__ == "__main__":
    main(*sys.argv[1:])

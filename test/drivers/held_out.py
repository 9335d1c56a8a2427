"""The held-out states of a recording by the file that `robcogen identify -o` writes of a URDF.

    pip install figaroh numdifftools
    bootstrap/run python -m test.drivers.held_out URDF RECORDING ... [OPTIONS of robcogen identify]

Root mean square of what is left of each joint's efforts [N m or N]: by the description, and by the
real bodies, as the report says; by the written file in Pinocchio and in MuJoCo, if it is installed,
with the file's friction and armature and the offsets of the report; by the base parameters of
figaroh's weighted least squares, if it is installed, from the same smoothed states.
"""

from __future__ import annotations

import json
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pinocchio

from robcogen_ros.cli.identify import main as identify
from robcogen_ros.cli.identify import parser
from robcogen_ros.cli.options.model import read_model
from robcogen_ros.cli.options.recording import recordings
from robcogen_ros.identification.held_out import split
from test.drivers.usage import usage

Forces = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def locked(options) -> dict[str, float]:
    """Joints that stand still."""
    return {name: float(position) for name, position in options.lock}


def by_pinocchio(file: str, options) -> tuple[pinocchio.Model, Forces]:
    """The model of a URDF with some joints locked, and its forces of bodies."""
    model = pinocchio.buildModelFromUrdf(file)
    held, neutral = locked(options), pinocchio.neutral(model)
    for name, position in held.items():
        neutral[model.joints[model.getJointId(name)].idx_q] = position
    followers = [
        j.get("name")
        for j in ET.parse(file).getroot().findall("joint")
        if j.find("mimic") is not None
    ]
    still = [k for k, name in enumerate(model.names) if name in held or name in followers]
    model = pinocchio.buildReducedModel(model, still, neutral)
    data = model.createData()

    def forces(q, qd, qdd):
        return np.array([pinocchio.rnea(model, data, *row) for row in zip(q, qd, qdd, strict=True)])

    return model, forces


def by_mujoco(file: str, names: list[str], options) -> Forces:
    """The forces of bodies by MuJoCo, which reads no meshes here."""
    import mujoco

    root = ET.parse(file).getroot()
    for link in root.iter("link"):
        for what in ("visual", "collision"):
            for shape in link.findall(what):
                link.remove(shape)
    model = mujoco.MjModel.from_xml_string(ET.tostring(root, encoding="unicode"))
    model.dof_damping[:], model.dof_frictionloss[:], model.dof_armature[:] = 0, 0, 0
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    data = mujoco.MjData(model)
    for name, position in locked(options).items():
        data.joint(name).qpos = position

    def forces(q, qd, qdd):
        found = []
        for row in zip(q, qd, qdd, strict=True):
            for name, *state in zip(names, *row, strict=True):
                joint = data.joint(name)
                joint.qpos, joint.qvel, joint.qacc = state
            mujoco.mj_inverse(model, data)
            found.append([data.joint(name).qfrc_inverse[0] for name in names])
        return np.array(found)

    return forces


def joint_terms(file: str, names: list[str]) -> dict[str, np.ndarray]:
    """What a URDF says of joints beside their limits."""
    found = {j.get("name"): j.find("dynamics") for j in ET.parse(file).getroot().findall("joint")}
    tags = [found[name] if found[name] is not None else {} for name in names]
    words = ("damping", "friction", "armature", "spring_stiffness", "spring_reference")
    return {word: np.array([float(tag.get(word, 0)) for tag in tags]) for word in words}


def by_figaroh(model: pinocchio.Model, used, held, terms: list[str]) -> np.ndarray:
    """What figaroh's parameters of some states make of the forces of others."""
    from figaroh.identification.identification_tools import weigthed_least_squares
    from figaroh.tools.qrdecomposition import get_baseIndex
    from figaroh.tools.regressor import (
        build_regressor_basic,
        build_regressor_reduced,
        get_index_eliminate,
    )

    robot = SimpleNamespace(model=model, data=model.createData())
    joints = list(range(model.nv))
    settings = {"act_idxv": joints, "act_idxq": joints, "has_friction": True}
    settings |= {"has_joint_offset": True, "has_actuator_inertia": "armature" in terms}

    def regressor(states):
        return build_regressor_basic(robot, states.q, states.qd, states.qdd, settings)

    free = used.rows(np.flatnonzero(~used.turns.any(axis=1)))
    W, tau = regressor(free), free.tau.T.ravel()
    left_out, kept = get_index_eliminate(W, {str(k): 0.0 for k in range(W.shape[1])})
    base = list(get_baseIndex(build_regressor_reduced(W, left_out), kept))
    Y = build_regressor_reduced(W, left_out)[:, base]
    values = np.linalg.lstsq(Y, tau, rcond=None)[0]
    settings["idx_tau_stop"] = [len(free) * (k + 1) for k in joints]
    values = weigthed_least_squares(robot, values, Y, tau, Y @ values, settings)
    told = build_regressor_reduced(regressor(held), left_out)[:, base] @ values
    return told.reshape(model.nv, -1).T


def together(parts):
    """One motion of several."""
    fields = ("q", "qd", "qdd", "tau", "turns")
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in fields}
    return type(parts[0])(None, **arrays)


def main(words: list[str], folder: str) -> None:
    """Prints a line for each joint."""
    better, told = f"{folder}/better.urdf", f"{folder}/found.json"
    assert identify([*words, "-o", better, "--json", told, "--quiet"]) == 0
    found = json.loads(Path(told).read_text())
    options = parser().parse_args(words)
    terms = [*options.terms, *(["offset"] if options.offset else [])]
    robot = read_model(options).robot
    names = list(robot.joint_names)
    parts = [split(r, motion, False) for r in recordings(options, robot) for motion in r]
    used, held = (together(each) for each in zip(*parts, strict=True))
    own, offsets = joint_terms(better, names), found["terms"].get("offset", {})
    more = own["damping"] * held.qd + own["armature"] * held.qdd
    more += own["friction"] * 1000 * held.qd / np.sqrt((1000 * held.qd) ** 2 + 1)
    more += own["spring_stiffness"] * (held.q - own["spring_reference"])
    more += [offsets.get(name, 0.0) for name in names]
    report = [
        [joint["held_out"][way] for joint in found["joints"]] for way in ("described", "real")
    ]
    columns = dict(zip(("described", "real bodies"), report, strict=True))

    def judged(efforts) -> np.ndarray:
        left = held.tau - efforts
        if "friction" in terms:
            left[held.turns] = np.nan
        return np.sqrt(np.nanmean(left**2, axis=0))

    model, forces = by_pinocchio(better, options)
    assert list(model.names)[1:] == names
    columns["Pinocchio"] = judged(forces(held.q, held.qd, held.qdd) + more)
    try:
        columns["MuJoCo"] = judged(
            by_mujoco(better, names, options)(held.q, held.qd, held.qdd) + more
        )
    except ImportError as error:
        print(f"note: {error}", file=sys.stderr)
    try:
        before, _ = by_pinocchio(options.model, options)
        columns["figaroh"] = judged(by_figaroh(before, used, held, terms))
    except ImportError as error:
        print(f"note: {error}", file=sys.stderr)
    print("".join(f"{name:>12}" for name in columns), " joint")
    for row in zip(*columns.values(), names, strict=True):
        print("".join(f"{x:12.4g}" for x in row[:-1]), f" {row[-1]}")


if __name__ == "__main__":
    with usage(__doc__, 2), tempfile.TemporaryDirectory() as folder:
        main(sys.argv[1:], folder)

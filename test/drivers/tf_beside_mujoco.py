"""/tf from motors alone beside MuJoCo: a line for each MJCF with loops.

    python -m test.drivers.tf_beside_mujoco FILE [LOOPS]

The node `transform_publisher` runs as a process and hears positions of motors; where the bodies of
MuJoCo's model are is compared with the chains of its transforms.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

from robcogen_ros.cli.against.mujoco_reading import without_meshes
from robcogen_ros.formats.read import read
from robcogen_ros.model.quaternions import rotation
from robcogen_ros.runtime.robots.measured_joints import MeasuredJoints, start
from test.drivers.beside_mujoco import Beside
from test.drivers.usage import mujoco, usage
from test.ros.harness import LATCHED, Node, Probe, confine

Array = NDArray[np.float64]

_NAMESPACE = "/beside"


def compare(path: str, loops: str | None, states: int = 10) -> str:
    """What was compared, and the largest difference of a pose."""
    beside = Beside(without_meshes(mujoco, path), read(path, loops=loops))
    ours, model, data = beside.ours, beside.model, beside.data
    motors = [name for name in ours.actuated if name in ours.moving_joint_names]
    measured = MeasuredJoints(ours, motors)
    free = [k for k in range(ours.n) if k not in measured.determined]
    begin = start(ours)
    order = [ours.moving_joint_names.index(joint.name) for joint in beside.joints]
    parameters = {"ignore_timestamp": "true", "publish_frequency": "0.0"}
    if free:
        told = (f"'{ours.joint_names[k]}:={float(begin[k])!r}'" for k in free)
        parameters["default_positions"] = f"[{', '.join(told)}]"
    if loops:
        parameters["loops"] = loops
    probe, random = Probe(), np.random.default_rng(54)
    node = Node("transform_publisher", _NAMESPACE, [path], **parameters)
    heard = probe.listen(TFMessage, "/tf", 100)
    latched = probe.listen(TFMessage, "/tf_static", LATCHED)
    talk = probe.node.create_publisher(JointState, f"{_NAMESPACE}/joint_states", 10)
    worst, gap, bodies = 0.0, 0.0, set[str]()
    try:
        for _ in range(states):
            q, t = begin.copy(), np.array([np.nan])
            while not np.isfinite(t).all():
                q[[*measured.determined]] = begin[[*measured.determined]] + random.uniform(
                    -0.2, 0.2, len(measured.determined)
                )
                q = np.clip(q, ours.lower_limits, ours.upper_limits)
                t = ours.joint_positions(q)
            beside._place(t[order], 0 * t)
            mujoco.mj_fwdPosition(model, data)
            gap = max(gap, float(np.abs(data.efc_pos).max(initial=0.0)))
            rows = [ours.moving_joint_names.index(name) for name in motors]
            state = JointState(name=motors, position=t[rows].tolist())
            heard.clear()

            def send(state: JointState = state) -> None:
                state.header.stamp = probe.stamp()
                talk.publish(state)

            probe.until(lambda: heard and latched, meanwhile=send)
            probe.spin(0.1)
            edges = {x.child_frame_id: x for m in (*latched, heard[-1]) for x in m.transforms}
            for name, X in _chained(edges, beside.reading.robot.links[0].name).items():
                body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)
                if body >= 0:
                    bodies.add(name)
                    expected = _of(data, body)
                    worst = max(worst, float(np.abs(X - expected).max()))
    finally:
        code, said = node.end()
        probe.close()
    if code:
        raise SystemExit(said)
    return (
        f"{len(motors)} motors, {ours.n} coordinates, {len(ours.moving_joint_names)} joints, "
        f"{len(bodies)} of {model.nbody} bodies, {states} states: poses {worst:.1e}, "
        f"equalities {gap:.1e}"
    )


def _of(data: mujoco.MjData, body: int) -> Array:
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = data.xmat[body].reshape(3, 3), data.xpos[body]
    return X


def _chained(edges: dict[str, object], root: str) -> dict[str, Array]:
    """Where each frame is in the root."""
    found = {root: np.eye(4)}
    while more := {
        name: found[x.header.frame_id] @ _matrix(x.transform)
        for name, x in edges.items()
        if name not in found and x.header.frame_id in found
    }:
        found |= more
    return found


def _matrix(transform: object) -> Array:
    t, r = transform.translation, transform.rotation
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = rotation(np.array([r.x, r.y, r.z, r.w])), (t.x, t.y, t.z)
    return X


if __name__ == "__main__":
    with usage(__doc__, 1):
        confine()
        print(compare(sys.argv[1], sys.argv[2] if sys.argv[2:] else None))

"""The file that `identify` writes: only numbers differ, and others find the promised errors."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pinocchio
import pytest
import yaml

import robcogen_ros
from robcogen_ros.cli import identify
from robcogen_ros.cli.main import main
from robcogen_ros.runtime.evaluators.evaluator import NumpyEvaluator
from test.support.recordings import sines, write_npz

URDF = """<?xml version="1.0"?>
<!-- an arm whose file is wrong: the fore arm is too light -->
<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial>  <!-- axes of its own, single quotes -->
      <mass value='2.5'/>
      <origin rpy="0.3 -0.2 0.5" xyz="0.18 0.01 0.02"/>
      <inertia ixx="0.02" iyy="0.05" izz="0.052" ixy="0.0015" ixz="0.002" iyz="-0.0008"/>
    </inertial>
  </link>
  <link name="flange"/>
  <link name="fore">
    <inertial>
      <mass value="{mass}"/>
      <inertia ixx="0.013" iyy="0.02" izz="0.021" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <link name="hand">
    <inertial><origin xyz="0 0 0.05"/><mass value="0.4"/>
      <inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="lift" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-9" upper="9" effort="60" velocity="6"/>
    <dynamics damping="0.1"/>
  </joint>
  <joint name="turn" type="revolute">
    <parent link="upper"/><child link="flange"/><origin xyz="0.4 0 0" rpy="0.1 0 0"/>
    <axis xyz="1 0 0"/>
    <limit lower="-9" upper="9" effort="30" velocity="6"/>
  </joint>
  <joint name="mount" type="fixed">
    <parent link="flange"/><child link="fore"/><origin xyz="0.1 0.05 0" rpy="0 0.7 0"/>
  </joint>
  <joint name="grip" type="fixed">
    <parent link="fore"/><child link="hand"/><origin xyz="0.2 0 0"/>
  </joint>
</robot>
"""
FRICTION = {"damping": np.array([0.5, 0.2]), "friction": np.array([0.7, 0.3])}


def soft_sign(qd):
    return 1000 * qd / np.sqrt((1000 * qd) ** 2 + 1)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The wrong file, the one that was made of it, what was told, and the motion."""
    folder = tmp_path_factory.mktemp("arm")
    (folder / "true.urdf").write_text(URDF.format(mass=1.2))
    (folder / "arm.urdf").write_text(URDF.format(mass=0.3))
    robot = robcogen_ros.build(folder / "true.urdf", backend="numpy")
    motion = sines(2, 6000, step=0.005)
    tau = robot.inverse_dynamics(motion.q, motion.qd, motion.qdd)
    tau += FRICTION["damping"] * motion.qd + FRICTION["friction"] * soft_sign(motion.qd)
    tau += 0.05 * np.random.default_rng(0).normal(size=tau.shape)
    motion = replace(motion, tau=tau)
    write_npz(folder / "run.npz", motion, robot.joint_names)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(identify, "build_compiled", NumpyEvaluator)
        words = ["arm.urdf", "run.npz", "--with", "friction", "--with", "damping"]
        words = [str(folder / w) if "." in w else w for w in words]
        out = ["-o", str(folder / "new.urdf"), "--json", str(folder / "new.json")]
        out += ["--html", str(folder / "new.html")]
        out += ["--controller-parameters", str(folder / "new.yaml")]
        assert main(["identify", *words, *out]) == 0
    return folder, json.loads((folder / "new.json").read_text()), motion


def test_only_numbers_change(written):
    folder, _, _ = written
    before, after = (folder / "arm.urdf").read_text(), (folder / "new.urdf").read_text()
    added = re.sub(r' friction="[^"]*"/>', "/>", after, count=1)
    origin, dynamics = (
        '      <origin xyz="[^"]*"/>',
        '    <dynamics damping="[^"]*" friction="[^"]*"/>',
    )
    for line in (origin, dynamics):
        added, count = re.subn(f"{line}\n", "", added)
        assert count == 1
    number = r"-?\d+\.?\d*(e-?\d+)?"
    assert re.sub(number, "0", added).splitlines() == re.sub(number, "0", before).splitlines()
    hand = before.split('name="hand"')[1].split("</link>")[0]
    assert hand in after


def by_pinocchio(file):
    model = pinocchio.buildModelFromUrdf(str(file))
    data = model.createData()
    return lambda q, qd, qdd: pinocchio.rnea(model, data, q, qd, qdd)


def by_mujoco(file):
    mujoco = pytest.importorskip("mujoco")
    model = mujoco.MjModel.from_xml_path(str(file))
    model.dof_damping[:] = model.dof_frictionloss[:] = 0
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    data = mujoco.MjData(model)

    def forces(q, qd, qdd):
        data.qpos[:], data.qvel[:], data.qacc[:] = q, qd, qdd
        mujoco.mj_inverse(model, data)
        return data.qfrc_inverse.copy()

    return forces


@pytest.mark.parametrize("of_file", [by_pinocchio, by_mujoco])
def test_other_programs_find_the_errors_that_were_promised(written, of_file):
    """Held out are the third and the eighth tenth of the recording."""
    folder, told, motion = written
    forces = of_file(folder / "new.urdf")
    piece = motion.time[-1] / 10
    out = np.isin(np.minimum((motion.time / piece).astype(int), 9), (2, 7))
    terms = [np.array([*told["terms"][t].values()]) for t in ("damping", "friction")]
    left = []
    for q, qd, qdd, tau in zip(*(a[out] for _, a in motion.arrays()), strict=True):
        left.append(tau - forces(q, qd, qdd) - terms[0] * qd - terms[1] * soft_sign(qd))
    found = np.sqrt(np.mean(np.square(left), axis=0))
    promised = [joint["held_out"]["real"] for joint in told["joints"]]
    np.testing.assert_allclose(found, promised, rtol=1e-4)
    assert found == pytest.approx(0.05, rel=0.1)
    assert told["joints"][0]["held_out"]["described"] > 1
    read = {
        j.name: j for j in robcogen_ros.formats.read.read(folder / "new.urdf").description.joints
    }
    assert read["turn"].friction == pytest.approx(told["terms"]["friction"]["turn"])


def test_the_light_body_gets_its_mass_and_what_it_holds_keeps_its(written):
    _, told, _ = written
    masses = {body["name"]: body["mass"] for body in told["bodies"]}
    assert masses.keys() == {"upper", "fore"}
    assert 0.6 < masses["fore"] < 1.3


def test_the_page_has_the_numbers_of_the_json_and_needs_nothing_else(written):
    folder, told, _ = written
    page = (folder / "new.html").read_text()
    assert not re.search(r"https?://|<script|<link|src=", page)
    for parameter in told["parameters"]:
        assert f"<td>{parameter['value']:.5g}</td>" in page
    root = ElementTree.fromstring(page.partition("\n")[2].replace('<meta charset="utf-8">', ""))
    drawings = list(root.iter("svg"))
    assert len(drawings) == 2 + 2 * 2
    assert [len(list(each.iter("ellipse"))) for each in drawings] == [0, 0, 2, 2, 2, 2]
    assert "Known worst" in page


def test_an_open_model_of_the_old_file_becomes_the_new_one(written):
    folder, _, motion = written
    given = yaml.safe_load((folder / "new.yaml").read_text())["/**"]["ros__parameters"]
    old, new = (
        robcogen_ros.build(folder / f"{name}.urdf", backend="numpy", **options)
        for name, options in (("arm", {"parameters": ["upper", "fore"]}), ("new", {}))
    )
    old.parameters.update({name.removeprefix("model."): value for name, value in given.items()})
    states = [array[:5] for name, array in motion.arrays() if name != "tau"]
    np.testing.assert_allclose(old.inverse_dynamics(*states), new.inverse_dynamics(*states))

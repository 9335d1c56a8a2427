"""Loops that the equalities of an MJCF close beside a description."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.cli.main import main
from robcogen_ros.errors import ModelError
from robcogen_ros.formats.read import Reading, read
from test.support.linkage_oracle import Linkage
from test.support.linkages import ANKLE, ANKLE_LOOPS, FOUR_BAR, reading

EQUALITIES = """\
<mujoco>
  <worldbody><body name="right_rod"><site name="end" pos="0 0 -0.25"/></body>
    <body name="tool"><site name="heel" pos="-0.06 -0.05 0"/></body></worldbody>
  <equality>
    <connect name="left" body1="left_rod" body2="tool" anchor="0 0 -0.25"/>
    <connect site1="end" site2="heel"/>
  </equality>
  <actuator><motor joint="left_motor"/><motor joint="right_motor"/></actuator>
</mujoco>
"""


def with_equalities(folder: Path, equalities: str, urdf: str = ANKLE) -> Reading:
    model, file = folder / "robot.urdf", folder / "robot.xml"
    model.write_text(urdf)
    file.write_text(equalities)
    return read(model, loops=file)


def test_equalities_of_mjcf_are_loops(tmp_path: Path) -> None:
    found = with_equalities(tmp_path, EQUALITIES)
    assert found.robot.joint_names == ("left_motor", "right_motor")
    assert found.description.linked == ("left", "loop2")
    expected = reading(tmp_path, ANKLE_LOOPS, ANKLE).robot
    assert found.robot.joints == expected.joints
    for name in ("closing_left_1", "closing_left_2"):
        places = [r.frames[r.frame_index(name)].pose.translation for r in (found.robot, expected)]
        np.testing.assert_allclose(*([float(x) for x in place] for place in places), atol=1e-15)


def test_robots_with_equalities_are_those_of_mujoco(tmp_path: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    linkage = Linkage.of(tmp_path, ANKLE, EQUALITIES)
    spec = mujoco.MjSpec.from_string(ANKLE)
    sites = (("right_rod", "end", [0, 0, -0.25]), ("tool", "heel", [-0.06, -0.05, 0]))
    for body, name, place in sites:
        spec.body(body).add_site(name=name, pos=place)
    kinds = mujoco.mjtObj.mjOBJ_BODY, mujoco.mjtObj.mjOBJ_SITE
    for kind, first, second in zip(kinds, ("left_rod", "end"), ("tool", "heel"), strict=True):
        closing = spec.add_equality(type=mujoco.mjtEq.mjEQ_CONNECT, name1=first, name2=second)
        closing.objtype = kind
        closing.data[:3] = [0, 0, -0.25] if first == "left_rod" else [0, 0, 0]
    model = spec.compile()
    data = mujoco.MjData(model)
    own = [model.joint(name).qposadr[0] for name in linkage.tree.joint_names]
    for t in linkage.positions(5):
        data.qpos[own] = t
        mujoco.mj_forward(model, data)
        K = data.efc_J.reshape(-1, model.nv)[:6, own]
        H = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, H)
        G = np.zeros((len(t), 2))
        G[linkage.free] = np.eye(2)
        G[linkage.dependent] = -np.linalg.solve(K[:, linkage.dependent], K[:, linkage.free])
        expected = G.T @ H[np.ix_(own, own)] @ G
        found = linkage.of_robot("inertia_matrix", q=t[linkage.free])
        np.testing.assert_allclose(found, expected, rtol=1e-10)
        names = [joint.name for joint in linkage.robot.joints]
        rates = linkage.of_robot("coordinate_jacobian", q=t[linkage.free])
        ours = rates[[names.index(name) for name in linkage.tree.joint_names]]
        np.testing.assert_allclose(K @ ours, 0, atol=1e-10)


@pytest.mark.parametrize(
    ("change", "place", "message"),
    [
        (('body1="left_rod"', 'body1="left_rd"'), "5:33", "no link 'left_rd'; did you mean"),
        ((' anchor="0 0 -0.25"', ""), "5:5", "anchor expected, found none"),
        (('anchor="0 0 -0.25"', 'anchor="0 0"'), "5:64", "expected 3 numbers, found 2: '0 0'"),
        (('site1="end"', 'site1="ends"'), "6:21", "no site 'ends'; did you mean 'end'?"),
        (("<connect site1", "<tendon site1"), "6:5", "<tendon> is not read"),
        (('body2="tool"', 'body2="left_rod"'), "5:5", "both ends of loop 'left' are on link"),
        (("<mujoco>", "<robot>"), "1:1", "expected <mujoco> or a YAML file, found <robot>"),
        (("<equality>", "<inequality>"), "1:1", "expected an <equality>, found none"),
        (
            ('<connect site1="end" site2="heel"/>', '<joint joint1="roll" joint2="pitsch"/>'),
            "6:34",
            "there is no joint 'pitsch'; did you mean 'pitch'?",
        ),
        (
            (
                '<connect site1="end" site2="heel"/>',
                '<joint joint1="roll" joint2="pitch" polycoef="0 1 2"/>' * 2,
            ),
            "6:59",
            "joint 'roll' follows joint 'pitch' otherwise",
        ),
        (
            (
                '<connect site1="end" site2="heel"/>',
                '<joint joint1="roll" joint2="pitch" polycoef="0 1 2"/>'
                '<joint joint1="pitch" joint2="roll"/>',
            ),
            "6:59",
            "joint 'roll' follows joint 'pitch', so that cannot follow it too",
        ),
    ],
)
def test_mistakes_in_equalities_are_told(
    tmp_path: Path, change: tuple[str, str], place: str, message: str
) -> None:
    text = EQUALITIES
    for old, new in (change, tuple(c.replace("<", "</", 1) for c in change)):
        text = text.replace(old, new)
    with pytest.raises(ModelError) as error:
        with_equalities(tmp_path, text)
    (problem,) = error.value.problems
    assert str(problem.location) == f"{tmp_path / 'robot.xml'}:{place}"
    assert message in problem.message


def test_joint_equalities_are_mimics(tmp_path: Path) -> None:
    joint = '<joint joint1="pin" joint2="drive" polycoef="0.1 -2"/>'
    text = f"<mujoco><equality>{joint}</equality></mujoco>"
    found = with_equalities(tmp_path, text, FOUR_BAR)
    assert "pin" not in found.robot.joint_names
    pin = next(each for each in found.robot.joints if each.name == "pin")
    assert (float(pin.multiplier), float(pin.offset)) == (-2, 0.1)


_ARM = """\
<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body name="a"><joint name="lead" axis="0 1 0" ref="0.3"/><geom type="box" size="1 2 3"/>
      <body name="b" pos="0 0 1"><joint name="slope" axis="0 1 1" ref="-0.2"/><geom size="0.4"/>
        <body name="c" pos="1 0 0"><joint name="cam" axis="1 0 0"/><geom size="0.3" pos="0 1 0"/>
          <body name="d" pos="1 0 0"><joint name="slide" type="slide" ref="0.1" axis="1 1 0"/>
            <geom type="box" size="0.1 0.2 0.3"/>
            <body name="e"><joint name="free" axis="0 1 0"/><geom size="0.2" pos="0 0 1"/></body>
          </body></body></body></body>
  </worldbody>
  <equality>
    <joint joint1="slide" joint2="cam" polycoef="0 0.3 0.2 -0.1"/>
    <joint joint1="cam" joint2="slope" polycoef="0.2 1 0.5 -0.3 0.1"/>
    <joint joint1="slope" joint2="lead" polycoef="0.4"/>
  </equality>
</mujoco>
"""


def test_polynomials_are_those_of_mujoco(tmp_path: Path) -> None:
    """Through references, one after the other; numbers that are left out are MuJoCo's."""
    mujoco = pytest.importorskip("mujoco")
    from test.drivers.beside_mujoco import Beside

    file = tmp_path / "arm.xml"
    file.write_text(_ARM)
    found = read(file)
    assert found.robot.joint_names == ("lead", "free")
    Beside(mujoco.MjModel.from_xml_string(_ARM), found).agree()
    written = tmp_path / "written.xml"
    assert main(["urdf2mjcf", str(file), "-o", str(written)]) == 0
    again = mujoco.MjModel.from_xml_path(str(written))
    Beside(again, read(written)).agree()
    data = mujoco.MjData(again)
    mujoco.mj_resetDataKeyframe(again, data, 0)
    mujoco.mj_forward(again, data)
    assert data.ne == 3
    np.testing.assert_allclose(data.efc_pos[:3], 0, atol=1e-12)
    held = read(file, lock={"lead": 0.5}).robot
    assert held.joint_names == ("free",)
    with pytest.raises(ModelError, match="joint 'cam' follows joint 'slope' by a polynomial"):
        read(file, lock={"cam": 0.5})
    assert read(file, root="d", gravity=(0, 0, -9.81)).robot.joint_names == ("free",)


def test_a_position_is_suggested_where_springs_are_near_their_rest(tmp_path: Path) -> None:
    """All links lie on a line, from where they can go two ways."""

    def body(name: str, place: float, joint: str, more: str = "") -> str:
        return (
            f'<body name="{name}" pos="{place} 0 0"><joint name="{joint}" axis="0 0 1" {more}/>'
            '<geom type="sphere" size="0.1" mass="1"/>'
        )

    spring = body("toe", 0.5, "spring", 'stiffness="50" springref="0.6"')
    limbs = body("crank", 0.0, "drive") + body("coupler", 0.3, "elbow") + spring
    (tmp_path / "line.xml").write_text(
        '<mujoco><compiler angle="radian"/>'
        f"<worldbody>{limbs}</body></body></body>{body('rocker', 0.9, 'rock')}</body>"
        '</worldbody><equality><connect body1="toe" body2="rocker" anchor="0.3 0 0"/></equality>'
        "</mujoco>"
    )
    with pytest.raises(ModelError, match="dead centre") as error:
        read(tmp_path / "line.xml")
    found = re.search("spring: ([^,]*)", error.value.problems[0].message)
    assert found is not None
    assert float(found[1]) == pytest.approx(0.6, abs=0.1)

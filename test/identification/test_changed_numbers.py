"""Other numbers in texts of each format: read again they are the ones, and all else is the same."""

from __future__ import annotations

import re
from argparse import Namespace

import numpy as np
import pytest

from robcogen_ros.cli.identified.file import check_file
from robcogen_ros.errors import ModelError, RobcogenError
from robcogen_ros.formats.changed.edits import BodyNumbers
from robcogen_ros.formats.changed.kindsl import changed_kindsl
from robcogen_ros.formats.changed.mjcf import changed_mjcf
from robcogen_ros.formats.load import load
from robcogen_ros.formats.source import Source

KINDSL = """// an arm whose file is wrong
Robot arm {
    RobotBase base { children { upper via lift } }
    link upper {
        id = 1
        inertia_params {
            mass = 2.5   // kg
            CoM = (0.2, -0.1*0.5, 0.01)
            Ix = 0.03  Iy=0.16 Iz = 0.17  Ixy = -0.001 Ixz=0.002 Iyz = 0.0
            ref_frame = mid
        }
        children { fore via turn }
        frames { mid { translation = (0.1, 0.0, 0.02) rotation = (0.3, 0.1, -0.2) } }
    }
    link fore {
        id = 2
        inertia_params {
            mass = m[0.3] CoM = (0.15, 0.02, 0.0)
            Ix = 0.01 Iy=0.05 Iz = 0.055 Ixy = 0.0 Ixz=0.0 Iyz = 0.0
        }
        children {}
    }
    r_joint lift {
        ref_frame { translation = (0.0, 0.0, 0.0) rotation = (-PI/2, 0.0, 0.0) }
        friction { viscous = 0.1 }
    }
    r_joint turn { ref_frame { translation = (0.4, 0.0, 0.0) rotation = (0.0, PI/2, 0.0) } }
}
"""
MJCF = """<mujoco model="arm">
  <compiler angle="radian"/>
  <default><joint damping="0.1"/></default>
  <worldbody>
    <body name="upper" pos="0 0 0.1">
      <joint name="lift" axis="0 1 0"/>  <!-- the first -->
      <inertial pos="0.2 0 0.01" mass='2.5' diaginertia="0.02 0.03 0.04" quat="0.6 0 0.8 0"/>
      <body name="fore" pos="0.4 0 0" euler="0.1 0 0">
        <joint name="turn" axis="1 0 0"/>
        <geom type="box" size="0.2 0.05 0.04" pos="0.1 0.05 0" mass="0.3" euler="0 0.4 0"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
BODY = BodyNumbers(
    1.7,
    np.array([0.11, -0.02, 0.03]),
    np.array([[0.02, 0.001, -0.002], [0.001, 0.03, 0.003], [-0.002, 0.003, 0.035]]),
)
TERMS = {"damping": 0.4, "friction": 0.6, "armature": 0.02, "stiffness": 12.0, "rest": -0.3}
CHANGED = {"kindsl": changed_kindsl, "mjcf": changed_mjcf}


def changed(kind: str, text: str, bodies, joints=None):
    name = {"kindsl": "arm.kindsl", "mjcf": "arm.xml"}[kind]
    source = Source(name, text)
    new = CHANGED[kind](source, load(source), bodies, joints or {})
    return new, load(Source(name, new))


def assert_read(found, name: str) -> None:
    """A body about the origin of its link's frame, by the parallel axes' theorem."""
    inertia = next(link.inertial for link in found.links if link.name == name).spatial()
    c = BODY.center
    tensor = BODY.tensor + BODY.mass * (c @ c * np.eye(3) - np.outer(c, c))
    assert float(inertia.mass) == pytest.approx(BODY.mass)
    np.testing.assert_allclose([float(x) for x in inertia.moment], BODY.mass * c, rtol=1e-9)
    entries = tensor[np.triu_indices(3)]
    np.testing.assert_allclose([float(x) for x in inertia.tensor], entries, rtol=1e-9)


DEGREES = MJCF.replace('compiler angle="radian"', "compiler").replace('"0.1 0 0"', '"5 0 0"')


@pytest.mark.parametrize(("kind", "text"), [("kindsl", KINDSL), ("mjcf", MJCF), ("mjcf", DEGREES)])
def test_what_is_read_again_is_what_was_found(kind, text):
    new, found = changed(kind, text, {"upper": BODY}, {"lift": TERMS, "turn": TERMS})
    assert_read(found, "upper")
    for joint in [j for j in found.joints if j.kind != "fixed"]:
        assert {term: getattr(joint, term) for term in TERMS} == pytest.approx(TERMS, abs=1e-12)
    known = next(link for link in found.links if link.name == "fore")
    before = load(Source({"kindsl": "a.kindsl", "mjcf": "a.xml"}[kind], text))
    assert known.inertial.spatial() == before.links[-1].inertial.spatial()
    assert re.search(r"// kg|<!-- the first -->", new)


def test_only_numbers_of_a_document_change():
    new, _ = changed("kindsl", KINDSL, {"upper": BODY}, {"lift": {"damping": 0.4}})
    shape = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?(\*0\.5)?")
    assert shape.sub("0", new) == shape.sub("0", KINDSL)


def test_a_body_of_geoms_gets_an_inertial():
    new, found = changed("mjcf", MJCF, {"fore": BODY})
    assert_read(found, "fore")
    added = [line for line in new.splitlines() if line not in MJCF.splitlines()]
    assert len(added) == 1
    assert re.fullmatch(r" {8}<inertial [^>]*/>", added[0])


def test_mujoco_reads_the_same():
    mujoco = pytest.importorskip("mujoco")
    new, _ = changed("mjcf", MJCF, {"upper": BODY, "fore": BODY}, {"turn": TERMS})
    model = mujoco.MjModel.from_xml_string(new)
    np.testing.assert_allclose(model.body_mass[1:], BODY.mass)
    np.testing.assert_allclose(model.body_ipos[1:], [BODY.center] * 2)
    np.testing.assert_allclose(np.sort(model.body_inertia[2]), np.linalg.eigvalsh(BODY.tensor))
    assert (model.dof_damping[1], model.dof_frictionloss[1], model.dof_armature[1]) == (
        *(0.4, 0.6, 0.02),
    )


LIMBS = """Robot legs {
    limb leg() {
        children { thigh via hip }
        link thigh {
            inertia_params {
                mass = 1.0 CoM = (0.1, 0.0, 0.0)
                Ix = 0.01 Iy=0.05 Iz = 0.055 Ixy = 0.0 Ixz=0.0 Iyz = 0.0
            }
            children {}
        }
        r_joint hip { ref_frame { translation = (0.0, 0.0, 0.0) rotation = (0.0, 0.0, 0.0) } }
    }
    RobotBase base { children { leg left_() leg right_() } }
}
"""


@pytest.mark.parametrize(
    ("kind", "text", "link", "message"),
    [
        ("kindsl", KINDSL, "fore", r"arm.kindsl:18:20: .*'m\[0.3\]' is computed of names"),
        ("kindsl", LIMBS, "left_thigh", "arm.kindsl:4:9: .*and right_thigh are written here once"),
    ],
)
def test_numbers_that_are_not_one_link_s_own_are_refused(kind, text, link, message):
    with pytest.raises(ModelError, match=message):
        changed(kind, text, {link: BODY})


def test_bodies_of_included_files_are_refused(tmp_path):
    begin, end = MJCF.index("    <body"), MJCF.index("  </worldbody>")
    (tmp_path / "bodies.xml").write_text(f"<mujoco>{MJCF[begin:end]}</mujoco>")
    (tmp_path / "a.xml").write_text(f'{MJCF[:begin]}<include file="bodies.xml"/>{MJCF[end:]}')
    file = str(tmp_path / "a.xml")
    source = Source(file, (tmp_path / "a.xml").read_text(), (file,))
    with pytest.raises(ModelError, match="upper is written in an included file"):
        changed_mjcf(source, load(file), {"upper": BODY}, {})


def options(output: str) -> Namespace:
    return Namespace(
        output=output,
        format=None,
        controller_parameters=None,
        xacro_args=[("m", "2")],
        package_paths=[],
    )


def test_a_xacro_s_expansion_is_what_changes():
    text = """<robot name="a" xmlns:xacro="http://www.ros.org/wiki/xacro">
      <xacro:arg name="m" default="1"/><link name="base"/>
      <link name="b"><inertial><mass value="$(arg m)"/></inertial></link></robot>"""
    source = Source("a.xacro", text)
    assert '<mass value="2"/>' in check_file(options("a.urdf"), source).text
    assert check_file(options("a.yaml"), source) is source


@pytest.mark.parametrize("output", ["a.urdf", "a.xacro", "a"])
def test_a_file_of_another_format_is_not_written(output):
    with pytest.raises(RobcogenError, match=r"to a file that ends in .kindsl, or a table"):
        check_file(options(output), Source("a.kindsl", KINDSL))

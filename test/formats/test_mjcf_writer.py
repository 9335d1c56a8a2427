"""MJCF as we write it, and the command urdf2mjcf; what MuJoCo computes is in test/oracle."""

from __future__ import annotations

import io
import re
import struct
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.bench.robots import robots_directory
from robcogen_ros.cli.main import main

BODY = (
    '<inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
)
JOINT = '<joint name="{}" type="{}"><parent link="{}"/><child link="{}"/>{}</joint>'


def joint(name, kind, parent, child, more=""):
    return JOINT.format(name, kind, parent, child, more)


def links(*names, base=""):
    return f'<link name="base">{base}</link>' + "".join(
        f'<link name="{name}">{BODY}</link>' for name in names
    )


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    """Runs the command on a text; gives the root of what it writes, and what it says."""
    monkeypatch.chdir(tmp_path)

    def run(text: str, *options: str, name: str = "r.urdf"):
        Path(name).write_text(f'<robot name="r">{text}</robot>' if "urdf" in name else text)
        Path("r.xml").unlink(missing_ok=True)
        code = main(["urdf2mjcf", name, "-o", "r.xml", *options])
        told = capsys.readouterr().err
        assert code == (0 if Path("r.xml").exists() else 1)
        return (ElementTree.parse("r.xml").getroot() if code == 0 else None), told

    return run


def test_joints_keep_all_they_have(command):
    hinge = (
        '<origin xyz="0 0 1" rpy="1.5707963267948966 0 0"/><axis xyz="0 2 0"/>'
        '<limit lower="-1" upper="2" effort="7" velocity="3"/>'
        '<dynamics damping="0.3" friction="0.2" armature="0.1"/>'
    )
    slider = '<axis xyz="0 0 1"/><limit upper="0.5" lower="-inf"/>'
    text = links("a", "b") + joint("j", "revolute", "base", "a", hinge)
    root, told = command(text + joint("k", "prismatic", "a", "b", slider))
    assert told == "note: MuJoCo has no limits of velocity: left out are those of j\n"
    first, second = root.iter("joint")
    assert first.attrib == {
        "name": "j",
        "type": "hinge",
        "axis": "0 1 0",
        "range": "-1 2",
        "actuatorfrcrange": "-7 7",
        "damping": "0.3",
        "frictionloss": "0.2",
        "armature": "0.1",
    }
    assert second.attrib == {"name": "k", "type": "slide", "axis": "0 0 1", "range": "-1e+16 0.5"}
    body = root.find(".//body[@name='a']")
    assert body.get("pos") == "0 0 1"
    turn = [float(x) for x in body.get("quat").split()]
    assert turn == pytest.approx([np.sqrt(0.5), np.sqrt(0.5), 0, 0], abs=1e-15)
    assert body.find("inertial").attrib == {"pos": "0 0 0", "mass": "1", "diaginertia": "1 1 1"}


def test_mujoco_is_told_to_change_nothing(command):
    root, _ = command(links("a") + joint("j", "continuous", "base", "a"))
    assert root.find("compiler").attrib == {
        "angle": "radian",
        "autolimits": "true",
        "balanceinertia": "false",
        "boundmass": "0",
        "boundinertia": "0",
        "inertiafromgeom": "false",
        "fusestatic": "false",
    }
    assert root.find("option").attrib == {"gravity": "0 0 -9.81"}


def test_followers_are_held_by_equalities_and_start_where_these_hold(command):
    text = links("a", "b", "c") + joint("j", "continuous", "base", "a")
    more = '<mimic joint="j" multiplier="2" offset="0.1"/><limit effort="5" velocity="4"/>'
    text += joint("k", "continuous", "a", "b", more)
    text += joint("l", "continuous", "b", "c", '<mimic joint="k" multiplier="-3"/>')
    root, _ = command(text, "--floating-base")
    assert root.find(".//joint[@name='k']").get("actuatorfrcrange") is None
    found = [e.attrib for e in root.find("equality")]
    assert [(e["joint1"], e["joint2"]) for e in found] == [("k", "j"), ("l", "j")]
    factors = [[float(x) for x in e["polycoef"].split()] for e in found]
    assert np.array(factors) == pytest.approx(np.array([[0.1, 2, 0, 0, 0], [-0.3, -6, 0, 0, 0]]))
    assert root.find("keyframe/key").get("qpos") == "0 0 0 1 0 0 0 0 0.1 -0.3"
    assert root.find("worldbody/body/freejoint").get("name") == "base_floating"


def test_limits_that_leave_no_room_become_an_equality(command):
    held = '<limit lower="0.4" upper="0.4" effort="1" velocity="1"/>'
    root, _ = command(links("a") + joint("j", "revolute", "base", "a", held))
    assert root.find(".//joint").get("range") is None
    equality = root.find("equality/joint")
    assert equality.attrib == {"joint1": "j", "polycoef": "0.4 0 0 0 0"}
    assert root.find("keyframe/key").get("qpos") == "0.4"


def test_links_that_are_fixed_are_sites_of_the_body_that_they_are_part_of(command):
    text = links("a", "tool") + joint("j", "continuous", "base", "a")
    root, _ = command(text + joint("f", "fixed", "a", "tool", '<origin xyz="0 0 0.5"/>'))
    body = root.find(".//body[@name='a']")
    assert body.find("inertial").get("mass") == "2"
    assert body.find("inertial").get("pos") == "0 0 0.25"
    assert body.find("site").attrib == {"name": "tool", "pos": "0 0 0.5"}


def test_a_base_that_is_called_world_is_mujocos(command):
    text = links("a").replace('"base"', '"world"') + joint("j", "continuous", "world", "a")
    root, told = command(text)
    assert told == ""
    assert [body.get("name") for body in root.iter("body")] == ["a"]
    root, told = command(text, "--floating-base", "--accept-inertia")
    assert [body.get("name") for body in root.iter("body")] == ["world_2", "a"]
    assert "note: link 'world' is written as 'world_2', for MuJoCo calls its world so" in told


def test_what_has_no_mass_is_given_what_mujoco_needs(command):
    text = links("b", base=BODY) + '<link name="a"/>' + joint("j", "continuous", "base", "a")
    root, told = command(text + joint("k", "continuous", "a", "b"))
    assert root.find(".//body[@name='a']/inertial").get("mass") == "2e-15"
    assert told == (
        "note: MuJoCo lets nothing move that has no mass: link 'a' is written with 2e-15 kg\n"
    )
    _, told = command(links() + '<link name="a"/>' + joint("j", "continuous", "base", "a"))
    assert "warning: nothing that has mass is moved by j: MuJoCo's simulation of them is" in told


def test_inertia_of_no_body_is_refused_or_on_demand_its_mean(command):
    odd = BODY.replace('izz="1"', 'izz="2.3"')
    text = f'<link name="base"/><link name="a">{odd}</link>' + joint(
        "j", "revolute", "base", "a", '<axis xyz="1 0 0"/>'
    )
    none, told = command(text)
    assert none is None
    assert re.search(r"r\.urdf:1:\d+: error: link 'a', with all that is fixed on it, has the", told)
    assert "are 1, 1, 2.3 kg m^2" in told
    root, told = command(text, "--balance-inertia")
    mean = root.find(".//inertial").get("diaginertia").split()
    assert [float(moment) for moment in mean] == pytest.approx([4.3 / 3] * 3)
    assert "warning: link 'a' is written with the mean of moments that no body has" in told


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
@pytest.mark.parametrize("base", ["", BODY.replace('"1"', '"9"')])
def test_inertia_of_no_body_is_taken_from_the_other_side_of_the_joint(command, kind, base):
    odd = BODY.replace('izz="1"', 'izz="2.3"').replace("<mass", '<origin xyz="0.3 0.2 0"/><mass')
    free = '<axis xyz="0 0 1"/><dynamics damping="0.1"/>'
    text = f'<link name="base">{base}</link><link name="a">{odd}</link>'
    _, told = command(text + joint("j", kind, "base", "a", free), *["--floating-base"] * bool(base))
    assert told.splitlines()[-1] == (
        "note: link 'a' is written with the inertia of a body, which its own is not: what it takes "
        "comes from the other side of the joint, where it moves alike"
    )
    pytest.importorskip("mujoco")
    from test.support.in_mujoco import TERMS, InMujoco, compared
    from test.support.scaled import wrong

    ours = robcogen_ros.build("r.urdf", floating_base=bool(base), backend="numpy", terms=TERMS)
    assert wrong(compared(ours, InMujoco(ours, Path("r.xml")))) == {}


def test_a_flat_body_that_is_turned_is_taken(command):
    mujoco = pytest.importorskip("mujoco")
    flat = BODY.replace('izz="1"', 'izz="2"').replace("<mass", '<origin rpy="0.3 0.5 0.7"/><mass')
    text = f'<link name="base"/><link name="a">{flat}</link>' + joint("j", "revolute", "base", "a")
    command(text)
    model = mujoco.MjModel.from_xml_path("r.xml")
    assert sorted(model.body_inertia[-1]) == pytest.approx([1, 1, 2], rel=1e-12)


def stl(facets: int, thickness: float = 1.0) -> bytes:
    corners = np.random.default_rng(0).normal(size=(facets, 12)).astype("<f4")
    corners[:, 5::3] *= thickness
    records = b"".join(row.tobytes() + b"\0\0" for row in corners)
    return bytes(80) + struct.pack("<I", facets) + records


SHAPES = """<link name="base">
<visual><origin xyz="1 2 3" rpy="0 0 3.141592653589793"/><geometry><box size="2 4 6"/></geometry>
<material name="red"/></visual>
<collision><geometry><cylinder radius="0.5" length="3"/></geometry></collision>
<collision><geometry><sphere radius="0.25"/></geometry></collision>
<collision><geometry><capsule radius="0.1" length="1"/></geometry></collision>
<collision><geometry><sphere radius="0"/></geometry></collision>
<visual><geometry><mesh filename="meshes/a.stl" scale="1 1 -2"/></geometry></visual>
<visual><geometry><mesh filename="meshes/a.stl" scale="1 1 -2"/></geometry></visual>
<collision><geometry><mesh filename="package://nowhere/b.obj"/></geometry></collision>
<collision><geometry><mesh filename="meshes/c.dae"/></geometry></collision>
<collision><geometry><mesh filename="meshes/missing.stl"/></geometry></collision>
<collision><geometry><mesh filename="meshes/text.stl"/></geometry></collision>
<visual><geometry><mesh filename="meshes/flat.stl"/></geometry></visual>
<visual><geometry><mesh filename="meshes/flat.obj"/></geometry></visual>
<visual><geometry><mesh filename="meshes/two.obj"/></geometry></visual>
<visual><geometry><mesh filename="meshes/solid.OBJ"/></geometry></visual>
</link><material name="red"><color rgba="1 0 0 0.5"/></material>"""


def test_shapes_are_where_they_are(command):
    Path("meshes").mkdir()
    Path("meshes/a.stl").write_bytes(stl(40))
    Path("meshes/flat.stl").write_bytes(stl(2, thickness=0))
    corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv {}\nf 1 2 3\nf 1 2 4\nf 2 3 4\nf 1 3 4\n"
    Path("meshes/flat.obj").write_text(corners.format("1 1 0"))
    two = corners.replace("f 2", "g other\nf 2").format("0 0 1")
    Path("meshes/two.obj").write_text(two)
    Path("meshes/solid.OBJ").write_text(corners.format("0 0 1"))
    Path("meshes/c.dae").write_text("<COLLADA/>")
    Path("meshes/text.stl").write_text("solid a\n" + "facet\n" * 100)
    root, told = command(
        SHAPES + f'<link name="a">{BODY}</link>' + joint("j", "continuous", "base", "a")
    )
    geoms = [dict(geom.attrib) for geom in root.iterfind("worldbody/body/geom")]
    assert geoms == [
        {"class": "visual", "type": "box", "size": "1 2 3", "pos": "1 2 3", "quat": "0 0 0 1"}
        | {"rgba": "1 0 0 0.5"},
        {"class": "collision", "type": "cylinder", "size": "0.5 1.5"},
        {"class": "collision", "type": "sphere", "size": "0.25"},
        {"class": "collision", "type": "capsule", "size": "0.1 0.5"},
        {"class": "visual", "type": "mesh", "mesh": "a"},
        {"class": "visual", "type": "mesh", "mesh": "a"},
        {"class": "visual", "type": "mesh", "mesh": "solid"},
    ]
    assert [mesh.attrib for mesh in root.iterfind("asset/mesh")] == [
        {"name": "a", "file": "meshes/a.stl", "scale": "1 1 -2"},
        {"name": "solid", "file": "meshes/solid.OBJ"},
    ]
    for expected in (
        "r.urdf:7:22: warning: a sphere of size 0 is left out: MuJoCo takes none",
        "warning: meshes are left out, for package 'nowhere' is not found (--package-path "
        "nowhere:=DIRECTORY tells it): b.obj",
        "warning: meshes are left out, for MuJoCo takes no flat ones: flat.stl, flat.obj",
        "warning: meshes are left out, for MuJoCo reads the first group of an OBJ alone: two.obj",
        "warning: meshes are left out, for they cannot be read (no scene): c.dae",
        "warning: meshes are left out, for there is no such file: missing.stl",
        "warning: meshes are left out, for MuJoCo reads binary STL of 1 to 200000 facets: text.stl",
    ):
        assert expected in told.splitlines()
    mujoco = pytest.importorskip("mujoco")
    assert mujoco.MjModel.from_xml_path("r.xml").ngeom == len(geoms)


KINDSL = """Robot R {
    RobotBase b { children { l via j }
        frames { eye { translation = (x[1.5], 0, 0) rotation = (0, 0, 0) } } }
    link l { id = 1
        inertia_params { mass = 2 CoM = (0, 0, 0) Ix = 1 Iy = 1 Iz = 1 Ixy = 0 Ixz = 0 Iyz = 0 }
        children {} }
    r_joint j { ref_frame { translation = (0, 0, x[1.5]) rotation = (0, 0, 0) } }
}"""


COLLADA = """<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema"
 version="1.4.1"><asset>{unit}<up_axis>{up}</up_axis></asset>{materials}
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="12">
0 0 0 1 0 0 0 2 0 0 0 3</float_array><technique_common><accessor source="#a" count="4" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
</accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/>
</vertices><triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="outer"><translate>10 0 0</translate>
<node id="inner"><rotate>0 0 1 90</rotate><scale>2 1 1</scale><instance_geometry url="#g"/></node>
</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene>
</COLLADA>"""
"""A tetrahedron with edges 1, 2, 3; its first edge, doubled, along y, the second along -x."""
MILLIMETERS = '<unit name="millimeter" meter="0.001"/>'
BROKEN = """<library_effects><effect id="e"><profile_COMMON><newparam sid="x"><sampler2D>
<source>nothing</source></sampler2D></newparam><technique sid="t"><lambert/></technique>
</profile_COMMON></effect></library_effects><library_materials><material id="m">
<instance_effect url="#e"/></material></library_materials>"""


def collada(unit="", up="Z_UP", materials=""):
    return COLLADA.format(unit=unit, up=up, materials=materials)


def as_obj(command, text, scale="1 1 1"):
    """The element of the mesh that is written for a COLLADA file, and its corners."""
    pytest.importorskip("collada", reason="pycollada is not installed")
    pytest.importorskip("trimesh", reason="trimesh is not installed")
    Path("meshes").mkdir(exist_ok=True)
    Path("meshes/part.dae").write_text(text, encoding="utf-16" if "UTF-16" in text else "utf-8")
    mesh = f'<mesh filename="meshes/part.dae" scale="{scale}"/>'
    base = f"<visual><geometry>{mesh}</geometry></visual>"
    root, told = command(links(base=base + base.replace("visual", "collision")))
    assert told == ""
    (element,) = root.iterfind("asset/mesh")
    rows = [line.split() for line in Path(element.get("file")).read_text().splitlines()]
    return element, np.array([[float(x) for x in row[1:]] for row in rows if row[0] == "v"])


def test_collada_becomes_obj_beside_the_file(command):
    element, corners = as_obj(command, collada(), "1 1 -2")
    assert element.attrib == {"name": "part", "file": "r_meshes/part.obj", "scale": "1 1 -2"}
    expected = [[8, 0, 0], [10, 0, 0], [10, 0, 3], [10, 2, 0]]
    np.testing.assert_allclose(sorted(corners.round(6).tolist()), expected, atol=1e-6)


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        (collada(MILLIMETERS), 1e-3),
        (collada('<unit meter="0.0254"/>', "Y_UP"), 0.0254),
        (collada(materials=BROKEN), 1),
        (collada().replace('version="1.0"', 'version="1.0" encoding="UTF-16"'), 1),
    ],
)
def test_lengths_of_collada_are_in_its_unit_and_its_axes_as_rviz_has_them(command, text, unit):
    _, corners = as_obj(command, text)
    np.testing.assert_allclose(corners.min(axis=0), np.array([8, 0, 0]) * unit, atol=1e-6 * unit)
    np.testing.assert_allclose(corners.max(axis=0), np.array([10, 2, 3]) * unit, atol=1e-6 * unit)


def test_mujoco_reads_what_is_made_of_collada(command):
    mujoco = pytest.importorskip("mujoco")
    as_obj(command, collada(MILLIMETERS), "1000 1000 -2000")
    model = mujoco.MjModel.from_xml_path("r.xml")
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    assert model.ngeom == 2 and model.nmesh == 1
    for geom in range(2):
        points = model.mesh_vert @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
        np.testing.assert_allclose(points.min(axis=0), [8, 0, -6], atol=1e-5)
        np.testing.assert_allclose(points.max(axis=0), [10, 2, 0], atol=1e-5)


def test_collada_of_a_robot_is_what_assimp_reads(command):
    coal = pytest.importorskip("coal")
    path = robots_directory() / "ur_description/meshes/ur5/collision/forearm.dae"
    if not path.exists():
        path = next(iter(sorted((robots_directory() / "hyq_description").rglob("*.dae"))))
    _, corners = as_obj(command, path.read_text())
    expected = coal.MeshLoader().load(str(path)).vertices()
    size = np.abs(expected).max()
    for ours, theirs in ((corners.min(0), expected.min(0)), (corners.max(0), expected.max(0))):
        np.testing.assert_allclose(ours, theirs, atol=1e-6 * size)


def test_made_meshes_have_names_of_their_own(command):
    pytest.importorskip("collada", reason="pycollada is not installed")
    pytest.importorskip("trimesh", reason="trimesh is not installed")
    for folder in ("a", "b"):
        Path(folder).mkdir()
        Path(folder, "part.dae").write_text(collada())
    Path("r_meshes").mkdir()
    obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    Path("r_meshes/part.obj").write_text(obj)
    names = ("a/part.dae", "r_meshes/part.obj", "b/part.dae", "a/part.dae")
    shapes = (f'<visual><geometry><mesh filename="{name}"/></geometry></visual>' for name in names)
    root, told = command(links(base="".join(shapes)))
    assert told == "" and Path("r_meshes/part.obj").read_text() == obj
    files = [mesh.get("file") for mesh in root.iterfind("asset/mesh")]
    assert files == ["r_meshes/part_2.obj", "r_meshes/part.obj", "r_meshes/part_3.obj"]


@pytest.mark.parametrize(("module", "needed"), [("trimesh", "trimesh"), ("collada", "pycollada")])
def test_collada_without_what_reads_it(command, monkeypatch, module, needed):
    Path("part.dae").write_text(collada())
    monkeypatch.setitem(sys.modules, module, None)
    shape = '<visual><geometry><mesh filename="part.dae"/></geometry></visual>'
    _, told = command(links(base=shape))
    missing = f"{needed} is missing (pip install {needed})"
    assert told == f"warning: meshes are left out, for {missing}: part.dae\n"
    assert command(links(base=shape), "--strict")[0] is None
    assert not Path("r_meshes").exists()


def test_collada_on_the_standard_output(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("part.dae").write_text(collada())
    shape = '<visual><geometry><mesh filename="part.dae"/></geometry></visual>'
    Path("r.urdf").write_text(f'<robot name="r">{links(base=shape)}</robot>')
    assert main(["urdf2mjcf", "r.urdf"]) == 0
    told = capsys.readouterr().err
    assert "MuJoCo reads OBJ and STL, and OBJ is made with -o FILE: part.dae" in told
    assert sorted(path.name for path in Path().iterdir()) == ["part.dae", "r.urdf"]


def test_shapes_touch_others_and_not_one_another(command):
    mujoco = pytest.importorskip("mujoco")
    ball = '<collision><geometry><sphere radius="0.5"/></geometry></collision>'
    text = links("a", "b", base=ball).replace("<inertial>", f"{ball}<inertial>")
    text += joint("j", "continuous", "base", "a") + joint("k", "continuous", "base", "b")
    command(text)
    spec = mujoco.MjSpec.from_file("r.xml")
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert (model.ngeom, data.ncon) == (3, 0)
    floor = spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[1, 1, 1])
    floor.pos = [0, 0, -0.4]
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert data.ncon == 2


def test_parameters_of_the_kinematics_dsl_are_at_their_defaults(command):
    root, told = command(KINDSL, name="r.kindsl")
    assert told == "note: MJCF has no parameters; written for x = 1.5\n"
    assert root.find(".//body[@name='l']").get("pos") == "0 0 1.5"
    assert root.find(".//site[@name='eye']").get("pos") == "1.5 0 0"
    none, told = command(KINDSL.replace("[1.5]", ""), name="r.kindsl")
    assert none is None
    assert "parameter 'x' has no default value, and MJCF has no parameters" in told


def test_part_of_a_robot_under_its_own_gravity(command):
    text = links("a", "b") + joint("j", "continuous", "base", "a")
    text += joint("k", "continuous", "a", "b")
    root, _ = command(text, "--root", "a", "--gravity", "1", "2", "3")
    assert [body.get("name") for body in root.iter("body")] == ["a", "b"]
    assert root.find("option").get("gravity") == "1 2 3"
    root, _ = command(text, "--lock", "k=0.5")
    assert [body.get("name") for body in root.iter("body")] == ["base", "a"]


def test_the_standard_streams(command, monkeypatch, capsys):
    text = f'<robot name="r">{links("a")}{joint("j", "continuous", "base", "a")}</robot>'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["urdf2mjcf", "-"]) == 0
    assert capsys.readouterr().out.startswith('<mujoco model="r">\n  <compiler angle="radian"')


def test_with_strict_what_is_left_out_is_an_error(command):
    text = SHAPES + f'<link name="a">{BODY}</link>' + joint("j", "continuous", "base", "a")
    none, told = command(text, "--strict")
    assert none is None
    assert "error: meshes are left out" in told

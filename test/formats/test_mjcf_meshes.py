"""Shapes in the MJCF that we write, and the meshes that are made for MuJoCo."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.bench.robots import robots_directory
from robcogen_ros.cli.main import main
from test.formats.mjcf_command import BODY, Command, joint, links


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    return Command(capsys)


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


def test_shapes_are_where_they_are(command, tmp_path):
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
        "warning: meshes are left out, for there is no such file in "
        f"{tmp_path}/meshes: missing.stl",
        "warning: meshes are left out, for MuJoCo reads binary STL of 1 to 200000 facets: text.stl",
    ):
        assert expected in told.splitlines()
    mujoco = pytest.importorskip("mujoco")
    assert mujoco.MjModel.from_xml_path("r.xml").ngeom == len(geoms)


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


def test_corners_that_are_no_numbers_are_told_with_their_file(command):
    pytest.importorskip("collada", reason="pycollada is not installed")
    pytest.importorskip("trimesh", reason="trimesh is not installed")
    Path("part.dae").write_text(collada().replace("0 2 0", "0 nan 0"))
    rows = np.frombuffer(stl(40)[84:], "<u1").reshape(40, 50).copy()
    rows[3, 12:16] = np.frombuffer(np.float32(np.nan).tobytes(), "<u1")
    Path("part.stl").write_bytes(stl(40)[:84] + rows.tobytes())
    shapes = '<visual><geometry><mesh filename="part.{}"/></geometry></visual>'
    root, told = command(links(base=shapes.format("dae") + shapes.format("stl")))
    assert told.splitlines() == [
        "warning: meshes are left out, for they cannot be read (corners that are no numbers): "
        "part.dae",
        "warning: meshes are left out, for corners that are no numbers are no mesh: part.stl",
    ]
    assert list(root.iter("mesh")) == [] and not Path("r_meshes").exists()


@pytest.mark.parametrize("name", ["part.stl", "part.dae"])
def test_what_mujoco_takes_depends_on_the_scale(command, name):
    pytest.importorskip("collada", reason="pycollada is not installed")
    pytest.importorskip("trimesh", reason="trimesh is not installed")
    Path("part.dae").write_text(collada())
    Path("part.stl").write_bytes(stl(40))
    scaled = '<visual><geometry><mesh filename="{}" scale="{}"/></geometry></visual>'
    scales = ("1e-9 1e-9 1e-9", "1 1 1e-9", "1e-4 1e-4 1e-4")
    root, told = command(links(base="".join(scaled.format(name, scale) for scale in scales)))
    assert told.splitlines() == [
        f"warning: meshes are left out, for MuJoCo takes none of less than 1e-15 m^3: {name}",
        f"warning: meshes are left out, for MuJoCo takes no flat ones: {name}",
    ]
    assert [mesh.get("scale") for mesh in root.iter("mesh")] == [
        scales[-1].replace("1e-4", "0.0001")
    ]
    mujoco = pytest.importorskip("mujoco")
    assert mujoco.MjModel.from_xml_path("r.xml").ngeom == 1
    text = Path("r.xml").read_text()
    Path("r.xml").write_text(text.replace("0.0001 0.0001 0.0001", scales[0]))
    with pytest.raises(ValueError, match="too small"):
        mujoco.MjModel.from_xml_path("r.xml")


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


def test_with_strict_what_is_left_out_is_an_error(command):
    text = SHAPES + f'<link name="a">{BODY}</link>' + joint("j", "continuous", "base", "a")
    none, told = command(text, "--strict")
    assert none is None
    assert "error: meshes are left out" in told

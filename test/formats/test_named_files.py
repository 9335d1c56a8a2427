"""Files that a description names: devices and pipes are not opened, huge ones not read."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import numpy as np
import pytest

from robcogen_ros.cli.main import main
from robcogen_ros.errors import ModelError
from robcogen_ros.formats import regular_file
from robcogen_ros.formats.load import load
from robcogen_ros.standing.shapes import shapes
from robcogen_ros.view.surfaces import surfaces

ROBOT = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">{more}<link name="a">
<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><mesh filename="{mesh}"/></geometry></visual>
<collision><geometry><mesh filename="{mesh}"/></geometry></collision>
</link></robot>
"""
PIPE = "it is a device, a pipe or a socket, no file"
BAD = {
    "pipe": PIPE,
    "endless": PIPE,
    "folder": "it is a folder, no file",
    "huge": "it has more than 100 MiB",
    "gone": "no such file",
    "loop": "too many levels of symbolic links",
    "x" * 300: "file name too long",
}


@pytest.fixture(autouse=True)
def soon():
    """No test waits for a pipe."""
    signal.signal(signal.SIGALRM, lambda *_: pytest.fail("it waits"))
    signal.alarm(60)
    yield
    signal.alarm(0)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A folder with what is no file of a robot under every suffix that matters."""
    monkeypatch.chdir(tmp_path)
    for suffix in (".stl", ".obj", ".xacro", ".yaml", ".mtl", ".png"):
        os.mkfifo(f"pipe{suffix}")
        Path(f"endless{suffix}").symlink_to("/dev/zero")
        Path(f"folder{suffix}").mkdir()
        os.truncate(os.open(f"huge{suffix}", os.O_CREAT | os.O_WRONLY), regular_file.MOST + 1)
        Path(f"loop{suffix}").symlink_to(f"loop{suffix}")
    return tmp_path


def robot(mesh: str = "a.stl", more: str = "") -> Path:
    path = Path("r.urdf")
    path.write_text(ROBOT.format(mesh=mesh, more=more))
    return path


@pytest.mark.parametrize(("name", "why"), BAD.items())
def test_meshes_are_left_out_and_told(folder, name, why, capsys):
    path = robot(f"{name}.stl")
    (shape,) = shapes(load(path).shapes)
    assert why in shape.unread
    for command in ("urdf2mjcf", "urdf2sdf"):
        assert main([command, str(path)]) == 0
        assert f"meshes are left out, for {'there is ' * (name == 'gone')}{why}" in (
            capsys.readouterr().err
        )


@pytest.mark.parametrize(("name", "why"), BAD.items())
def test_pictures_leave_them_out_and_tell(folder, name, why):
    pytest.importorskip("trimesh", reason="trimesh is not installed")
    for suffix in (".stl", ".obj"):
        found, (problem,) = surfaces(load(robot(name + suffix)).shapes, {})
        assert found == [] and why in problem.message


@pytest.mark.parametrize("name", ["kmsg", "kcore", "self/mem", "self/maps"])
def test_what_the_kernel_makes_up_is_not_read(folder, name):
    if not Path("/proc", name).is_file():
        pytest.skip(f"there is no /proc/{name}")
    Path("made.stl").symlink_to(Path("/proc", name))
    (shape,) = shapes(load(robot("made.stl")).shapes)
    assert "no triangles" in shape.unread or "it has more than" in shape.unread


@pytest.mark.parametrize("name", ["pipe.mtl", "endless.mtl", "huge.mtl", "folder.mtl"])
def test_what_a_mesh_names_is_a_file_as_well(folder, name):
    pytest.importorskip("trimesh", reason="trimesh is not installed")
    Path("a.obj").write_text(f"mtllib {name}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    (surface,), problems = surfaces(load(robot("a.obj")).shapes, {})
    assert len(surface.faces) == 1 and problems == []


def test_pictures_of_meshes_are_found_beside_and_above(folder):
    trimesh = pytest.importorskip("trimesh", reason="trimesh is not installed")
    image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    Path("meshes").mkdir()
    image.new("RGB", (2, 2), (0, 0, 255)).save("blue.png")
    Path("meshes/a.mtl").write_text("newmtl m\nmap_Kd ../blue.png\n")
    text = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n"
    Path("meshes/a.obj").write_text(text)
    (surface,), problems = surfaces(load(robot("meshes/a.obj")).shapes, {})
    assert problems == [] and trimesh.__version__
    assert surface.color[2] == 255 and surface.color[0] < 60


def test_entities_of_collada_are_not_expanded(folder):
    pytest.importorskip("collada", reason="pycollada is not installed")
    laughs = "".join(f'<!ENTITY a{i + 1} "{f"&a{i};" * 10}">' for i in range(12))
    Path("a.dae").write_text(f'<!DOCTYPE x [<!ENTITY a0 "ha">{laughs}]><COLLADA>&a12;</COLLADA>')
    found, (problem,) = surfaces(load(robot("a.dae")).shapes, {})
    assert found == [] and "XML entities are not expanded" in problem.message


@pytest.mark.parametrize(("name", "why"), BAD.items())
@pytest.mark.parametrize(
    ("suffix", "more"),
    [
        (".xacro", '<xacro:include filename="{name}"/>'),
        (
            ".yaml",
            '<xacro:property name="y" value="${{xacro.load_yaml(\'{name}\')}}"/><p v="${{y}}"/>',
        ),
    ],
)
def test_what_a_xacro_names_is_an_error_at_its_place(folder, name, why, suffix, more):
    with pytest.raises(ModelError) as raised:
        load(robot(more=more.format(name=name + suffix)))
    (problem,) = raised.value.problems
    assert f"cannot read '{name}{suffix}': {why}" in problem.message.replace(f"{folder}/", "")
    assert problem.location is not None and problem.location.line == 1


def test_yaml_in_another_encoding_is_told_with_its_place(folder):
    Path("a.yaml").write_bytes(b"a: 1\nb: \xe9\n")
    more = '<xacro:property name="y" value="${xacro.load_yaml(\'a.yaml\')}"/><p v="${y.a}"/>'
    with pytest.raises(ModelError, match=r"a.yaml:2:4: error: the byte 0xe9 is not UTF-8"):
        load(robot(more=more))
    Path("a.yaml").write_bytes(b" \n")
    assert load(robot(more=more.replace("y.a", "y"))).links[0].name == "a"


@pytest.mark.parametrize("levels", [2, 12])
def test_yaml_that_shares_its_parts_is_not_written_out(folder, levels):
    lines = [f"a{i + 1}: &a{i + 1} [{', '.join([f'*a{i}'] * 10)}]" for i in range(levels)]
    Path("a.yaml").write_text("\n".join(["a0: &a0 ha", *lines]))
    path = robot(
        more='<xacro:property name="y" value="${xacro.load_yaml(\'a.yaml\')}"/><p v="${y.a0}"/>'
    )
    if levels == 2:
        assert load(path).name == "r"
    else:
        with pytest.raises(ModelError, match="expressions make more than any robot needs"):
            load(path)


@pytest.mark.parametrize("name", ["folder.xacro", "huge.xacro", "endless.xacro"])
def test_the_file_itself_is_read_as_far_as_it_may_be(folder, name):
    why = "is a directory" if name.startswith("folder") else "it has more than 100 MiB"
    with pytest.raises(ModelError, match=f"{name}:1:1: error: cannot read the file: {why}"):
        load(name)


def test_the_file_itself_may_be_a_pipe(folder):
    text = '<robot name="piped"><link name="a"/></robot>'
    end, other = os.pipe()
    os.write(other, text.encode())
    os.close(other)
    assert load(f"/dev/fd/{end}").name == "piped"
    os.close(end)


def test_a_mesh_in_the_source_of_its_package_is_found_by_the_manifest(folder):
    Path("package.xml").write_text("<package><name>parts</name></package>")
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "<f4")
    facets = b"".join(
        bytes(12) + corners[list(three)].tobytes() + bytes(2)
        for three in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
    )
    Path("a.stl").write_bytes(bytes(80) + np.uint32(4).tobytes() + facets)
    (shape,) = shapes(load(robot("package://parts/a.stl")).shapes)
    assert not shape.unread and len(shape.points) == 4

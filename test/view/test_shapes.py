"""Surfaces of links: what is read, and what is said of what cannot be."""

from __future__ import annotations

import numpy as np
import pytest

from robcogen_ros.formats import source
from robcogen_ros.formats.urdf import reader as urdf
from robcogen_ros.view.surfaces import surfaces

trimesh = pytest.importorskip("trimesh", reason="trimesh is not installed")
pytest.importorskip("viser", reason="viser is not installed")

LINK = (
    '<link name="{name}"><visual><origin xyz="1 0 0"/><geometry>{shape}</geometry></visual></link>'
)


def read(*shapes: str, folder=None, packages=None):
    links = (LINK.format(name=f"link{i}", shape=shape) for i, shape in enumerate(shapes))
    robot = f'<robot name="r">{"".join(links)}</robot>'
    if folder is None:
        text = source.of_text(robot, "<text>")
    else:
        (folder / "r.urdf").write_text(robot)
        text = source.read(str(folder / "r.urdf"))
    return surfaces(urdf.read(text).shapes, packages or {})


@pytest.mark.parametrize(
    ("shape", "volume", "extents"),
    [
        ('<box size="1 2 3"/>', 6, (1, 2, 3)),
        ('<sphere radius="0.5"/>', np.pi / 6, (1, 1, 1)),
        ('<cylinder radius="0.5" length="2"/>', np.pi / 2, (1, 1, 2)),
        ('<capsule radius="0.5" length="2"/>', np.pi / 2 + np.pi / 6, (1, 1, 3)),
    ],
)
def test_simple_shapes_are_where_they_are_written(shape, volume, extents):
    (surface,), problems = read(shape)
    mesh = trimesh.Trimesh(surface.vertices, surface.faces)
    assert not problems and mesh.is_watertight
    np.testing.assert_allclose(abs(mesh.volume), volume, rtol=0.03)
    np.testing.assert_allclose(mesh.extents, extents, atol=0.02)
    np.testing.assert_allclose(mesh.bounds.mean(axis=0), (1, 0, 0), atol=1e-9)


@pytest.mark.parametrize("suffix", ["stl", "obj", "dae"])
def test_meshes_are_read_scaled_and_found_in_packages(tmp_path, suffix):
    if suffix == "dae":
        pytest.importorskip("collada", reason="pycollada is not installed")
    box = trimesh.creation.box((1, 2, 3))
    box.visual.face_colors = (255, 0, 0, 255)
    box.export(tmp_path / f"box.{suffix}")
    shapes = [
        f'<mesh filename="{place}box.{suffix}" scale="0.1 0.1 -0.2"/>'
        for place in ("", f"file://{tmp_path}/", "package://meshes/", "package:///meshes/")
    ]
    found, problems = read(*shapes, folder=tmp_path, packages={"meshes": str(tmp_path)})
    assert not problems and [surface.link for surface in found] == [f"link{i}" for i in range(4)]
    for surface in found:
        mesh = trimesh.Trimesh(surface.vertices, surface.faces)
        np.testing.assert_allclose(mesh.extents, (0.1, 0.2, 0.6), atol=1e-6)
        assert mesh.volume > 0


def test_meters_of_collada(tmp_path):
    pytest.importorskip("collada", reason="pycollada is not installed")
    trimesh.creation.box((1, 2, 3)).export(tmp_path / "box.dae")
    text = (tmp_path / "box.dae").read_text()
    unit = text.replace("<up_axis>", '<unit meter="0.01"/><up_axis>')
    assert unit != text
    (tmp_path / "box.dae").write_text(unit)
    (surface,), problems = read('<mesh filename="box.dae"/>', folder=tmp_path)
    assert not problems
    np.testing.assert_allclose(np.ptp(surface.vertices, axis=0), (0.01, 0.02, 0.03), atol=1e-6)


def test_what_cannot_be_read_is_left_out_and_told_once_a_reason(tmp_path):
    (tmp_path / "broken.stl").write_bytes(b"solid nothing\nfacet normal")
    (tmp_path / "broken.dae").write_text("<COLLADA>")
    (tmp_path / "odd.xyzzy").write_text("1")
    names = ("gone.stl", "away.stl", "broken.stl", "broken.dae", "odd.xyzzy", "package://no/a.stl")
    shapes = [f'<mesh filename="{name}"/>' for name in names]
    found, problems = read(*shapes, '<box size="1 1 1"/>', folder=tmp_path)
    assert [surface.link for surface in found] == ["link6"]
    told = "\n".join(map(str, problems))
    assert told.count("warning: shapes are left out, for there is no such file") == 1
    assert "gone.stl, away.stl" in told and "package 'no' is not found" in told
    assert all(name.rpartition("/")[2] in told for name in names)
    assert "Traceback" not in told


def test_edges_stay_sharp_and_round_surfaces_smooth():
    (box,), _ = read('<box size="1 1 1"/>')
    (ball,), _ = read('<sphere radius="1"/>')
    assert len(box.vertices) == 24
    assert len(ball.vertices) == len(np.unique(np.round(ball.vertices, 9), axis=0))


def test_shapes_for_collisions_count_where_none_is_to_be_seen():
    text = LINK.format(name="a", shape='<box size="1 1 1"/>').replace("visual", "collision")
    robot = source.of_text(f'<robot name="r">{text}</robot>', "<text>")
    found, _ = surfaces(urdf.read(robot).shapes, {})
    assert [surface.link for surface in found] == ["a"]

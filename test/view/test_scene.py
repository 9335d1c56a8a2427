"""The scene and its panel: nodes, sliders, colors, the page; no browser."""

from __future__ import annotations

import base64
import re
from html import escape

import numpy as np
import pytest

from robcogen_ros.view import colors
from robcogen_ros.view.page import page
from robcogen_ros.view.panel import Panel
from robcogen_ros.view.scene import LAYERS, Look, Scene, quaternion
from robcogen_ros.view.server import serving
from test.support.robots import robots_directory
from test.view import seen

pytest.importorskip("viser", reason="viser is not installed")
pinocchio = pytest.importorskip("pinocchio", reason="Pinocchio is not installed")
zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")
needs_robots = pytest.mark.skipif(robots_directory() is None, reason="no example-robot-data")
HYQ = "hyq_description/robots/hyq_no_sensors.urdf"


@pytest.fixture
def server():
    with serving("127.0.0.1", 0, "test", dark=False) as running:
        yield running


@pytest.fixture
def model(tmp_path):
    (tmp_path / "r.urdf").write_text(seen.pendulum(ixx=0.05))
    return seen.of_file(tmp_path / "r.urdf")


def panel_of(server, model, **look) -> Panel:
    return Panel(server, model, Look(**look), model.posture("zero", {}))


def test_the_tree_is_the_one_that_is_generated(server, model):
    nodes = panel_of(server, model).scene.nodes
    assert nodes == {
        "base": "/base",
        "arm": "/base/arm",
        "hand": "/base/arm/hand",
        "tool": "/base/arm/hand/tool (part of hand)",
    }
    label = server.scene.get_handle_by_name(f"{nodes['tool']}/name")
    assert label.text == "tool (part of hand)"


def world(server, path):
    """Pose of a node in the world (4, 4)."""
    pose = np.eye(4)
    for end in [*[match.start() for match in re.finditer("/", path)][1:], len(path)]:
        handle = server.scene.get_handle_by_name(path[:end])
        local = pinocchio.SE3(
            pinocchio.Quaternion(*map(float, handle.wxyz)).matrix(), np.array(handle.position)
        )
        pose = pose @ local.homogeneous
    return pose


def test_sliders_have_the_limits_and_move_followers_too(server, model):
    panel = panel_of(server, model)
    (slider,) = panel.sliders.values()
    assert (slider.min, slider.max) == (-1.0, 2.0)
    assert not panel.show_changes()
    panel.move(np.array([0.7]))
    assert slider.value == 0.7
    assert panel.show_changes()
    reference = pinocchio.buildModelFromXML(seen.pendulum(ixx=0.05))
    data = reference.createData()
    pinocchio.framesForwardKinematics(reference, data, np.array([0.7, 0.5 * 0.7 + 0.1]))
    for name in ("arm", "hand", "tool"):
        wanted = data.oMf[reference.getFrameId(name)].homogeneous
        np.testing.assert_allclose(world(server, panel.scene.nodes[name]), wanted, atol=1e-9)


def test_impossible_inertia_is_red_and_told(server, model):
    panel = panel_of(server, model, layers={"inertia", "shapes"})
    drawn = {
        each.link: server.scene.get_handle_by_name(f"{panel.scene.nodes[each.link]}/inertia {i}")
        for i, each in enumerate(model.ellipsoids)
    }
    red = {name for name, handle in drawn.items() if tuple(handle.color) == colors.IMPOSSIBLE}
    assert red == {each.link for each in model.ellipsoids if each.breach} and "arm" in red
    assert all(handle.visible for handle in drawn.values())


def test_what_is_shown_follows_the_panel(server, model):
    panel = panel_of(server, model)
    scene = panel.scene
    surface = server.scene.get_handle_by_name("/base/arm/surface 1")
    assert surface.visible and tuple(surface.color) == (53, 165, 75)
    for color, wanted in (
        ("links", colors.of_body(1, False)),
        ("operations", colors.of_share(scene.operations()[1] / max(scene.operations()))),
        ("effort", colors.of_load(abs(panel.state.efforts[0]) / 3)),
    ):
        scene.look.color = color
        panel.show(panel.state)
        assert tuple(surface.color) == wanted
    scene.look.layers.discard("shapes")
    panel.show(panel.state)
    assert not surface.visible


def test_efforts_beyond_their_limit_are_red(server, tmp_path):
    (tmp_path / "r.urdf").write_text(seen.pendulum(mass=20.0))
    panel = panel_of(server, seen.of_file(tmp_path / "r.urdf"))
    assert colors.css(colors.IMPOSSIBLE) not in panel._efforts.content
    panel.move(np.array([1.5]))
    panel.show_changes()
    assert abs(panel.state.efforts[0]) > 3
    assert colors.css(colors.IMPOSSIBLE) in panel._efforts.content


def test_each_name_has_a_node_of_its_own(server, tmp_path):
    links = ["ground", "a/b", "a|b", "a%2Fb", "name", "surface 0", "center of mass"]
    joint = '<joint name="{0}" type="continuous"><parent link="ground"/><child link="{0}"/></joint>'
    body = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" {}/></inertial>'
    body = body.format('ixy="0" ixz="0" iyz="0"')
    text = "".join(f'<link name="{name}">{body}</link>' for name in links)
    text += "".join(map(joint.format, links[1:]))
    (tmp_path / "r.urdf").write_text(f'<robot name="r">{text}</robot>')
    scene = panel_of(server, seen.of_file(tmp_path / "r.urdf"), layers=set(LAYERS)).scene
    nodes = [scene.nodes[name] for name in links]
    assert len({*nodes}) == len(links)
    handles = [handle for _, handle in scene._frames.values()]
    assert [server.scene.get_handle_by_name(node) for node in nodes] == handles
    assert {type(handle).__name__ for handle in handles} == {"FrameHandle"}


def test_names_are_text_and_no_markup(server, tmp_path):
    name = "arm<iframe srcdoc='<script>top.ran=1</script>'></iframe>{alert(1)}"
    text = seen.pendulum(ixx=0.05).replace('"arm"', f'"{escape(name)}"')
    (tmp_path / "r.urdf").write_text(text)
    model = seen.of_file(tmp_path / "r.urdf")
    panel = Panel(server, model, Look(frame=name), np.zeros(1))
    contents = [
        handle.content
        for handle in server.gui._gui_input_handle_from_uuid.values()
        if hasattr(handle, "content")
    ]
    contents += [panel._speeds.content, panel._standing.content, panel._efforts.content]
    assert "arm&lt;iframe" in panel._speeds.content
    assert not [content for content in contents if "<iframe" in content]
    kinds = {
        type(m).__name__ for m in server._websock_server._broadcast_buffer.message_from_id.values()
    }
    assert "GuiHtmlMessage" in kinds
    assert "GuiMarkdownMessage" not in kinds


def test_links_without_shapes_are_bars(server, tmp_path):
    (tmp_path / "r.urdf").write_text(seen.pendulum(shape=""))
    model = seen.of_file(tmp_path / "r.urdf")
    scene = Scene(server, model, Look(), model.statics.at(np.zeros(1)))
    (bar,) = [s for s, body, _ in scene._surfaces if body == 1 and np.ptp(s.vertices[:, 2]) > 0.2]
    np.testing.assert_allclose([bar.vertices[:, 2].min(), bar.vertices[:, 2].max()], [0, 0.3])


def test_the_page_holds_the_scene_and_the_numbers(server, model):
    state = model.statics.at(model.posture("zero", {}))
    scene = Scene(server, model, Look({*LAYERS}, "operations", frame="tool"), state)
    html = page(server, model, scene, state)
    data = base64.b64decode(re.search(r'__VISER_EMBED_DATA__="([^"]+)"', html)[1])
    content = zstandard.ZstdDecompressor().decompressobj().decompress(data[8:])
    for path in (*scene.nodes.values(), "/base/arm/surface 1", "/manipulability"):
        assert path.encode() in content
    aside = html[html.rindex("<aside") :]
    for words in ("pendulum", "1 coordinates, 3 links", "3 N m", "Operations of inverse_dynamics"):
        assert words in aside
    assert "breaks the triangle inequality" in aside
    assert "<title>pendulum</title>" in html and "http://" not in aside


@needs_robots
def test_every_foot_has_an_arrow_as_long_as_its_share(server):
    model = seen.robot(HYQ)
    state = model.statics.at(model.posture("standing", {}))
    scene = Scene(server, model, Look(), state)
    handles = [server.scene.get_handle_by_name(f"/forces/{foot}") for foot in range(4)]
    arrows = np.array([each.position + each.points[0] for each in handles])
    lengths = arrows[:, 1, 2] - arrows[:, 0, 2]
    assert lengths.shape == (4,)
    shares = state.forces[:, 2] / model.statics.weight
    np.testing.assert_allclose(lengths, 0.5 * scene.size * shares, rtol=1e-5)
    np.testing.assert_allclose(arrows[:, 0, 2], 0, atol=1e-3)


def test_quaternions_are_those_of_pinocchio():
    random = np.random.default_rng(1)
    for turn in [*random.normal(size=(50, 3)), *np.pi * np.eye(3), np.zeros(3)]:
        R = pinocchio.exp3(turn)
        wanted = pinocchio.Quaternion(R).coeffs()[[3, 0, 1, 2]]
        found = np.array(quaternion(R))
        np.testing.assert_allclose(abs(found @ wanted), 1.0)
        np.testing.assert_allclose(found, wanted * np.sign(found @ wanted), atol=1e-7)

"""What a browser shows: the page from a file, the picture, the scene as a slider moves."""

from __future__ import annotations

import io

import numpy as np
import pytest

from robcogen_ros.cli.main import main
from robcogen_ros.errors import RobcogenError
from robcogen_ros.view import picture
from robcogen_ros.view.camera import aim, fitted, outline
from robcogen_ros.view.panel import Panel
from robcogen_ros.view.scene import Look
from robcogen_ros.view.server import serving
from robcogen_ros.view.trajectory import Trajectory, page
from test.view import seen

pytest.importorskip("viser", reason="viser is not installed")
iio = pytest.importorskip("imageio.v3", reason="viser is not installed")
try:
    picture.browser()
except RobcogenError as missing:
    pytest.skip(str(missing), allow_module_level=True)


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.urdf").write_text(seen.pendulum(ixx=0.05))
    return seen.of_file(tmp_path / "r.urdf")


def greens(image) -> int:
    """Pixels of the robot's color."""
    red, green, blue = (image[..., i].astype(int) for i in range(3))
    return int(((green > red + 40) & (green > blue + 30)).sum())


def reds(image) -> int:
    red, green, blue = (image[..., i].astype(int) for i in range(3))
    return int(((red > green + 60) & (red > blue + 60)).sum())


def drawn(*words) -> np.ndarray:
    assert main(["view", "r.urdf", "--png", "a.png", "--size", "320x240", *words]) == 0
    image = iio.imread("a.png")
    assert image.shape[:2] == (240, 320)
    return image


def test_pictures_have_the_robots_color_and_impossible_inertia_is_red(model):
    plain = drawn("--background", "none")
    assert greens(plain) > 1500 and not reds(plain)
    assert (plain[..., 3] == 0).any() and (plain[..., 3] == 255).any()
    dark = drawn("--show", "shapes", "inertia", "--background", "dark")
    assert reds(dark) > 300 and tuple(dark[0, 0]) == picture.BACKGROUNDS["dark"]


@pytest.fixture
def chromium():
    sync_api = pytest.importorskip("playwright.sync_api", reason="pip install playwright")
    options = [*picture.OPTIONS, "--no-sandbox"]
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=picture.browser(), args=options)
        yield opened.new_page(viewport={"width": 800, "height": 400})
        opened.close()


def seen_by(page) -> np.ndarray:
    return iio.imread(io.BytesIO(page.screenshot()))


def shows(page, wanted, what: str) -> np.ndarray:
    """The page once it is as wanted."""
    for _ in range(200):
        image = seen_by(page)
        if wanted(image):
            return image
        page.wait_for_timeout(100)
    raise AssertionError(f"the page does not show {what}")


def test_a_page_opens_from_its_file_alone(model, chromium, tmp_path):
    assert main(["view", "r.urdf", "--html", "page.html", "--show", "shapes", "inertia"]) == 0
    asked, faults = [], []
    chromium.on("request", lambda request: asked.append(request.url))
    chromium.on("pageerror", lambda error: faults.append(str(error)))
    chromium.goto((tmp_path / "page.html").as_uri())
    chromium.wait_for_selector("canvas")
    assert chromium.title() == "pendulum"
    assert chromium.locator("#robcogen-efforts .robcogen-row").count() == 1
    assert chromium.locator(".robcogen-breach").count() == sum(
        bool(each.breach) for each in model.ellipsoids
    )
    shows(chromium, lambda image: reds(image[:, :400]) > 200, "ellipsoids in red")
    assert not faults and not [url for url in asked if url.startswith(("http", "ws"))]


def test_a_page_shows_strides_one_after_the_other(model, chromium, tmp_path):
    times, q = np.linspace(0.0, 2.0, 21), np.zeros((21, 1))
    bases = np.tile(np.eye(4), (21, 1, 1))
    bases[:, 0, 3] = times
    trajectory = Trajectory(times, bases, q, 1.5 + q, np.zeros((21, 0, 3)))
    with serving("127.0.0.1", 0, "r", dark=False) as server:
        (tmp_path / "page.html").write_text(page(server, model, trajectory, ["1 m/s"]))
        base = server.scene.get_handle_by_name("/base")
        np.testing.assert_allclose(base.position, [4.0, 0.0, 0.0])
    asked = []
    chromium.on("request", lambda request: asked.append(request.url))
    chromium.goto((tmp_path / "page.html").as_uri())
    chromium.wait_for_selector("canvas")
    assert "1 m/s" in chromium.locator("#robcogen").inner_text()
    assert "1.5 / 3 N m" in chromium.locator("#robcogen-efforts").inner_text()
    before = shows(chromium, lambda image: greens(image[:, :400]) > 50, "the robot")
    shows(chromium, lambda image: away(image, before) > 10, "the robot further ahead")
    assert not [url for url in asked if url.startswith(("http", "ws"))]


def away(image, before) -> float:
    """How far the middle of the robot is from where it was [pixels]."""
    places = []
    for each in (before, image):
        red, green, blue = (each[:, :400, i].astype(int) for i in range(3))
        places.append(np.argwhere((green > red + 40) & (green > blue + 30)).mean(axis=0))
    return float(np.linalg.norm(places[1] - places[0]))


def test_the_scene_moves_as_a_slider_does(model, chromium):
    with serving("127.0.0.1", 0, "r", dark=False) as server:
        panel = Panel(server, model, Look(), model.posture("zero", {}))
        aim(server, fitted(outline(model, panel.state), 1.0))
        chromium.goto(f"http://127.0.0.1:{server.get_port()}")
        chromium.wait_for_selector("text=Joints")
        before = shows(chromium, lambda image: greens(image[:, :400]) > 300, "the robot")
        number = chromium.locator("input[type=text]").first
        number.fill("1.5")
        number.press("Enter")
        for _ in range(200):
            if panel.show_changes():
                break
            chromium.wait_for_timeout(50)
        assert panel.state.q[0] == pytest.approx(1.5, abs=2e-3)
        shows(
            chromium,
            lambda image: (image[:, :400] != before[:, :400]).any(axis=2).sum() > 500,
            "the arm elsewhere",
        )

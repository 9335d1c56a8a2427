"""robcogen view: what it writes, and what it says where it cannot."""

from __future__ import annotations

import socket
import sys

import pytest

from robcogen_ros.cli.main import main
from test.support.examples import EXAMPLES
from test.support.robots import robot_path, robots_directory
from test.view import seen

viser = pytest.importorskip("viser", reason="viser is not installed")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.urdf").write_text(seen.pendulum())
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["r.urdf"],
        [str(EXAMPLES / "arm_example" / "urdf" / "arm.urdf.xacro")],
        [str(EXAMPLES / "quadruped.kindsl")],
        ["r.urdf", "--floating-base", "--show", "shapes", "inertia", "names"],
    ],
)
def test_a_page_of_every_format(folder, words, capsys):
    assert main(["view", *words, "--html", "page.html"]) == 0
    html = (folder / "page.html").read_text(encoding="utf-8")
    assert "__VISER_EMBED_DATA__" in html and 'id="robcogen-efforts"' in html
    assert "viser" not in capsys.readouterr().out


@pytest.mark.skipif(robots_directory() is None, reason="no example-robot-data")
def test_a_robot_on_legs_that_cannot_stand_is_shown_all_the_same(folder, capsys):
    text = robot_path("hyq_description/robots/hyq_no_sensors.urdf").read_text()
    knee = text.index("<limit", text.index('name="lf_kfe_joint"'))
    limits = '<limit lower="2.2" upper="2.4" effort="150" velocity="12"/>'
    (folder / "stiff.urdf").write_text(text[:knee] + limits + text[text.index("/>", knee) + 2 :])
    assert main(["view", "stiff.urdf", "--html", "page.html"]) == 0
    told = capsys.readouterr().err
    assert "note: shown in the middle of all ranges: robot 'hyq': no posture within" in told
    assert (folder / "page.html").exists()
    assert "no posture within" in refused(
        ["stiff.urdf", "--posture", "standing", "--html", "no.html"], capsys
    )
    assert not (folder / "no.html").exists()


def test_parameters_have_values(folder, capsys):
    leg = (EXAMPLES / "leg_design" / "leg.kindsl").read_text()
    (folder / "leg.kindsl").write_text(leg.replace("density[4.0]", "density"))
    assert "--set NAME=VALUE" in refused(["leg.kindsl", "--html", "a.html"], capsys)
    assert not (folder / "a.html").exists()
    assert main(["view", "r.urdf", "--parameter", "arm.mass", "--html", "b.html"]) == 0
    light = (folder / "b.html").read_text()
    words = ["--parameter", "arm.mass", "--set", "arm.mass=5", "--posture", "a=1"]
    assert main(["view", "r.urdf", *words, "--html", "b.html"]) == 0
    heavy = (folder / "b.html").read_text()
    assert "3.1 kg" in light and "7.1 kg" in heavy


def refused(words, capsys) -> str:
    """What a command says that ends without a traceback and writes no file."""
    assert main(["view", *words]) == 1
    told = capsys.readouterr().err
    assert "Traceback" not in told and "internal error" not in told
    return told


def test_without_a_browser_it_says_what_to_install(folder, capsys, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("ROBCOGEN_BROWSER", raising=False)
    told = refused(["r.urdf", "--png", "a.png"], capsys)
    assert "--png needs Chromium or Chrome" in told and "ROBCOGEN_BROWSER" in told
    monkeypatch.setenv("ROBCOGEN_BROWSER", "/no/such/browser")
    assert "ROBCOGEN_BROWSER names '/no/such/browser'" in refused(
        ["r.urdf", "--png", "a.png"], capsys
    )
    told = refused(["r.urdf", "--png", "a.png", "--posture", "nope=1"], capsys)
    assert "nope" in told and "BROWSER" not in told
    assert not (folder / "a.png").exists()


def test_a_browser_that_ends_at_once_is_told(folder, capsys, monkeypatch):
    monkeypatch.setenv("ROBCOGEN_BROWSER", "false")
    assert "ended with code 1" in refused(["r.urdf", "--png", "a.png"], capsys)
    assert not (folder / "a.png").exists()


def test_while_a_browser_starts_it_says_what_it_waits_for(folder, capsys, monkeypatch):
    slow = folder / "slow_browser"
    slow.write_text("#!/bin/sh\nsleep 0.5\nexit 1\n")
    slow.chmod(0o755)
    monkeypatch.setenv("ROBCOGEN_BROWSER", str(slow))
    monkeypatch.setattr("robcogen_ros.progress.PAUSE", 0.2)
    assert "drawing a.png: waiting for slow_browser" in refused(
        ["r.urdf", "--png", "a.png"], capsys
    )


def test_a_port_in_use_is_told(capsys):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        told = refused(["r.urdf", "--port", port, "--no-browser"], capsys)
    assert f"port {port} is not free" in told and "--port" in told


def test_without_viser_it_says_what_to_install(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "viser", None)
    assert "pip install viser pycollada" in refused(["r.urdf"], capsys)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--posture", "b=1"], "no joint 'b'"),
        (["--posture", "zero", "middle"], "two postures"),
        (["--frame", "nose"], "nose"),
        (["--set", "mass=1"], "no parameter 'mass'"),
        (["--srdf", "none.srdf"], "none.srdf"),
    ],
)
def test_wrong_words(words, told, capsys):
    assert told in refused(["r.urdf", *words, "--html", "a.html"], capsys)


@pytest.mark.parametrize(
    "words", [["--posture", "sitting"], ["--size", "9"], ["--port", "x"], ["--show", "all"]]
)
def test_wrong_usage(words):
    with pytest.raises(SystemExit):
        main(["view", "r.urdf", *words])


def test_a_mesh_that_is_gone_is_told_once_and_left_out(folder, capsys):
    mesh = '<visual><geometry><mesh filename="gone.stl"/></geometry></visual>'
    (folder / "r.urdf").write_text(seen.pendulum(shape=mesh))
    assert main(["view", "r.urdf", "--html", "a.html"]) == 0
    assert capsys.readouterr().err.count("gone.stl") == 1

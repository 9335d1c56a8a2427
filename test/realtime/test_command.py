"""The command realtime, with the usual scheduling, as any user may run it."""

from __future__ import annotations

import json
import re
import shutil
import sys

import pytest

from robcogen_ros.cli.main import main
from test.support.eigen import eigen_directory
from test.support.examples import EXAMPLES

HINGE = """<robot name="hinge">
  <link name="world"/>
  <joint name="hinge" type="revolute">
    <parent link="world"/><child link="bob"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" velocity="2" effort="{effort}"/>
  </joint>
  <link name="bob">
    <inertial>
      <origin xyz="0 0 -0.5"/><mass value="2"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>
    </inertial>
  </link>
</robot>
"""
HOLDS = 2 * 9.81 * 0.5 * 2
"""Twice the effort that holds the bob up sideways [N m]."""


@pytest.fixture
def hinge(tmp_path, monkeypatch):
    if sys.platform != "linux":
        pytest.skip("it asks Linux for its services")
    if shutil.which("c++") is None:
        pytest.skip("no C++ compiler")
    eigen_directory()
    monkeypatch.setenv("ROBCOGEN_CXXFLAGS", "-O0")
    path = tmp_path / "hinge.urdf"
    path.write_text(HINGE.format(effort=HOLDS))
    return path


def test_a_run_is_reported_in_words_figures_and_a_picture(hinge, tmp_path, capsys):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    picture, numbers = tmp_path / "run.png", tmp_path / "run.json"
    words = ["--duration", "0.3", "--rate", "500", "--priority", "0", "--stress", "1"]
    words += ["--payload", "bob", "--png", str(picture), "--json", str(numbers)]
    assert main(["realtime", str(hinge), *words]) == 0
    text = capsys.readouterr().out
    assert text.startswith("hinge, 1 joints: computed_torque at 500 Hz for 0.3 s")
    assert "usual scheduling" in text and "1 processes of load" in text
    data = json.loads(numbers.read_text())
    outcome = data["outcome"]
    assert outcome["wake_up"]["total"] + outcome["missed"] >= 150
    assert outcome["execution"]["quantiles"]["99.999 %"] is None
    assert outcome["allocations"] in (0, None)
    assert not outcome["fifo"] and "SCHED_FIFO" not in "".join(outcome["notes"])
    punctual = outcome["missed"] < 5  # as on a computer that has little else to do
    assert outcome["tracking_error"] < (0.05 if punctual else 2.0)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_there_is_a_note(hinge, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    picture = tmp_path / "run.png"
    words = ["--payload", "bob", "--duration", "0.02", "--priority", "0", "--png", str(picture)]
    assert main(["realtime", str(hinge), *words]) == 0
    assert "is not written: --png needs matplotlib" in capsys.readouterr().err
    assert not picture.exists()


REFUSED = {"floating": ("quadruped", "floating base"), "parameters": ("leg", "have defaults")}


@pytest.mark.skipif(sys.platform != "linux", reason="Linux is asked for first")
@pytest.mark.parametrize("robot", REFUSED)
def test_a_robot_that_cannot_be_run_is_refused_before_anything_is_made(robot, tmp_path, capsys):
    name, reason = REFUSED[robot]
    leg = (EXAMPLES / "leg_design" / "leg.kindsl").read_text()
    (tmp_path / "leg.kindsl").write_text(leg.replace("density[4.0]", "density"))
    (tmp_path / "quadruped.kindsl").write_text((EXAMPLES / "quadruped.kindsl").read_text())
    assert main(["realtime", str(tmp_path / f"{name}.kindsl")]) == 1
    said = capsys.readouterr().err
    assert reason in said and "Traceback" not in said


@pytest.mark.parametrize(
    "words", [["--rate", "0"], ["--duration", "nan"], ["--stress", "-1"], ["--cpu", "99999"]]
)
def test_an_option_out_of_range_is_a_usage_error(words, capsys):
    with pytest.raises(SystemExit) as ending:
        main(["realtime", "arm.urdf", *words])
    assert ending.value.code == 2
    assert "expected" in capsys.readouterr().err


def test_the_page_names_every_option_of_a_run_and_no_other(capsys):
    with pytest.raises(SystemExit):
        main(["realtime", "--help"])
    help_ = capsys.readouterr().out
    own = help_[help_.index("\n  --duration") : help_.index("\nthe robot:")]
    options = re.findall(r"^  (--[a-z]+)", own, re.MULTILINE)
    page = (EXAMPLES.parent / "docs" / "realtime.md").read_text()
    table = [line for line in page.splitlines() if line.startswith("| `--")]
    assert set(re.findall(r"--[a-z]+", "".join(table))) == set(options)

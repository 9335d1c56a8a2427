"""Help of commands: the first line names the command, its own options come first, examples work."""

from __future__ import annotations

import importlib
import re
import runpy
import shlex
import shutil
from pathlib import Path

import pytest

from robcogen_ros.cli import generate_transforms
from robcogen_ros.cli.files import simulator_file
from robcogen_ros.cli.main import COMMANDS, main
from test import pages
from test.support.examples import EXAMPLES

ROOT = Path(__file__).resolve().parents[2]
ARM = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <link name="base"/>
  <joint name="lift" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="50" velocity="9"/>
  </joint>
  <link name="upper"><inertial><origin xyz="0.2 0 0"/><mass value="1.5"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
</robot>"""
MJCF = """<mujoco><worldbody><body><joint/><geom size="0.1"/></body></worldbody></mujoco>"""
HAND = '<xacro:arg name="hand" default="false"/></robot>'
ONLY_PARSED = (
    "bench",
    "design-study",
    "excite",
    "gait",
    "identify",
    "identify-payload",
    "lsp",
    "realtime",
    "view arm.urdf",
)
"""What compiles, searches, needs a recording, or serves."""


def told(command: str, words: list[str], capsys) -> str:
    with pytest.raises(SystemExit) as stop:
        main([command, *words, "--help"])
    assert stop.value.code == 0
    return capsys.readouterr().out


def examples(text: str) -> list[str]:
    calls = text.partition("\nexample")[2]
    return re.findall(r"^  robcogen (.+)$", calls, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_own_options_come_before_those_of_the_robot(command, capsys):
    text = told(command, [], capsys)
    assert text.startswith(f"usage: robcogen {command} ")
    own, _, of_robots = text.partition("\nthe robot:\n")
    assert "--help" in own and "--strict" not in own
    assert "--output" not in of_robots


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that examples name."""
    (tmp_path / "arm.urdf").write_text(ARM)
    (tmp_path / "arm.urdf.xacro").write_text(ARM.replace("</robot>", HAND))
    (tmp_path / "robot.xml").write_text(MJCF)
    for name in ("arm.kindsl", "leg.kindsl"):
        shutil.copy(EXAMPLES / "hyl.kindsl", tmp_path / name)
    (tmp_path / "frames.motdsl").write_text(
        "Model frames\n\nFrames { a, b }\nConvention = currentFrame\na -> b : trx(1.0)\n"
    )
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_are_calls(command, capsys, monkeypatch, folder):
    calls = examples(told(command, [], capsys))
    if command == "generate":
        calls += examples(told(command, ["frames.motdsl"], capsys))
    assert calls and len({*calls}) == len(calls)
    module = importlib.import_module(f"robcogen_ros.cli.{command.replace('-', '_')}")
    for call in calls:
        name, *words = shlex.split(call)
        assert name == command
        with monkeypatch.context() as patch:
            if command in ONLY_PARSED or call in ONLY_PARSED or "mujoco" in call:
                for each in (module, simulator_file, generate_transforms):
                    patch.setattr(each, "run", lambda _command, _options: 0, raising=False)
            assert main([name, *words]) == 0, call
    assert "error" not in capsys.readouterr().err


PRINTED = [
    (f"{page.relative_to(ROOT)}:{block.line}", call)
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    for block in pages.blocks(page.read_text(encoding="utf-8"))
    for call in ([] if block.name else block.commands())
    if call.startswith("robcogen ") and not re.search(r"\.\.\.|\[[A-Z]|FILE", call)
]


@pytest.mark.parametrize(("place", "call"), PRINTED)
def test_commands_on_pages_are_calls(place, call, capsys, monkeypatch, folder):
    """Their options are those that the commands take; what they read is a reader's own."""
    line = call.replace("\\\n", " ").partition(" > ")[0].partition(" | ")[0]
    words = shlex.split(line, comments=True)[1:]
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    if words[0] in COMMANDS:
        module = importlib.import_module(f"robcogen_ros.cli.{words[0].replace('-', '_')}")
        for each in (module, simulator_file, generate_transforms):
            monkeypatch.setattr(each, "run", lambda _command, _options: 0, raising=False)
    assert main(words) == 0, place
    assert "error" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["chek", "arm.urdf"], "unknown command 'chek'; did you mean 'check'?"),
        (["arm.urdf", "check"], "the command comes first: robcogen check arm.urdf"),
        (["check", "arm.urdf", "--stric"], "--stric; did you mean '--strict'?"),
        (["check", "arm.urdf", "--float"], "--float; did you mean '--floating-base'?"),
        (["check", "arm.urdf", "hand=1"], "an argument of a xacro is written hand:=1\n"),
        (["inspect", "arm.urdf", "hand:1"], "unrecognized arguments: hand:1\n"),
    ],
)
def test_what_was_meant_is_told(words, hint, capsys):
    try:
        assert main(words) == 2
    except SystemExit as stop:
        assert stop.code == 2
    assert hint in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    ["on_slopes --help", "on_slopes hyq", "on_estimate --help", "beside_mujoco --help"],
)
def test_drivers_tell_how_they_are_called(words, capsys, monkeypatch):
    driver, *given = words.split()
    monkeypatch.setattr("sys.argv", [driver, *given])
    with pytest.raises(SystemExit) as stop:
        runpy.run_module(f"test.drivers.{driver}", run_name="__main__")
    assert f" test.drivers.{driver} " in " ".join(
        (capsys.readouterr().out + str(stop.value.code)).split()
    )


def test_drivers_tell_files_that_are_not_there(monkeypatch):
    monkeypatch.setattr("sys.argv", ["state_estimation", "/nowhere.urdf"])
    with pytest.raises(SystemExit, match=r"^/nowhere\.urdf:1:1: error: cannot read the file"):
        runpy.run_module("test.drivers.state_estimation", run_name="__main__")
    for file in (ROOT / "test" / "drivers").glob("*.py"):
        _, main_part, called = file.read_text().partition('if __name__ == "__main__":\n')
        assert called.lstrip().startswith("with usage(") or not main_part, file

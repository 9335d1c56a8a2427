"""Every broken file in models/ gives just the messages that expected.txt has for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from robcogen_ros.cli.main import main
from robcogen_ros.errors import ModelError
from robcogen_ros.formats.read import read

HERE = Path(__file__).parent
MODELS = sorted(path.name for path in (HERE / "models").iterdir())
EXPECTED = (HERE / "expected.txt").read_text().splitlines()
INCLUDED = {"fault_in_include.urdf.xacro": "mismatched_tag.urdf"}


def expected(model: str) -> list[str]:
    name = INCLUDED.get(model, model)
    return [line for line in EXPECTED if line.startswith(f"{name}:")]


@pytest.fixture(autouse=True)
def in_models(monkeypatch):
    monkeypatch.chdir(HERE / "models")


@pytest.mark.parametrize("model", MODELS)
def test_each_fault_is_told_with_its_place(model):
    with pytest.raises(ModelError) as caught:
        read(model)
    assert str(caught.value).splitlines() == expected(model)


def arguments(command: str, model: str, output: Path) -> list[str]:
    if command == "check":
        return [command, model]
    if command in ("urdf2kindsl", "urdf2mjcf"):
        return [command, model, "-o", str(output)]
    options = ["--project", "p", "--name", "t", "--depfile", str(output), "--stamp", str(output)]
    return [command, model, *options, "-o", str(output)]


@pytest.mark.slow
@pytest.mark.parametrize("command", ["check", "generate", "urdf2kindsl", "urdf2mjcf"])
@pytest.mark.parametrize("model", MODELS)
def test_every_command_says_the_same_and_writes_nothing(command, model, tmp_path, capfd):
    assert main(arguments(command, model, tmp_path / "out")) == 1
    printed = capfd.readouterr()
    assert printed.err.replace("--cut-loops", "cut_loops=True").splitlines() == expected(model)
    assert not printed.out
    assert not list(tmp_path.iterdir())


def test_a_process_of_its_own_ends_with_1_and_no_traceback(tmp_path):
    command = [sys.executable, "-m", "robcogen_ros"]
    words = arguments("generate", "negative_mass.urdf", tmp_path / "out")
    paths = {"PYTHONPATH": os.pathsep.join([str(HERE.parents[1]), *sys.path])}
    done = subprocess.run(
        [*command, *words], env=os.environ | paths, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == expected("negative_mass.urdf")


def test_every_expected_message_has_its_model():
    assert {line.split(":")[0] for line in EXPECTED} <= set(MODELS)

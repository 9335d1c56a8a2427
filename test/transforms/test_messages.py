"""Every wrong document gives just the messages that expected.txt has for it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from robcogen_ros.cli.main import main
from robcogen_ros.errors import ModelError
from robcogen_ros.formats import source
from robcogen_ros.formats.transforms import ctdsl, dtdsl, motdsl

HERE = Path(__file__).parent
DOCUMENTS = sorted(path.name for path in (HERE / "wrong").iterdir())
EXPECTED = (HERE / "expected.txt").read_text().splitlines()
READ = {".motdsl": motdsl.read, ".ctdsl": ctdsl.read, ".dtdsl": dtdsl.read}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_each_fault_is_told_with_its_place(name, monkeypatch):
    monkeypatch.chdir(HERE / "wrong")
    with pytest.raises(ModelError) as caught:
        READ[Path(name).suffix](source.read(name))
    assert str(caught.value).splitlines() == [t for t in EXPECTED if t.startswith(f"{name}:")]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_command_check_tells_the_same(name, monkeypatch, capsys):
    monkeypatch.chdir(HERE / "wrong")
    assert main(["check", name]) == 1
    expected = [t for t in EXPECTED if t.startswith(f"{name}:")]
    assert capsys.readouterr().err.splitlines() == expected
    assert main(["check", "--json", name]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [f"{f['file']}:{f['line']}" for f in found] == [
        ":".join(line.split(":")[:2]) for line in expected
    ]


def test_every_expected_message_has_its_document():
    assert {line.split(":")[0] for line in EXPECTED} == set(DOCUMENTS)


def test_a_document_on_the_standard_input_is_checked_in_the_language_that_is_told(monkeypatch):
    text = b"Convention = local\na -> b : rotx(1)\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert main(["check", "--format", "motdsl", "-"]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("words", [["--help"], ["check", "--help"], ["urdf2kindsl", "--help"]])
def test_a_reader_that_goes_away_is_no_error(words):
    """As in `robcogen --help | head -1`."""
    command = [sys.executable, "-u", "-m", "robcogen_ros", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 0

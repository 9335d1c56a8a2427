"""Where a command cannot write, it says so; what was there before stays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from robcogen_ros.cli.main import main
from test.support.examples import example_path

HYL = str(example_path("hyl"))


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that takes the first half of the second file that is written."""
    write, written = Path.write_bytes, []

    def write_bytes(path: Path, data: bytes) -> int:
        written.append(path)
        if len(written) < 2:
            return write(path, data)
        write(path, data[: len(data) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write_bytes)


def files(directory: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def test_of_generated_files_all_are_new_or_none(
    tmp_path: Path, full_disk: None, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "include" / "robots" / "robot.hpp"
    old.parent.mkdir(parents=True)
    old.write_text("old")
    before = files(tmp_path)
    assert main(["generate", HYL, "-o", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert f"cannot write {tmp_path}" in said
    assert "No space left on device" in said
    assert files(tmp_path) == before


def test_a_document_stays_as_it_was(
    tmp_path: Path, full_disk: None, capsys: pytest.CaptureFixture[str]
) -> None:
    document, other = tmp_path / "robot.kindsl", tmp_path / "other.kindsl"
    for path in (other, document):
        path.write_text(" " + example_path("hyl").read_text())
    before = document.read_bytes()
    assert main(["format", str(other), str(document)]) == 1
    assert f"cannot write {document}: No space left on device" in capsys.readouterr().err
    assert files(tmp_path) == {other: other.read_bytes(), document: before}


def test_a_formatted_file_keeps_its_mode_and_a_link_stays_one(tmp_path: Path) -> None:
    document, link = tmp_path / "robot.kindsl", tmp_path / "link.kindsl"
    document.write_text(" " + example_path("hyl").read_text())
    document.chmod(0o640)
    link.symlink_to(document)
    assert main(["format", str(link)]) == 0
    assert link.is_symlink()
    assert not document.read_text().startswith(" ")
    assert document.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    "words",
    [
        ["generate", HYL, "-o", "/proc/nope"],
        ["kindsl2urdf", HYL, "-o", "/proc/nope/robot.urdf"],
        ["inspect", HYL, "--function", "gravity_torques", "--svg", "/proc/nope/cost.svg"],
    ],
)
def test_a_place_that_cannot_be_written_to(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 1
    assert "cannot write /proc/nope" in capsys.readouterr().err


def run(command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    line = f"{sys.executable} -m robcogen_ros {command}"
    return subprocess.run(
        ["sh", "-c", line], env=os.environ | environment, capture_output=True, check=False
    )


def test_a_full_standard_output() -> None:
    done = run(f"kindsl2urdf {HYL} > /dev/full")
    assert done.returncode == 1
    assert done.stderr.endswith(b"error: the output: No space left on device\n")


@pytest.mark.slow
def test_texts_are_utf_8_whatever_the_encoding_of_this_process(tmp_path: Path) -> None:
    document, model = tmp_path / "robot.kindsl", tmp_path / "robot.urdf"
    document.write_text(f"// b\u00e4r \u2602\n{example_path('hyl').read_text()}", encoding="utf-8")
    model.write_text('<robot name="r"><link name="b\u00e4r"/></robot>', encoding="utf-8")
    for encoding in ("ascii", "latin-1"):
        done = run(f"format --stdout {document}", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
        assert done.stdout.startswith("// b\u00e4r \u2602\n".encode()), done.stderr
        shown = run(f"inspect {model}", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
        assert shown.returncode == 0, shown.stderr

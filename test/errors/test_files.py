"""Files that are no text, or not there at all."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from robcogen_ros.errors import ModelError, RobcogenError
from robcogen_ros.formats.load import load


def message(path, **options) -> str:
    with pytest.raises(RobcogenError) as caught:
        load(path, **options)
    return str(caught.value).replace(str(Path(path).parent), "DIR")


def written(tmp_path, name: str, content: bytes) -> str:
    path = tmp_path / name
    path.write_bytes(content)
    return str(path)


@pytest.mark.parametrize("content", [b"", b" \n\n", b"\xef\xbb\xbf"])
def test_empty_file(tmp_path, content):
    path = written(tmp_path, "arm.urdf", content)
    assert message(path) == "DIR/arm.urdf:1:1: error: the file is empty; expected a robot model"


@pytest.mark.parametrize("name", ["arm.urdf", "arm.kindsl", "arm.urdf.xacro"])
def test_binary_file(tmp_path, name):
    path = written(tmp_path, name, b"\x7fELF\x02\x01\x00\x00")
    expected = f"DIR/{name}:1:1: error: the file is binary; expected a robot model in text"
    assert message(path) == expected


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("arm.urdf", b"\x1f\x8b\x08\0", "packed by gzip: unpack it first"),
        ("arm.zip", b"PK\x03\x04\0", "packed by zip: unpack it first"),
        ("arm.urdf", b"\n<!DOCTYPE HTML>\n<html>", "a web page: download the file itself"),
        (
            "arm.urdf",
            b"version https://git-lfs.github.com/spec/v1\n",
            "a pointer of Git LFS: `git lfs pull` brings the file itself",
        ),
    ],
)
def test_what_is_often_taken_for_a_robot_model(tmp_path, name, content, what):
    path = written(tmp_path, name, content)
    assert message(path) == f"DIR/{name}:1:1: error: the file is {what}; expected a robot model"


def test_a_name_that_says_another_format(tmp_path):
    path = written(tmp_path, "arm.urdf", b"// an arm\n/* Robot */ Robot Arm {\n}")
    assert message(path) == "DIR/arm.urdf:1:1: error: the file is Kinematics-DSL: call it .kindsl"
    path = written(tmp_path, "arm.kindsl", b"<robot/>")
    expected = "the file is XML; call it .urdf or .xacro if that is in it"
    assert message(path) == f"DIR/arm.kindsl:1:1: error: {expected}"


def test_missing_file(tmp_path):
    expected = "DIR/gone.urdf:1:1: error: cannot read the file: no such file or directory"
    assert message(str(tmp_path / "gone.urdf")) == expected


def test_directory(tmp_path):
    (tmp_path / "robots").mkdir()
    expected = "DIR/robots:1:1: error: cannot read the file: is a directory"
    assert message(str(tmp_path / "robots")) == expected


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_file_without_permission(tmp_path):
    path = written(tmp_path, "arm.urdf", b"<robot/>")
    Path(path).chmod(0)
    assert message(path) == "DIR/arm.urdf:1:1: error: cannot read the file: permission denied"


def test_standard_input_has_a_name(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"<robot>")))
    with pytest.raises(ModelError, match=r"^<stdin>:1:8: error: invalid XML: expected </robot>"):
        load("-")


def test_utf_16_is_read(tmp_path):
    path = written(
        tmp_path, "arm.urdf", '<robot name="bras"><link name="l"/></robot>'.encode("utf-16")
    )
    assert load(path).name == "bras"


def test_a_null_character_after_an_xml_ends_it(tmp_path):
    """As that of a humanoid of PyBullet; one within a text is none of it."""
    text = b'<robot name="arm"><link name="l"/></robot>\r\n'
    assert load(written(tmp_path, "arm.urdf", text + b"\0\0")).name == "arm"
    expected = "DIR/arm.urdf:1:1: error: the file is binary; expected a robot model in text"
    for content in (text.replace(b"arm", b"a\0m"), b"Robot arm {\0"):
        assert message(written(tmp_path, "arm.urdf", content)) == expected


def test_unknown_format(tmp_path):
    path = written(tmp_path, "arm.urdf", b"<robot/>")
    assert message(path, format="sdf") == (
        "unknown format 'sdf'; expected one of urdf, xacro, kindsl, mjcf"
    )


def test_arguments_for_what_is_no_xacro(tmp_path):
    path = written(tmp_path, "arm.urdf", b'<robot name="arm"><link name="base"/></robot>')
    assert message(path, xacro_args={"prefix": "a"}) == (
        "DIR/arm.urdf is not a xacro: it takes no arguments (prefix)"
    )

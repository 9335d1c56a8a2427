"""Encodings, what may stand before a header, and which text is a xacro."""

from __future__ import annotations

import pytest

import robcogen_ros
from robcogen_ros.errors import ModelError, RobcogenError
from robcogen_ros.formats import source
from robcogen_ros.formats.load import kind_of, load
from robcogen_ros.formats.urdf.text import urdf_text

ROBOT = """<robot name="grue">
  <link name="sol"/>
  <link name="flèche"/>
  <joint name="pivot" type="continuous">
    <parent link="sol"/><child link="flèche"/><axis xyz="0 0 1"/>
  </joint>
</robot>
"""


def header(encoding: str) -> str:
    return f'<?xml version="1.0" encoding="{encoding}"?>\n'


def names(data: bytes, path) -> list[str]:
    path.write_bytes(data)
    return [link.name for link in load(path).links]


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (header("ISO-8859-1") + ROBOT, "iso-8859-1"),
        ("\n\n" + header("cp1252") + ROBOT, "cp1252"),
        (header("gbk") + ROBOT.replace("è", "钩"), "gbk"),
        (header("utf-16") + ROBOT, "utf-16"),
        (header("utf-16") + ROBOT, "utf-16-le"),
        (header("utf-16") + ROBOT, "utf-16-be"),
        (header("utf-16") + ROBOT, "utf-8"),
        (header("utf-32") + ROBOT, "utf-8"),
        (ROBOT, "utf-8"),
        (ROBOT, "utf-8-sig"),
        ("\n" + header("utf-8") + ROBOT, "utf-8"),
        (" \t\r\n\n" + header("utf-8") + ROBOT, "utf-8-sig"),
    ],
)
def test_files_are_read_in_the_encoding_that_they_are_in(text, encoding, tmp_path):
    expected = ["sol", "fl钩che" if "钩" in text else "flèche"]
    assert names(text.encode(encoding), tmp_path / "robot.urdf") == expected


@pytest.mark.parametrize("encoding", ["utf-8", "ISO-8859-1", "GBK", "utf-16", "EUC-JP", "klingon"])
@pytest.mark.parametrize("before", ["", "\ufeff", "\n\n", "\ufeff \n", "\n\ufeff"])
def test_a_text_is_not_decoded_again(encoding, before):
    robot = robcogen_ros.build(text=before + header(encoding) + ROBOT, backend="numpy")
    assert list(robot.link_names) == ["sol", "flèche"]


def test_places_stay_those_of_the_text_after_blank_lines(tmp_path):
    path = tmp_path / "robot.urdf"
    wrong = ROBOT.replace('<link name="sol"/>', "<link/>")
    for before, line in (("", 3), ("\n\n", 5), ("\ufeff\n", 4)):
        path.write_text(before + header("utf-8") + wrong, encoding="utf-8")
        with pytest.raises(ModelError) as caught:
            load(path)
        assert str(caught.value).startswith(f"{path}:{line}:3: error: <link> lacks")
    path.write_text("  " + header("utf-8").strip() + "<robot", encoding="utf-8")
    with pytest.raises(ModelError, match=r"robot.urdf:1:4[0-9]: error: invalid XML"):
        load(path)


@pytest.mark.parametrize("before", ["<!-- made by a tool -->\n", "\n<!-- x -->", "text\n"])
def test_what_else_stands_before_the_header_is_an_error_with_advice(before):
    with pytest.raises(ModelError) as caught:
        load(source.of_text(before + header("utf-8") + ROBOT, "robot.urdf"), format="urdf")
    if "<!--" in before:
        assert "leave the declaration out" in str(caught.value)


@pytest.mark.parametrize("text", ["", " \n", "\ufeff", "a\udc80", "<robot name='\ud83d'/>"])
def test_no_text_is_an_error(text):
    with pytest.raises(RobcogenError):
        robcogen_ros.build(text=text, backend="numpy")


@pytest.mark.parametrize("encoding", ["undefined", "idna", "rot13", "klingon", "hex"])
def test_an_encoding_of_no_text_is_an_error(encoding, tmp_path):
    with pytest.raises(ModelError):
        names((header(encoding) + ROBOT).encode(), tmp_path / "robot.urdf")


def test_a_file_and_a_text_exclude_each_other():
    for arguments in ({}, {"text": ROBOT, "model": "robot.urdf"}, {"text": ROBOT.encode()}):
        with pytest.raises(TypeError, match="a file as str or Path or, as str, text="):
            robcogen_ros.build(**arguments)


NOT_XACRO = [
    ROBOT.replace("<robot", "<!-- <xacro:include/> --><robot"),
    ROBOT.replace("<robot", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"'),
    ROBOT.replace("</robot>", "<gazebo><plugin>&lt;xacro:x/&gt;${a}</plugin></gazebo></robot>"),
    ROBOT.replace("</robot>", "<![CDATA[<xacro:macro name='x'/>]]></robot>"),
    ROBOT.replace('name="grue"', 'name="&lt;xacro:grue"'),
]


@pytest.mark.parametrize("text", NOT_XACRO)
def test_only_elements_make_a_xacro(text, tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(text, encoding="utf-8")
    assert kind_of(source.of_text(text, "robot_description")) == "urdf"
    assert urdf_text(path, {}) == text
    assert robcogen_ros.build(text=text, backend="numpy").n == 1


def test_elements_of_xacro_make_one_by_any_name(tmp_path):
    text = ROBOT.replace("<robot", '<robot xmlns:xacro="http://ros.org/wiki/xacro"')
    text = text.replace("<link", '<xacro:arg name="a" default="1"/><link', 1)
    path = tmp_path / "robot.urdf"
    path.write_text(text.replace("pivot", "pivot$(arg a)"), encoding="utf-8")
    assert load(path, xacro_args={"a": "2"}).joints[0].name == "pivot2"
    assert 'name="pivot2"' in urdf_text(path, {"a": "2"})
    with pytest.raises(ModelError, match="<xacro:arg> is of xacro; read the file in"):
        load(path, format="urdf")

"""Robots from xacro."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree

import pytest
import xacro

from robcogen_ros.cli.main import main
from robcogen_ros.errors import ModelError
from robcogen_ros.formats import source
from robcogen_ros.formats.load import load
from robcogen_ros.formats.urdf.text import urdf_text

MAIN = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="size" default="1"/>
  <xacro:include filename="$(find parts)/segment.xacro"/>
  <xacro:property name="cfg" value="${xacro.load_yaml('mass.yaml')}"/>
  <link name="base"/>
  <xacro:segment name="upper" parent="base" size="$(arg size)" mass="${cfg['upper']}"/>
</robot>
"""
SEGMENT = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:macro name="segment" params="name parent size mass">
    <link name="${name}"><inertial><mass value="${mass}"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="${name}_joint" type="revolute">
      <origin xyz="0 0 ${size}" rpy="${pi/2} 0 0"/>
      <parent link="${parent}"/><child link="${name}"/>
    </joint>
  </xacro:macro>
</robot>
"""


@pytest.fixture
def arm(tmp_path) -> Path:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/segment.xacro").write_text(SEGMENT)
    (tmp_path / "mass.yaml").write_text("upper: 2.5\n")
    main = tmp_path / "arm.urdf.xacro"
    main.write_text(MAIN)
    return main


def loaded(arm: Path, **arguments: str):
    return load(arm, xacro_args=arguments, package_paths={"parts": str(arm.parent / "parts")})


def size(description) -> float:
    return float(description.joints[0].pose.translation.z)


def test_arguments_and_their_defaults(arm):
    assert size(loaded(arm)) == 1
    assert size(loaded(arm, size="0.25")) == 0.25


def test_no_run_leaves_anything_to_the_next(arm):
    before = loaded(arm)
    loaded(arm, size="0.25")
    assert loaded(arm) == before


def test_every_file_read_is_named(arm):
    folder = arm.parent
    expected = [arm, folder / "parts/segment.xacro", folder / "mass.yaml"]
    assert loaded(arm).files == tuple(str(path.resolve()) for path in expected)


def test_places_are_those_in_the_macro(arm):
    joint = loaded(arm).joints[0]
    assert joint.location.file == str(arm.parent / "parts/segment.xacro")
    assert joint.location.line == 5


def test_an_unknown_argument_is_warned_about(arm):
    (warning,) = loaded(arm, sise="3").warnings
    assert warning.message == "the xacro has no argument 'sise'; did you mean 'size'?"


def test_an_error_tells_the_misspelt_argument_that_may_cause_it(arm):
    arm.write_text(arm.read_text().replace("</robot>", "<link name='${1/0}'/></robot>"))
    with pytest.raises(ModelError) as error:
        loaded(arm, sise="3")
    assert "division by zero" in str(error.value)
    assert "no argument 'sise' was found before this error; did you mean 'size'?" in str(
        error.value
    )
    with pytest.raises(ModelError) as error:
        loaded(arm, size="3")
    assert "no argument" not in str(error.value)


def test_nothing_is_printed(arm, capfd):
    loaded(arm)
    assert capfd.readouterr() == ("", "")


def test_a_urdf_with_xacro_tags_is_a_xacro(arm):
    plain = arm.rename(arm.parent / "arm.urdf")
    assert size(loaded(plain)) == 1


def test_a_package_from_nowhere_is_asked_for(arm, monkeypatch):
    monkeypatch.delenv("AMENT_PREFIX_PATH", raising=False)
    with pytest.raises(
        ModelError, match=r"arm.urdf.xacro:3:3: error: package 'parts' .* not found"
    ):
        load(arm)


def test_what_an_older_expansion_left_is_told_with_what_to_do(tmp_path):
    path = tmp_path / "r.urdf"
    path.write_text('<robot name="r"><link name="a"/>\n<xacro:grey/></robot>')
    for options in ({}, {"format": "urdf"}):
        with pytest.raises(ModelError, match=r"r.urdf:2:1: error: .*delete the element if .* file"):
            load(path, **options)


def test_a_failed_run_leaves_xacro_usable(arm):
    with pytest.raises(ModelError):
        load(arm)
    assert size(loaded(arm)) == 1


@pytest.mark.parametrize(
    "words",
    [
        ["{arm}", "size:=4"],
        ["size:=4", "{arm}", "--package-path", "x:=."],
        ["--package-path", "x:=.", "{arm}", "--xacro-arg", "size:=4"],
    ],
)
def test_commands_take_arguments_as_xacro_does(arm, words, capsys, monkeypatch):
    monkeypatch.chdir(arm.parent)
    words = [word.format(arm=arm) for word in words]
    assert main(["motions2transforms", *words, "--package-path", "parts:=parts"]) == 0
    assert "Tz (4.0)" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["{arm}", "--package-path", "parts:=parts", "size:=4"],
        ["size:=4", "--keep-fixed", "{arm}", "--package-path", "parts:=parts"],
        ["{arm}", "--xacro-arg", "size:=4", "--package-path", "parts:=parts"],
    ],
)
def test_urdf2kindsl_takes_them_anywhere(arm, words, capsys, monkeypatch):
    monkeypatch.chdir(arm.parent)
    assert main(["urdf2kindsl", *(word.format(arm=arm) for word in words)]) == 0
    assert "4.0" in capsys.readouterr().out


def test_a_package_is_a_folder_that_is_there(arm, capsys):
    with pytest.raises(SystemExit):
        main(["check", str(arm), "--package-path", "parts:=nowhere"])
    assert "parts: there is no folder 'nowhere'" in capsys.readouterr().err


def test_an_argument_that_is_given_twice_is_an_error(arm, capsys):
    assert main(["check", str(arm), "size:=4", "--xacro-arg", "size:=5"]) == 1
    assert capsys.readouterr().err == "xacro argument 'size' is given twice\n"


def test_an_argument_of_no_xacro_is_an_error(tmp_path, capsys):
    path = tmp_path / "arm.urdf"
    path.write_text('<robot name="r"><link name="a"/></robot>')
    assert main(["check", str(path), "size:=4"]) == 1
    assert "is not a xacro: it takes no arguments (size)" in capsys.readouterr().err


def canonical(text: str) -> list[str]:
    """Tags, attributes and words of an XML text."""
    found: list[str] = []
    for event, part in ElementTree.iterparse(io.StringIO(text), ("start", "end")):
        found += [f"{event} {part.tag} {sorted(part.attrib.items())}"]
        if event == "end":
            found += (part.text or "").split()
    return found


AS_XACRO_HAS_IT = [
    '<xacro:property name="f" value="${lambda x: x*x}"/><a v="${f(3)}"/>',
    '<xacro:property name="f" value="${dict(g=lambda m, y: m*y*y)}"/><a v="${f[\'g\'](3, 2)}"/>',
    '<xacro:property name="k" value="${lambda x: -x*2}"/><a v="${sorted([1,3,2], key=k)}"/>',
    '<xacro:property name="k" value="${(x*2 for x in [1,2])}"/><a v="${list(k)}"/>',
    '<xacro:property name="k" value="${map(lambda x: x*2, [1,2])}"/><a v="${list(k)}"/>',
    '<a w="${[[a+b+c for a in range(2)] for b in range(2) for c in range(2)]}"/>',
    "<a v=\"${len(list(range(20000)))} ${len('x'*6000 + 'y'*6000)}\"/>",
    "<gazebo><mu1>${1+1}</mu1><text>$(arg b) $${c} &lt;x&gt;</text></gazebo>",
    "<gazebo><script><![CDATA[ ${1+1} $(arg b) $${c} <x/> ]]></script></gazebo>",
]


@pytest.mark.parametrize("body", AS_XACRO_HAS_IT)
def test_what_it_expands_to_is_what_xacro_makes_of_it(body, tmp_path):
    xmlns = "http://www.ros.org/wiki/xacro"
    text = f'<robot name="r" xmlns:xacro="{xmlns}"><xacro:arg name="b" default="1"/>{body}</robot>'
    path = tmp_path / "r.urdf.xacro"
    path.write_text(text)
    expected = canonical(xacro.process_file(str(path)).toprettyxml())
    assert canonical(urdf_text(path, {})) == expected
    other = canonical(xacro.process_file(str(path), mappings={"b": "q"}).toprettyxml())
    assert canonical(urdf_text(path, {"b": "q"})) == other


def test_expressions_in_texts_do_not_reach_the_machine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for expression in ("$(eval open('escaped', 'w'))", "${9**9**9}", "${undefined}"):
        text = f"<robot name='r'><xacro:arg name='a'/><gazebo>{expression}</gazebo></robot>"
        for reader in (load, lambda given: urdf_text(given, {})):
            with pytest.raises(ModelError, match="robot_description:1:"):
                reader(source.of_text(text, "robot_description"))
    assert not list(tmp_path.iterdir())

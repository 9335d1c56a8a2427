"""Whatever a URDF or xacro holds, it is read or refused soon; nothing of it runs or escapes."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
import pytest

import robcogen_ros
from robcogen_ros.cli.main import main
from robcogen_ros.errors import ModelError
from robcogen_ros.formats.load import load
from robcogen_ros.formats.source import Source
from robcogen_ros.model.checks.tree import check
from robcogen_ros.model.reduce import reduce
from test.support.compiler import compile_program
from test.support.eigen import eigen_directory

XACRO = '<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">{}</robot>'
INERTIAL = """<inertial><origin xyz="0.1 0.2 0.3"/><mass value="2"/>
  <inertia ixx="0.3" ixy="0.01" ixz="0" iyy="0.2" iyz="0" izz="0.1"/></inertial>"""
NAMES = [
    'a "quoted" name',
    "it's",
    "two\nlines",
    "*/ int main() { /*",
    "//",
    "../../../escaped",
    "/tmp/escaped",
    "class",
    "q",
    "lambda",
    "end",
    "Gelenk_ä_関節",
    "{{ 7 * 7 }}{% raw %}",
    '"); system("touch escaped"); //',
    "%d %s \\n \\",
    "??/",
    "x" * 10_000,
    "-",
    "1",
    "<xml>&amp;",
]


def robot(names: list[str]) -> str:
    """A chain of links; joints are called after them."""
    links = "".join(f"<link name={_attribute(n)}>{INERTIAL}</link>" for n in ["base", *names])
    joints = "".join(
        f"<joint name={_attribute(child)} type='continuous'><parent link={_attribute(parent)}/>"
        f"<child link={_attribute(child)}/><axis xyz='0 1 0'/><origin xyz='0 0 0.1'/></joint>"
        for parent, child in zip(["base", *names], names, strict=False)
    )
    return f"<robot name={_attribute(names[0])}>{links}{joints}</robot>"


def _attribute(name: str) -> str:
    return quoteattr(name).replace("\n", "&#10;")


def everything_below(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*")}


@pytest.mark.slow
def test_names_of_any_kind_are_compiled_and_converted(tmp_path, monkeypatch):
    inside = tmp_path / "deep" / "er"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    path, plain = inside / "odd.urdf", inside / "plain.urdf"
    path.write_text(robot(NAMES))
    plain.write_text(robot([f"n{i}" for i in range(len(NAMES))]))
    outside = everything_below(tmp_path) - {p.relative_to(tmp_path) for p in inside.rglob("*")}
    functions = ["--function", "gravity_torques", "--function", "kinematics"]
    assert main(["generate", "odd.urdf", "-o", "out", *functions]) == 0
    assert main(["generate", "odd.urdf", "-o", "py", "--target", "python", *functions]) == 0
    assert main(["generate", "odd.urdf", "-o", "m", "--target", "octave", *functions]) == 0
    assert main(["urdf2kindsl", "odd.urdf", "-o", "odd.kindsl", "--desired", "odd.dtdsl"]) == 0
    assert main(["kindsl2urdf", "odd.kindsl", "-o", "again.urdf"]) == 0
    assert main(["motions2transforms", "odd.kindsl", "--base", "base", "-o", "odd.ctdsl"]) == 0
    assert main(["inspect", "odd.urdf"]) == 0
    now = everything_below(tmp_path) - {p.relative_to(tmp_path) for p in inside.rglob("*")}
    assert now == outside
    assert not any("escaped" in str(p) for p in everything_below(tmp_path))
    (inside / "user.cpp").write_text('#include "robots/robot.hpp"\nint main() {}\n')
    flags = ["-Iout/include", "-isystem", str(eigen_directory()), "-Wpedantic"]
    flags += ["-I", str(Path(__file__).resolve().parents[2] / "include"), "-Wno-overlength-strings"]
    program = compile_program(inside / "user.cpp", inside, *flags)
    subprocess.run([program], check=True)
    compile((inside / "py/robot.py").read_text(), "robot.py", "exec")
    q = np.linspace(-1, 1, len(NAMES))
    expected = robcogen_ros.build(plain, backend="numpy").gravity_torques(q)
    for name in ("odd.urdf", "odd.kindsl", "again.urdf"):
        found = robcogen_ros.build(name, backend="numpy", functions=["gravity_torques"])
        assert found.gravity_torques(q) == pytest.approx(expected, abs=1e-10), name


def read(text: str, name: str) -> None:
    description = load(Source(name, text))
    problems = check(description)
    if any(problem.severity == "error" for problem in problems):
        raise ModelError(problems)
    reduce(description)


def chain(length: int, extra: str = "") -> str:
    links = "".join(f'<link name="l{i}"/>' for i in range(length + 1))
    joints = "".join(
        f'<joint name="j{i}" type="continuous"><parent link="l{i}"/><child link="l{i + 1}"/>'
        f"{extra.format(i - 1) if i else ''}</joint>"
        for i in range(length)
    )
    return f'<robot name="r">{links}{joints}</robot>'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (chain(100_000), "no more than 20000"),
        (chain(4000), "no more than 2500"),
        (chain(1000, '<mimic joint="j{}"/>'), None),
        ("<robot name='r'>" + "<a>" * 100_000 + "</a>" * 100_000 + "</robot>", "no links"),
        ("<robot name='r'><link name='a'/>" + "<lonk/>" * 50_000 + "</robot>", None),
        ("<robot name='r'><link name='a'/>" + "<x y='" + "z" * 1_000_000 + "'/></robot>", None),
        ("<robot name='r'>" + "<link name='a'/>" * 4000 + "</robot>", "second link named 'a'"),
        ("<" * 1_000_000, "not well-formed"),
    ],
    ids=range(8),
)
def test_large_files_take_bounded_time(text, message):
    start = time.process_time()
    try:
        read(text, "large.urdf")
        assert message is None
    except ModelError as error:
        assert message is not None and message in str(error)
    assert time.process_time() - start < 20


@pytest.mark.parametrize(
    "body",
    [
        '<xacro:macro name="m"><xacro:m/></xacro:macro><xacro:m/>',
        '<xacro:macro name="m" params="n"><link name="l${n}"/><xacro:m n="${n+1}"/></xacro:macro>'
        '<xacro:m n="0"/>',
        '<xacro:property name="a" value="${b}"/><xacro:property name="b" value="${a}"/>'
        '<link name="${a}"/>',
        '<xacro:arg name="a" default="$(arg b)"/><xacro:arg name="b" default="$(arg a)"/>'
        '<link name="$(arg a)"/>',
        "<link name=\"${__import__('os').system('touch escaped')}\"/>",
        '<link name="${().__class__.__base__.__subclasses__()}"/>',
        "<link name=\"${open('/etc/passwd').read()}\"/>",
        "<link name=\"${eval('1')}\"/>",
        "<link name=\"$(eval __import__('os').system('touch escaped'))\"/>",
        "<xacro:property name='c' value=\"exec('import os; os.mkdir(&quot;escaped&quot;)', {})\"/>"
        "<link name='$(eval ${c})'/>",
        "<xacro:property name='c' value=\"open('/etc/passwd').read()\"/>"
        "<link name='$(eval ${c})'/>",
        '<link name="${(lambda: ().__class__.__base__.__subclasses__())()}"/>',
        '<link name="${[c for c in ().__class__.__base__.__subclasses__()]}"/>',
        '<link name="${9**9**9}"/>',
        '<link name="$(eval 9**9**9)"/>',
        '<link name="${1 << 10**9}"/>',
        "<link name=\"${len('a' * 10**9)}\"/>",
        '<link name="${sum([a * b for a in range(10**9)])}"/>',
        "<link name=\"${'%1000000000d' % 1}\"/>",
        '<link name="${[0 for a in range(500) for b in range(500) for c in range(500)]}"/>',
        "<xacro:property name='a' value='${[0] * 900000}'/><link name='${a + a}'/>",
        "<xacro:property name='f' value='${lambda n: n if n &lt; 2 else f(n-1) + f(n-2)}'/>"
        "<link name='${f(60)}'/>",
        "<xacro:property name='f' value='${lambda n: f(n) * 2}'/><link name='${f(1)}'/>",
        "<xacro:property name='f' value='${lambda n: 9**n}'/><link name='${f(9**9)}'/>",
        "<xacro:property name='g' value='${(9**9**9 for x in [1])}'/><link name='${list(g)}'/>",
        "<link name='${list(map(lambda x: ().__class__.__base__, [1]))}'/>",
        "".join(f"<xacro:property name='a{i + 1}' value='${{a{i}}}${{a{i}}}'/>" for i in range(40))
        + "<xacro:property name='a0' value='haha'/><link name='${a40}'/>",
    ],
    ids=range(27),
)
def test_a_xacro_that_never_ends_or_runs_programs_is_refused(body, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelError, match=r"x\.urdf\.xacro:1:\d+: error: "):
        read(XACRO.format(body), "x.urdf.xacro")
    assert not list(tmp_path.iterdir())


def test_what_expressions_are_for_goes_on():
    body = """<xacro:arg name="n" default="3"/>
      <xacro:property name="e" value="round(1.6) + len('ab')"/>
      <link name="l${max(1, 2) + len([x * x for x in [1, 2, 3, 4, 5]])}"/>
      <link name="$(eval n + 1)"/>
      <link name="$(eval ${e})"/>
      <xacro:property name="f" value="${lambda x, y: x ** 2 + y}"/>
      <xacro:property name="half" value="${map(lambda x: x / 2, [1, 2])}"/>
      <xacro:property name="twice" value="${(x * 2 for x in [1, 2])}"/>
      <link name="${f(3, 2)} ${list(half)} ${list(twice)} ${sorted([1, 3], key=lambda x: -x)}"/>
      <link name="${len([0 for a in 'ab' for b in 'ab' for c in 'ab'])} ${len('x' * 20000)}"/>"""
    description = load(Source("x.urdf.xacro", XACRO.format(body)))
    assert [link.name for link in description.links] == [
        *("l7", "4", "4"),
        "11 [0.5, 1.0] [2, 4] [3, 1]",
        "8 20000",
    ]


def test_unknown_tags_are_told_once_a_kind():
    body = "<link name='a'><foo/></link><gazebo/><drake:x xmlns:drake='d'/>"
    body += "<lonk/>" * 3 + "<jont/>" * 2 + "<link name='b'><foo/></link>"
    description = load(Source("x.urdf", f"<robot name='r'>{body}</robot>"))
    assert [problem.message.split(" is ")[0] for problem in description.warnings] == [
        "unknown tag <foo>",
        "unknown tag <lonk>",
        "unknown tag <jont>",
    ]

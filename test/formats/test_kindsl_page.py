"""The examples in docs/kinematics_dsl.md are what the page says they are."""

from __future__ import annotations

import re
from pathlib import Path

from robcogen_ros import formats
from robcogen_ros.formats.kindsl import reader as kindsl
from robcogen_ros.formats.kindsl import writer as kindsl_writer
from robcogen_ros.formats.load import load
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.urdf import writer as urdf_writer
from robcogen_ros.model.checks.tree import check
from robcogen_ros.model.reduce import reduce

PAGE = (Path(__file__).parents[2] / "docs" / "kinematics_dsl.md").read_text()
ARM, HAND = (
    kindsl.read(Source("page.kindsl", text))
    for text in re.findall(r"```kindsl\n(.*?)```", PAGE, re.DOTALL)
)


def test_the_arm():
    assert ARM.warnings == ()
    assert check(ARM) == []
    robot = reduce(ARM)
    assert robot.joint_names == ("shoulder",)
    assert [(p.name, p.group, p.default) for p in ARM.parameters] == [
        ("m", "inertia", 2),
        ("tool_x", "lengths", None),
    ]
    assert float(ARM.links[1].inertial.center.x) == 0.2


def test_the_hand():
    assert ARM.warnings == ()
    assert check(HAND) == []
    assert [link.name for link in HAND.links] == ["palm", "index_bone", "middle_bone", "ring_bone"]
    tips = {f.name: float(f.pose.translation.x) for f in HAND.frames if f.name.endswith("tip")}
    assert tips == {"index_tip": 0.08, "middle_tip": 0.09, "ring_tip": 0.08}


def test_both_can_be_written():
    for robot in (ARM, HAND):
        text = kindsl_writer.write(robot)
        assert kindsl_writer.write(kindsl.read(Source("r.kindsl", text))) == text
    again = load(Source("r.urdf", urdf_writer.write(HAND)))
    assert [joint.name for joint in again.joints if joint.kind == "continuous"] == [
        "index_knuckle",
        "middle_knuckle",
        "ring_knuckle",
    ]


def test_every_keyword_of_the_grammar_is_on_the_page():
    grammar = (Path(formats.__file__).parent / "kindsl/kindsl.lark").read_text()
    words = re.findall(r'^_?[A-Z_]+: "(\w+)"$', grammar, re.MULTILINE)
    assert len(words) > 20
    assert [word for word in words if word not in PAGE] == []

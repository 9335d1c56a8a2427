"""States of an SRDF, as MoveIt has them, told with their places where they fit the robot badly."""

from __future__ import annotations

import pytest

from robcogen_ros.errors import ModelError
from robcogen_ros.formats import source
from robcogen_ros.formats.read import read
from robcogen_ros.standing import srdf
from robcogen_ros.standing.footing import standing_state

INERTIAL = (
    '<inertial><mass value="1"/>'
    '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
)


def link(name: str) -> str:
    return f'<link name="{name}">{INERTIAL}</link>'


def joint(name: str, child: str, kind: str = "revolute") -> str:
    return (
        f'<joint name="{name}" type="{kind}"><parent link="base"/><child link="{child}"/>'
        '<limit lower="-1.57" upper="2" effort="1" velocity="1"/></joint>'
    )


ROBOT = (
    f'<robot name="r"><link name="base"/>{link("l1")}{link("l2")}{link("l3")}{link("l4")}'
    f"{joint('hip', 'l1')}{joint('knee', 'l2')}{joint('slide', 'l3', 'prismatic')}"
    f"{joint('wheel', 'l4', 'continuous')}</robot>"
)


def states(*groups: str, more: str = "") -> str:
    """An SRDF with a state `standing` for each group, one a line."""
    lines = [f'<group_state name="standing" group="g">{group}</group_state>' for group in groups]
    return "\n".join(['<robot name="r">' + more, *lines, "</robot>"])


def at(name: str, value: object) -> str:
    return f'<joint name="{name}" value="{value}"/>'


def stands(tmp_path, text: str | bytes, *, beside: bool = False):
    """The state of a robot, and what is odd about it."""
    (tmp_path / "r.urdf").write_text(ROBOT)
    file = tmp_path / "r.srdf"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    reading = read(tmp_path / "r.urdf")
    state, odd = standing_state(tmp_path / "r.urdf", reading, None if beside else file)
    return state, [str(problem).replace(f"{tmp_path}/", "") for problem in odd]


def test_states_of_several_groups_belong_together(tmp_path):
    text = states(at("hip", -0.2) + at("slide", 0.1), at("knee", 1) + at("hip", -0.2))
    state, odd = stands(tmp_path, text)
    assert state.positions == {"hip": -0.2, "slide": 0.1, "knee": 1.0}
    assert not odd


def test_two_positions_of_one_joint_are_an_error(tmp_path):
    with pytest.raises(ModelError, match=r"r.srdf:3:65: error: joint 'hip' is at 0.2 here and at"):
        stands(tmp_path, states(at("hip", 0.1), at("hip", 0.2)))


def test_an_unknown_joint_is_told_and_left_out(tmp_path):
    """MoveIt logs it, and goes on."""
    state, odd = stands(tmp_path, states(at("hip", 0.1) + at("kneee", 1)))
    assert state.positions == {"hip": 0.1}
    assert odd == [
        "r.srdf:2:98: warning: state 'standing': the robot has no joint 'kneee'; did you mean "
        "'knee'; left out"
    ]


def test_many_unknown_joints_are_one_warning(tmp_path):
    _, (told,) = stands(tmp_path, states(at("hip", 0) + at("a", 1) + at("b", 1)))
    assert told.endswith("has joints that the robot does not have, a, b; left out")


def test_joints_of_the_base_are_no_mistake(tmp_path):
    more = '<virtual_joint name="world" type="fixed" parent_frame="w" child_link="base"/>'
    text = states(at("world", 0) + at("root", "0 0 1 0 0 0 1") + at("hip", 0), more=more)
    state, odd = stands(tmp_path, text)
    assert state.positions == {"hip": 0.0}
    assert not odd


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        (
            "hip",
            43,
            "joint 'hip': 43 rad is beyond its limits, -1.57 to 2 rad; if 43 degrees are meant, "
            "write 0.7505",
        ),
        ("hip", -1.6, "joint 'hip': -1.6 rad is beyond its limits, -1.57 to 2 rad"),
        ("hip", 200, "joint 'hip': 200 rad is beyond its limits, -1.57 to 2 rad"),
        ("slide", 2.1, "joint 'slide': 2.1 m is beyond its limits, -1.57 to 2 m"),
    ],
)
def test_positions_beyond_limits_are_an_error(tmp_path, name, value, told):
    text = states(at("knee", 0) + at(name, value))
    with pytest.raises(ModelError) as caught:
        stands(tmp_path, text)
    place = text.splitlines()[1].index(f'"{value}"') + 2
    assert (
        str(caught.value).replace(f"{tmp_path}/", "").startswith(f"r.srdf:2:{place}: error: {told}")
    )


@pytest.mark.parametrize(("name", "value"), [("hip", -1.5708), ("wheel", 43), ("slide", 2)])
def test_rounded_limits_and_wheels_are_none(tmp_path, name, value):
    state, odd = stands(tmp_path, states(at(name, value)))
    assert state.positions == {name: value}
    assert not odd


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (states(at("hip", 43)), "r.srdf:2:65: warning: joint 'hip': 43 rad is beyond"),
        (states(at("hip", "x")), "r.srdf:2:65: warning: value: expected a number, found 'x'"),
        (b"<robot>\n <a\xe9/>\n</robot>", "r.srdf:2:4: warning: the byte 0xe9 is not UTF-8"),
        (b"", "r.srdf:1:1: warning: the file is empty; expected an SRDF"),
        (b"<robot>\n <a>\n</robot>", "r.srdf:3:"),
    ],
)
def test_a_wrong_file_beside_is_told_and_not_used(tmp_path, text, told):
    state, odd = stands(tmp_path, text, beside=True)
    assert state is None
    assert len(odd) == 1
    assert odd[0].startswith(told)
    assert odd[0].endswith("; its standing state is not used")


def test_an_srdf_of_another_encoding_is_read(tmp_path):
    text = '<?xml version="1.0" encoding="latin-1"?>\n<!-- é -->\n' + states(at("hip", 1))
    (tmp_path / "x.srdf").write_bytes(text.encode("latin-1"))
    assert srdf.standing_state(tmp_path / "x.srdf").positions == {"hip": 1.0}
    assert source.read(str(tmp_path / "x.srdf")).text.count("é") == 1

"""The figures of the paper (RobCoGen, JOSER 7(1), 2016)."""

from __future__ import annotations

from pathlib import Path

from robcogen_ros.formats.kindsl import reader as kindsl
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.transforms import ctdsl_writer, motdsl_writer
from robcogen_ros.model.reduce import reduce
from robcogen_ros.transforms.convert import transforms
from robcogen_ros.transforms.desired import function_names
from robcogen_ros.transforms.of_robot import motions as motions_of
from test.support.examples import example
from test.transforms import documents

# The third motion is that of the frame's name and of figure 4d; as printed, its last two steps are
# exchanged.
FIGURE_4B = """
// [...]
Convention = local // motion is wrt current frame
S -> Exyz : rotx (a11) roty (a12) rotz (a13)
S -> Exzy : rotx (a21) rotz (a22) roty (a23)
S -> Eyxz : roty (a31) rotx (a32) rotz (a33)
// [...]
"""
FIGURE_4D = """
{S}_X_{Exyz} = Rx (a11) Ry (a12) Rz (a13)
{S}_X_{Exzy} = Rx (a21) Rz (a22) Ry (a23)
{S}_X_{Eyxz} = Ry (a31) Rx (a32) Rz (a33)
{Exyz}_X_{S} = Rz (-a13) Ry (-a12) Rx (-a11)
{Exzy}_X_{S} = Ry (-a23) Rz (-a22) Rx (-a21)
{Eyxz}_X_{S} = Rz (-a33) Rx (-a32) Ry (-a31)
{Exzy}_X_{Exyz} = Ry (-a23) Rz (-a22) Rx (-a21) Rx (a11) Ry (a12) Rz (a13)
"""
FIGURE_7 = """
Robot HyL
Frames {
  fr_base, fr_slider, fr_upperleg,
  fr_lowerleg, fr_foot
}
Transforms {
  left_frame= fr_foot  right_frame= fr_lowerleg
  fr_base <- fr_foot // alternative syntax
  fr_base -> fr_foot
}
Jacobians {
  base= fr_base  target= fr_foot
}
"""


def test_figure_4_motions_become_transforms():
    text = ctdsl_writer.write(transforms(documents.motions(FIGURE_4B)))
    assert "MovedFramePos = right" in text
    printed = documents.relation_lines(FIGURE_4D)
    assert documents.relation_lines(text)[: len(printed)] == printed


def test_figure_4_about_fixed_axes_has_the_turns_in_reverse():
    fixed = documents.motions(FIGURE_4B.replace("local", "fixed"))
    lines = documents.relation_lines(ctdsl_writer.write(transforms(fixed)))
    assert lines[:2] == [
        "{S}_X_{Exyz} = Rz (a13) Ry (a12) Rx (a11)",
        "{S}_X_{Exzy} = Ry (a23) Rz (a22) Rx (a21)",
    ]


def test_figure_4_as_printed_is_read_and_written():
    text = "// [...]\nMovedFramePos = right\n" + FIGURE_4D + "// ...\n"
    assert documents.relation_lines(ctdsl_writer.write(documents.transforms(text))) == (
        documents.relation_lines(FIGURE_4D)
    )


def test_figure_7_names_the_functions():
    names, warnings = function_names(documents.desired(FIGURE_7), example("hyl"))
    transforms = "fr_foot_X_fr_lowerleg", "fr_base_X_fr_foot", "fr_foot_X_fr_base"
    assert names == (*transforms, "fr_base_J_fr_foot")
    assert not warnings


def test_figure_9_the_joint_frame_of_a_robot_becomes_a_motion():
    """The figure calls the link that supports the joint upperleg; in figure 5 it is the slider."""
    path = Path(__file__).parents[2] / "examples" / "hyl.kindsl"
    text = path.read_text().replace("upperleg", "thigh").replace("slider", "upperleg")
    robot = reduce(kindsl.read(Source("hyl.kindsl", text)))
    written = motdsl_writer.write(motions_of(robot))
    assert "Convention = local" in written
    figure = "upperleg -> HFE : try (0.13) trz (-0.08) rotx (-PI/2.0) rotz (PI/2.0)"
    assert figure in written.splitlines()

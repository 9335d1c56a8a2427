"""What a Kinematics-DSL document means."""

from __future__ import annotations

import math
from decimal import Decimal
from pathlib import Path

import pytest

from robcogen_ros.errors import ModelError
from robcogen_ros.formats.load import load
from robcogen_ros.model.checks.tree import check
from robcogen_ros.model.description import Limits, Mimic
from robcogen_ros.model.reduce import reduce
from robcogen_ros.model.scalars.expression import PI
from test.formats.kindsl_document import MASSLESS, document, read

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_rotations_follow_each_other_about_x_y_z():
    text = document().replace("rotation = (0.0, 0.0, 0.0)", "rotation = (0.1, 0.2, 0.3)")
    x, y, z = (math.sin(a) for a in (0.1, 0.2, 0.3))
    rotation = read(text).joints[0].pose.rotation
    assert float(rotation.x.z) == pytest.approx(y, abs=1e-16)
    assert float(rotation.x.y) == pytest.approx(-math.cos(0.2) * z, abs=1e-16)
    assert float(rotation.y.z) == pytest.approx(-x * math.cos(0.2), abs=1e-16)


def test_products_of_inertia_are_minus_the_tensor_about_the_frame():
    inertia = """inertia_properties { mass = 2.0 CoM = (0.5, 0.0, 0.0)
        Ixy = 0.1 Iz = 3.0 Ixz = 0.2 Iy = 2.0 Iyz = 0.3 Ix = 1.0 }"""
    spatial = read(document(inertia=inertia)).links[1].inertial.spatial()
    assert [float(entry) for entry in spatial.tensor] == [1, -0.1, -0.2, 2, -0.3, 3]
    assert [float(entry) for entry in spatial.moment] == [1, 0, 0]


def test_inertia_may_be_given_in_a_frame_of_the_link():
    inertia = """inertia_params { mass = 1.0 CoM = (0.0, 0.0, 0.0)
        Ix = 0.1 Iy = 0.2 Iz = 0.3 Ixy = 0.0 Ixz = 0.0 Iyz = 0.0 ref_frame = com }"""
    frames = "frames { com { translation = (2.0, 0.0, 0.0) rotation = (PI/2.0, 0.0, 0.0) } }"
    spatial = read(document(inertia=inertia, frames=frames)).links[1].inertial.spatial()
    assert [float(entry) for entry in spatial.moment] == [2, 0, 0]
    assert [float(entry) for entry in spatial.tensor] == [0.1, 0, 0, 4.3, 0, 4.2]


def test_links_may_be_massless():
    text = document(inertia="").replace("link l {", "virtual link l {")
    assert [link.inertial is None for link in read(text).links] == [False, True]


def test_several_groups_of_frames():
    pose = "{ translation = (0.0, 0.0, 0.0) rotation = (0.0, 0.0, 0.0) }"
    robot = read(document(frames=f"frames {{ f {pose} g {pose} }} {{ h {pose} }}"))
    assert [frame.name for frame in robot.frames][1:] == ["f", "g", "h"]


def test_new_words_may_still_be_names():
    x = "virtual*limits + mimic/limb - joint*lower + sin*multiplier"
    text = document(x=x).replace("link l {", "link friction {").replace("l via j", "friction via j")
    robot = read(text)
    assert robot.joints[0].child == "friction"
    assert len(robot.parameters) == 8


def joint(text: str, word: str = "r_joint"):
    return read(
        document().replace("} }\n    }", f"}} {text} }} }}").replace("r_joint", word)
    ).joints[0]


def test_a_joint_may_have_limits_and_friction():
    limited = joint("friction { dry = 0.2 viscous = 0.1 } limits { upper = PI/2 effort = 9 }")
    assert limited.limits == Limits(upper=math.pi / 2, effort=9)
    assert (limited.damping, limited.friction) == (0.1, 0.2)


@pytest.mark.parametrize(
    ("word", "kind"), [("r_joint", "revolute"), ("p_joint", "prismatic"), ("fixed_joint", "fixed")]
)
def test_kinds_of_joints(word, kind):
    assert joint("", word).kind == kind


def test_a_joint_may_turn_without_end():
    text = document().replace("r_joint j {", "r_joint j continuous {")
    assert read(text).joints[0].kind == "continuous"


def test_a_joint_may_follow_another():
    mimic = joint("mimic { joint = j multiplier = -2.0*k offset = PI/4 }").mimic
    assert (mimic.leader, mimic.offset) == ("j", PI / 4)
    assert joint("mimic { joint = j }").mimic == Mimic("j")


LIMB = """limb arm (side, length = 0.5) {
        children { upper via shoulder }
        link upper { children { lower via elbow } }
        link lower { children { toe t_ () toe u_ (z = 2*length) }
            frames { tip { translation = (length, 0, 0) rotation = (0, 0, 0) }
                     fr_hand { translation = (common, 0, 0) rotation = (0, 0, 0) } } }
        r_joint shoulder { ref_frame { translation = (0, side*d, 0) rotation = (0, 0, 0) } }
        r_joint elbow { ref_frame { translation = (length, 0, 0) rotation = (0, 0, 0) }
            mimic { joint = shoulder } }
    }
    limb toe (z = 0.1) {
        children { bone via bend }
        link bone { children {} }
        p_joint bend { ref_frame { translation = (0, 0, z) rotation = (0, 0, 0) }
            mimic { joint = j } }
    }
    RobotBase"""


def limbs():
    text = document().replace("RobotBase", LIMB)
    arms = "l via j arm L_ (side = 1) arm R_ (side = -1, length = 0.25)"
    return read(text.replace("l via j", arms))


def test_a_limb_is_placed_with_a_prefix():
    links = ["upper", "lower", "t_bone", "u_bone"]
    names = [link.name for link in limbs().links]
    assert names == ["b", "l", *(f"L_{name}" for name in links), *(f"R_{name}" for name in links)]
    assert [joint.parent for joint in limbs().joints][:3] == ["b", "b", "L_upper"]


def test_frames_of_a_limb_have_the_prefix_after_fr():
    names = {frame.name for frame in limbs().frames}
    assert {"L_tip", "R_tip", "fr_L_hand", "fr_R_hand", "fr_L_t_bend"} <= names


def test_arguments_of_a_limb_stand_for_what_is_given():
    poses = {joint.name: joint.pose.translation for joint in limbs().joints}
    given = {"d": Decimal("0.5")}
    assert [poses[f"{side}_shoulder"].y.evaluate(given) for side in "LR"] == [0.5, -0.5]
    assert [float(poses[f"{side}_elbow"].x) for side in "LR"] == [0.5, 0.25]
    assert [float(poses[f"{side}_u_bend"].z) for side in "LR"] == [1.0, 0.5]
    assert [float(poses[f"{side}_t_bend"].z) for side in "LR"] == [0.1, 0.1]


def test_parameters_are_common_to_all_limbs():
    assert [parameter.name for parameter in limbs().parameters] == ["common", "d"]


def test_a_limb_follows_its_own_joint_or_else_the_robots():
    leaders = {joint.name: joint.mimic.leader for joint in limbs().joints if joint.mimic}
    assert leaders["R_elbow"] == "R_shoulder"
    assert leaders["R_t_bend"] == "j"


def test_the_quadruped_has_four_equal_legs():
    robot = load(EXAMPLES / "quadruped.kindsl")
    assert check(robot) == []
    assert robot.floating_base
    assert len(robot.joints) == 12
    feet = {frame.name for frame in robot.frames if frame.name.endswith("_foot")}
    assert feet == {"LF_foot", "RF_foot", "LH_foot", "RH_foot"}


def test_frames_are_named():
    frames = """frames { tool { translation = (1.0, 0.0, 0.0) rotation = (0.0, 0.0, 0.0) } }"""
    robot = read(document(frames=frames))
    assert robot.link_frame_prefix == "fr_"
    assert [(frame.name, frame.link) for frame in robot.frames] == [("fr_j", "b"), ("tool", "l")]


def test_a_custom_frame_may_say_again_what_the_joint_says():
    frame = "frames { fr_j { translation = (X, 0.0, 0.0) rotation = (0.0, 0.0, 0.0) } }"
    start, end = document(x="2.0").split("children { l via j }")
    children = "children { l via j } "
    same = read(start + children + frame.replace("X", "2.0") + end)
    assert [frame.name for frame in same.frames] == ["fr_j"]
    assert same.warnings == ()
    other = read(start + children + frame.replace("X", "3.0") + end)
    assert [float(frame.pose.translation.x) for frame in other.frames] == [3]
    assert [warning.message for warning in other.warnings] == [
        "'fr_j' names a custom frame, so the frame of joint 'j' has no name"
    ]


def test_the_base_may_float():
    assert read(document(base="floating")).floating_base
    assert not read(document()).floating_base


def test_a_caret_makes_a_keyword_a_name():
    text = document(x="^mass").replace("l via j", "^link via j").replace("link l", "link ^link")
    robot = read(text)
    assert robot.joints[0].child == "link"
    assert [p.name for p in robot.parameters] == ["mass"]


@pytest.mark.parametrize("word", ["mass", "link", "id", "via", "PI", "Ix", "Robot", "ref_frame"])
@pytest.mark.parametrize("place", ["l via j", "Robot R", "RobotBase b", "r_joint j", "link l"])
def test_a_keyword_without_a_caret_is_no_name(word, place):
    before = place.split()[0] + " "
    text = document().replace(place, f"{before if before != 'l ' else 'l via '}{word}")
    assert text != document()
    with pytest.raises(ModelError, match=f"'{word}' is a keyword; as a name it has a caret"):
        read(text)


def test_a_parameter_may_be_called_like_a_keyword_beyond_the_first_version():
    with pytest.raises(ModelError, match="'mass' is a keyword"):
        read(document(x="mass"))
    assert [p.name for p in read(document(x="2*mass")).parameters] == ["mass"]
    assert [p.name for p in read(document(x="limits")).parameters] == ["limits"]


def test_comments_and_line_ends_of_any_kind():
    text = document().replace("\n", "\r\n").replace("id = 1", "id /* one\n */ = 1 // a link\r\n")
    assert [joint.name for joint in read(text).joints] == ["j"]


def test_order_is_that_of_the_link_ids_and_a_document_with_another_is_warned_about():
    tip = f"link tip {{ id = 1 {MASSLESS} children {{}} }}"
    text = document().replace("id = 1", "id = 2").replace("children {}", "children { tip via k }")
    joint = "p_joint k { ref_frame { translation = (0, 0, 0) rotation = (0, 0, 0) } }"
    text = text.replace("r_joint", tip + " r_joint", 1)
    end = text.rindex("}")
    robot = read(text[:end] + joint + "}")
    assert [j.name for j in robot.joints] == ["k", "j"]
    assert [link.name for link in robot.links] == ["b", "tip", "l"]
    assert ["order of the link ids" in warning.message for warning in robot.warnings] == [True]


def test_all_faults_are_told_at_once():
    text = document(angle="PI/0").replace("l via j", "l via j m via k")
    with pytest.raises(ModelError) as caught:
        read(text)
    assert len(caught.value.problems) == 3


def test_fancy_of_the_manual():
    fancy = load(EXAMPLES / "fancy.kindsl")
    assert [joint.name for joint in fancy.joints] == ["jA", "jB", "jC", "jD", "jE"]
    kinds = [joint.kind for joint in fancy.joints]
    assert kinds == ["revolute", "prismatic", "revolute", "prismatic", "revolute"]
    assert [(p.name, p.group) for p in fancy.parameters] == [("ee_x", "lengths")]
    assert check(fancy) == []


def test_hyl_of_the_paper():
    hyl = load(EXAMPLES / "hyl.kindsl")
    assert [joint.name for joint in hyl.joints] == ["SLIDE", "HFE", "KFE"]
    assert [frame.name for frame in hyl.frames][-1] == "fr_foot"
    assert [problem.severity for problem in check(hyl)] == ["warning"]


@pytest.mark.parametrize("head", ["r_joint j", "r_joint j continuous"])
def test_a_joint_with_a_pitch_is_helical_and_counts_its_turns(head):
    text = document().replace("0.0) } }", "0.0) } screw_thread_pitch = lead[0.5]/2 }")
    (joint,) = read(text.replace("r_joint j", head)).joints
    assert joint.pitch.evaluate({"lead": Decimal(3)}) == Decimal("1.5")
    (coordinate,) = reduce(read(text.replace("r_joint j", head))).coordinates
    assert (coordinate.continuous, coordinate.kind.name) == (False, "helical")
    assert float(joint.motion.travel(1)) == pytest.approx(0.25 / (2 * math.pi), rel=1e-15)


@pytest.mark.parametrize("word", ["p_joint", "fixed_joint"])
def test_only_joints_that_turn_have_a_pitch(word):
    text = document().replace("0.0) } }", "0.0) } screw_thread_pitch = 0.5 }")
    (problem,) = check(read(text.replace("r_joint", word)))
    kind = "prismatic" if word == "p_joint" else "fixed"
    assert problem.message.startswith(f"joint 'j' is {kind}: it has no screw_thread_pitch")

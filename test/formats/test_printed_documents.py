"""Every document printed in the manual and the papers reads, checks and generates.

Where only a paragraph is printed it stands in the manual's robot; where dots are printed there is
the least that the language asks for.
"""

from __future__ import annotations

import re

import pytest

from robcogen_ros.cli.main import main
from robcogen_ros.formats.kindsl import reader as kindsl
from robcogen_ros.formats.source import Source
from robcogen_ros.model.reduce import reduce
from test.support.examples import example_path
from test.transforms.test_figures import FIGURE_4B, FIGURE_4D

FANCY = example_path("fancy").read_text()
HYL = example_path("hyl").read_text()
FRAMES = """
        frames {
        customFrame1 {
            translation = (0.33, 0.0, 0.0)
            rotation = (0.0, 0.0, 0.0)
        }
        customFrame2 {
            translation = (0.0, 0.0, 0.0)
            rotation = (0.15, 0.0, -1.33)
        }
        }
"""
FIGURE_4 = """inertia_params {
        mass = 1.0
        CoM = (0.5, .0, .0)
        Ix=0.0025    Iy=0.33458    Iz=0.33458    Ixy=0.0    Ixz=0.0    Iyz=0.0
        }"""
FIGURE_5 = """inertia_params {
        mass = 1.0
        CoM = (0.0, 0.0, 0.0)
        Ix = 0.0025  Iy = 0.08458  Iz = 0.08458
        Ixy = 0.0  Ixz = 0.0  Iyz = 0.0
        ref_frame = fr_com
        }"""
FIGURE_5_FRAMES = """
        frames {
        // A reference frame with origin in the COM:
        fr_com {
            translation = (0.5, 0.0, 0.0) rotation = (0.0, 0.0, 0.0)
        }
        }
"""
ROTATION = r"rotation *= *\([^)]*\)"
INERTIA = r"inertia_properties \{[^}]*\}"


def changed(text: str, part: str, pattern: str, replacement: str) -> str:
    """A text with one change in a part, which ends with a brace in column 5."""
    start = text.index(part + " {")
    end = text.index("\n    }", start)
    before, inside, after = text[:start], text[start:end], text[end:]
    inside, count = re.subn(pattern, lambda _: replacement, inside, count=1)
    assert count == 1
    return before + inside + after


def with_frames(text: str, link: str, frames: str) -> str:
    return changed(text, link, r"(?s)\Z", frames)


def manual_figure_5() -> str:
    return with_frames(changed(FANCY, "link3", INERTIA, FIGURE_5), "link3", FIGURE_5_FRAMES)


ROBOTS = {
    "the manual's example": FANCY,
    "the manual's figure 2": changed(FANCY, "jB", ROTATION, "rotation = (-PI/2.0, 0.0, 0.0)"),
    "the manual's figures 3 and 4": with_frames(
        changed(FANCY, "link1", INERTIA, FIGURE_4), "link1", FRAMES
    ),
    "the manual's figure 5": manual_figure_5(),
    "the manual's figure 6a": changed(FANCY, "jB", ROTATION, "rotation = (jB_rx, 0.0, 0.0)"),
    "the manual's figure 6b": changed(FANCY, "link1", "mass = 1.0", "mass = link1_mass"),
    "the paper's figure 5": HYL,
    "the paper's figure 9": changed(HYL, "HFE", ROTATION, "rotation = (-PI/2.0, 0.0, PI/2.0)"),
}
RELATIONS = {
    "motdsl": FIGURE_4B + "upperleg -> HFE : try (0.13) trz (-0.08) rotx (-PI/2.0) rotz (PI/2.0)\n",
    "ctdsl": "// [...]\nMovedFramePos = right\n" + FIGURE_4D,
}


@pytest.mark.parametrize("name", ROBOTS)
def test_a_printed_robot_is_checked_and_generated(name, tmp_path, capsys):
    path = tmp_path / "robot.kindsl"
    path.write_text(ROBOTS[name])
    assert main(["check", str(path)]) == 0
    words = ["generate", str(path), "--target", "cpp", "--target", "python"]
    assert main([*words, "--function", "inverse_dynamics", "-o", str(tmp_path / "out")]) == 0
    assert "error" not in capsys.readouterr().err
    assert (tmp_path / "out").is_dir()


@pytest.mark.parametrize("language", RELATIONS)
def test_printed_motions_and_transforms_are_checked_and_generated(language, tmp_path, capsys):
    path = tmp_path / f"frames.{language}"
    path.write_text(RELATIONS[language])
    assert main(["check", str(path)]) == 0
    assert main(["generate", str(path), "--target", "cpp", "-o", str(tmp_path / "out")]) == 0
    assert "error" not in capsys.readouterr().err


def test_the_inertia_in_a_frame_at_the_center_of_mass_is_that_of_the_link():
    """The manual says so of its figures 4 and 5, whose numbers have five digits."""
    inertias = [
        reduce(kindsl.read(Source("r.kindsl", text))).links[3].inertia
        for text in (FANCY, manual_figure_5())
    ]
    here, there = ([i.mass, *i.moment, *i.tensor] for i in inertias)
    assert all(abs(float(a - b)) < 1e-12 for a, b in zip(here, there, strict=True))

"""Mistakes in a sound Kinematics-DSL document: what is said, and where.

In kindsl_mistakes.txt each has what stands in sound.kindsl (-), what is written instead (+), and
the findings.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from robcogen_ros.errors import ModelError
from robcogen_ros.formats.kindsl import reader as kindsl
from robcogen_ros.formats.source import Source
from robcogen_ros.model.checks.tree import check

HERE = Path(__file__).parent
SOUND = (HERE / "sound.kindsl").read_text()
MISTAKES = (HERE / "kindsl_mistakes.txt").read_text().strip().split("\n\n")


def findings(text: str) -> list[str]:
    try:
        description = kindsl.read(Source("r.kindsl", text))
    except ModelError as error:
        found = list(error.problems)
    else:
        found = [*description.warnings, *check(description)]
    return [str(problem).removeprefix("r.kindsl:") for problem in found]


def marked(mistake: str, mark: str) -> str:
    lines = (line for line in mistake.splitlines() if line.startswith(mark))
    return "\n".join(line.removeprefix(mark) for line in lines)


def test_the_sound_document_has_none():
    assert findings(SOUND) == []


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: marked(mistake, "+ ")[:40])
def test_a_mistake_is_told_where_it_is(mistake):
    right = marked(mistake, "- ")
    assert right in SOUND
    messages = [line for line in mistake.splitlines() if line[:2] not in ("- ", "+ ", "+")]
    assert findings(SOUND.replace(right, marked(mistake, "+ "), 1)) == messages


def test_all_mistakes_are_told_at_once():
    text = SOUND.replace("mass = 5.0", "mass = -5.0").replace("via elbow", "via elbw")
    text = text.replace("(c, 0, 0)", "(b, 0, 1/0)").replace("id = 2", "id = 1")
    assert [line.split(":")[0] for line in findings(text)] == ["8", "14", "16", "22", "22"]


def test_an_order_that_disagrees_with_the_ids_is_told():
    text = SOUND.replace("id = 1", "id = 3").replace("id = 2", "id = 1").replace("id = 3", "id = 2")
    assert findings(text) == [
        "1:1: warning: links or joints are not written in the order of the link ids, which is that "
        "of the joint positions: elbow, shoulder, A_bend, B_bend"
    ]

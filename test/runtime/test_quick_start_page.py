"""docs/quick_start.md: its example prints what the page says, of the arm that users copy."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import robcogen_ros

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "quick_start.md").read_text(encoding="utf-8")
ARM = ROOT / "examples" / "my_arm_control" / "description" / "my_arm.urdf.xacro"


def test_the_example_prints_what_the_page_says(capsys):
    def build(file: str) -> robcogen_ros.FixedBaseRobot:
        assert file == "arm.urdf.xacro"
        return robcogen_ros.build(ARM, backend="numpy")

    (code,) = re.findall(r"```python arm.py\n(.*?)```", PAGE, re.DOTALL)
    (printed,) = re.findall(r"```text arm.py.out\n(.*?)```", PAGE, re.DOTALL)
    lines = [line for line in code.splitlines() if line != "import robcogen_ros"]
    exec("\n".join(lines), {"robcogen_ros": SimpleNamespace(build=build)})
    assert capsys.readouterr().out == printed

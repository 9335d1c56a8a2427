"""Writes an arm whose elbow a four-bar moves: UR5 with a motor at its shoulder, a crank and a rod.

    python -m test.drivers.linkage_arm FOLDER

writes `arm.urdf` and `arm.yaml`, of six coordinates.
"""

from __future__ import annotations

import sys
from pathlib import Path

from robcogen_ros.bench.robots import robot_path
from test.drivers.usage import usage
from test.support.linkages import joint, links

_CRANK, _AT_FOREARM = (0.1, 0.0, 0.0), (0.12, 0.0, 0.05)
_ELBOW = (0.0, -0.1197, 0.425)
_LOOPS = """\
loops:
  rod: {{frames: [{{link: rod, xyz: {end}}}, {{link: forearm_link, xyz: {at}}}], fixed: axis_y}}
independent: [elbow_motor]
"""


def write(folder: Path) -> None:
    """Writes both files."""
    urdf = robot_path("ur_description/urdf/ur5_robot.urdf").read_text(encoding="utf-8")
    pin = " ".join(map(str, _CRANK))
    more = (
        links("crank", "rod")
        + joint("elbow_motor", "upper_arm_link", "crank", "")
        + joint("rod_pin", "crank", "rod", f'xyz="{pin}"')
    )
    end = [round(a + b - c, 4) for a, b, c in zip(_ELBOW, _AT_FOREARM, _CRANK, strict=True)]
    (folder / "arm.urdf").write_text(urdf.replace("</robot>", more + "</robot>"))
    (folder / "arm.yaml").write_text(_LOOPS.format(end=end, at=list(_AT_FOREARM)))


if __name__ == "__main__":
    with usage(__doc__, 1):
        write(Path(sys.argv[1]))

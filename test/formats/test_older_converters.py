"""Documents in the manner of the converters that came before are the robots they were made of.

Both robots are this URDF: an arm about y, with a sensor fixed on it.
"""

from __future__ import annotations

import numpy as np
import pytest

import robcogen_ros

URDF = """<robot name="arm">
<link name="base"/>
<link name="upper"><inertial><origin xyz="0.1 0.2 0.3" rpy="0 0 1.5707963267948966"/>
  <mass value="2"/>
  <inertia ixx="0.3" ixy="0.01" ixz="0" iyy="0.25" iyz="0" izz="0.1"/></inertial></link>
<link name="sensor"/>
<joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/>
  <origin xyz="0 0 0.5"/><axis xyz="0 1 0"/></joint>
<joint name="mount" type="fixed"><parent link="upper"/><child link="sensor"/>
  <origin xyz="0.05 0 0.4"/></joint>
</robot>"""

LUMPED_WITH_FRAMES = """Robot arm
{

RobotBase base {
    inertia_params {
        mass = 0.0
        CoM = (0.0, 0.0, 0.0)
        Ix=0.0  Iy=0.0  Iz=0.0  Ixy=0.0  Ixz=0.0  Iyz=0.0
    }
    children {
        upper via shoulder
    }
}

link upper {
    id = 1
    inertia_params {
        mass = 2.0
        CoM = (0.0, 0.0, 0.0)
        Ix = 0.3  Iy = 0.25  Iz = 0.1  Ixy = -0.01  Ixz = 0.0  Iyz = 0.0
        ref_frame = fr_upper_COM
    }
    children {}
    frames {
        fr_upper_COM {
            translation = (0.1, -0.3, 0.2)
            rotation = (PI/2.0, 0.0, PI/2.0)
        }
        sensor {
            translation = (0.05, -0.4, 0.0)
            rotation = (PI/2.0, 0.0, 0.0)
        }
    }
}

r_joint shoulder {
    ref_frame {
        translation = (0.0, 0.0, 0.5)
        rotation = (-PI/2.0, 0.0, 0.0)
    }
}
}
"""

EMPTY_INERTIA = LUMPED_WITH_FRAMES.replace(
    """inertia_params {
        mass = 0.0
        CoM = (0.0, 0.0, 0.0)
        Ix=0.0  Iy=0.0  Iz=0.0  Ixy=0.0  Ixz=0.0  Iyz=0.0
    }""",
    "inertia_params {}",
)


@pytest.mark.parametrize("text", [LUMPED_WITH_FRAMES, EMPTY_INERTIA], ids=["zeros", "empty"])
def test_it_is_the_same_robot(text, tmp_path):
    (tmp_path / "arm.urdf").write_text(URDF)
    (tmp_path / "arm.kindsl").write_text(text)
    urdf, kindsl = (
        robcogen_ros.build(tmp_path / f"arm.{format}", backend="numpy")
        for format in ("urdf", "kindsl")
    )
    q, qd, qdd = np.random.default_rng(2).normal(size=(3, 5, 1))
    assert kindsl.inverse_dynamics(q, qd, qdd) == pytest.approx(urdf.inverse_dynamics(q, qd, qdd))
    assert kindsl.inertia_matrix(q) == pytest.approx(urdf.inertia_matrix(q))
    assert kindsl.transform("base", "sensor", q) == pytest.approx(
        urdf.transform("base", "sensor", q), abs=1e-15
    )

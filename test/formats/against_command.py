"""An arm, and the command that compares it with MuJoCo's."""

from __future__ import annotations

from pathlib import Path

from robcogen_ros.cli.main import main

BODY = (
    '<inertial><origin xyz="{0}" rpy="{1}"/><mass value="2"/>'
    '<inertia ixx="{2}" iyy="0.4" izz="0.5" ixy="0" ixz="0" iyz="0"/></inertial>'
)
UPPER, LOWER = BODY.format("0 0 0.2", "0 0 0", 0.3), BODY.format("0.1 0 0.2", "0 0 0.4", 0.3)
ARM = """<robot name="arm">
<link name="base">{upper}</link>
<link name="upper">{upper}</link>
<link name="lower">{lower}</link>
<link name="tool"/>
<joint name="shoulder" type="revolute"><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
<parent link="base"/><child link="upper"/><limit lower="-1" upper="2" effort="9" velocity="1"/>
<dynamics damping="0.3" friction="0.2"/></joint>
<joint name="elbow" type="continuous"><origin xyz="0 0 0.4"/><axis xyz="0 1 0"/>
<parent link="upper"/><child link="lower"/></joint>
<joint name="fix" type="fixed"><parent link="lower"/><child link="tool"/></joint>
</robot>"""
PLAIN = ARM.format(upper=UPPER, lower=LOWER)


class Check:
    """Runs `check --against` on a text in the present folder."""

    def __init__(self, capsys):
        self._capsys = capsys

    def __call__(self, text=PLAIN, *options, change=None):
        """The exit code, the table, and what is said.

        Against what MuJoCo reads, or what `change` makes of our own MJCF.
        """
        Path("arm.urdf").write_text(text)
        program = "mujoco"
        if change is not None:
            assert main(["urdf2mjcf", "arm.urdf", "-o", "arm.xml", *options]) == 0
            before = Path("arm.xml").read_text()
            Path("arm.xml").write_text(change(before))
            program = "arm.xml"
            self._capsys.readouterr()
        code = main(["check", "arm.urdf", "--against", program, *options])
        said = self._capsys.readouterr()
        assert (code == 1) == ("error:" in said.err)
        return code, said.out.splitlines(), said.err


def replaced(before, after):
    def change(text):
        assert before in text
        return text.replace(before, after)

    return change


def row(lines, link):
    (line,) = [line for line in lines if line.split()[0] == link]
    return line

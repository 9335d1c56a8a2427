"""What is done with one description; a line of JSON tells how each step ended.

    python -m test.zoo.steps FILE [NAME:=VALUE ...]

The oracle reads what xacro itself writes, or the document of the URDF that we write of a .kindsl.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from xml.etree import ElementTree

import numpy as np
import pinocchio
import xacro

import robcogen_ros
from robcogen_ros.backends.registry import BACKENDS
from robcogen_ros.cli import check, generate, inspect, kindsl2urdf, urdf2mjcf, urdf2sdf
from robcogen_ros.cli.common.exits import MODEL_ERROR, OK
from robcogen_ros.errors import RobcogenError
from test.oracle import comparison
from test.oracle.states import random_states, within_limits
from test.support import scaled, sdf_model
from test.support.pinocchio_oracle import PinocchioOracle

HAS_MUJOCO = find_spec("mujoco") is not None
if HAS_MUJOCO:
    import mujoco

    from test.support import in_mujoco

SECONDS = 30
"""Processor time that a step may take."""
MEMORY = 8 << 30
STATES = 2
_RENAMED = re.compile(r"'([^']*)' as '([^']*)'")
_DECLARATION = re.compile(r"^\s*<\?xml.*?\?>", re.DOTALL)
_ENCODING = re.compile(rb"""\s*<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']""")
PEERS = ("xacro", "Pinocchio reads", "MuJoCo reads")


class RefusedError(Exception):
    """A robot, or a document, is not taken; the text says why."""


class WrongError(Exception):
    """Something else comes out than the oracle has."""


class SlowError(Exception):
    """A step took too long."""


@dataclass(frozen=True)
class Step:
    """How a step ended.

    Attributes:
        name: What was done.
        outcome: good, refused, wrong, crash or slow.
        seconds: Processor time.
        said: What was printed, or what is wrong.
    """

    name: str
    outcome: str
    seconds: float
    said: str


class Described:
    """A description, and what is made of it."""

    def __init__(self, path: Path, arguments: list[str], folder: Path) -> None:
        """A file, arguments of its xacro, a folder for what is written."""
        self.path, self.arguments, self.folder = path, arguments, folder

    def steps(self) -> dict[str, Callable[[], str]]:
        """What is done, by name; each returns what is to be told."""
        words = [str(self.path), *self.arguments]
        texts = {
            f"{target} text": partial(
                _command,
                generate.main,
                [*words, "--target", target, "--name", "robot", "-o", str(self.folder / target)],
            )
            for target in BACKENDS
        }
        beside = {
            "beside MuJoCo": partial(_command, check.main, [*words, "--against", "mujoco"]),
            "MJCF": self._mjcf,
        }
        return {
            "xacro": lambda: str(self.urdf and ""),
            "Pinocchio reads": self._pinocchio,
            **({"MuJoCo reads": self._mujoco} if HAS_MUJOCO else {}),
            "check": partial(_command, check.main, words),
            "inspect": partial(_command, inspect.main, words),
            "dynamics": partial(self._dynamics, False),
            "floating dynamics": partial(self._dynamics, True),
            **(beside if HAS_MUJOCO else {}),
            "SDF": self._sdf,
            **texts,
        }

    @cached_property
    def urdf(self) -> Path:
        """The description as URDF, by xacro itself; what a floating joint carries is the root."""
        written = self.folder / "robot.urdf"
        if self.path.suffix == ".kindsl":
            _command(kindsl2urdf.main, [str(self.path), "-o", str(written)])
            text = written.read_text(encoding="utf-8")
        elif self.path.suffix.lower() == ".urdf" and b"<xacro:" not in self.path.read_bytes():
            text = _text(self.path.read_bytes())
        else:
            mappings = dict(word.split(":=", 1) for word in self.arguments)
            try:
                text = xacro.process_file(str(self.path), mappings=mappings).toxml()
            except Exception as error:
                raise RefusedError(f"{type(error).__name__}: {error}") from error
        written.write_text(_freed(text), encoding="utf-8")
        return written

    def _pinocchio(self) -> str:
        try:
            urdf = self.urdf.read_text(encoding="utf-8")
            return f"{pinocchio.buildModelFromXML(urdf).nv} degrees of freedom"
        except ValueError as error:
            raise RefusedError(str(error)) from error

    def _mujoco(self) -> str:
        try:
            root = ElementTree.parse(self.urdf).getroot()
            for link in root.iter("link"):
                for shape in [*link.findall("visual"), *link.findall("collision")]:
                    link.remove(shape)
            model = mujoco.MjModel.from_xml_string(ElementTree.tostring(root, encoding="unicode"))
            return f"{model.nv} degrees of freedom"
        except (ElementTree.ParseError, ValueError) as error:
            raise RefusedError(str(error)) from error

    def _robot(self, floating: bool, terms: tuple[str, ...] = ()):
        given = dict(word.split(":=", 1) for word in self.arguments)
        return robcogen_ros.build(
            self.path,
            xacro_args=given or None,
            floating_base=floating or None,
            terms=terms,
            backend="numpy",
        )

    def _exported(self, terms: tuple[str, ...] = ()):
        """The robot with the frames that exporters write; Kinematics-DSL has more."""
        robot = self._robot(False, terms)
        if self.path.suffix != ".kindsl":
            return robot
        floating = robot.floating_base
        return robcogen_ros.build(self.urdf, floating_base=floating, terms=terms, backend="numpy")

    def _dynamics(self, floating: bool) -> str:
        robot = self._robot(floating)
        oracle = PinocchioOracle(self.urdf, robot.floating_base)
        if robot.joint_names != oracle.joint_names:
            raise WrongError(f"joints {robot.joint_names}, the oracle's {oracle.joint_names}")
        others = {*robot.frame_names} ^ {*oracle.frame_names}
        if self.path.suffix == ".kindsl":
            oracle.add_kindsl_frames()
        elif others:
            raise WrongError(f"frames of one side only: {sorted(others)}")
        states = random_states(robot.n, len(robot.link_names), robot.floating_base, STATES)
        states = replace(states, q=within_limits(robot, np.random.default_rng(7), STATES))
        found = comparison.errors(robot, oracle, states)
        bad = {f: error for f, error in found.items() if not error <= comparison.tolerance(f)}
        if bad:
            raise WrongError("  ".join(f"{f} {error:.1e}" for f, error in bad.items()))
        left_out = "; ".join(sorted({f"no {f}: {why}" for f, why in robot.unavailable.items()}))
        return f"n {robot.n}, {max(found.values()):.1e}  {left_out}"

    def _mjcf(self) -> str:
        written = self.folder / "robot.xml"
        told = _command(urdf2mjcf.main, [str(self.path), *self.arguments, "-o", str(written)])
        robot = self._exported(in_mujoco.TERMS)
        return told + _judged(in_mujoco.compared(robot, in_mujoco.InMujoco(robot, written)))

    def _sdf(self) -> str:
        written = self.folder / "robot.sdf"
        told = _command(urdf2sdf.main, [str(self.path), *self.arguments, "-o", str(written)])
        robot, renamed = self._exported(), dict(_RENAMED.findall(told))
        return told + _judged(sdf_model.compared(robot, self.urdf, written.read_text(), renamed))


def _text(data: bytes) -> str:
    """A document without the declaration of its encoding, and without what is before that."""
    declared = _ENCODING.match(data)
    encoding = declared[1].decode() if declared else "utf-8-sig"
    return _DECLARATION.sub("", data.decode(encoding, errors="replace"))


def _freed(urdf: str) -> str:
    """A URDF without a root that only carries a floating joint; that is our floating base."""
    if "floating" not in urdf:
        return urdf
    robot = ElementTree.fromstring(urdf)
    ends = {e: [j.find(e).get("link") for j in robot.findall("joint")] for e in ("parent", "child")}
    for joint in robot.findall("joint[@type='floating']"):
        root = joint.find("parent").get("link")
        link = robot.find(f"link[@name='{root}']")
        if ends["parent"].count(root) == 1 and root not in ends["child"] and not len(link):
            robot.remove(joint)
            robot.remove(link)
    return ElementTree.tostring(robot, encoding="unicode")


def _judged(found: dict[str, float]) -> str:
    if bad := scaled.wrong(found):
        raise WrongError("  ".join(f"{what} {error:.1e}" for what, error in bad.items()))
    return f"{max(found.values()):.1e}"


def _command(main: Callable[[list[str]], int], words: list[str]) -> str:
    """What a command says."""
    said, shown = io.StringIO(), io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(shown):
        code = main(words)
    if code == MODEL_ERROR:
        raise RefusedError(shown.getvalue() + said.getvalue())
    if code != OK:
        raise RuntimeError(said.getvalue())
    return said.getvalue()


def taken(name: str, step: Callable[[], str]) -> Step:
    """How a step ends."""
    start = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        outcome, said = "good", step()
    except RefusedError as error:
        outcome, said = "refused", str(error)
    except RobcogenError as error:
        outcome, said = "refused", str(error)
    except WrongError as error:
        outcome, said = "wrong", str(error)
    except SlowError:
        outcome, said = "slow", f"longer than {SECONDS} s"
    except BaseException:
        outcome, said = "crash", traceback.format_exc()
    signal.setitimer(signal.ITIMER_PROF, 0)
    return Step(name, outcome, round(time.process_time() - start, 2), said)


def ended(described: Described) -> Iterator[Step]:
    """How the steps end; what is refused as a whole is not tried further."""
    for name, step in described.steps().items():
        end = taken(name, step)
        yield end
        if name == "check" and end.outcome != "good":
            return


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise SlowError


def main() -> None:
    """Takes the steps."""
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGPROF, _too_slow)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with tempfile.TemporaryDirectory() as folder:
        described = Described(Path(sys.argv[1]), sys.argv[2:], Path(folder))
        for end in ended(described):
            print(json.dumps(asdict(end)), flush=True)


if __name__ == "__main__":
    main()

"""The command identify-payload: the body that a robot carries, from recorded motions or poses."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

import numpy as np

from robcogen_ros.cli.common.exits import OK
from robcogen_ros.cli.common.parser import command_parser
from robcogen_ros.cli.common.running import add_quiet_option, run
from robcogen_ros.cli.files.writing import STDOUT, check_output, write
from robcogen_ros.cli.options.model import add_model_options, read_model, warn
from robcogen_ros.cli.options.recording import add_recording_options, recordings
from robcogen_ros.errors import RobcogenError
from robcogen_ros.identification.payload import Payload, PayloadIdentification
from robcogen_ros.identification.payload_parameters import CONTROLLERS, payload_parameters
from robcogen_ros.identification.payload_poses import DISTANCE, SHARE, Wanted, wanted_poses
from robcogen_ros.identification.springs import sprung
from robcogen_ros.model.robot import Robot
from robcogen_ros.model.scalars.quantities import MOMENTS, POSITION
from robcogen_ros.program.library import Library
from robcogen_ros.progress import task
from robcogen_ros.runtime.compiling.compile import build_compiled
from robcogen_ros.runtime.identification import JOINT_TERMS
from robcogen_ros.runtime.robots.fixed_base_robot import FixedBaseRobot
from robcogen_ros.runtime.robots.robot_of import robot_of

_FUNCTIONS = ("kinematics", "inverse_dynamics", "inverse_dynamics_regressor")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    parser = command_parser(
        "identify-payload",
        "Find mass, center of mass and inertia of what a robot carries at the frame of --payload, "
        "from a recorded motion or from poses at rest. The description is taken to be right of all "
        "else, with the joint terms of --with: docs/identification.md.",
        "arm.urdf recording.csv --payload tool0",
    )
    add_model_options(parser)
    add_recording_options(parser)
    parser.add_argument(
        "--at-rest", action="store_true", help="each state of the recording is a pose at rest"
    )
    parser.add_argument(
        "--find",
        action="append",
        default=[],
        choices=JOINT_TERMS,
        help="also find this of the joints, on top of what the description says (repeatable)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write the parameters of a controller, as YAML"
    )
    parser.add_argument(
        "--controller",
        choices=CONTROLLERS,
        default="node",
        help="which controller -o writes for (default: %(default)s)",
    )
    parser.add_argument("--json", metavar="FILE", help="write everything as JSON; - is stdout")
    add_quiet_option(parser)
    return run(identify_payload, parser.parse_args(argv))


def identify_payload(options: argparse.Namespace) -> int:
    """Tell what recordings say of the body at the frame of --payload; returns the exit code.

    Args:
        options: Those of the command.

    Raises:
        RobcogenError: If a file or an option is wrong, or the motion does not tell the mass.
    """
    check_output(options.json)
    check_output(options.output)
    frame, options.payload = options.payload, None
    if frame is None:
        raise RobcogenError("--payload FRAME tells where the body is; expected a frame or link")
    reading = read_model(options)
    warn(reading.warnings)
    if (springs := sprung(reading.robot)) and "springs" not in options.terms:
        raise RobcogenError(
            f"robot '{reading.robot.name}' has springs ({', '.join(springs)}), whose forces would "
            "be taken for the payload's: add --with springs"
        )
    payload, wanted = _found(reading.robot, frame, options)
    notes = [*payload.doubts, *payload.notes]
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    if options.strict and notes:
        raise RobcogenError("with --strict, each of these notes is an error")
    if options.output and payload.doubts:
        raise RobcogenError(f"{payload.doubts[0]}: {options.output} is not written")
    if STDOUT not in (options.json, options.output):
        print("\n".join([*_table(payload, reading.robot), *_asked(wanted, reading.robot)]))
    if options.json:
        write(options.json, json.dumps(_data(payload, wanted, reading.robot), indent=1) + "\n")
    if options.output:
        write(options.output, _yaml(payload, options.controller))
    return OK


def _found(robot: Robot, frame: str, options: argparse.Namespace) -> tuple[Payload, Wanted | None]:
    """Returns what recordings tell of the body at a frame, and what more would, of poses."""
    compiled = robot_of(build_compiled(Library(robot, _FUNCTIONS)))
    if not isinstance(compiled, FixedBaseRobot):
        raise RobcogenError(
            f"robot '{robot.name}' has a floating base, on which joint states tell no forces"
        )
    terms = [term for term in JOINT_TERMS if term in options.find]
    taken = PayloadIdentification(compiled, frame, terms)
    with task("identifying", unit="states") as step:
        for recording in recordings(options, robot, at_rest=options.at_rest):
            for motion in recording:
                assert motion.turns is not None
                taken.add(recording, motion, (~motion.turns).astype(float))
                step.advance(len(motion))
            for note in recording.notes:
                print(f"note: {note}", file=sys.stderr)
    payload = taken.solve()
    return payload, wanted_poses(compiled, payload) if options.at_rest else None


def _table(payload: Payload, robot: Robot) -> list[str]:
    """Returns the lines of a table of what is carried."""
    lines = [f"carried at {payload.frame}, in its axes, from {payload.found.states} states:", ""]
    for name, unit, value, error in _numbers(payload):
        known = np.isfinite(error)
        told = f"{value:12.5g} +- {error:<10.2g}" if known else f"{'not known':>12}{'':14}"
        lines.append(f"{told}{name} [{unit}]")
    lines += [
        "",
        f"{'without':>12}{'with':>12}  joint [N m or N, root mean square of what is left]",
    ]
    pairs = zip(payload.without, payload.found.residuals, robot.joint_names, strict=True)
    return lines + [f"{before:12.4g}{after:12.4g}  {name}" for before, after, name in pairs]


def _asked(wanted: Wanted | None, robot: Robot) -> list[str]:
    """Returns the lines that ask for more poses."""
    if wanted is None:
        return []
    lines = [
        "",
        f"for {SHARE:.0%} of the mass and {1e3 * DISTANCE:g} mm (two standard errors): "
        f"{wanted.readings} more states, shared among poses such as these, if nothing is in the "
        "way there",
        " ".join(f"{name:>12}" for name in robot.joint_names),
    ]
    return lines + [" ".join(f"{x:12.2f}" for x in pose) for pose in wanted.poses]


def _numbers(payload: Payload) -> list[tuple[str, str, float, float]]:
    """Returns name, unit, value and standard error of all that was found."""
    found, names = payload.found, payload.found.base.described
    rows = [("mass", "kg", payload.mass, payload.mass_error)]
    for axis, value, error in zip(POSITION, payload.center, payload.center_errors, strict=True):
        rows.append((f"com.{axis}", "m", float(value), float(error)))
    for moment, value, error in zip(MOMENTS, payload.tensor, payload.tensor_errors, strict=True):
        rows.append((f"inertia.{moment}", "kg m^2", float(value), float(error)))
    terms = zip(names, found.values.tolist(), found.standard_errors.tolist(), strict=True)
    return rows + [(n, "SI", v, e) for n, v, e in terms if n.rpartition(".")[2] in JOINT_TERMS]


def _data(payload: Payload, wanted: Wanted | None, robot: Robot) -> dict[str, object]:
    """Returns everything that was found, for JSON."""
    columns = ("name", "unit", "value", "standard_error")
    pairs = zip(robot.joint_names, payload.without, payload.found.residuals, strict=True)
    return {
        "robot": robot.name,
        "frame": payload.frame,
        "states": payload.found.states,
        "parameters": [
            dict(zip(columns, (*row[:3], row[3] if np.isfinite(row[3]) else None), strict=True))
            for row in _numbers(payload)
        ],
        "joints": [{"name": n, "without": w, "with": r} for n, w, r in pairs],
        "wanted": wanted and {"states": wanted.readings, "poses": wanted.poses.tolist()},
        "notes": [*payload.doubts, *payload.notes],
    }


def _yaml(payload: Payload, controller: str) -> str:
    """Returns the parameters of a controller that carries it."""
    comment = f"# What is carried at {payload.frame}, by robcogen identify-payload.\n"
    body = payload.mass, payload.center, payload.tensor
    lines = [f"{name}: {value!r}" for name, value in payload_parameters(controller, *body).items()]
    if controller == "node":
        lines.insert(0, f"payload_frame: {json.dumps(payload.frame)}")
    head = "/**:\n  ros__parameters:\n"
    return comment + head + "".join(f"    {line}\n" for line in lines)

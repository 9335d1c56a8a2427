"""The command identify: inertial parameters of a robot, from recorded motions and forces."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robcogen_ros.cli.common.exits import OK
from robcogen_ros.cli.common.parser import command_parser
from robcogen_ros.cli.common.running import add_quiet_option, run
from robcogen_ros.cli.files.writing import STDOUT, check_output, write
from robcogen_ros.cli.identified.file import changed_file, check_file, controller_parameters
from robcogen_ros.cli.identified.page import page
from robcogen_ros.cli.identified.table import data, table
from robcogen_ros.cli.identify_payload import identify_payload
from robcogen_ros.cli.options.model import add_model_options, read_model, read_text, warn
from robcogen_ros.cli.options.recording import add_recording_options, count, recordings
from robcogen_ros.cli.options.scale import add_scale_options, check_scale_options
from robcogen_ros.errors import RobcogenError
from robcogen_ros.formats.read import Reading
from robcogen_ros.identification import contradictions
from robcogen_ros.identification.carriers import carriers
from robcogen_ros.identification.held_out import split
from robcogen_ros.identification.noise import Disturbed, states_of
from robcogen_ros.identification.physical import physical
from robcogen_ros.identification.result import Result
from robcogen_ros.identification.sample import Sample
from robcogen_ros.identification.scales import scales
from robcogen_ros.identification.springs import (
    described,
    no_springs,
    sprung,
    terms_of_springs,
    with_found_springs,
    without_springs,
)
from robcogen_ros.identification.stribeck import stribeck_velocity
from robcogen_ros.model.robot import Robot
from robcogen_ros.program.library import Library
from robcogen_ros.progress import task
from robcogen_ros.recordings import Motion
from robcogen_ros.runtime.compiling.compile import build_compiled
from robcogen_ros.runtime.identification import Term, checked_terms, stribeck
from robcogen_ros.runtime.identified import RESIDUALS, Identification
from robcogen_ros.runtime.robots.robot_of import robot_of

_FUNCTIONS = ("inverse_dynamics_regressor", "inertial_parameters")
Array = NDArray[np.float64]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    return run(_identify, parser().parse_args(argv))


def parser() -> argparse.ArgumentParser:
    """Returns the parser of its options."""
    parser = command_parser(
        "identify",
        "Find the base parameters of a robot, the combinations of inertial parameters "
        "that forces tell of, from recorded motions of any length, and write them into its "
        "description: docs/identification.md.",
        "arm.urdf recording.csv",
    )
    add_model_options(parser)
    add_recording_options(parser)
    parser.add_argument(
        "--offset", action="store_true", help="also find the offset of each effort sensor"
    )
    parser.add_argument(
        "--stribeck",
        action="store_true",
        help="with --with friction: also find how dry friction differs where a joint begins "
        "to move, and the speed over which that falls off, by search",
    )
    parser.add_argument(
        "--spring",
        action="append",
        default=[],
        metavar="JOINT",
        help="also find stiffness and rest of a spring at this joint, whatever the file says of it "
        "(repeatable); an offset of its sensor would be taken for a part of it",
    )
    add_scale_options(parser)
    parser.add_argument(
        "--all", action="store_true", help="use all states, and hold none out to judge the result"
    )
    parser.add_argument(
        "--bootstrap",
        type=count,
        default=0,
        metavar="N",
        help="find standard errors of bodies and joint terms, too, from so many draws of "
        "measurements and description (30 take some seconds)",
    )
    _add_output_options(parser)
    add_quiet_option(parser)
    return parser


def _add_output_options(parser: argparse.ArgumentParser) -> None:
    """Declares the files that are written."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write the description with real bodies nearest to what was identified, and with the "
        "terms of --with; all else stays as it is, in a URDF, MJCF or Kinematics-DSL file, or what "
        "a xacro expands to; .yaml: a table of these numbers",
    )
    parser.add_argument(
        "--controller-parameters",
        metavar="FILE",
        help="with -o: write the same numbers as parameters of a controller in ros2_control whose "
        "model was generated with these links as PARAMETERS",
    )
    parser.add_argument("--json", metavar="FILE", help="write everything as JSON; - is stdout")
    parser.add_argument(
        "--html", metavar="FILE", help="write a page: fits, bodies, parameters, what is known worst"
    )


def _identify(options: argparse.Namespace) -> int:
    check_output(options.json)
    check_output(options.html)
    check_output(options.controller_parameters)
    if options.controller_parameters and not options.output:
        raise RobcogenError("--controller-parameters are those of a description: name it by -o")
    text = read_text(options) if options.output else None
    if text is not None:
        text = check_file(options, text)
    terms = [term for term in options.terms if term != "springs"]
    terms += ["offset"] if options.offset else []
    _check(terms, options)
    options.terms = ["springs"] if "springs" in options.terms else []
    if options.payload:
        return _payload(terms, options)
    reading = read_model(options, text)
    warn(reading.warnings)
    start = time.perf_counter()
    result, sample = _found(reading, terms, options)
    seconds = time.perf_counter() - start
    for note in (notes := [*result.doubts, *result.notes]):
        _note(note)
    if options.strict and notes:
        raise RobcogenError("with --strict, each of these notes is an error")
    if options.output and result.doubts:
        raise RobcogenError(f"{result.doubts[0]}: {options.output} is not written")
    if STDOUT not in (options.json, options.output):
        print("\n".join(table(result, seconds)))
    if options.json:
        write(options.json, json.dumps(data(result), indent=1) + "\n")
    if options.html:
        write(options.html, page(result, sample))
    if text is not None:
        new = changed_file(options, text, reading.description, result)
        write(options.output, new, keep=text.files, ending=Path(options.output).suffix)
        if options.controller_parameters:
            told = controller_parameters(options, text, new, result)
            write(options.controller_parameters, told, keep=text.files)
    return OK


def _check(terms: Sequence[str], options: argparse.Namespace) -> None:
    """Refuses options that do not belong together."""
    check_scale_options(options)
    if options.stribeck and "friction" not in terms:
        raise RobcogenError("--stribeck is how dry friction changes: add --with friction")
    if options.payload and (options.stribeck or options.loaded or options.spring):
        raise RobcogenError(
            "--stribeck, --spring and --loaded find what the arm itself has: leave --payload"
        )
    if options.loaded and "springs" in options.terms:
        raise RobcogenError("--loaded: forces of springs are not known in units of the recording")


def _payload(terms: Sequence[str], options: argparse.Namespace) -> int:
    """Tell what is carried, the description being right of the rest; returns the exit code."""
    if options.output:
        raise RobcogenError(
            "with --payload nothing of the description changes; `robcogen identify-payload -o` "
            "writes the parameters of a controller"
        )
    options.find, options.at_rest = terms, False
    return identify_payload(options)


def _note(text: str) -> None:
    print(f"note: {text}", file=sys.stderr)


def _refuse_springs(robot: Robot) -> None:
    """Refuses robots with springs, whose forces would be taken for those of masses."""
    if found := sprung(robot):
        raise RobcogenError(
            f"robot '{robot.name}' has springs ({', '.join(found)}), and identify would take "
            "their forces for those of masses: --with springs takes them as the file says, "
            "--spring JOINT finds one anew"
        )


def _found(
    reading: Reading, given: Sequence[str], options: argparse.Namespace
) -> tuple[Result, Sample]:
    """Returns what recordings tell, and some of their states."""
    terms, robot = terms_of_springs(given, options.spring, reading.robot)
    if not options.terms:
        _refuse_springs(robot)
    if robot.floating_base:
        raise RobcogenError(
            f"robot '{robot.name}' has a floating base, on which joint states tell no forces; use "
            "robot.identification() in Python with the wrench on it"
        )
    if not robot.n:
        raise RobcogenError(f"robot '{robot.name}' has no joint that moves")
    more = ["inverse_dynamics"] if options.terms else []
    kinematics = ["kinematics"] if options.loaded else []
    compiled = robot_of(build_compiled(Library(robot, [*_FUNCTIONS, *more, *kinematics])))
    if options.loaded:
        _find_torque_constants(options, compiled, robot, terms)
    more_terms = [stribeck(_speed(options, compiled, robot, terms))] if options.stribeck else []
    all_terms = checked_terms([*terms, *more_terms])
    used = compiled.identification(terms=all_terms)
    held, disturbed, sample = used.another(), Disturbed(used), Sample()
    with task("identifying", unit="states") as step:
        for recording in recordings(options, robot):
            for note in recording.notes:
                _note(note)
            known = len(recording.notes)
            for recorded in recording:
                motion = without_springs(compiled, recorded) if more else recorded
                one, other = split(recording, motion, options.all)
                disturbed.add(recording, one, _weights(one, terms))
                held.add(*states_of(other), other.tau, weights=_weights(other, terms))
                sample.add(motion)
                step.advance(len(motion))
            for note in recording.notes[known:]:
                _note(note)
    if not used.states:
        held_out = "all states are held out, or within a window of those that are"
        raise RobcogenError(f"{held_out}: measure for longer, or give --all")
    found = disturbed.solve(RESIDUALS)
    of_joints = {
        term.name: np.array([described(term.name, c) for c in reading.robot.coordinates])
        for term in all_terms
    }
    parameters = compiled.inertial_parameters()
    before = found.base.grouping @ np.concatenate([parameters.ravel(), *of_joints.values()])
    own = carriers(robot, reading.description, compiled.regressed_links)
    result = Result(reading.robot, found, before, None, own)
    of_bodies = found.base.values(parameters)  # friction is what files know least of
    _compare(result, sample, used, with_found_springs(of_bodies, found))
    result.doubts += no_springs(options.spring, found)
    left = _add_bodies(result, held if held.states else used, of_joints, options)
    result.held = left if held.states else None
    return result, sample


def _compare(result: Result, sample: Sample, used: Identification, of_bodies: Array) -> None:
    """Adds what contradicts that recordings are of this robot, with these base parameters."""
    found, names = result.found, result.robot.joint_names
    told = replace(found, values=with_found_springs(result.described, found))
    result.doubts += contradictions.columns(names, sample, told.predict)
    result.notes += contradictions.stopped(used)
    if not result.doubts:
        result.doubts, odd = contradictions.efforts(names, used, of_bodies)
        surely, perhaps = contradictions.exchanged(names, sample, found)
        result.doubts += surely
        result.notes += [*odd, *perhaps]
    result.notes += contradictions.late(sample, found)


def _add_bodies(
    result: Result, judge: Identification, of_joints: dict[str, Array], options: argparse.Namespace
) -> Array:
    """Finds real bodies, unless they say nothing; returns (n, 2 or 3) what is left of efforts."""
    found, own, names = result.found, result.carriers, result.robot.joint_names
    left = [judge.left(result.described), judge.left(found.values)]
    try:
        if not result.doubts:
            result.bodies = physical(found, own.bodies, own.fixed, of_joints, options.bootstrap)
            left.append(judge.left(result.bodies.values))
    except RobcogenError as error:
        if options.output:
            raise
        result.notes.append(str(error))
    all_left = np.stack(left, axis=1)
    if result.bodies is not None:
        result.notes += contradictions.impossible(found, result.bodies)
        result.notes += contradictions.worse(names, all_left)
        result.doubts += contradictions.useless(names, all_left, result.bodies)
    return all_left


def _find_torque_constants(
    options: argparse.Namespace, compiled: Any, robot: Robot, terms: Sequence[str | Term]
) -> None:
    """Finds the torque constants by a known payload, which the options have from then on."""
    loaded = copy(options)
    loaded.recording = options.loaded
    samples = [_sample(each, robot, lambda motion: motion) for each in (options, loaded)]
    payload = options.known_payload
    given: dict[str, float] = dict(options.torque_constant)
    with task("finding torque constants"):
        found = scales(compiled, payload, terms, (samples[0], samples[1]), given)
    for name, value, error in zip(robot.joint_names, found.values, found.errors, strict=True):
        if name not in given:
            print(f"torque constant: {name} {value:.5g} +- {error:.2g}", file=sys.stderr)
    if payload.center is None:
        center, errors = (
            ", ".join(f"{1000 * x:.1f}" for x in each)
            for each in (found.center, found.center_errors)
        )
        print(
            f"center of mass of the payload: ({center}) +- ({errors}) mm in {payload.frame}",
            file=sys.stderr,
        )
    common = given.get("", 1.0)
    options.torque_constant = [
        (name, float(value) * given.get(name, common))
        for name, value in zip(robot.joint_names, found.values, strict=True)
    ]


def _sample(options: argparse.Namespace, robot: Robot, use: Callable[[Motion], Motion]) -> Sample:
    """Returns states of recordings, of what is used of each block."""
    sample = Sample()
    for recording in recordings(options, robot):
        for motion in recording:
            sample.add(use(motion))
    if not len(sample):
        raise RobcogenError(
            f"{options.recording[0]}: too few states, apart from reversals; shorten --window, or "
            "move longer"
        )
    return sample


def _speed(
    options: argparse.Namespace, compiled: Any, robot: Robot, terms: Sequence[str | Term]
) -> float:
    """Returns the speed over which dry friction falls off."""

    def apart(motion: Motion) -> Motion:
        assert motion.turns is not None
        rows = motion.rows(np.flatnonzero(~motion.turns.any(axis=1)))
        return without_springs(compiled, rows) if options.terms else rows

    sample = _sample(options, robot, apart)
    with task("searching for a speed of friction"):
        speed = stribeck_velocity(compiled, sample, terms)
    _note(
        f"dry friction falls off over {speed:g} rad/s or m/s; descriptions have no place for that, "
        "so -o writes the rest"
    )
    return speed


def _weights(motion: Motion, terms: Sequence[str | Term]) -> Array | float:
    """Returns what efforts count: nothing where dry friction is smeared by smoothing."""
    assert motion.turns is not None
    return (~motion.turns).astype(float) if "friction" in terms else 1.0

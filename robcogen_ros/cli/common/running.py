"""Running a command: errors become messages and exit codes, never tracebacks."""

from __future__ import annotations

import argparse
import io
import os
import sys
import traceback
from collections.abc import Callable

from robcogen_ros.cli.common.exits import (
    INTERNAL_ERROR,
    MODEL_ERROR,
    OK,
    interrupted,
    write_nowhere,
)
from robcogen_ros.errors import RobcogenError
from robcogen_ros.model.options import called_from
from robcogen_ros.program.garbage_collection import rare_collections
from robcogen_ros.progress import shown
from robcogen_ros.runtime.compiling.commands import stopped_by_signals


def run(command: Callable[[argparse.Namespace], int], options: argparse.Namespace) -> int:
    """The exit code of a command; what goes wrong is said on stderr."""
    show, log = wants_progress(options), sys.stdout if caller() == "cmake" else sys.stderr
    try:
        with (
            stopped_by_signals(KeyboardInterrupt),
            rare_collections(),
            called_from(caller()),
            shown(show, log),
        ):
            if isinstance(sys.stdout, io.TextIOWrapper):
                sys.stdout.reconfigure(errors="backslashreplace")
            code = command(options)
            sys.stdout.flush()
            return code
    except KeyboardInterrupt as stopped:
        return interrupted(stopped)
    except RobcogenError as error:
        print(error, file=sys.stderr)
        return MODEL_ERROR
    except BrokenPipeError:
        write_nowhere()
        return OK
    except OSError as error:
        print(f"error: {error.filename or 'the output'}: {error.strerror}", file=sys.stderr)
        if error.filename is None:
            write_nowhere()
        return MODEL_ERROR
    except Exception:
        print("internal error, please report it with the model and what follows", file=sys.stderr)
        traceback.print_exc()
        return INTERNAL_ERROR


def add_quiet_option(parser: argparse.ArgumentParser) -> None:
    """Declares the option that shows nothing of work that takes long."""
    parser.add_argument("--quiet", action="store_true", help="show no progress of long work")


def wants_progress(options: argparse.Namespace) -> bool:
    """Returns True if progress is shown: not if the user, or another program, reads no text."""
    return not (getattr(options, "quiet", False) or getattr(options, "json", None))


def caller() -> str:
    """Returns "cmake" if `robcogen_generate()` runs the command, else "cli"."""
    return "cmake" if os.environ.get("ROBCOGEN_CALLER") == "cmake" else "cli"

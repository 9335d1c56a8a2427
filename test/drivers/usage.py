"""What each driver answers that is called for help, or with what is not there."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from robcogen_ros.errors import RobcogenError


@contextmanager
def usage(text: str | None = None, arguments: int = 0) -> Iterator[None]:
    """Tells what is missing in a line; ends with a text for `--help` or too few arguments.

    Args:
        text: The driver's own; None where it reads its arguments by argparse.
        arguments: How many it needs.

    Raises:
        SystemExit: Then.
    """
    if text and {"-h", "--help"} & {*sys.argv[1:]}:
        print(text)
        raise SystemExit(0)
    if len(sys.argv) <= arguments:
        raise SystemExit(text)
    try:
        yield
    except (RobcogenError, OSError, ImportError) as error:
        raise SystemExit(str(error)) from error

"""The options that ask for reference inputs and outputs, and for evidence about code."""

from __future__ import annotations

import argparse


def add_dataset_options(parser: argparse.ArgumentParser) -> None:
    """Declares the options."""
    parser.add_argument(
        "--dataset",
        type=_count,
        metavar="N",
        help="write <name>.dataset.json: inputs and outputs of each function at N random states, "
        "computed with 50 digits; code only if --target is given too",
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="S", help="which random states (default: 0)"
    )
    parser.add_argument(
        "--evidence",
        action="store_true",
        help="C: a page about its machine code, by the compiler that CC names: instructions, "
        "branches, stack, what is called, rules of MISRA C",
    )


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number of states, found '{text}'")
    return int(text)

"""The parser of a command's words, and its help."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

_WIDTH = 79
_ROBOT = "the robot"
_ASSIGNED = re.compile(r"[A-Za-z_]\w*:=")
_XACRO_ARG = "--xacro-arg"


class _Parser(argparse.ArgumentParser):
    """A parser for which NAME:=VALUE is --xacro-arg NAME:=VALUE, where it has that option."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parses words, by default the process's."""
        words = list(sys.argv[1:] if args is None else args)
        spelled = _spelled_out(words) if _XACRO_ARG in self._option_string_actions else words
        return super().parse_known_args([*spelled], namespace)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parses words, by default the process's; all of them must mean something."""
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            hints = filter(None, (_hint(word, self._option_string_actions) for word in unknown))
            self.error(f"unrecognized arguments: {' '.join(unknown)}{next(hints, '')}")
        return options


def _hint(word: str, options: Mapping[str, object]) -> str:
    """Returns what a meaningless word may have been meant for; empty if nothing is known."""
    name, equals, value = word.partition("=")
    if name.startswith("-"):
        begun = [option for option in options if option.startswith(name)]
        if len(begun) == 1:
            return f"; did you mean '{begun[0]}'?"
        dashes = {option.lstrip("-"): option for option in options}  # which all have in common
        near = get_close_matches(name.lstrip("-"), dashes, n=1)
        return f"; did you mean '{dashes[near[0]]}'?" if near else ""
    if equals and _XACRO_ARG in options:
        called = name.rstrip(":")
        written = f"{called}:={value}" if called else "NAME:=VALUE, without spaces"
        return f"; an argument of a xacro is written {written}"
    return ""


def _spelled_out(words: Iterable[str]) -> Iterator[str]:
    before = ""
    for word in words:
        if _ASSIGNED.match(word) and before not in (_XACRO_ARG, "--package-path", "--lock"):
            yield _XACRO_ARG
        yield word
        before = word


def command_parser(name: str, description: str, *examples: str) -> argparse.ArgumentParser:
    """The parser of a command, without options yet.

    Args:
        name: The command's name.
        description: What it does.
        examples: Its words in calls that work.
    """
    calls = "".join(f"\n  robcogen {name} {words}".rstrip() for words in examples)
    return _Parser(
        prog=f"robcogen {name}",
        allow_abbrev=False,
        description=textwrap.fill(description, _WIDTH),
        epilog=f"{'examples' if len(examples) > 1 else 'example'}:{calls}",
        formatter_class=_Formatter,
    )


def robot_group(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """The group of the options that name a robot, which help shows after a command's own."""
    groups = (group for group in parser._action_groups if group.title == _ROBOT)
    return next(groups, None) or parser.add_argument_group(_ROBOT)


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help whose first line names what a command needs; options follow below it."""

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        needed = [action for action in actions if action.required or not action.option_strings]
        options = argparse.Action([], "", nargs="*", metavar="OPTION")
        super().add_usage(usage, [options, *needed], [], prefix)

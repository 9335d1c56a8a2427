"""The directive `commands`: every command of robcogen with its options, as argparse has them."""

from __future__ import annotations

import argparse
import importlib
import re
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from robcogen_ros.cli.main import COMMANDS


class _Found(BaseException):
    """Carries the parser of a command that was about to read its words."""


def parser_of(command: str) -> argparse.ArgumentParser:
    """The parser that a command makes, taken before it reads anything."""

    def stop(parser: argparse.ArgumentParser, *_: object) -> None:
        raise _Found(parser)

    module = importlib.import_module(f"robcogen_ros.cli.{command.replace('-', '_')}")
    with patch.object(argparse.ArgumentParser, "parse_known_args", stop):
        try:
            module.main([])
        except _Found as found:
            return found.args[0]
    raise LookupError(f"the command {command} reads no words")


def text_of(command: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """reStructuredText of one command."""
    yield from (f".. _command-{command}:", "", command, "-" * len(command), "")
    yield from (parser.description or COMMANDS[command], "")
    yield from (f".. program:: robcogen {command}", "")
    needed = [a for a in parser._actions if a.required]
    words = [_words(action)[0] for action in needed]
    yield from ("::", "", f"    robcogen {' '.join([command, *words, '[options]'])}", "")
    for action in parser._actions:
        if action.dest == "help" or action.help == argparse.SUPPRESS:
            continue
        help_text = parser._get_formatter()._expand_help(action) if action.help else ""
        yield from (f".. option:: {', '.join(_words(action))}", "")
        yield from (f"   {_escaped(help_text)}", "")
    if parser.epilog:
        yield from (_escaped(parser.epilog), "")


def _words(action: argparse.Action) -> list[str]:
    """An option under all its names, with what follows it."""
    value = ""
    if action.nargs != 0:
        value = argparse.HelpFormatter("")._format_args(
            action, (action.dest.upper() if action.option_strings else action.dest)
        )
    names = [f"{name} {value}".strip() for name in action.option_strings]
    return names or [value]


def _escaped(text: str) -> str:
    return re.sub(r"([*`|]|:(?=//))", r"\\\1", " ".join(text.split()))


class Commands(SphinxDirective):
    """All commands, in the order of `robcogen --help`."""

    def run(self) -> list[nodes.Node]:
        """Called by Sphinx."""
        lines = [line for name in COMMANDS for line in text_of(name, parser_of(name))]
        return self.parse_text_to_nodes("\n".join(lines), allow_section_headings=True)


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True}

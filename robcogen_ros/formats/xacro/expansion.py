"""Runs xacro in process, so that every tag it makes still knows where it was written.

xacro works on a DOM. We build that DOM from our own located XML and let each node carry its origin
along, through macros and includes; after the expansion a wrong number is reported at the line of
the macro that holds it, not somewhere in a text that no one has ever seen.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any
from xml.dom import minidom

from robcogen_ros.errors import Location, ModelError, Problem
from robcogen_ros.formats import located_xml, packages, source
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.packages import PackageNotFoundError
from robcogen_ros.formats.regular_file import contents, reason
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.urdf import reader as urdf
from robcogen_ros.formats.xacro.evaluation import Evaluator
from robcogen_ros.model.description import Description
from robcogen_ros.model.names import nearest

_ORIGIN = "origin"
_EXPRESSION = re.compile(r"\$+[{(]")
"""Text that xacro does not expand after one more dollar."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """Result of expanding a xacro.

    Attributes:
        root: The URDF's root element; each element's place is where it was written.
        files: Every file that was read, absolute, the main one first.
        packages: Directories of the packages that `$(find package)` stood for, by name.
        warnings: What xacro was not happy about.
    """

    root: Element
    files: tuple[str, ...]
    packages: Mapping[str, str]
    warnings: tuple[Problem, ...]
    _document: Any

    @property
    def text(self) -> str:
        """The text of the URDF, without comments."""
        return str(self._document.toprettyxml(indent="  "))


def read(
    text: Source,
    arguments: Mapping[str, str],
    package_paths: Mapping[str, str],
    snap_angles: float | None = None,
    cut_loops: bool = False,
) -> Description:
    """The robot that a xacro describes; arguments as in `expand` and `urdf.describe`."""
    expansion = expand(text, arguments, package_paths)
    description = urdf.describe(expansion.root, snap_angles, cut_loops)
    warnings = expansion.warnings + description.warnings
    return replace(description, files=expansion.files, warnings=warnings)


def expand(
    text: Source, arguments: Mapping[str, str], package_paths: Mapping[str, str]
) -> Expansion:
    """Expands a xacro.

    Args:
        text: The main file.
        arguments: Values for its `<xacro:arg>`s.
        package_paths: Directories that `$(find package)` stands for; others are looked for in the
            ament index and, of the package that the file lies in, in its source.

    Raises:
        ModelError: If xacro cannot expand it, or a file it includes cannot be read.
    """
    run = _Run(text, package_paths)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        document = run.expand(arguments)
        root = _located(document.documentElement)
    warnings = [
        Problem(line.removeprefix("warning: "), text.whole, "warning")
        for line in printed.getvalue().splitlines()
        if line.startswith("warning: ")
    ]
    findings = dict.fromkeys((*warnings, *run.unused(arguments)))
    return Expansion(root, run.files(), run.packages, tuple(findings), document)


class _Run:
    """One run of xacro, whose module-wide state is set up before and put back after."""

    def __init__(self, text: Source, package_paths: Mapping[str, str]) -> None:
        import xacro
        from xacro import substitution_args

        self.xacro: Any = xacro
        self.substitution: Any = substitution_args
        self.text = text
        self.package_paths = package_paths
        self.sources: list[Source] = []
        self.read_by_xacro: list[str] = []
        self.packages: dict[str, str] = {}

    def expand(self, arguments: Mapping[str, str]) -> Any:
        """The document that it expands to."""
        with self._own_state():
            try:
                document = self._document(self.text)
                self.xacro.process_doc(document, mappings=dict(arguments))
            except Exception as error:  # expressions in a xacro raise whatever Python can
                cause = error if isinstance(error, ModelError) else _first_cause(error)
                found = cause if isinstance(cause, ModelError) else self._explained(error)
                raise ModelError([*found.problems, *self._misspelt(arguments)]) from error
            finally:
                self.read_by_xacro = list(self.xacro.all_includes)
        return document

    def files(self) -> tuple[str, ...]:
        read = [file for text in self.sources for file in text.files]
        others = [str(Path(file).resolve()) for file in self.read_by_xacro if Path(file).is_file()]
        return tuple(dict.fromkeys(read + others))

    def unused(self, arguments: Mapping[str, str]) -> Iterator[Problem]:
        """Warnings about arguments that no file declares or uses."""
        for name, hint in self._undeclared(arguments):
            message = f"the xacro has no argument '{name}'{hint}"
            yield Problem(message, self.text.whole, "warning")

    def _misspelt(self, arguments: Mapping[str, str]) -> Iterator[Problem]:
        """Warnings about arguments nearly named as one that the files read so far declare."""
        for name, hint in self._undeclared(arguments):
            if hint:
                message = f"no argument '{name}' was found before this error{hint}"
                yield Problem(message, self.text.whole, "warning")

    def _undeclared(self, arguments: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Names of arguments that no file declares or uses, each with the nearest one that is."""
        declared = {
            element.attributes.get("name", "")
            for text in self.sources
            for element in located_xml.parse(text).walk()
            if element.tag == "xacro:arg"
        }
        for name in arguments:
            used = any(f"arg {name})" in text.text for text in self.sources)
            if name not in declared and not used:
                yield name, nearest(name, declared)

    @contextlib.contextmanager
    def _own_state(self) -> Iterator[None]:
        """Our functions in xacro's place, and nothing left over from an earlier run."""
        xacro, substitution = self.xacro, self.substitution
        parse, find = xacro.parse, substitution._eval_find
        safe_eval = getattr(xacro, "safe_eval", eval)  # older releases have none to replace
        xacro.init_stacks(self.text.name if self.text.files else None)
        del xacro.all_includes[:]
        xacro.parse, substitution._eval_find = self._parse, self._find
        xacro.open = self._open
        substitution._eval_dict["find"] = self._find
        evaluator = Evaluator()
        xacro.safe_eval, substitution.eval = evaluator.guarded(safe_eval), evaluator.evaluate
        try:
            yield
        finally:
            xacro.parse, substitution._eval_find = parse, find
            del xacro.open
            substitution._eval_dict["find"] = find
            xacro.safe_eval = safe_eval
            del substitution.eval
            xacro.init_stacks(None)
            xacro.substitution_args_context.pop("arg", None)

    def _parse(self, _text: object, filename: str) -> Any:
        """Replaces xacro's reading of an included file."""
        try:
            data = contents(Path(filename))
        except OSError as error:
            self.xacro.filestack.pop()
            raise self.xacro.XacroException(exc=error) from error
        return self._document(source.decode(data, filename, (str(Path(filename).resolve()),)))

    def _open(self, filename: str) -> io.StringIO:
        """Replaces Python's `open` where xacro reads YAML."""
        data = contents(Path(filename))
        return io.StringIO(source.decode(data, filename).text if data.strip() else "")

    def _document(self, text: Source) -> Any:
        self.sources.append(text)
        document = minidom.Document()
        _append(document, document, located_xml.parse(text))
        return document

    def _find(self, package: str) -> str:
        """Replaces xacro's `$(find package)`."""
        file = self.text.name if self.text.files else None
        found = str(packages.directory(package, self.package_paths, file))
        self.packages[package] = found
        return found

    def _explained(self, error: Exception) -> ModelError:
        calls = _origins(error.__traceback__)
        place = calls[-1].location if calls else self.text.whole
        return ModelError.at(place, self._message(error) + self._called_from(calls, place))

    def _message(self, error: Exception) -> str:
        cause = _first_cause(error)
        if isinstance(cause, self.substitution.ArgException):
            if re.search(
                rf"""<xacro:arg\s[^>]*name=["']{re.escape(str(cause))}["']""", self.text.text
            ):
                return f"the xacro argument '{cause}' is used above its <xacro:arg>; move that up"
            return (
                f"the xacro argument '{cause}' is missing; pass {cause}:=VALUE, in Python "
                f"xacro_args={{'{cause}': 'VALUE'}}"
            )
        if isinstance(cause, PackageNotFoundError):
            return (
                f"package '{cause}' of $(find {cause}) is not found; source its workspace, or give "
                f"its directory: --package-path {cause}:=DIRECTORY of commands, package_paths in "
                "Python. Demo and nodes take neither: they find it by a package.xml in it, above "
                "the file or beside"
            )
        if isinstance(cause, OSError) and cause.filename:
            return f"cannot read '{cause.filename}': {reason(cause)}"
        if isinstance(cause, RecursionError):
            return "xacro: nested too deeply; does a macro or a file include itself?"
        message = "xacro: " + " ".join((str(error) or repr(error)).split())
        if "unknown macro name" in message:
            message += "; include the file that defines it, or delete the element if this file was "
            message += "expanded already"
        return message

    def _called_from(self, calls: list[Element], place: Location) -> str:
        macros = [
            element
            for element in calls
            if element.tag.startswith("xacro:") and element.location != place
        ]
        return "".join(f"; in <{call.tag}> of {call.location}" for call in macros[-1:])


def _first_cause(error: Exception) -> Exception:
    """Returns the innermost of the exceptions that xacro wraps in one another."""
    while isinstance(cause := getattr(error, "exc", None), Exception):
        error = cause
    return error


class _KeepOrigin:
    """Hands a node's origin on to its clones."""

    def handle(self, _operation: int, key: str, data: object, _from: object, clone: Any) -> None:
        clone.setUserData(key, data, self)


_KEEP_ORIGIN = _KeepOrigin()


def _append(document: minidom.Document, parent: Any, root: Element) -> None:
    """Adds an element and all below it to a DOM."""
    pending = [(parent, root)]
    while pending:
        parent, element = pending.pop()
        node = document.createElement(element.tag)
        for name, value in element.attributes.items():
            prefix, colon, _ = name.partition(":")
            node.setAttributeNS(prefix if colon else None, name, value)
        node.setUserData(_ORIGIN, element, _KEEP_ORIGIN)
        if element.text.strip():
            text = _EXPRESSION.sub(r"$\g<0>", element.text) if element.literal else element.text
            node.appendChild(document.createTextNode(text))
        parent.appendChild(node)
        pending.extend((node, child) for child in reversed(element.children))


def _located(root: Any) -> Element:
    """A DOM as located XML; a tag without an origin of its own has its parent's."""
    result = _copy(root, root.getUserData(_ORIGIN))
    pending = [(root, result)]
    while pending:
        node, element = pending.pop()
        for part in node.childNodes:
            if part.nodeType == minidom.Node.ELEMENT_NODE:
                copy = _copy(part, element)
                element.children.append(copy)
                pending.append((part, copy))
            elif part.nodeType == minidom.Node.TEXT_NODE:
                element.text += part.data
    return result


def _copy(node: Any, otherwise: Element) -> Element:
    origin = node.getUserData(_ORIGIN) or otherwise
    return Element(node.tagName, dict(node.attributes.items()), origin.source, origin.offset)


def _origins(trace: TracebackType | None) -> list[Element]:
    """Returns the nodes that xacro worked on when it failed, outermost first."""
    found: list[Element] = []
    while trace is not None:
        frame = trace.tb_frame
        if frame.f_globals.get("__name__") == "xacro":
            node: Any = frame.f_locals.get("node") or frame.f_locals.get("elt")
            origin = node.getUserData(_ORIGIN) if hasattr(node, "getUserData") else None
            if origin is not None and (not found or found[-1] is not origin):
                found.append(origin)
        trace = trace.tb_next
    return found

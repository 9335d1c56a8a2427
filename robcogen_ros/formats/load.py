"""Reads a robot's description, whatever its format."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from robcogen_ros.errors import ModelError, RobcogenError
from robcogen_ros.formats import located_xml, packages, source
from robcogen_ros.formats.kindsl import reader as kindsl
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.loops_file import told_of_pairs, with_loops
from robcogen_ros.formats.mjcf import describe as mjcf
from robcogen_ros.formats.mjcf.equality import with_equalities
from robcogen_ros.formats.mjcf.included import PART, ROOT
from robcogen_ros.formats.source import Source
from robcogen_ros.formats.urdf import reader as urdf
from robcogen_ros.formats.xacro import arguments as xacro_arguments
from robcogen_ros.formats.xacro import expansion as xacro
from robcogen_ros.model.description import Description
from robcogen_ros.model.options import ModelOptions

_BEGINS_KINDSL = re.compile(r"(\s|//.*|/\*(?s:.*?)\*/)*Robot\s+[A-Za-z_]\w*\s*\{")
_PREFIX = "xacro:"


def load(path: str | Path | Source, **options: Any) -> Description:
    """The robot that a file describes; `options` are fields of `ModelOptions`, see `described`."""
    return described(path, ModelOptions(**options))


def described(path: str | Path | Source, options: ModelOptions) -> Description:
    """The robot that a file describes, with the loops of another.

    Args:
        path: URDF, xacro, MJCF or Kinematics-DSL file; "-" is the standard input;
            package://NAME/FILE is a file of a package. Or a text that is at hand.
        options: How it is read.

    Raises:
        ModelError: If a file cannot be read or understood.
        RobcogenError: If xacro arguments are given to a file that is no xacro, or are of a type
            that xacro cannot write.
    """
    return closed(alone(path, options), options)


def closed(tree: Description, options: ModelOptions) -> Description:
    """Returns what a file describes with the loops of another, if there is one."""
    if options.loops is None:
        return tree if tree.loops or options.cut_loops else told_of_pairs(tree)
    file = found(options.loops, options.package_paths or {})
    text = source.read(file, "loops of a robot")
    is_xml = text.text.lstrip(" \t\r\n\ufeff").startswith("<")
    return with_equalities(tree, text) if is_xml else with_loops(tree, text)


def alone(path: str | Path | Source, options: ModelOptions) -> Description:
    """Returns what one file describes; arguments and errors as in `described`."""
    packages, form = options.package_paths or {}, options.format
    text = path if isinstance(path, Source) else source.read(found(str(path), packages))
    root = _xml(text, form)
    kind = form or _kind(text, root)
    if kind == "xacro":
        arguments = xacro_arguments.texts(options.xacro_args)
        return xacro.read(text, arguments, packages, options.snap_angles, options.cut_loops)
    _refuse_arguments(text, options.xacro_args)
    if root is None:
        return kindsl.read(text, options.cut_loops, options.snap_angles)
    if kind == "mjcf":
        return mjcf.describe(root, options.snap_angles, options.cut_loops, options.root)
    if form == "urdf":
        _refuse_xacro(root)
    return urdf.describe(root, options.snap_angles, options.cut_loops)


def kind_of(text: Source, format: str | None = None) -> str:
    """The format of a description: the one that is given, or what its name or its content says.

    Raises:
        ModelError: If the text is not XML where its name says so, or the other way round.
    """
    return format or _kind(text, _xml(text, format))


def _xml(text: Source, format: str | None) -> Element | None:
    """The root element of a description; None of the Kinematics-DSL."""
    is_kindsl = (format or _format_by_name(text)) == "kindsl"
    return None if is_kindsl else located_xml.parse(text)


def _kind(text: Source, root: Element | None) -> str:
    if root is None:
        return "kindsl"
    if root.tag == ROOT:
        return "mjcf"
    if root.tag == PART:
        message = f"<{PART}> is a part of an MJCF: read the file whose <include> names this one"
        raise ModelError.at(root.location, message)
    return "xacro" if _is_xacro(text, root) else "urdf"


def urdf_document(
    text: Source,
    xacro_args: Mapping[str, object] | None = None,
    package_paths: Mapping[str, str] | None = None,
    format: str | None = None,
) -> Element | None:
    """The root element of a URDF, or of what a xacro expands to; None of any other format.

    Raises:
        ModelError: If the text cannot be understood.
    """
    root = _xml(text, format)
    kind = format or _kind(text, root)
    if kind == "xacro":
        return xacro.expand(text, xacro_arguments.texts(xacro_args), package_paths or {}).root
    return root if kind == "urdf" else None


def found(path: str, package_paths: Mapping[str, str]) -> str:
    """A file's path; one that begins with package:// is looked up.

    Raises:
        RobcogenError: If there is no such package.
    """
    try:
        return packages.path(path, package_paths)
    except packages.PackageNotFoundError as error:
        raise RobcogenError(
            f"package '{error}' of {path} is not found; source its workspace, or give its "
            f"directory as package path {error}:=DIRECTORY"
        ) from error


def _format_by_name(text: Source) -> str | None:
    """Returns the format that a file's name tells, or else its first characters.

    Raises:
        ModelError: If its name says another format than its characters.
    """
    suffix, is_xml = Path(text.name).suffix, text.text.lstrip(" \t\r\n\ufeff").startswith("<")
    if suffix == ".kindsl" and is_xml:
        raise ModelError.at(text.whole, "the file is XML; call it .urdf or .xacro if that is in it")
    if suffix in (".urdf", ".xacro") and _BEGINS_KINDSL.match(text.text):
        raise ModelError.at(text.whole, "the file is Kinematics-DSL: call it .kindsl")
    if suffix in (".kindsl", ".urdf", ".xacro"):
        return suffix[1:]
    if suffix and not is_xml and not _BEGINS_KINDSL.match(text.text):
        message = "neither XML nor Kinematics-DSL; expected a URDF, xacro, MJCF or .kindsl file"
        raise ModelError.at(text.whole, message)
    return None if is_xml else "kindsl"


def _is_xacro(text: Source, root: Element) -> bool:
    return _is_called_so(text) or next(_of_xacro(root), None) is not None


def _is_called_so(text: Source) -> bool:
    return Path(text.name).suffix == ".xacro"


def _of_xacro(root: Element) -> Iterator[Element]:
    return (element for element in root.walk() if element.tag.startswith(_PREFIX))


def _refuse_xacro(root: Element) -> None:
    for element in _of_xacro(root):
        message = (
            f"<{element.tag}> is of xacro; read the file in the format xacro, or delete the "
            "element if the file was expanded already"
        )
        raise ModelError.at(element.location, message)


def _refuse_arguments(text: Source, xacro_args: Mapping[str, object] | None) -> None:
    if xacro_args:
        names = ", ".join(map(str, xacro_args))
        raise RobcogenError(f"{text.name} is not a xacro: it takes no arguments ({names})")

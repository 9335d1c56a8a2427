"""Reading of files by MuJoCo, and its messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from robcogen_ros.errors import Location, ModelError, Problem, RobcogenError
from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.meshes.named import Meshes
from robcogen_ros.formats.regular_file import contents
from robcogen_ros.model.description import ShapeDescription


def package() -> Any:
    """The module.

    Raises:
        RobcogenError: If it is not installed, or cannot be imported.
    """
    try:
        import mujoco
    except ModuleNotFoundError as error:
        raise RobcogenError("MuJoCo is not installed: pip install mujoco") from error
    except ImportError as error:
        raise RobcogenError(f"MuJoCo cannot be imported: {error}") from error
    return mujoco


def read(name: str, reader: Callable[[Any], Any], problems: list[Problem], advice: str = "") -> Any:
    """MuJoCo's model; what it warns of is said here, instead of in a log file of its own.

    Raises:
        ModelError: If it refuses what it reads.
    """
    mujoco = package()
    place, program = Location(name), f"MuJoCo {mujoco.__version__}"
    before = mujoco.get_mju_user_warning()
    warnings: list[str] = []
    mujoco.set_mju_user_warning(warnings.append)
    try:
        return reader(mujoco)
    except Exception as error:  # MuJoCo raises ValueError and others
        reason = " ".join(str(error).split()).removesuffix(".")
        message = f"{program} does not read it: {reason}"
        raise ModelError.at(place, message + advice) from error
    finally:
        mujoco.set_mju_user_warning(before)
        problems += [Problem(f"{program}: {text}", place, "note") for text in warnings]


def without_meshes(mujoco: Any, path: str) -> Any:
    """The model of an MJCF, without meshes, what is only seen, and ties to mocap bodies."""
    spec = mujoco.MjSpec.from_file(path)
    mocap = {body.name for body in spec.bodies if body.mocap}
    ties = [tie for tie in spec.equalities if {tie.name1, tie.name2} & mocap - {""}]
    kinds = {getattr(mujoco.mjtGeom, f"mjGEOM_{name}") for name in ("MESH", "HFIELD", "SDF")}
    unwanted = [geom for geom in spec.geoms if geom.type in kinds or geom.meshname]
    groups = (spec.meshes, spec.skins, spec.hfields, spec.materials, spec.textures, spec.pairs)
    for geom in spec.geoms:
        geom.material = ""
    for site in spec.sites:
        site.material = ""
    for element in (
        *ties,
        *unwanted,
        *(each for group in (*groups, spec.sensors) for each in group),
    ):
        spec.delete(element)
    return spec.compile()


def of_file(mujoco: Any, path: str, problems: list[Problem]) -> Any:
    """The model of an MJCF; where files of its meshes are not there, without any.

    Inertia that a body has from its mesh is then missed, and told as a difference.
    """
    try:
        return mujoco.MjModel.from_xml_path(path)
    except ValueError as error:
        if "opening file" not in str(error) or not hasattr(mujoco, "MjSpec"):
            raise
        reason = " ".join(str(error).split()).removesuffix(".")
        told = f"MuJoCo reads it without meshes, for one is not there: {reason}"
        problems.append(Problem(told, Location(path), "note"))
        return without_meshes(mujoco, path)


def text_of(
    root: Element, shapes: Sequence[ShapeDescription], meshes: Meshes, assets: dict[str, bytes]
) -> str:
    """The text of a URDF, without shapes that are meshes which MuJoCo cannot read."""
    names: dict[tuple[Location | None, str], str] = {}
    for shape in shapes:
        path = meshes.path(shape) if shape.form == "mesh" else None
        if path is not None:
            names[shape.location, shape.mesh] = name = f"{len(assets)}{Path(path).suffix}"
            assets[name] = contents(Path(path))

    def copied(element: Element) -> ElementTree.Element | None:
        copy = ElementTree.Element(element.tag, element.attributes)
        copy.text = element.text or None
        for child in element.children:
            part = copied(child)
            if child.tag == "mesh" and element.tag == "geometry":
                name = names.get((child.location, child.attributes.get("filename", "").strip()))
                if name is None:
                    return None
                assert part is not None
                part.set("filename", name)
            if part is not None:
                copy.append(part)
            elif child.tag == "geometry":
                return None
        return copy

    whole = copied(root)
    assert whole is not None
    return ElementTree.tostring(whole, encoding="unicode")

"""The C++ files of a robot: bodies, their compilation for double, C interface, Eigen header."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from robcogen_ros.backends.backend import Target
from robcogen_ros.backends.cpp.forms import all_forms
from robcogen_ros.backends.cpp.function import CppFunction
from robcogen_ros.backends.cpp.header import header_context, names_context
from robcogen_ros.backends.cpp.interface import interface_context
from robcogen_ros.backends.cpp.parameters import parameter_functions, parameters_context
from robcogen_ros.backends.cpp.sharing import OF_STATE, sharing
from robcogen_ros.backends.cpp.text import NAMESPACES, comment, function_identifiers
from robcogen_ros.backends.identifiers import refuse_keywords
from robcogen_ros.backends.render import render
from robcogen_ros.program.garbage_collection import rare_collections
from robcogen_ros.program.library import Library

SOURCES = {
    "inverse_dynamics": (
        "inverse_dynamics",
        "inverse_dynamics_fully_actuated",
        "gravity_torques",
        "coriolis_torques",
    ),
    "forward_dynamics": ("forward_dynamics",),
    "inertia_matrix": ("inertia_matrix", "inertia_matrix_entries", "inertia_factor"),
    "inertia_inverse": ("inertia_matrix_inverse",),
    "momentum": (
        "centroidal_momentum_matrix",
        "generalized_momentum",
        "kinetic_energy",
        "potential_energy",
    ),
    "kinematics": (
        "kinematics",
        "center_of_mass",
        "center_of_mass_jacobian",
        "total_mass",
        "link_velocities",
        "link_accelerations",
    ),
    "state": ("update_positions", "update_velocities"),
    "more": (),
}
"""Functions that each source file compiles; reads of a state go to it, others into the last."""


@rare_collections()
def cpp_files(library: Library, target: Target) -> dict[PurePosixPath, str]:
    """Texts of all files, by path; the names of sources do not depend on the robot."""
    refuse_keywords([target.project, target.name], NAMESPACES, "C++ or its headers")
    identifier = function_identifiers(library)
    of_parameters = parameter_functions(library)
    shared = sharing(library, target.shared)
    functions = all_forms(library, identifier, target.batch)
    functions |= of_parameters
    functions |= shared.bodies if shared else {}
    common = {
        "project": target.project,
        "target": target.name,
        "model": comment(target.model),
        "has_parameters": bool(library.robot.parameters),
    }
    include = PurePosixPath("include") / target.project
    bodies = include / target.name
    files = {
        bodies / f"{name}.hpp": render(
            "cpp/function.hpp.jinja",
            {**common, "name": name, "variants": variants, "compiled": True},
        )
        for name, variants in functions.items()
    }
    everything = [variant for variants in functions.values() for variant in variants]
    files[bodies / "functions.hpp"] = render(
        "cpp/functions.hpp.jinja", {**common, "functions": everything, "batch": target.batch}
    )
    files[bodies / "names.hpp"] = render(
        "cpp/names.hpp.jinja", {**common, **names_context(library)}
    )
    files[bodies / "any_scalar.hpp"] = render(
        "cpp/any_scalar.hpp.jinja", {**common, "names": sorted(functions)}
    )
    files[include / f"{target.name}.hpp"] = render(
        "cpp/target.hpp.jinja", {**common, **header_context(library, shared is not None)}
    )
    if shared:
        files[bodies / "state.hpp"] = render("cpp/state.hpp.jinja", {**common, **shared.context})
    if library.robot.parameters:
        files[bodies / "parameters.hpp"] = render(
            "cpp/parameters.hpp.jinja", {**common, **parameters_context(library)}
        )
    for source, names in _grouped(list(functions)).items():
        compiled = [variant for name in names for variant in functions[name]]
        own = {
            "names": sorted(names),
            "batch": target.batch and source != "state",
            "calls": f"{source.title().replace('_', '')}Calls",
        }
        files[PurePosixPath("src") / f"{source}.cpp"] = render(
            "cpp/source.cpp.jinja", {**common, **own, **_compiled(compiled)}
        )
    files[PurePosixPath("src") / "model.cpp"] = render(
        "cpp/model.cpp.jinja", {**common, **interface_context(library, target.batch)}
    )
    return files


def _compiled(functions: list[CppFunction]) -> dict[str, Any]:
    """Functions of a source, and whether any has limbs side by side, or runs in loops."""
    packed = [function.packed for function in functions if function.packed]
    return {
        "functions": functions,
        "packed": any(not form.loops for form in packed),
        "looped": any(map(_loops, functions)),
        "loops": sorted({form.loops for form in packed if form.loops}),
    }


def _loops(function: CppFunction) -> str:
    """Header of the loops that compute a function, for double at least."""
    return function.loops or (function.packed.loops if function.packed else "")


def _grouped(names: list[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {
        source: [name for name in members if name in names] for source, members in SOURCES.items()
    }
    placed = {name for members in SOURCES.values() for name in members}
    for name in names:
        if name not in placed:
            groups["state" if name.endswith(OF_STATE) else "more"].append(name)
    return groups

"""Imports go one way, and no file or function outgrows what can be read at a sitting."""

import ast
from collections import Counter
from pathlib import Path

from robcogen_ros.backends.render import generator_files

PACKAGE = Path(__file__).resolve().parents[2] / "robcogen_ros"

MAY_IMPORT = {
    "errors": set(),
    "version": set(),
    "progress": set(),
    "extras": {"errors"},
    "model": {"errors"},
    "transforms": {"errors", "model"},
    "formats": {"errors", "model", "transforms"},
    "editing": {"errors", "model", "transforms", "formats", "program"},
    "algorithms": {"errors", "model", "transforms"},
    "recordings": {"errors", "extras"},
    "program": {"errors", "progress", "model", "transforms", "algorithms"},
    "backends": {"errors", "progress", "model", "transforms", "algorithms", "program"},
    "parameters": {"errors", "backends"},
    "plots": {"errors", "extras", "model", "algorithms", "backends", "standing"},
    "runtime": {
        "errors",
        "progress",
        "model",
        "parameters",
        "transforms",
        "formats",
        "program",
        "backends",
    },
    "arrays": {"errors", "extras", "program", "backends", "runtime"},
    "bench": {
        "errors",
        "progress",
        "model",
        "formats",
        "algorithms",
        "program",
        "backends",
        "runtime",
        "standing",
        "control",
        "plots",
    },
    "standing": {"errors", "model", "formats", "algorithms", "robcogen_ros"},
    "control": {"errors", "model", "parameters", "runtime"},
    "realtime": {"errors", "model", "program", "backends", "plots", "runtime"},
    "identification": {"errors", "extras", "model", "recordings", "runtime"},
    "study": {"errors", "progress", "extras", "formats", "model", "backends", "plots", "runtime"},
    "gait": {"errors", "progress", "formats", "model", "standing", "control", "plots", "runtime"},
    "cli": {
        "errors",
        "progress",
        "version",
        "model",
        "transforms",
        "formats",
        "editing",
        "program",
        "backends",
        "runtime",
        "recordings",
        "identification",
        "realtime",
        "bench",
        "plots",
        "study",
        "extras",
        "view",
        "gait",
        "parameters",
        "standing",
    },
    "nodes": {
        "errors",
        "model",
        "parameters",
        "formats",
        "program",
        "runtime",
        "standing",
        "control",
        "robcogen_ros",
    },
    "ros": {
        "errors",
        "progress",
        "model",
        "parameters",
        "formats",
        "program",
        "nodes",
        "runtime",
        "recordings",
        "identification",
        "standing",
        "control",
        "robcogen_ros",
    },
    "demo": {
        "errors",
        "progress",
        "model",
        "parameters",
        "formats",
        "runtime",
        "standing",
        "control",
        "plots",
        "ros",
        "robcogen_ros",
    },
    "view": {
        "nodes",
        "errors",
        "progress",
        "extras",
        "model",
        "parameters",
        "formats",
        "program",
        "runtime",
        "standing",
        "control",
        "ros",
    },
    "__init__": {"errors", "runtime", "version", "arrays"},
    "__main__": {"cli"},
}

SOURCES = sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
        elif isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
    own = [name.split(".") for name in names if name.split(".")[0] == "robcogen_ros"]
    return {parts[1] if len(parts) > 1 else "robcogen_ros" for parts in own}


def test_imports_go_one_way():
    for path in SOURCES:
        here = room(path)
        assert imported_rooms(path) <= MAY_IMPORT[here] | {here}, path


def test_a_compiled_robot_depends_on_all_that_makes_it():
    makers = {"runtime"}
    while (more := makers.union(*(MAY_IMPORT[room] for room in makers))) != makers:
        makers = more
    assert makers <= {room(path) for path in generator_files() if path in SOURCES}


def test_no_module_imports_itself_in_a_circle():
    graph = {}
    for path in SOURCES:
        name = ".".join(("robcogen_ros", *path.relative_to(PACKAGE).with_suffix("").parts))
        tree = ast.parse(path.read_text())
        graph[name.removesuffix(".__init__")] = {
            node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
        }
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join((*path, name))
        if name in done or name not in graph:
            return
        for following in graph[name] - {name}:
            visit(following, (*path, name))
        done.add(name)

    for name in graph:
        visit(name, ())


def test_files_and_functions_stay_small():
    for path in SOURCES:
        text = path.read_text()
        assert len(text.splitlines()) <= 400, path
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                documented = ast.get_docstring(node, clean=False) or ""
                lines = node.end_lineno - node.lineno - len(documented.splitlines())
                assert lines < 60, (path, node.name)


def test_ros_is_imported_only_by_the_nodes():
    for path in SOURCES:
        if room(path) in ("ros", "demo", "bench") or path == PACKAGE / "view" / "live.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            modules = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            assert not any(module.split(".")[0] == "rclpy" for module in modules), path


def test_the_room_of_nodes_holds_only_what_needs_ros():
    for path in (PACKAGE / "ros").rglob("*.py"):
        within = {name.split(".")[0] for name in modules(path)} & set(ROS)
        others = {name for name in modules(path) if name.startswith("robcogen_ros.ros.")}
        assert within or others or path.parent.name == "messages" or path.stem == "__init__", path


ROS = ("rclpy", "rosgraph_msgs", "geometry_msgs", "nav_msgs", "sensor_msgs", "std_msgs")
ROS += ("tf2_msgs", "trajectory_msgs", "diagnostic_msgs")


def modules(path: Path) -> set[str]:
    """Modules that a file imports, also within functions."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names


def test_what_is_in_ros_and_knows_no_ros_is_used_by_nodes_only():
    """What other rooms use as well belongs to one of these."""
    imports = {path: modules(path) for path in SOURCES}
    nodes = {path for path, names in imports.items() if {n.split(".")[0] for n in names} & {*ROS}}
    for path in (PACKAGE / "ros").glob("[!_]*.py"):
        name = f"robcogen_ros.ros.{path.stem}"
        users = {user for user, names in imports.items() if name in names}
        assert path in nodes or users <= nodes | {*(PACKAGE / "ros").iterdir()}, path


def test_folders_hold_what_one_can_keep_in_mind():
    """At most 25 files each: one idea a folder. Beginnings of packages do not count."""
    root = PACKAGE.parent
    files = [*PACKAGE.rglob("*"), *(root / "include").rglob("*"), *(root / "templates").rglob("*")]
    sources = [path for path in files if path.is_file() and path.suffix not in (".pyc", ".so")]
    held = Counter(path.parent for path in sources if path.stem != "__init__")
    large = {folder.name for folder, count in held.items() if count > 25}
    assert large <= {"control", "ros2_control"}

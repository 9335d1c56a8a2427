"""Launch files: they name what exists, and load where launch is there."""

import ast
import re
from configparser import ConfigParser
from importlib import util
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from robcogen_ros.parameters.table import FOLDER, table

ROOT = Path(__file__).parents[2]
LAUNCH = ROOT / "launch"
OF_EXAMPLES = sorted((ROOT / "examples").glob("*/launch/*.launch.py"))
FILES = [*sorted(LAUNCH.glob("*.launch.py")), *OF_EXAMPLES]
XML = sorted(LAUNCH.glob("*.launch.xml"))
NODES = (
    "transform_publisher",
    "inverse_dynamics_controller",
    "simulated_robot",
    "robcogen",
    "legged",
)


def name_of(path):
    return str(path.relative_to(ROOT))


def xml_arguments(path):
    """Default, description and choices of each argument."""
    found = {}
    for argument in ElementTree.parse(path).getroot().iterfind("arg"):
        default = argument.get("default")
        if default and default.startswith("$(find-pkg-share robcogen_ros)/config/"):
            default = "config"
        choices = [choice.get("value") for choice in argument.iterfind("choice")]
        found[argument.get("name")] = (default, argument.get("description"), choices or None)
    return found


def executables():
    parser = ConfigParser()
    parser.read(ROOT / "cmake" / "entry_points.cfg")
    lines = parser["options.entry_points"]["console_scripts"].strip().splitlines()
    return {line.split("=")[0].strip() for line in lines}


def python_description(path):
    spec = util.spec_from_file_location(path.name.replace(".", "_"), path)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.generate_launch_description()


def test_there_is_a_file_for_each_purpose_in_both_flavours():
    names = {*NODES, "ros2_control", "demo"}
    assert {path.name.removesuffix(".launch.xml") for path in XML} == names
    assert {path.name.removesuffix(".launch.py") for path in LAUNCH.glob("*.py")} == names


@pytest.mark.parametrize("path", XML, ids=name_of)
def test_all_arguments_are_described(path):
    arguments = xml_arguments(path)
    assert all(description.endswith(".") for _, description, _ in arguments.values())
    if path.name.removesuffix(".launch.xml") in NODES:
        assert {"model", "model_file", "namespace"} <= set(arguments)


@pytest.mark.parametrize("name", ["inverse_dynamics_controller", "robcogen"])
def test_the_modes_to_choose_from_are_those_of_the_law(name):
    _, _, choices = xml_arguments(LAUNCH / f"{name}.launch.xml")["mode"]
    assert choices == list(table("inverse_dynamics_controller")[0].choices)


@pytest.mark.parametrize("path", XML, ids=name_of)
def test_xml_names_only_what_is_declared_and_what_exists(path):
    root = ElementTree.parse(path).getroot()
    declared = {*xml_arguments(path), *(let.get("name") for let in root.iterfind("let"))}
    assert set(re.findall(r"\$\(var (\w+)\)", path.read_text())) == declared
    for node in root.iterfind("node"):
        assert node.get("pkg") != "robcogen_ros" or node.get("exec") in executables()
        assert "'" not in (node.get("args") or ""), "launch splits what is between substitutions"
    for include in root.iterfind("include"):
        other = LAUNCH / include.get("file").rpartition("/")[2]
        passed = {argument.get("name") for argument in include.iterfind("arg")}
        assert passed <= set(xml_arguments(other))


@pytest.mark.parametrize("path", XML, ids=name_of)
def test_xml_loads(path):
    launch_xml = pytest.importorskip("launch_xml", reason="launch_xml is not installed")
    pytest.importorskip("launch_ros.actions", reason="launch_ros is not installed")
    entity, parser = launch_xml.Parser.load(str(path))
    description = parser.parse_description(entity)
    names = {argument.name for argument in description.get_launch_arguments()}
    assert names >= set(xml_arguments(path))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_python_loads(path):
    assert ast.get_docstring(ast.parse(path.read_text()))
    pytest.importorskip("launch_ros", reason="launch_ros is not installed")
    arguments = {a.name: a.description for a in python_description(path).get_launch_arguments()}
    if path.parent == LAUNCH:
        assert arguments.keys() >= xml_arguments(path.with_suffix(".xml")).keys()
    assert all(arguments.values())


TABLE_OF = {
    "inverse_dynamics_controller": "inverse_dynamics_node",
    "whole_body_controller": "whole_body_node",
}
"""Tables of executables whose names are others."""
TYPES = {"bool": "bool", "double": "float", "string": "str", "string_array": "str"}
CHOSEN = {
    ("inverse_dynamics_controller", "autostart"): "true",
    ("legged", "rate"): "500.0",
    ("legged", "publish_frequency"): "50.0",
    ("ros2_control", "publish_frequency"): "50.0",
}
"""Defaults of launch files that are others than those of the nodes, on purpose."""


@pytest.mark.parametrize("path", XML, ids=name_of)
def test_parameters_that_are_set_are_those_of_the_node_with_its_defaults(path):
    file, arguments = path.name.removesuffix(".launch.xml"), xml_arguments(path)
    for node in ElementTree.parse(path).getroot().iterfind("node"):
        name = TABLE_OF.get(node.get("exec"), node.get("exec"))
        known = {p.name: p for p in table(name)} if (FOLDER / f"{name}.yaml").exists() else {}
        for parameter in node.iterfind("param") if known else ():
            called = parameter.get("name")
            if called in (None, "use_sim_time") or parameter.get("type") is None:
                continue
            assert TYPES[known[called].type] == parameter.get("type"), called
            if parameter.get("value") == f"$(var {called})":
                text = CHOSEN.get((file, called), as_text(known[called].default))
                assert arguments[called][0] == text, called


def as_text(default):
    return "" if default == [] else str(default).lower() if default in (0, 1) else str(default)


def test_the_configuration_shows_defaults_of_the_controller():
    path = ROOT / "config" / "inverse_dynamics_controller.yaml"
    values = yaml.safe_load(path.read_text())["/**"]["ros__parameters"]
    known = {parameter.name: parameter for parameter in table("inverse_dynamics_node")}
    for name, value in values.items():
        assert known[name].read(value) == known[name].default

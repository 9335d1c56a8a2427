import ast
from importlib import util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "launch").glob("*.launch.py"))


def description(path):
    spec = util.spec_from_file_location(path.name.replace(".", "_"), path)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.generate_launch_description()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_each_launch_file_describes_its_arguments(path):
    tree = ast.parse(path.read_text(), path.name)
    assert ast.get_docstring(tree)
    assert "generate_launch_description" in [
        node.name for node in tree.body if isinstance(node, ast.FunctionDef)
    ]
    pytest.importorskip("launch_ros", reason="launch_ros is not installed")
    arguments = {a.name: a.description for a in description(path).get_launch_arguments()}
    assert {"model", "model_file", "namespace"} <= set(arguments)
    assert all(arguments.values())


def test_the_configuration_names_parameters_of_the_controller():
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    from robcogen_ros.ros.controller_parameters import TABLE

    path = ROOT / "config" / "inverse_dynamics_controller.yaml"
    values = yaml.safe_load(path.read_text())["/**"]["ros__parameters"]
    table = {parameter.name: parameter for parameter in TABLE}
    for name, value in values.items():
        assert table[name].problem(value) is None

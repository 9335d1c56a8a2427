"""Tags of a URDF that join two links beside its joints, so that loops close.

- URDF+: `<loop>` and `<coupling>` of a `<predecessor link="a"/>` and a `<successor link="b"/>`.
- The same as `<constraint>`, or that of a `<parent link="a"/>` and a `<child link="b"/>`.
- Isaac Sim: `<loop_joint>` of a `<link1 link="a"/>` and a `<link2 link="b"/>`.
- Drake: its constraints.
- SDF: `<gazebo><joint><parent>a</parent><child>b</child></joint></gazebo>`.
- MuJoCo: `<mujoco><equality><connect body1="a" body2="b"/></equality></mujoco>`, `<weld>` and
  `<joint joint1="a" joint2="b"/>`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from robcogen_ros.formats.located_xml import Element
from robcogen_ros.formats.urdf.plus import LOOPS
from robcogen_ros.model.closures.loops import Tree

_ENDS = {
    "loop": ("predecessor", "successor"),
    "coupling": ("predecessor", "successor"),
    "constraint": ("predecessor", "successor", "parent", "child"),
    "loop_joint": ("link1", "link2"),
    "drake:ball_constraint": ("drake:ball_constraint_body_A", "drake:ball_constraint_body_B"),
    "drake:distance_constraint": (
        "drake:distance_constraint_body_A",
        "drake:distance_constraint_body_B",
    ),
    "drake:linear_bushing_rpy": ("drake:bushing_frameA", "drake:bushing_frameC"),
}
TAGS = frozenset(_ENDS)
_READ = (*LOOPS, "coupling")


def close_loops(root: Element, tree: Tree, unread: Iterable[tuple[Element, str]]) -> None:
    """Tells a tree what joins links of a URDF beside its joints.

    Args:
        root: The document.
        tree: Its joints.
        unread: Elements of URDF+ that cannot be read, each with what is wrong; others were read.
    """
    known = {link.attributes.get("name", "") for link in root.all("link")}
    frames = {
        frame.attributes.get("name", ""): frame.attributes.get("link", "")
        for frame in root.all("frame")
    }
    reasons = {id(element): wrong for element, wrong in unread}
    for element in root.all(*TAGS):
        if element.tag in _READ and id(element) not in reasons:
            continue
        links = _both((frames.get(end, end) for end in _ends(element)), known)
        tree.close(_called(element), links, element.location, reasons.get(id(element), ""))
    for joint in _inside(root, "gazebo", ("joint",)):
        links = _both((end.text.strip() for end in joint.all("parent", "child")), known)
        if len(links) == 2:
            tree.close(f"{_called(joint)} of <gazebo>", links, joint.location)
    children = {joint.name: joint.child for joint in tree.joints}
    for mujoco in root.all("mujoco"):
        for element in _inside(mujoco, "equality", ("connect", "weld", "joint")):
            names = [element.attributes.get(name, "") for name in _BODIES[element.tag]]
            links = _both((children.get(name, name) for name in names), known)
            tree.close(f"{_called(element)} of <mujoco>", links, element.location)


_BODIES = {
    "connect": ("body1", "body2"),
    "weld": ("body1", "body2"),
    "joint": ("joint1", "joint2"),
}


def _inside(parent: Element, tag: str, tags: Iterable[str]) -> Iterator[Element]:
    for element in parent.all(tag):
        yield from element.all(*tags)


def _ends(element: Element) -> Iterator[str]:
    for end in element.all(*_ENDS[element.tag]):
        yield end.attributes.get("link") or end.attributes.get("name", "")


def _both(links: Iterable[str], known: set[str]) -> list[str]:
    """The two links, where the robot has both."""
    found = [link for link in links if link in known]
    return found if len(found) == 2 else []


def _called(element: Element) -> str:
    name = element.attributes.get("name")
    return f"<{element.tag}> '{name}'" if name else f"<{element.tag}>"

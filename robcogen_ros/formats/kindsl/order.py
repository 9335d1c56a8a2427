"""The order of a Kinematics-DSL document's links, which is that of the joint positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from robcogen_ros.formats.kindsl.limbs import Part
from robcogen_ros.formats.syntax_tree import Node, token
from robcogen_ros.model.description import JointDescription

Complain = Callable[..., None]

_MOST_DIGITS = 6
_MOST_SHOWN = 12


def ids(links: Mapping[str, Part], complain: Complain) -> dict[str, int]:
    """The number of each link: its id, or the next after all ids; 0 where the id is wrong."""
    given = {
        name: _id(part, text, complain)
        for name, part in links.items()
        if not part.scope.limbs and (text := token(part.node, "NUMBER")) is not None
    }
    following = max(given.values(), default=0)
    numbers = {}
    for name in links:
        if name not in given:
            following += 1
        numbers[name] = given.get(name, following)
    return numbers


def _id(part: Part, text: str, complain: Complain) -> int:
    if not text.isdecimal() or len(text) > _MOST_DIGITS or int(text) == 0:
        shown = text if len(text) <= _MOST_DIGITS else f"{text[:_MOST_DIGITS]}..."
        complain(part.node, f"the id of link '{part.name}' must be 1, 2, 3, ..., not '{shown}'")
        return 0
    return int(text)


def check(
    document: Node,
    links: Mapping[str, Part],
    parts: Mapping[str, Part],
    numbers: Mapping[str, int],
    joints: Sequence[JointDescription],
    complain: Complain,
) -> None:
    """Says wherever the document suggests another order than that of the ids.

    Args:
        document: The document.
        links: Its links.
        parts: Its joints as written.
        numbers: The numbers of the links.
        joints: The joints in the order of these numbers.
        complain: Takes findings.
    """
    _check_numbers(links, numbers, complain)
    names = [joint.name for joint in joints]
    own = [numbers[name] for name, part in links.items() if not part.scope.limbs]
    if _differs(parts, names) or own != sorted(own):
        order = ", ".join([*names[:_MOST_SHOWN], *(["..."] if len(names) > _MOST_SHOWN else [])])
        message = (
            "links or joints are not written in the order of the link ids, which is that of "
            f"the joint positions: {order}"
        )
        complain(document, message, "warning")
    for joint in joints:
        joint_id = token(parts[joint.name].node, "NUMBER")
        if joint_id and joint_id != str(numbers.get(joint.child)):
            message = f"the id of joint '{joint.name}' is ignored: it is not its link's"
            complain(parts[joint.name].node, message, "warning")


def _differs(parts: Mapping[str, Part], names: list[str]) -> bool:
    """Returns True if joints of the document itself, limbs aside, are in another order."""
    used = set(names)
    written = [name for name, part in parts.items() if name in used and not part.scope.limbs]
    own = set(written)
    return written != [name for name in dict.fromkeys(names) if name in own]


def _check_numbers(
    links: Mapping[str, Part], numbers: Mapping[str, int], complain: Complain
) -> None:
    seen: dict[int, str] = {0: ""}
    for name, part in links.items():
        number = numbers[name]
        if number and number in seen:
            complain(part.node, f"link '{seen[number]}' has the id {number} too")
        seen.setdefault(number, name)
    if 0 in numbers.values():
        return
    previous = 0
    for number in sorted(seen)[1:]:
        if number != previous + 1:
            message = f"the ids of the links have a gap: {number} follows {previous}"
            complain(links[seen[number]].node, message, "warning")
        previous = number

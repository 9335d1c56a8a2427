"""Named numbers as a message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import Float64MultiArray, MultiArrayDimension

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


def statistics(values: Mapping[str, float]) -> Any:
    """A `Float64MultiArray` whose dimensions are labelled with the names of its numbers."""
    message = Float64MultiArray(data=[float(value) for value in values.values()])
    message.layout.dim = [MultiArrayDimension(label=name, size=1, stride=1) for name in values]
    return message


def numbers_by_name(message: Any) -> dict[str, float]:
    """The numbers of such a message by name."""
    labels = [dimension.label for dimension in message.layout.dim]
    return dict(zip(labels, message.data, strict=True))

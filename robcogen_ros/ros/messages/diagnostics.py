"""Diagnoses as `diagnostic_msgs`, where these are installed."""

from __future__ import annotations

from typing import Any

from robcogen_ros.nodes.work import Diagnosis

try:
    from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
except ImportError:
    DiagnosticArray = None


class DiagnosticsPublisher:
    """Publishes on /diagnostics, or nothing where `diagnostic_msgs` is missing."""

    def __init__(self, node: Any, hardware: str) -> None:
        """Opens the topic.

        Args:
            node: The ROS node, whose name the diagnoses carry.
            hardware: What they are of.
        """
        self._node = node
        self._hardware = hardware
        self._topic: Any = None
        if DiagnosticArray is not None:
            self._topic = node.create_publisher(DiagnosticArray, "/diagnostics", 10)

    def publish(self, diagnosis: Diagnosis) -> None:
        """Tells how things are."""
        if self._topic is None:
            return
        status = DiagnosticStatus(
            level=bytes([diagnosis.level]),
            name=self._node.get_fully_qualified_name(),
            message=diagnosis.message,
            hardware_id=self._hardware,
            values=[KeyValue(key=key, value=value) for key, value in diagnosis.values.items()],
        )
        message = DiagnosticArray(status=[status])
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._topic.publish(message)

    def close(self) -> None:
        """Closes the topic."""
        if self._topic is not None:
            self._node.destroy_publisher(self._topic)

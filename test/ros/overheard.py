"""A node within the test, in place of one that talks over DDS."""

from collections import defaultdict
from types import SimpleNamespace

from rclpy.node import Node

from test.ros.controller_in_process import copied


class Overheard(Node):
    """A node whose topics and services lead to the test."""

    def __init__(self, name, **options):
        self.said, self.hears, self.answers = defaultdict(list), {}, {}
        super().__init__(name, **options)

    def create_publisher(self, kind, topic, *args, **options):
        if topic.startswith("/parameter") or topic == "/rosout":
            return super().create_publisher(kind, topic, *args, **options)
        return SimpleNamespace(
            publish=lambda message: self.said[topic].append(copied(message)),
            wait_for_all_acked=lambda timeout: True,
        )

    def create_subscription(self, kind, topic, callback, *args, **options):
        self.hears[topic] = callback
        return SimpleNamespace(handle=SimpleNamespace(take_message=lambda *args: None))

    def create_service(self, kind, name, callback, *args, **options):
        if not name.startswith("~"):
            return super().create_service(kind, name, callback, *args, **options)
        self.answers[name] = lambda **request: callback(kind.Request(**request), kind.Response())
        return None

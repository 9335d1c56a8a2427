import pytest


@pytest.fixture(scope="session")
def probe():
    pytest.importorskip("rclpy", reason="rclpy is not installed")
    pytest.importorskip("tf2_msgs", reason="tf2_msgs is not built")
    from test.ros.harness import Probe, confine

    confine()
    probe = Probe()
    yield probe
    probe.close()


@pytest.fixture(scope="module")
def start(probe):
    """Starts nodes; those that a test leaves running are ended after its module."""
    from test.ros.harness import Node

    nodes = []

    def make(name, namespace="/", words=(), **parameters):
        nodes.append(Node(name, namespace, words, **parameters))
        return nodes[-1]

    yield make
    for node in nodes:
        node.kill()

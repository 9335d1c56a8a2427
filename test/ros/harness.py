"""Nodes in their own processes, and a probe that talks to them."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import rclpy
from rclpy.parameter import Parameter
from rclpy.qos import DurabilityPolicy, QoSProfile
from rclpy.signals import SignalHandlerOptions

from robcogen_ros.demo.processes import confinement

ROOT = Path(__file__).parents[2]
ARM = Path(__file__).with_name("arm.urdf")
JOINTS = ["shoulder", "elbow", "finger"]
PATIENCE = 60.0
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


def confine():
    """Keeps this process and its children to themselves."""
    os.environ.update(confinement())
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])


class Node:
    """A node of robcogen_ros as a process, in a namespace."""

    def __init__(self, name, namespace="/", words=(), **parameters):
        pairs = [f"{key}:={value}" for key, value in parameters.items()]
        arguments = [word for pair in pairs for word in ("-p", pair)]
        module = "robcogen_ros.view.live" if name == "view" else f"robcogen_ros.ros.{name}"
        command = [sys.executable, "-m", module, *map(str, words), "--ros-args"]
        command += ["-r", f"__ns:={namespace}", *arguments]
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )

    def end(self, number=signal.SIGINT):
        """Stops it; its exit code and all that it said."""
        self._process.send_signal(number)
        try:
            said, _ = self._process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            said, _ = self._process.communicate()
        return self._process.returncode, said

    def wait(self):
        """Waits for it to end by itself; its exit code and all that it said."""
        said, _ = self._process.communicate(timeout=PATIENCE)
        return self._process.returncode, said

    def kill(self):
        """Makes sure that it has ended."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.communicate()


class Probe:
    """Listens and talks to nodes."""

    def __init__(self):
        rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
        self.node = rclpy.create_node("probe")
        self._executor = rclpy.executors.SingleThreadedExecutor()
        self._executor.add_node(self.node)

    def close(self):
        self.node.destroy_node()
        rclpy.try_shutdown()

    def listen(self, kind, topic, qos=10):
        """All messages of a topic from now on."""
        heard = []
        self.node.create_subscription(kind, topic, heard.append, qos)
        return heard

    def spin(self, duration):
        end = time.monotonic() + duration
        while time.monotonic() < end:
            self._executor.spin_once(timeout_sec=0.01)

    def until(self, done, patience=PATIENCE, meanwhile=None):
        """Spins until something is so, doing something now and then."""
        end, following = time.monotonic() + patience, 0.0
        while not done():
            assert time.monotonic() < end, "waited in vain"
            if meanwhile is not None and time.monotonic() > following:
                meanwhile()
                following = time.monotonic() + 0.02
            self._executor.spin_once(timeout_sec=0.005)

    def call(self, kind, name, request):
        client = self.node.create_client(kind, name)
        self.until(client.service_is_ready)
        self.spin(0.3)  # The service may not yet know where to send its answer.
        future = client.call_async(request)
        self.until(future.done)
        self.node.destroy_client(client)
        return future.result()

    def set(self, node, name, value):
        """Sets a parameter of a node; its answer."""
        from rcl_interfaces.srv import SetParameters

        message = Parameter(name, value=value).to_parameter_msg()
        request = SetParameters.Request(parameters=[message])
        return self.call(SetParameters, f"{node}/set_parameters", request).results[0]

    def stamp(self):
        return self.node.get_clock().now().to_msg()

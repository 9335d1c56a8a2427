"""transform_publisher: joint states in, /tf and /tf_static out.

The launch file of this name in XML, for commands and files that name this one.
"""

from pathlib import Path

from launch.actions import IncludeLaunchDescription
from launch_xml.launch_description_sources import XMLLaunchDescriptionSource

from launch import LaunchDescription


def generate_launch_description():
    source = XMLLaunchDescriptionSource(str(Path(__file__).with_suffix(".xml")))
    return LaunchDescription([IncludeLaunchDescription(source)])

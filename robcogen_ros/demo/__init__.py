"""A robot moving under its generated controller, as ROS 2 nodes, with a report and a plot."""

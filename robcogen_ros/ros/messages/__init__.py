"""Messages of ROS, made and read."""

"""ROS 2 nodes. Only here is rclpy imported."""

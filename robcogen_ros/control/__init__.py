"""Controlling and simulating a robot with its generated dynamics; no ROS, NumPy only."""

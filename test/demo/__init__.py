"""Tests of the demo that need no ROS."""

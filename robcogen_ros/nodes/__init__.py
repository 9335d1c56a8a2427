"""Robots, grounds and simulations by the parameters of nodes, and what else needs no ROS."""

"""Joints that follow others through loops, and the forces that hold loops closed."""

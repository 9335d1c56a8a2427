"""Xacro: URDF with macros, expanded with the place of each line."""

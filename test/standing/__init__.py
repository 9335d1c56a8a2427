"""Feet, their shapes, the states of SRDF files, and postures, against Pinocchio."""

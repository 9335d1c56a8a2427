"""Punctuality of a robot's compiled control law on this computer."""

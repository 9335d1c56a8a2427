"""Footing of a robot on legs: feet and their shapes, postures, forces at rest."""

"""Gaits of robots on legs."""

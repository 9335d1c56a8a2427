"""Nodes as a user runs them: processes of their own, talking over DDS."""

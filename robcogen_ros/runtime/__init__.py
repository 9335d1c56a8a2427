"""Robots that Python can call: compiled, or interpreted with NumPy."""

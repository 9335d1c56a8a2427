"""Robots whose frames touch something: motion, impacts, forces, stability."""

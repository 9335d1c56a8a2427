"""Maxima."""

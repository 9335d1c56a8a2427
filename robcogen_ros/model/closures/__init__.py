"""Loops of links: how joints follow from them, or multipliers hold them closed."""

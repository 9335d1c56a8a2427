"""Functions of a robot: mechanics, conditioning that keeps digits, and the catalogue."""

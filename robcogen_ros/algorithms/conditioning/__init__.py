"""The form of a robot that a function is computed on: as few numbers as can be, digits kept."""

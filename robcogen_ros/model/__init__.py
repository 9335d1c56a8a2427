"""The robot as a kinematic tree: exact quantities, checked, no word of any file format in it."""

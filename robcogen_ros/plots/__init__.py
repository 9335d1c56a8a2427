"""How pictures look: one style for all of them, on a light or a dark ground, with the robot."""

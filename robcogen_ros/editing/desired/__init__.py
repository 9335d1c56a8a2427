"""The language of desired transforms in editors."""

"""The languages of motions and transforms in editors."""

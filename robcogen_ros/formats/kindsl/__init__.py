"""The Kinematics-DSL, read and written."""

"""The Kinematics-DSL in editors."""

"""Inverse kinematics of limbs in closed form."""

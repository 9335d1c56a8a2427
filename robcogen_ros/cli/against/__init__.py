"""A robot compared with MuJoCo's reading of it."""

"""What a compiled library may call, and that it allocates nothing."""

"""What holds for every robot, tried on random ones."""

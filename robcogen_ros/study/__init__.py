"""Design studies: a user's function at many values of a robot's parameters, by known engines."""

"""Functions that call others of the robot, and end in linear algebra."""

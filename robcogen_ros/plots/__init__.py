"""One style of pictures, on a light or a dark ground, with the robot."""

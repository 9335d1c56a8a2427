"""Control and simulation, without ROS, against closed-form arms."""

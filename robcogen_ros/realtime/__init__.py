"""How punctually a robot's compiled control law runs on this computer."""

"""What a robot on legs stands on: feet and their shapes, postures, forces at rest."""

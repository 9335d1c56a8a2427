"""Functions of robots with many joints, as loops over rows of four joints."""

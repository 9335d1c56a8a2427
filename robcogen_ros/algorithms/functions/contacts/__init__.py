"""Functions of robots with contacts."""

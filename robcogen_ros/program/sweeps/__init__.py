"""Functions written as loops over joints."""

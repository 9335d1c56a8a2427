"""CasADi."""

"""Files that commands write."""

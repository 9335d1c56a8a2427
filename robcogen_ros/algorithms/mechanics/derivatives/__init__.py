"""First derivatives of inverse dynamics by recursion, and what they need."""

"""Faults of the symbolic side alone, and of the replay."""

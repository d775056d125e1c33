"""Equivalence of a source and a target: same results, same final memory, same calls in order."""

"""Invariants: one file a family, one registry line each."""

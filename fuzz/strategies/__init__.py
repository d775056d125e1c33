"""Hypothesis strategies that draw programs, valid by construction."""

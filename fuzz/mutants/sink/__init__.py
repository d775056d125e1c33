"""Faulty versions of `sink-checkpoint-views`."""

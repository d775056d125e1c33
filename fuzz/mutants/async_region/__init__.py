"""Faulty versions of `gpu-async-region`."""

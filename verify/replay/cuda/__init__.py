"""Kernels as CUDA C++: the same rules as everywhere, run by a machine that prints."""

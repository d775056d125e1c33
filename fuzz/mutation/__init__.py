"""Measures the fuzzer: every mutant must be found out, and by which oracle is told."""

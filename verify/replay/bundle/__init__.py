"""Bundles: one file that holds a counterexample and all that it takes to run it elsewhere."""

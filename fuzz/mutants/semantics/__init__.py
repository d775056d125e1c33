"""Ops that mean something else, for proofs and for runs alike."""

"""What ops mean: one rule an op, run alike by the symbolic and the concrete machine."""

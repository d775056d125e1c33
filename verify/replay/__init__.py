"""The concrete machine: programs run on arrays, to confirm or contradict what the solver found."""

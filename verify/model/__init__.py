"""What is checked: memories, accesses, checkpointed loops and their captures."""

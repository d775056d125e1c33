"""Results as text, JSON, SARIF, GitHub commands, JUnit and HTML: one renderer a module."""

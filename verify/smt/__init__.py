"""Questions about terms, answered by Z3 over linear integers; the only importer of z3."""

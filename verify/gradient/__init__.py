"""The real gradient oracle: what Enzyme makes of a function, run and held against each other.

An *image* is one block of bytes that holds every argument of a function, and for its gradient
every shadow, seed and result as well; a *variant* is one way to differentiate the function.
"""

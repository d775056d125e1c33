"""verify-ir: a static verifier for compiler passes over MLIR."""

__version__ = "0.1.0"

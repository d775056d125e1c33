"""Real compilers, each behind a worker process that may die.

Layers, lowest first: `channel` and `worker` move messages; `serving` and the `serve_*` modules
run inside workers; `mlir_bindings`, `enzyme` and `mlir_opt` speak for one toolchain each;
`registry` finds them and runs passes by name.
"""

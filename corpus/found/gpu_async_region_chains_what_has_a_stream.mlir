// Shows: a launch on a stream of its own takes no tokens. Enzyme's copy of the pass chains it all the same, and
// refuses what it has made. MLIR's leaves the launch as it is.
// Idea: found by a campaign; explicit streams among ops that are made asynchronous.
// Seen with: enzyme-ad 0.0.16, pipeline `func.func(gpu-async-region)`.
// RUN: verify-ir passes %s -p "enzyme:func.func(gpu-async-region)" --verify-diagnostics
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @nothing() kernel {
      gpu.return
    }
  }
  func.func @on_a_stream(%n: index, %stream: !llvm.ptr) {
    // expected-error@+2 {{after:enzyme:func.func(gpu-async-region) [E0301]}}
    // expected-remark@+1 {{[U0002]}}
    gpu.launch_func <%stream : !llvm.ptr> @kernels::@nothing blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

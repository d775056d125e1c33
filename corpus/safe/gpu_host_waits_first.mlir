// Shows: the host waits for a copy and then reads its target.
// Idea: the quiet form of E0202.
// RUN: verify-ir check %s --verify-diagnostics
func.func @in_time(%host: memref<8xf32>, %device: memref<8xf32, 1>) -> f32 {
  %zero = arith.constant 0 : index
  %copied = gpu.memcpy async %host, %device : memref<8xf32>, memref<8xf32, 1>
  gpu.wait [%copied]
  %x = memref.load %host[%zero] : memref<8xf32>
  return %x : f32
}

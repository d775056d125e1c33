"""Tokens that loops carry at several depths, and waits under the condition of the work."""

from tests.unit.checks.checking import codes, verdict

HEAD = """
func.func @f(%m: memref<8xf32, 1>, %n: index, %p: i1, %q: i1, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = gpu.wait async
"""
TAIL = "  return\n}\n"
NESTED = f"""{HEAD}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %none) -> (!gpu.async.token) {{
    %fresh = gpu.wait async
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%l = %fresh) -> (!gpu.async.token) {{
      %t = gpu.memset async [%l, %k] %m, %v : memref<8xf32, 1>, f32
      scf.yield %t : !gpu.async.token
    }}
    %both = gpu.wait async [%s, %k]
    scf.yield %both : !gpu.async.token
  }}
  gpu.wait [%r]
{TAIL}"""
THREE_DEEP = f"""{HEAD}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %none) -> (!gpu.async.token) {{
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%l = %none) -> (!gpu.async.token) {{
      %u = scf.for %h = %c0 to %n step %c1 iter_args(%o = %none) -> (!gpu.async.token) {{
        %t = gpu.memset async [%k, %l, %o] %m, %v : memref<8xf32, 1>, f32
        scf.yield %t : !gpu.async.token
      }}
      %x = gpu.wait async [%u, %l]
      scf.yield %x : !gpu.async.token
    }}
    %y = gpu.wait async [%s, %k]
    scf.yield %y : !gpu.async.token
  }}
  gpu.wait [%r]
{TAIL}"""
SAME_CONDITION = f"""{HEAD}
  %t = scf.if %p -> (!gpu.async.token) {{
    %a = gpu.memset async %m, %v : memref<8xf32, 1>, f32
    scf.yield %a : !gpu.async.token
  }} else {{
    scf.yield %none : !gpu.async.token
  }}
  scf.if %p {{
    gpu.wait [%t]
  }}
  gpu.memset %m, %v : memref<8xf32, 1>, f32
{TAIL}"""


def test_two_tokens_together_tell_of_all_runs_of_an_inner_loop() -> None:
    assert "proven" == verdict(NESTED)
    assert "proven" == verdict(THREE_DEEP)


def test_without_the_outer_one_earlier_runs_are_open() -> None:
    assert "refuted" == verdict(NESTED.replace("async [%l, %k]", "async [%l]"))
    assert "refuted" == verdict(NESTED.replace("async [%s, %k]", "async [%k]"))
    assert "refuted" == verdict(THREE_DEEP.replace("async [%k, %l, %o]", "async [%k, %o]"))


def test_without_the_inner_one_earlier_iterations_are_open() -> None:
    assert "refuted" == verdict(NESTED.replace("async [%l, %k]", "async [%k]"))
    assert "refuted" == verdict(THREE_DEEP.replace("async [%k, %l, %o]", "async [%k, %l]"))
    assert "refuted" == verdict(THREE_DEEP.replace("async [%u, %l]", "async [%l]"))


def test_a_wait_under_the_condition_of_the_work_is_enough() -> None:
    assert "proven" == verdict(SAME_CONDITION)
    assert "refuted" == verdict(SAME_CONDITION.replace("scf.if %p {", "scf.if %q {"))


def test_waits_that_only_some_cases_need_are_no_warning() -> None:
    assert "W0205" not in codes(SAME_CONDITION)


def test_work_on_a_path_that_contradicts_itself_needs_no_wait() -> None:
    inner = "scf.if %p {\n%a = gpu.memset async %m, %v : memref<8xf32, 1>, f32\n}"
    text = f"{HEAD}scf.if %outer {{\n}} else {{\n{inner}\n}}\n{TAIL}"

    assert "proven" == verdict(text.replace("%outer", "%p"))
    assert "E0203" in codes(text.replace("%outer", "%q"))


LAUNCHED = """
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%a: memref<8xf32, 1>) kernel {
      %t = gpu.thread_id x
      %x = memref.load %a[%t] : memref<8xf32, 1>
      memref.store %x, %a[%t] : memref<8xf32, 1>
      gpu.return
    }
  }
  func.func @f(%m: memref<8xf32, 1>, %n: index, %v: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %i = %c0 to %n step %c1 {
      %g, %born = gpu.alloc async () : memref<8xf32, 1>
      %t = gpu.launch_func async [%born] @kernels::@k blocks in (%c1, %c1, %c1)
          threads in (%c2, %c1, %c1) args(%g : memref<8xf32, 1>)
      %end = gpu.dealloc async [%t] %g : memref<8xf32, 1>
      gpu.wait [%end]
    }
    return
  }
}
"""


def test_a_kernel_is_one_piece_of_work_however_many_threads_it_has() -> None:
    assert "proven" == verdict(LAUNCHED)
    assert "E0204" in codes(LAUNCHED.replace("dealloc async [%t]", "dealloc async [%born]"))

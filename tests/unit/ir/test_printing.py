import pytest

from verify.ir import frontend
from verify.ir.frontend import read_printed, read_text
from verify.ir.names import op_name
from verify.ir.printing import to_generic_text, to_pretty_text
from verify.ir.source import SourceText
from verify.ir.spans import op_location

if not frontend.has_bindings():
    pytest.skip("MLIR's Python bindings are not installed", allow_module_level=True)

TEXTS = {
    "properties beside unknown ones": """
      func.func @f(%a: memref<4xf32>, %i: index) {
        %x = memref.load %a[%i] {alignment = 8 : i64, nontemporal = true} : memref<4xf32>
        return
      }""",
    "blocks and successors": """
      func.func @f(%c: i1) -> i32 {
        cf.cond_br %c, ^a, ^b
      ^a:
        %x = arith.constant 1 : i32
        cf.br ^c(%x : i32)
      ^b:
        %y = arith.constant -2 : i32
        cf.br ^c(%y : i32)
      ^c(%r: i32):
        return %r : i32
      }""",
    "affine maps and reductions": """
      func.func @f(%a: memref<?xf32>, %n: index) -> f32 {
        %s = affine.parallel (%i) = (0) to (symbol(%n)) reduce ("addf") -> f32 {
          %x = affine.load %a[%i + symbol(%n) * 2] : memref<?xf32>
          affine.yield %x : f32
        }
        return %s : f32
      }""",
    "strided views": """
      func.func @f(%a: memref<8x8xf32, 1>, %i: index) {
        %v = memref.subview %a[%i, 0] [2, 2] [1, 2]
          : memref<8x8xf32, 1> to memref<2x2xf32, strided<[8, 2], offset: ?>, 1>
        return
      }""",
    "asynchronous ops": """
      func.func @f(%n: index, %h: memref<?xf32>) {
        %t = gpu.wait async
        %m, %u = gpu.alloc async [%t] (%n) : memref<?xf32>
        %v = gpu.memcpy async [%u] %m, %h : memref<?xf32>, memref<?xf32>
        gpu.wait [%v]
        return
      }""",
    "odd attributes": """
      "a.b"() {"odd key" = unit, u, s = "q\\22\\\\", d = dense<[1, 2]> : tensor<2xi8>,
               n = 0x7FC00000 : f32, z = -0.0 : f64, y = @x::@y} : () -> ()""",
    "flags that the bindings do not list": """
      func.func @f(%p: !llvm.ptr, %i: i64) {
        %j = llvm.add %i, %i overflow<nsw, nuw> : i64
        %q = llvm.getelementptr inbounds %p[%j, 1]
          : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i8>
        %k = llvm.mul %i, %i : i64
        %l = arith.addi %i, %i overflow<nsw> : i64
        return
      }""",
    "properties of unknown ops": """
      "a.b"() <{p = [1, "}>,"], q = affine_map<(d0) -> (d0)>, u}> ({
        "a.c"() {r = 1 : i8} : () -> ()
        "a.c"() <{r = 2 : i8}> {s} : () -> ()
      }) {t = #a.b<[0]->(1)>} : () -> ()""",
    "opaque ones": '"a.b"() {c = #llvm.cconv<ptx_kernelcc>, t = !q.r<s>} : () -> ()',
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_generic_text_means_what_was_read(text: str):
    parsed = read_text(text, "p.mlir")
    assert parsed.module is not None, parsed.errors

    again = read_printed(to_generic_text(parsed.module), parsed.source, "p.mlir")

    assert again.module is not None, again.errors
    assert to_pretty_text(again.module) == to_pretty_text(parsed.module)
    assert to_generic_text(again.module) == to_generic_text(parsed.module)


@pytest.mark.parametrize("path", ["p.mlir", "-", 'a "quoted" \\ path'])
def test_places_survive_printing(path: str):
    parsed = read_text('\n  "a.b"() : () -> ()', path)
    assert parsed.module is not None

    again = read_printed(to_generic_text(parsed.module), SourceText(path, ""), path)

    assert again.module is not None
    (op,) = (op for op in again.module.walk() if op_name(op) == "a.b")
    location = op_location(op)
    assert location is not None
    assert (location.file, location.line, location.column) == (path, 2, 3)


def test_pretty_text_is_custom_syntax_without_locations():
    parsed = read_text("func.func @f() { return }")
    assert parsed.module is not None

    assert to_pretty_text(parsed.module) == "module {\n  func.func @f() {\n    return\n  }\n}\n"


def test_without_mlir_pretty_text_is_generic(monkeypatch: pytest.MonkeyPatch):
    parsed = read_text('"a.b"() : () -> ()')
    assert parsed.module is not None
    monkeypatch.setattr(frontend, "has_bindings", lambda: False)

    assert '"a.b"()' in to_pretty_text(parsed.module)

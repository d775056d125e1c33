import pytest

from verify.ir.foreign_syntax import to_upstream_syntax


@pytest.mark.parametrize(
    ("text", "rewritten"),
    [
        (
            "  enzymexla.memcpy  %a, %b, %n : memref<?xi8, 1>, memref<?xi8> loc(#l)",
            (
                '  "enzymexla.memcpy"(%a, %b, %n)'
                " : (memref<?xi8, 1>, memref<?xi8>, index) -> () loc(#l)"
            ),
        ),
        (
            "%t = enzymexla.memcpy async [%s] %a, %b, %n {x} : memref<i8>, memref<i8> // c",
            (
                '%t = "enzymexla.memcpy"(%s, %a, %b, %n) {x}'
                " : (!gpu.async.token, memref<i8>, memref<i8>, index) -> (!gpu.async.token) // c"
            ),
        ),
        (
            "enzymexla.memset %p, %v, %n : memref<?xi8>, i32",
            '"enzymexla.memset"(%p, %v, %n) : (memref<?xi8>, i32, index) -> ()',
        ),
        (
            "enzymexla.memcpy2d %d, %p, %s, %q, %w, %h : memref<?xi8>, memref<?xi8, 1>",
            (
                '"enzymexla.memcpy2d"(%d, %p, %s, %q, %w, %h)'
                " : (memref<?xi8>, index, memref<?xi8, 1>, index, index, index) -> ()"
            ),
        ),
        (
            "%x = memref.load %a[%i] alignment(8) {k} : memref<4xf32>",
            "%x = memref.load %a[%i] {alignment = 8 : i64, k} : memref<4xf32>",
        ),
        (
            "%1 = llvm.load %p <alignment = 8, tbaa = [#t<a>]> : !llvm.ptr -> f32",
            "%1 = llvm.load %p {alignment = 8 : i64, tbaa = [#t<a>]} : !llvm.ptr -> f32",
        ),
        (
            "llvm.store %x, %p <alignment = 4> {k} : f32, !llvm.ptr",
            "llvm.store %x, %p {alignment = 4 : i64, k} : f32, !llvm.ptr",
        ),
        (
            "memref.store %x, %a[%i] alignment(16) : memref<4xf32>",
            "memref.store %x, %a[%i] {alignment = 16 : i64} : memref<4xf32>",
        ),
    ],
)
def test_syntax_that_upstream_lacks_is_rewritten(text: str, rewritten: str):
    assert to_upstream_syntax(text) == rewritten


@pytest.mark.parametrize(
    "text",
    [
        '"enzymexla.memcpy"(%a) : (i32) -> ()',
        "enzymexla.memcpy %a : i32",
        "f.alignment(8)",
        "llvm.load %p : !llvm.ptr<1> -> f32",
    ],
)
def test_other_text_is_left_alone(text: str):
    assert to_upstream_syntax(text) == text

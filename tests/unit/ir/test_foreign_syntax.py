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
            "%m = memref.alloc(%n) alignment = 64 : memref<?xf32>",
            "%m = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>",
        ),
        (
            "%m = memref.alloc() alignment = 64 {x} : memref<4xf32>",
            "%m = memref.alloc() {alignment = 64 : i64, x} : memref<4xf32>",
        ),
        (
            "%m = memref.alloc() {x, alignment = 64 : i64} : memref<4xf32>",
            "%m = memref.alloc() {x, alignment = 64 : i64} : memref<4xf32>",
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
            "llvm_ext.ptr_size_hint %p, %n : !llvm.ptr, i64",
            '"llvm_ext.ptr_size_hint"(%p, %n) : (!llvm.ptr, i64) -> ()',
        ),
        (
            "llvm_ext.ptr_size_hint %p, %n, %s {m = 1 : i32} : !llvm.ptr, i64, i32 loc(#l)",
            (
                '"llvm_ext.ptr_size_hint"(%p, %n, %s) {m = 1 : i32}'
                " : (!llvm.ptr, i64, i32) -> () loc(#l)"
            ),
        ),
        (
            "%0 = llvm_ext.alloc %n : (i64) -> !llvm.ptr<1> // c",
            '%0 = "llvm_ext.alloc"(%n) : (i64) -> (!llvm.ptr<1>) // c',
        ),
        (
            "llvm_ext.memcpy %a, %b, %n {c} : !llvm.ptr, !llvm.ptr, i64",
            '"llvm_ext.memcpy"(%a, %b, %n) {c} : (!llvm.ptr, !llvm.ptr, i64) -> ()',
        ),
        (
            "scf.if %c { llvm_ext.free %a : !llvm.ptr }",
            'scf.if %c { "llvm_ext.free"(%a) : (!llvm.ptr) -> () }',
        ),
        (
            "%k = enzyme.binomial_progress %i, %n : index loc(#l)",
            '%k = "enzyme.binomial_progress"(%i, %n) : (index, index) -> (index) loc(#l)',
        ),
        (
            "%r = enzyme.autodiff @f(%x, %y) {activity = [#e<a>]} : (f64, f64) -> f64",
            '%r = "enzyme.autodiff"(%x, %y) {fn = @f, activity = [#e<a>]} : (f64, f64) -> f64',
        ),
        (
            "%r = enzyme.fwddiff @f() : () -> f64",
            '%r = "enzyme.fwddiff"() {fn = @f} : () -> f64',
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
        "llvm_ext.memcpy %a, %b : !llvm.ptr",
        '"llvm_ext.free"(%a) : (!llvm.ptr) -> ()',
        "f.alignment(8)",
        "llvm.load %p : !llvm.ptr<1> -> f32",
    ],
)
def test_other_text_is_left_alone(text: str):
    assert to_upstream_syntax(text) == text

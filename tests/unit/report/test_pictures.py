"""Pictures of a missing order: which ops are drawn, where, and how each format shows them."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest
from xdsl.ir import Operation

from tests.unit.report.samples import STALE, context, stage
from tests.unit.report.snapshots import assert_snapshot
from verify.diagnostic import Picture, PictureEdge, PictureNode
from verify.ir.frontend import has_bindings, read_modules
from verify.ir.names import op_name
from verify.ir.source import SourceText
from verify.model.pictures import MOST_NODES, race_picture, token_sources
from verify.report import html, text
from verify.report.json import render as render_json
from verify.report.picture_svg import render_picture
from verify.report.sketch import render_sketch
from verify.report.style import Paint
from verify.result import FileResult, FunctionResult, RunResult
from verify.verdict import Verdict

needs_bindings = pytest.mark.skipif(not has_bindings(), reason="MLIR's bindings are not installed")

HALF_JOIN = Picture(
    ("host", "chain 1", "chain 2"),
    (
        PictureNode(0, 1, 0, "gpu.memset", 3),
        PictureNode(1, 2, 1, "gpu.memset", 4, is_marked=True),
        PictureNode(2, 1, 2, "gpu.memcpy", 5, is_marked=True),
        PictureNode(3, 0, 3, "gpu.wait", 7, "then"),
    ),
    (
        PictureEdge(0, 2, "token"),
        PictureEdge(1, 3, "wait"),
        PictureEdge(2, 3, "wait", is_partial=True),
        PictureEdge(1, 2, "missing"),
    ),
    "bytes 0 to 31 of `%y`",
    2,
)
RACE = replace(STALE, code="E0201", picture=HALF_JOIN)
RUN = RunResult((FileResult("a.mlir", (FunctionResult("f", (stage(Verdict.REFUTED, RACE),)),)),))


def function(body: str) -> Operation:
    source = f"""\
func.func @f(%a: memref<8xf32>, %b: memref<8xf32>, %v: f32, %c: i1, %n: index) {{
%z = arith.constant 0 : index
%o = arith.constant 1 : index
{body}
return
}}
"""
    (module,) = read_modules(SourceText("f.mlir", source))
    assert module.module is not None, module.errors
    return next(op for op in module.module.walk() if op_name(op) == "func.func")


def named(op: Operation, name: str, index: int = 0) -> Operation:
    return [inner for inner in op.walk() if op_name(inner) == name][index]


def drawn(picture: Picture) -> list[tuple[str, str]]:
    return [(picture.lanes[node.lane], node.label) for node in picture.nodes]


def edges(picture: Picture, kind: str) -> set[tuple[int, int, bool]]:
    return {(e.start, e.end, e.is_partial) for e in picture.edges if e.kind == kind}


@needs_bindings
def test_a_chain_has_a_lane_and_the_host_has_one() -> None:
    op = function(
        "%t = gpu.wait async\n"
        "%u = gpu.memset async [%t] %a, %v : memref<8xf32>, f32\n"
        "%x = memref.load %a[%z] : memref<8xf32>\n"
        "gpu.wait [%u]"
    )

    picture = race_picture(op, named(op, "gpu.memset"), named(op, "memref.load"), "bytes 0 to 3")

    assert drawn(picture) == [
        ("chain 1", "gpu.memset"),
        ("host", "memref.load"),
        ("host", "gpu.wait"),
    ]
    assert edges(picture, "missing") == {(0, 1, False)}
    assert edges(picture, "wait") == {(0, 2, False)}
    assert edges(picture, "program") == {(1, 2, False)}


@needs_bindings
def test_an_order_on_one_branch_is_partial() -> None:
    op = function(
        "%t = gpu.wait async\n"
        "%u = gpu.memset async [%t] %a, %v : memref<8xf32>, f32\n"
        "scf.if %c {\ngpu.wait [%u]\n}"
    )

    picture = race_picture(op, named(op, "gpu.memset"), None, "still running")

    assert [node.label for node in picture.nodes] == ["gpu.memset", "gpu.wait", "return"]
    assert [node.where for node in picture.nodes] == ["", "then", ""]
    assert edges(picture, "program") == {(1, 2, True)}
    assert edges(picture, "missing") == {(0, 2, False)}


@needs_bindings
def test_an_op_that_overtakes_itself_is_drawn_twice() -> None:
    op = function(
        "%t = gpu.wait async\n"
        "%e = scf.for %i = %z to %n step %o iter_args(%k = %t) -> (!gpu.async.token) {\n"
        "%u = gpu.memset async [%k] %a, %v : memref<8xf32>, f32\n"
        "scf.yield %k : !gpu.async.token\n}\n"
    )
    memset = named(op, "gpu.memset")

    picture = race_picture(op, memset, memset, "")

    assert [node.where for node in picture.nodes] == ["loop", "repeated"]
    assert [node.is_marked for node in picture.nodes] == [True, True]


@needs_bindings
def test_a_task_has_a_lane_of_its_own() -> None:
    op = function(
        "%t = async.execute {\nmemref.store %v, %a[%z] : memref<8xf32>\nasync.yield\n}\n"
        "%x = memref.load %a[%z] : memref<8xf32>\n"
        "async.await %t : !async.token"
    )

    picture = race_picture(op, named(op, "memref.store"), named(op, "memref.load"), "")

    assert drawn(picture) == [
        ("task 1", "async.execute"),
        ("task 1", "memref.store"),
        ("host", "memref.load"),
        ("host", "async.await"),
    ]
    assert edges(picture, "wait") == {(0, 3, False)}


@needs_bindings
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            (
                "%t = scf.if %c -> (!gpu.async.token) {\n%p = gpu.memset async %a, %v : "
                "memref<8xf32>, f32\nscf.yield %p : !gpu.async.token\n} else {\n"
                "%q = gpu.memcpy async %a, %b : memref<8xf32>, memref<8xf32>\n"
                "scf.yield %q : !gpu.async.token\n}\ngpu.wait [%t]"
            ),
            {"gpu.memset": True, "gpu.memcpy": True},
        ),
        (
            (
                "%s = gpu.wait async\n"
                "%t = scf.while (%k = %s) : (!gpu.async.token) -> !gpu.async.token {\n"
                "scf.condition(%c) %k : !gpu.async.token\n} do {\n^bb0(%k: !gpu.async.token):\n"
                "%p = gpu.memset async [%k] %a, %v : memref<8xf32>, f32\n"
                "scf.yield %p : !gpu.async.token\n}\ngpu.wait [%t]"
            ),
            {"gpu.wait": True, "gpu.memset": True},
        ),
        (
            (
                "%s = gpu.memset async %a, %v : memref<8xf32>, f32\n"
                "cf.cond_br %c, ^one(%s : !gpu.async.token), ^two\n^two:\n"
                "%p = gpu.memcpy async %a, %b : memref<8xf32>, memref<8xf32>\n"
                "cf.br ^one(%p : !gpu.async.token)\n^one(%t: !gpu.async.token):\ngpu.wait [%t]"
            ),
            {"gpu.memset": True, "gpu.memcpy": True},
        ),
        (
            (
                "%k, %w = async.execute -> !async.value<!gpu.async.token> {\n"
                "%p = gpu.memset async %a, %v : memref<8xf32>, f32\n"
                "async.yield %p : !gpu.async.token\n}\n"
                "%t = async.await %w : !async.value<!gpu.async.token>\ngpu.wait [%t]"
            ),
            {"gpu.memset": False},
        ),
        (
            (
                "%p = gpu.memset async %a, %v : memref<8xf32>, f32\n"
                "%t = arith.select %c, %p, %p : !gpu.async.token\ngpu.wait [%t]"
            ),
            {"gpu.memset": False},
        ),
    ],
    ids=["if", "while", "branches", "task", "select"],
)
def test_tokens_are_followed_to_the_ops_that_make_them(
    body: str, expected: dict[str, bool]
) -> None:
    op = function(body)
    waits = [w for w in op.walk() if op_name(w) == "gpu.wait" and not w.results]

    found = token_sources(waits[-1].operands[0])

    assert {op_name(source): is_partial for source, is_partial in found.items()} == expected


@needs_bindings
def test_the_members_of_a_group_are_all_waited_for() -> None:
    op = function(
        "%g = async.create_group %o : !async.group\n"
        "%s = async.execute {\nasync.yield\n}\n%t = async.execute {\nasync.yield\n}\n"
        "%i = async.add_to_group %s, %g : !async.token\n"
        "%j = async.add_to_group %t, %g : !async.token\n"
        "async.await_all %g"
    )

    found = token_sources(named(op, "async.await_all").operands[0])

    assert [False, False] == list(found.values())


@needs_bindings
def test_a_large_function_is_cut_to_what_is_near_the_pair() -> None:
    chain = "".join(
        f"%t{i + 1} = gpu.memset async [%t{i}] %a, %v : memref<8xf32>, f32\n" for i in range(60)
    )
    op = function(f"%t0 = gpu.wait async\n{chain}%x = memref.load %a[%z] : memref<8xf32>")

    picture = race_picture(op, named(op, "gpu.memset", 30), named(op, "memref.load"), "")

    assert len(picture.nodes) == MOST_NODES
    assert picture.left_out == 61 - MOST_NODES
    assert sum(node.is_marked for node in picture.nodes) == 2


def test_the_sketch_is_as_published() -> None:
    lines = render_sketch(HALF_JOIN, Paint())

    assert_snapshot("picture.txt", "".join(f"{line.rstrip()}\n" for line in lines))


def test_the_drawing_is_as_published_and_well_formed() -> None:
    markup = str(render_picture(HALF_JOIN))

    assert_snapshot("picture.svg", markup)
    assert 'aria-label="no token or wait orders gpu.memset (line 4) and gpu.memcpy' in markup


def test_names_in_a_picture_cannot_bring_markup_into_the_page() -> None:
    node = replace(HALF_JOIN.nodes[0], label="<b>", where="<i>")
    odd = replace(HALF_JOIN, nodes=(node, *HALF_JOIN.nodes[1:]), lanes=("<u>", "", ""), label="<s>")
    tags: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attrs: tags.append(tag)

    parser.feed(str(render_picture(odd)))

    assert set() == {"b", "i", "u", "s"} & set(tags)


def test_text_shows_the_sketch_in_verbose_runs_only() -> None:
    assert "chain 2" not in text.render(RUN, context())
    assert "nothing orders these: bytes 0 to 31 of `%y`" in text.render(RUN, context(verbosity=1))


def test_html_shows_the_drawing_and_json_does_not() -> None:
    page = html.render(RUN, context())

    assert 1 == page.count('<figure class="order">')
    assert 1 == page.count('id="arrow-missing"')
    assert "chain 2" not in render_json(RUN, context())

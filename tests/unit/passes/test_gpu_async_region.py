"""The pass on hand-written programs: waits, tokens, deferral, refusals, and the first version."""

from pathlib import Path
from textwrap import dedent, indent

import pytest

from verify.ir.frontend import has_bindings, read_text
from verify.ir.printing import to_pretty_text
from verify.passes.gpu_async_promises import broken_promises
from verify.toolchain.registry import PassUsageError, check_spec, run_pass

pytestmark = pytest.mark.skipif(not has_bindings(), reason="the programs are in MLIR's syntax")

ARGUMENTS = "%arg0: memref<8xf32>, %arg1: f32, %arg2: i1, %arg3: index"
TODAY, FIRST = "gpu-async-region", "gpu-async-region{form=first}"
SET = "gpu.memset %arg0, %arg1 : memref<8xf32>, f32"


def program(body: str) -> str:
    text = indent(dedent(body).strip("\n"), "    ")
    return f"module {{\n  func.func @f({ARGUMENTS}) {{\n{text}\n    return\n  }}\n}}\n"


def after(spec: str, body: str) -> str:
    outcome = run_pass(spec, read_text(program(body)))
    assert () == outcome.diagnostics
    assert outcome.module is not None
    assert outcome.module.module is not None
    return to_pretty_text(outcome.module.module)


def broken(spec: str, body: str) -> list[str]:
    outcome = run_pass(spec, read_text(program(body)))
    assert outcome.module is not None
    assert outcome.module.module is not None
    return [reason for _, reason in broken_promises(outcome.module.module)]


def refusal(spec: str, text: str) -> tuple[str, str, str | None, int]:
    (found,) = run_pass(spec, read_text(text)).diagnostics
    assert found.location is not None
    assert f"after:{spec}" == found.stage
    return found.code, found.message, found.function, found.location.line


def test_ops_are_chained_and_the_terminator_waits() -> None:
    assert after(TODAY, f"{SET}\n{SET}") == program(
        """
        %0 = gpu.wait async
        %1 = gpu.memset async [%0] %arg0, %arg1 : memref<8xf32>, f32
        %2 = gpu.memset async [%1] %arg0, %arg1 : memref<8xf32>, f32
        gpu.wait [%2]
        """
    )


def test_an_op_with_effects_waits_and_a_pure_one_does_not() -> None:
    assert after(
        TODAY,
        f"{SET}\n%0 = arith.addi %arg3, %arg3 : index\n%1 = memref.load %arg0[%0] : memref<8xf32>",
    ) == program(
        """
        %0 = gpu.wait async
        %1 = gpu.memset async [%0] %arg0, %arg1 : memref<8xf32>, f32
        %2 = arith.addi %arg3, %arg3 : index
        gpu.wait [%1]
        %3 = memref.load %arg0[%2] : memref<8xf32>
        """
    )


def test_every_block_has_a_chain_of_its_own() -> None:
    assert after(TODAY, f"{SET}\nscf.if %arg2 {{\n{SET}\n}}") == program(
        """
        %0 = gpu.wait async
        %1 = gpu.memset async [%0] %arg0, %arg1 : memref<8xf32>, f32
        gpu.wait [%1]
        scf.if %arg2 {
          %2 = gpu.wait async
          %3 = gpu.memset async [%2] %arg0, %arg1 : memref<8xf32>, f32
          gpu.wait [%3]
        }
        """
    )


def test_the_host_does_not_wait_for_a_branch_without_effects() -> None:
    assert after(
        TODAY, f"{SET}\nscf.if %arg2 {{\n%0 = arith.addi %arg3, %arg3 : index\n}}\n{SET}"
    ) == program(
        """
        %0 = gpu.wait async
        %1 = gpu.memset async [%0] %arg0, %arg1 : memref<8xf32>, f32
        scf.if %arg2 {
          %3 = arith.addi %arg3, %arg3 : index
        }
        %2 = gpu.memset async [%1] %arg0, %arg1 : memref<8xf32>, f32
        gpu.wait [%2]
        """
    )


def test_an_allocation_keeps_its_result_before_the_token() -> None:
    assert after(TODAY, "%0 = gpu.alloc () : memref<8xf32>") == program(
        """
        %0 = gpu.wait async
        %memref, %asyncToken = gpu.alloc async [%0] () : memref<8xf32>
        gpu.wait [%asyncToken]
        """
    )


def test_a_wait_moves_out_of_an_execute_to_each_user() -> None:
    body = f"%t = async.execute {{\n{SET}\nasync.yield\n}}\n"
    body += "%u = async.execute [%t] {\nasync.yield\n}\n"
    assert after(TODAY, body + "async.await %u : !async.token") == program(
        """
        %token, %bodyResults = async.execute -> !async.value<!gpu.async.token> {
          %1 = gpu.wait async
          %2 = gpu.memset async [%1] %arg0, %arg1 : memref<8xf32>, f32
          async.yield %2 : !gpu.async.token
        }
        %token_0, %bodyResults_1 = async.execute [%token] (%bodyResults as %arg4: !async.value<!gpu.async.token>) -> !async.value<!gpu.async.token> {
          async.yield %arg4 : !gpu.async.token
        }
        async.await %token_0 : !async.token
        %0 = async.await %bodyResults_1 : !async.value<!gpu.async.token>
        gpu.wait [%0]
        """  # noqa: E501 - one line of MLIR
    )


@pytest.mark.parametrize(
    "users",
    [
        "",
        (
            "%g = async.create_group %arg3 : !async.group\n"
            "%i = async.add_to_group %t, %g : !async.token"
        ),
        "%u, %v = async.execute -> !async.value<!async.token> {\nasync.yield %t : !async.token\n}",
    ],
    ids=["none", "group", "yield"],
)
def test_a_wait_stays_where_its_users_cannot_take_it(users: str) -> None:
    text = after(TODAY, f"%t = async.execute {{\n{SET}\nasync.yield\n}}\n{users}")

    assert "async.yield %" not in text.partition("}")[0]


@pytest.mark.parametrize(("users", "shared"), [(1, 0), (2, 0), (3, 1), (4, 1)])
def test_a_token_is_split_between_two_users_and_not_among_more(users: int, shared: int) -> None:
    body = f"%t = async.execute {{\n{SET}\nasync.yield\n}}\n"
    body += "async.await %t : !async.token\n" * users

    promise = "a token that `async.execute` yields has several users"
    assert [promise] * shared == broken(TODAY, body)


def test_a_wait_deep_inside_executes_moves_on_and_on() -> None:
    body = f"""
    %t = async.execute {{
      %x = async.execute {{
        {SET}
        async.yield
      }}
      %y = async.execute [%x] {{ async.yield }}
      async.await %y : !async.token
      {SET}
      async.yield
    }}
    async.await %t : !async.token
    """

    assert [] == broken(TODAY, body)
    assert 1 == after(TODAY, body).count("    gpu.wait [")


def test_the_end_of_a_block_without_terminator_is_waited_for() -> None:
    text = after(TODAY, f'"test.op"() ({{\n{SET}\n}}) : () -> ()')

    assert "gpu.wait [%1]\n    }) : () -> ()" in text


def test_only_functions_directly_in_the_module_change() -> None:
    text = f"builtin.module {{\n{program(SET)}\n}}"
    outcome = run_pass(TODAY, read_text(text))

    assert outcome.module is not None
    assert outcome.module.module is not None
    assert "async" not in to_pretty_text(outcome.module.module)


@pytest.mark.parametrize("spec", [TODAY, FIRST])
@pytest.mark.parametrize(
    ("body", "message", "line"),
    [
        (f"{SET}\ngpu.wait", "`gpu.wait` is there already", 4),
        ("%0 = gpu.wait async", "`gpu.wait` is there already", 3),
        (
            "%0 = gpu.memset async %arg0, %arg1 : memref<8xf32>, f32",
            "`gpu.memset` is asynchronous already",
            3,
        ),
        (
            (
                "gpu.launch blocks(%a, %b, %c) in (%d = %arg3, %e = %arg3, %g = %arg3) "
                "threads(%h, %i, %j) in (%k = %arg3, %l = %arg3, %m = %arg3) {\ngpu.terminator\n}"
            ),
            "`gpu.launch` has to be outlined",
            3,
        ),
    ],
    ids=["wait", "wait-async", "asynchronous", "launch"],
)
def test_what_does_not_fit_is_refused_by_name(
    spec: str, body: str, message: str, line: int
) -> None:
    assert ("E0301", message, "f", line) == refusal(spec, program(body))


def test_an_asynchronous_op_with_regions_is_refused() -> None:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Block, Region

    from verify.ir.context import shared_context
    from verify.passes.gpu_async_region import GpuAsyncRegionPass, PreconditionError

    context = shared_context()
    inner = context.get_op("gpu.spmm").create(regions=[Region()])
    function = context.get_op("func.func").create(regions=[Region(Block([inner]))])

    with pytest.raises(PreconditionError, match="`gpu.spmm` has regions"):
        GpuAsyncRegionPass().apply(context, ModuleOp([function]))


def test_tokens_that_are_there_can_be_threaded() -> None:
    body = f"%0 = gpu.wait async\n{SET}\ngpu.wait [%0]"

    assert after("gpu-async-region{existing=thread}", body) == program(
        """
        %0 = gpu.wait async
        %1 = gpu.memset async [%0] %arg0, %arg1 : memref<8xf32>, f32
        gpu.wait [%1, %0]
        """
    )


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("form=last", "`form` is `today` or `first`, not `last`"),
        ("existing=keep", "`existing` is `refuse` or `thread`, not `keep`"),
        ("form=first existing=thread", "`existing=thread` goes with `form=today` only"),
        ("shape=first", 'Provided arguments \\["shape"\\] not found'),
    ],
)
def test_an_unknown_option_is_wrong_usage(options: str, reason: str) -> None:
    with pytest.raises(PassUsageError, match=reason):
        check_spec(f"gpu-async-region{{{options}}}")


def test_the_first_version_lets_the_token_leak_into_a_branch() -> None:
    body = f"{SET}\nscf.if %arg2 {{\n{SET}\n}}\n%0 = memref.load %arg0[%arg3] : memref<8xf32>"

    assert after(FIRST, body) == program(
        """
        %0 = gpu.wait async
        %1 = gpu.memset async [%0] %arg0, %arg1 : memref<8xf32>, f32
        scf.if %arg2 {
          %3 = gpu.memset async [%1] %arg0, %arg1 : memref<8xf32>, f32
          gpu.wait [%3]
        }
        %2 = memref.load %arg0[%arg3] : memref<8xf32>
        """
    )


def test_the_first_version_waits_inside_a_branch_without_effects() -> None:
    body = f"{SET}\nscf.if %arg2 {{\n%0 = arith.addi %arg3, %arg3 : index\n}}"

    assert after(FIRST, body) == program(
        """
        %0 = gpu.wait async
        %1 = gpu.memset async [%0] %arg0, %arg1 : memref<8xf32>, f32
        scf.if %arg2 {
          %2 = arith.addi %arg3, %arg3 : index
          gpu.wait [%1]
        }
        """
    )


def test_the_first_version_keeps_the_waits_of_an_execute() -> None:
    body = f"%t = async.execute {{\n{SET}\nasync.yield\n}}\nasync.await %t : !async.token"

    assert "gpu.wait [%1]\n      async.yield" in after(FIRST, body)


@pytest.mark.parametrize("name", ["diamond", "cycle"])
def test_both_forms_agree_where_every_block_has_a_terminator(name: str) -> None:
    path = Path(__file__).parents[3] / "corpus" / "passes" / f"gpu_async_{name}.mlir"
    module = read_text(path.read_text())
    texts: list[str] = []
    for spec in (TODAY, FIRST):
        outcome = run_pass(spec, module)
        assert outcome.module is not None
        assert outcome.module.module is not None
        texts.append(to_pretty_text(outcome.module.module))

    assert texts[0] == texts[1]

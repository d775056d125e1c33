"""Which groups of findings are one cause, from what was seen on their programs."""

from fuzz.finding import Finding
from fuzz.settings import CONSUMER, GRADIENT
from fuzz.tables import FoundRow
from fuzz.triage.causes import Cause, Member, causes_of, is_one, key_of
from fuzz.triage.gradients import compiler_commands, evidence_of_gradient
from fuzz.triage.known import Known, blamed, pipeline_of, specs_in
from fuzz.triage.task import REDUCED, Evidence, Reduction, Sighting
from fuzz.triage.words import title_of, wrong

MLIR, ENZYME = "mlir:func.func(p)", "enzyme:func.func(p)"


def finding(target: str, shape: str) -> Finding:
    """An invalid output of a pass."""
    return Finding("output", target, "E0305", "a message", shape)


def member(
    target: str,
    shape: str,
    *,
    program: str = "",
    kinds: tuple[str, ...] = (),
    shows: tuple[Finding, ...] = (),
    code: str = "E0303",
) -> Member:
    """A group with a reduction whose program is `program` and shows other findings too."""
    finding = Finding("invariants", target, code, "a message", shape)
    seen = tuple(
        Sighting(f.target, f.group, f.oracle, f.code, f.message, f.shape) for f in (finding, *shows)
    )
    done = Reduction(
        finding.group, REDUCED, "text", program or shape, kinds=kinds, sightings=seen, ops=3
    )
    return Member(FoundRow(1, 0, 0.0, "text", {}, finding), 1, done)


def test_the_same_said_of_two_toolchains_is_one_cause() -> None:
    assert is_one(member(MLIR, "E0202 x"), member(ENZYME, "E0202 x"))
    assert not is_one(member(MLIR, "E0202 x"), member(ENZYME, "E0105 y"))


def test_a_pass_of_this_project_is_another_pass() -> None:
    assert not is_one(member(MLIR, "E0202 x"), member("func.func(p)", "E0202 x"))


def test_the_same_program_up_to_names_is_one_cause() -> None:
    first, second = member(MLIR, "E0105 x", program="p"), member(MLIR, "E0106 y", program="p")
    assert is_one(first, second)


def test_programs_that_show_each_other_are_one_cause_and_half_of_that_is_not() -> None:
    lone = member(MLIR, "b", program="2", code="E0304")
    first = member(MLIR, "a", program="1", code="E0304", shows=(lone.finding,))
    second = member(MLIR, "b", program="2", code="E0304", shows=(first.finding,))

    assert is_one(first, second)
    assert not is_one(first, lone)


def test_a_lost_order_is_one_cause_whoever_comes_too_early() -> None:
    host = member(MLIR, "E0202 x", kinds=("access", "async.execute", "gpu"))
    device = member(MLIR, "E0201 y", kinds=("async.execute", "gpu"))
    branch = member(MLIR, "E0203 z", kinds=("async.execute", "cf.cond_br", "gpu"))
    straight = [member(MLIR, f"{code} s", kinds=("gpu",)) for code in ("E0201", "E0202")]

    assert is_one(host, device)
    assert not is_one(device, branch)
    assert not is_one(*straight)


def test_a_group_that_joins_two_causes_makes_them_one() -> None:
    first, last = member(MLIR, "a", program="p"), member(ENZYME, "b", program="q")
    between = member(ENZYME, "a", program="q")

    alone = causes_of([first, between, member(MLIR, "c")])
    assert [1, 2] == sorted(len(cause.members) for cause in alone)
    (cause,) = causes_of([first, last, between])
    assert 3 == len(cause.members)


def test_a_known_file_must_have_all_that_the_program_has() -> None:
    found = member(MLIR, "E0202 x", kinds=("access", "gpu"))
    assert found.reduction is not None
    whole = Known("found/whole.mlir", Reduction(
        "", REDUCED, "", kinds=("access", "gpu", "loop"), sightings=found.reduction.sightings
    ))  # fmt: skip
    part = Known("found/part.mlir", Reduction(
        "", REDUCED, "", kinds=("gpu",), sightings=found.reduction.sightings
    ))  # fmt: skip
    other = Known("found/other.mlir", Reduction("", REDUCED, "", kinds=whole.seen.kinds))

    (cause,) = causes_of([found], [part, whole, other])
    assert ("whole", ()) == (cause.known, cause.like)
    (cause,) = causes_of([found], [part, other])
    assert ("", ("part",)) == (cause.known, cause.like)


def test_passes_are_compared_without_their_toolchain() -> None:
    assert pipeline_of(MLIR) == pipeline_of(ENZYME) == "func.func(p)"
    assert pipeline_of("func.func(p)") != "func.func(p)"
    assert pipeline_of("p{form=first:second}") == "own p{form=first:second}"


def test_a_fault_of_a_pipeline_is_one_of_its_last_pass() -> None:
    alone = finding("mlir:gpu-to-llvm", "`mlir:gpu-to-llvm` gives invalid IR")
    behind = finding(CONSUMER, "`mlir:gpu-to-llvm` gives invalid IR")

    assert key_of(alone) == key_of(behind)
    assert blamed(CONSUMER) == "gpu-to-llvm"


def test_too_many_blocks_are_one_fault_whatever_op_has_them() -> None:
    words = "`mlir:p` gives invalid IR: `{}` op expects region #N to have N or N blocks"
    first, second = (finding("mlir:p", words.format(op)) for op in ("affine.for", "async.execute"))

    assert key_of(first) == key_of(second)
    assert key_of(first) != key_of(finding("mlir:p", "`mlir:p` gives invalid IR: `affine.for` op"))


def test_run_lines_of_one_pass_are_read() -> None:
    text = '// RUN: verify-ir passes %s -p "mlir:func.func(p)" -q\n// RUN: verify-ir check %s\n'
    assert ("mlir:func.func(p)",) == specs_in(text)
    assert () == specs_in("// RUN: verify-ir passes %s -p mlir:a,mlir:b\n")


def test_an_assertion_is_told_without_its_place_and_with_quotes_that_close() -> None:
    said = '`mlir:p` died with signal SIGABRT: /a/b.cpp:10: T f(): Assertion `x && "y"\' failed.'
    crash = Finding("crash", "mlir:p", "E0304", said, "x")
    cause = Cause("one", (Member(FoundRow(1, 0, 0.0, "text", {}, crash), 1, None),))
    told = 'died with signal SIGABRT: assertion `x && "y"` failed'

    assert f"`p` {told}" == title_of(cause)
    assert [f"`mlir:p` {told}."] == list(wrong(cause, Evidence()))


def test_a_gradient_is_shown_by_the_pipeline_with_its_options() -> None:
    text = """
    func.func @f(%m: memref<4xf64>, %n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        %x = memref.load %m[%i] : memref<4xf64>
      } {enzyme.enable_checkpointing = true}
      return
    }
    """
    said = Finding(
        "gradient", GRADIENT, "E0304", "gradient sunk: it died", "x", detail="it died in:\na\nb"
    )
    (command,) = compiler_commands(said, text)

    assert (
        "(sink-checkpoint-views,enzyme-wrap{infn=f outfn=f_gradient argTys=enzyme_dup," in command
    )
    assert ("a", "b") == evidence_of_gradient(said).stack


def test_a_file_of_gradients_is_known_to_be_one() -> None:
    assert (GRADIENT,) == specs_in("// RUN: verify-ir gradient %s --samples 1")

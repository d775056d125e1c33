"""What all variants of one function share: inputs, the slopes there, and the plain gradient."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.ir import Operation

from verify.gradient.differences import Slopes, active_sections, coarsest, finite_differences
from verify.gradient.harness import primal_slots
from verify.gradient.image import ImageLayout, Numbers, read_numbers
from verify.gradient.inputs import Prepared, given_values, prepare_inputs
from verify.gradient.judge import TOLERANCES
from verify.gradient.native_runs import RunError
from verify.gradient.result import Options, Sample, VariantResult
from verify.gradient.runners import Runnable, choose_runner, function_in
from verify.gradient.signature import GradientUsageError, Signature
from verify.ir.module import ParsedModule
from verify.semantics.types import UnsupportedError, element_of


@dataclass(eq=False, slots=True)
class Session:
    """See the module. `module` holds the function and what it needs, and nothing else.

    `not_run` says why nothing can be run; `plain` is the gradient without checkpoints, once it
    is known and not wrong; `known` are results by the text that went into Enzyme.
    """

    module: ParsedModule
    signature: Signature
    options: Options
    prepared: Prepared
    tolerance: float
    names: list[str]
    slopes: list[Slopes] = field(default_factory=list)
    not_run: str = ""
    plain: list[Numbers] | None = None
    known: dict[str, VariantResult] = field(default_factory=dict)

    @property
    def layout(self) -> ImageLayout:
        """The layout of all images."""
        return self.prepared.layout

    def samples(self) -> tuple[Sample, ...]:
        """Inputs, seeds and slopes, as they are reported."""
        return tuple(self._sample(index) for index in range(len(self.prepared.images)))

    def _sample(self, index: int) -> Sample:
        image = self.prepared.images[index]
        layout = self.layout
        seeds = [
            *layout.of_role("seed"),
            *(each for each in layout.of_role("shadow") if each.form != "scalar"),
        ]
        slope = self.slopes[index] if self.slopes else None
        return Sample(
            {
                each.name: tuple(map(float, read_numbers(each, image)))
                for each in layout.of_role("value")
            },
            {each.name: tuple(map(float, read_numbers(each, image))) for each in seeds},
            tuple(map(float, slope.expected)) if slope else (),
            tuple(map(float, slope.uncertainty)) if slope else (),
        )


def open_session(module: ParsedModule, signature: Signature, options: Options) -> Session:
    """Draw inputs, run the function itself, and take its slopes."""
    choose_runner(options.runner)
    runnable = Runnable(module, signature.function, ImageLayout(), ([], []))
    function, symbols = function_in(runnable)
    given = given_values(signature, options.values)
    prepared = prepare_inputs(function, symbols, signature, given, options.seed, options.samples)
    precision = precision_of(function)
    tolerance = options.tolerance or TOLERANCES[precision]
    names = [name for each in active_sections(prepared.layout) for name in each.labels()]
    session = Session(module, signature, options, prepared, tolerance, names)
    if prepared.is_undefined:
        raise GradientUsageError(f"no input was found on which it is defined: {prepared.reason}")
    _take_slopes(session, precision)
    return session


def precision_of(function: Operation) -> str:
    """The float type with the fewest digits that the function computes with."""
    found: set[str] = set()
    for op in function.walk():
        for value in (*op.operands, *op.results):
            try:
                found.add(element_of(value.type).name)
            except UnsupportedError:
                continue
    return coarsest(found)


def _take_slopes(session: Session, precision: str) -> None:
    layout = session.layout
    primal = Runnable(session.module, session.signature.function, layout, primal_slots(layout))
    options = session.options
    images = session.prepared.images
    try:
        session.slopes = finite_differences(
            primal, images, precision, options.runner, options.timeout_s
        )
    except RunError as error:
        if error.has_died:
            raise GradientUsageError(f"the function itself {error.reason}") from None
        session.not_run = f"the function itself cannot be run: {error.reason}"
        return
    if not all(slope.is_repeatable for slope in session.slopes):
        session.not_run = "two runs of the function on one input differ: it reads what was not set"
    elif not all(layout.guards_hold(slope.after) for slope in session.slopes):
        session.not_run = "the function writes outside its arguments"

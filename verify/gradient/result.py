"""What the oracle finds: one result for each variant, and what they were held against."""

from __future__ import annotations

from dataclasses import dataclass, field

from verify.diagnostic import Location
from verify.gradient.variants import Variant

RIGHT, WRONG, DOES_NOT_COMPILE, CRASH = "right", "wrong", "does-not-compile", "crash"
UNDECIDED, NOT_RUN = "undecided", "not-run"
FAULTS = (WRONG, DOES_NOT_COMPILE, CRASH)


@dataclass(frozen=True, slots=True)
class Options:
    """What to do. `period` is for loops that name none; `tolerance` None goes by the float type.

    `timeout_s` bounds each call of a compiler and each run. `activities` and `values` map an
    argument, by name or position, to its activity or to its elements. With `stops_at_fault`, what
    is at fault without checkpoints is not tried with them.
    """

    schedules: tuple[str, ...] = ("as-written", "default", "periodic", "binomial")
    sinks: tuple[str, ...] = ("enzyme",)
    period: int = 2
    seed: int = 0
    samples: int = 2
    tolerance: float | None = None
    timeout_s: float = 60.0
    runner: str = "auto"
    activities: dict[str, str] = field(default_factory=dict)
    values: dict[str, tuple[float, ...]] = field(default_factory=dict)
    stops_at_fault: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """One element of one sample that is wrong: its name, what is right, and what was computed."""

    sample: int
    element: str
    expected: float
    actual: float


@dataclass(frozen=True, slots=True)
class Sample:
    """One set of inputs, and the gradient by central finite differences.

    `inputs` has every argument's elements, `seeds` the weight of each result and, under the name
    of an argument, of what is left in its memory. `expected` is the derivative of the weighted
    sum of all these by each element; `uncertainty` is how far it may be off, infinite where
    finite differences tell nothing.
    """

    inputs: dict[str, tuple[float, ...]]
    seeds: dict[str, tuple[float, ...]]
    expected: tuple[float, ...]
    uncertainty: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class VariantResult:
    """One variant: `gradients` has one gradient a sample, and is empty where none was computed.

    `step` says where it ended: `sink`, `differentiate`, `lower`, `run` or `compare`.
    `differences` are the elements that are wrong, the worst first; `code` is that of a pass which
    failed; `fallback` is why the interpreter ran it and not the runner that comes first.
    """

    variant: Variant
    status: str
    step: str
    message: str = ""
    code: str = ""
    pipeline: str = ""
    gradients: tuple[tuple[float, ...], ...] = ()
    differences: tuple[Difference, ...] = ()
    location: Location | None = None
    stderr: str = ""
    runner: str = ""
    fallback: str = ""
    compile_s: float = 0.0
    run_s: float = 0.0


@dataclass(frozen=True, slots=True)
class GradientResult:
    """A function and its variants; `elements` names what the gradient is taken by, in order.

    `written` is the schedule that the function is written with. `notes` are sentences on what
    the statuses rest on, or why nothing was judged.
    """

    path: str
    function: str
    written: str
    activities: dict[str, str]
    elements: tuple[str, ...]
    samples: tuple[Sample, ...]
    variants: tuple[VariantResult, ...]
    tolerance: float
    seed: int
    location: Location | None = None
    notes: tuple[str, ...] = ()
    toolchains: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    def variant(self, name: str) -> VariantResult:
        """The result of the variant with that name; raises `KeyError`."""
        found = {each.variant.name: each for each in self.variants}
        return found[name]

    @property
    def has_fault(self) -> bool:
        """Whether a variant is wrong, does not compile or crashes."""
        return any(each.status in FAULTS for each in self.variants)

    @property
    def is_judged(self) -> bool:
        """Whether every variant has a status that settles it."""
        return all(each.status not in (UNDECIDED, NOT_RUN) for each in self.variants)

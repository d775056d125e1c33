"""The seam between the meaning of ops and the machines that run it.

A *rule* gives the results of one op by asking a machine: the symbolic machine answers with terms
and records accesses, the concrete one computes on arrays. `RULES` maps op names to rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib import import_module
from typing import Any, Protocol, TypeAlias

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from verify.semantics.algebra import Algebra
from verify.semantics.rounding import Formula
from verify.semantics.term import Condition, Number
from verify.semantics.types import UnsupportedError
from verify.semantics.values import View

Value: TypeAlias = "Any"
Rule: TypeAlias = "Callable[[Machine, Operation], Sequence[Value]]"
Edge: TypeAlias = "tuple[Condition, Block, Sequence[Value]]"


class Machine(Protocol):
    """What a rule may ask for. `Value` is a number, a condition, a view or something opaque."""

    @property
    def algebra(self) -> Algebra:
        """Arithmetic on this machine's numbers."""
        ...

    def value(self, operand: SSAValue) -> Value: ...
    def number(self, operand: SSAValue) -> Number: ...
    def truth(self, operand: SSAValue) -> Condition: ...

    def map_view(self, value: Value, change: Callable[[View], View]) -> Value:
        """A view value made from another one."""
        ...

    def measure(self, value: Value, read: Callable[[View], Number]) -> Number:
        """A number that a view has."""
        ...

    def merge(self, condition: Condition, a: Value, b: Value, kind: Attribute) -> Value:
        """`a` if `condition` else `b`, for values of any type."""
        ...

    def load(self, op: Operation, view: Value, indices: Sequence[Number], kind: Attribute) -> Value:
        """One element; `kind` is the type that is read."""
        ...

    def store(
        self, op: Operation, view: Value, indices: Sequence[Number], value: Value, kind: Attribute
    ) -> None: ...

    def update(
        self,
        op: Operation,
        view: Value,
        indices: Sequence[Number],
        kind: Attribute,
        change: Callable[[Value], Value],
    ) -> Value:
        """Change one element in one step, which no other thread sees half done; the old value."""
        ...

    def read_all(self, op: Operation, view: Value) -> Value:
        """Every element of a view, in row-major order."""
        ...

    def write_all(self, op: Operation, view: Value, contents: Value, kind: Attribute) -> None:
        """Every element: from `read_all`, or one scalar for all."""
        ...

    def allocate(
        self, op: Operation, kind: Attribute, sizes: Sequence[Number], space: str
    ) -> Value:
        """A fresh buffer, with the layout of memref type `kind`; `sizes` are the dynamic ones."""
        ...

    def allocate_bytes(self, op: Operation, size: Number, space: str) -> Value:
        """A fresh buffer behind a pointer."""
        ...

    def global_memory(self, op: Operation, symbol: str, kind: Attribute | None) -> Value: ...
    def free(self, op: Operation, view: Value) -> None: ...
    def unknown(self, op: Operation, kind: Attribute) -> Value:
        """A value of type `kind` about which nothing is known."""
        ...

    def compute(self, op: Operation, function: Formula, operands: Sequence[Value]) -> Value:
        """A pure result that a machine works out or writes down, and proofs do not follow."""
        ...

    def arbitrary(self, op: Operation, kind: Attribute, example: Number) -> Value:
        """A value that the program may not rely on; a concrete run takes `example`."""
        ...

    def assume(self, condition: Condition) -> None:
        """What must hold, or the program is undefined from here on."""
        ...

    def require(self, condition: Condition) -> None:
        """What must hold here, or the run is undefined; no condition of what follows."""
        ...

    def reads_base(self, op: Operation, view: View) -> None:
        """`op` counts from the base pointer of `view`'s descriptor."""
        ...

    def address_of(self, op: Operation, view: Value, kind: Attribute) -> Value:
        """The machine address behind a view, as an integer of type `kind`."""
        ...

    def check_alignment(self, op: Operation, view: Value, alignment: int) -> None: ...
    def layout_offset(self, op: Operation, view: Value, kind: Attribute) -> Number:
        """The offset in elements that the descriptor of `view` holds."""
        ...

    def effects(
        self,
        op: Operation,
        reads: Sequence[Value],
        writes: Sequence[Value],
        *,
        reads_anywhere: bool = False,
        writes_anywhere: bool = False,
    ) -> None:
        """Effects of something without a body: on whole buffers, or on any memory at all."""
        ...

    def touch_some(self, op: Operation, reads: Sequence[Value], writes: Sequence[Value]) -> None:
        """Some elements of whole views are accessed, which ones and how is not followed."""
        ...

    def believe(self, op: Operation, attribute: str) -> None:
        """A result rests on an attribute that is not checked."""
        ...

    def run_region(self, region: Region, arguments: Sequence[Value]) -> Sequence[Value]:
        """Run a region; the values that its terminator hands on."""
        ...

    def branch(
        self,
        op: Operation,
        cases: Sequence[tuple[Condition, Callable[[], Sequence[Value]]]],
    ) -> Sequence[Value]:
        """The results of the first case whose condition holds; the last one is `True`."""
        ...

    def for_loop(
        self,
        op: Operation,
        bounds: tuple[Number, Number, Number],
        initial: Sequence[Value],
        region: Region,
    ) -> Sequence[Value]:
        """`lower`, `upper`, `step`; signed; `step` is positive."""
        ...

    def while_loop(self, op: Operation, initial: Sequence[Value]) -> Sequence[Value]: ...
    def grid_loop(
        self,
        op: Operation,
        bounds: Sequence[tuple[Number, Number, Number]],
        initial: Sequence[Value],
        body: Callable[[Sequence[Number], Sequence[Value]], Sequence[Value]],
    ) -> Sequence[Value]:
        """Every point of a grid in row-major order; `body(point, accumulated)` accumulates."""
        ...

    def open_size(self, op: Operation, view: View, unit: int) -> Number:
        """How many elements of `unit` bytes follow in the memory of a view of unknown size."""
        ...

    def device_op(
        self,
        op: Operation,
        dependencies: Sequence[Value],
        body: Callable[[], None],
    ) -> Value:
        """Run `body` as a GPU op: asynchronously, giving its token, when `op` returns one.

        Without a token it waits for its dependencies and completes before its task goes on.
        """
        ...

    def wait(self, op: Operation, tokens: Sequence[Value]) -> Value:
        """Block the task until tokens are ready, or make a token of them when `op` returns one."""
        ...

    def task(
        self,
        op: Operation,
        dependencies: Sequence[Value],
        body: Callable[[], Sequence[Value]],
    ) -> tuple[Value, Sequence[Value]]:
        """Run `body` in a task of its own: its token, and its values as asynchronous ones."""
        ...

    def await_value(self, op: Operation, value: Value) -> Value:
        """Block the task until a token or asynchronous value is ready; the value inside."""
        ...

    def begin_life(self, op: Operation, view: Value) -> None:
        """The memory behind `view` may be used from here on."""
        ...

    def unwrap(self, value: Value) -> Value:
        """The value inside an asynchronous value that is ready."""
        ...

    def create_group(self, op: Operation, group: SSAValue) -> Value:
        """An empty group of tokens, as the state of the value `group`."""
        ...

    def add_to_group(self, op: Operation, group: SSAValue, member: Value) -> None: ...
    def await_group(self, op: Operation, group: SSAValue) -> None:
        """Block the task until every member is ready."""
        ...

    def thread_ids(self) -> Mapping[str, Number]:
        """The ids and dimensions (`block_id x`, ...) inside a kernel; empty outside."""
        ...

    def barrier(self, op: Operation) -> None:
        """The threads of a block wait for one another."""
        ...

    def launch_compiled(
        self, op: Operation, region: Region, grid: Sequence[Number], arguments: Sequence[Value]
    ) -> bool:
        """Run a kernel as compiled code; `False` when its threads are to be run here."""
        ...

    def in_kernel(self, ids: dict[str, Number]) -> AbstractContextManager[None]:
        """Run a kernel's body for the thread with these ids."""
        ...

    def distinct(self, op: Operation, values: Sequence[Value]) -> Sequence[Value]:
        """The same views, of which no two share a byte that is accessed through them."""
        ...

    def run_terminator(self, region: Region, arguments: Sequence[Value]) -> Operation:
        """Run a region of one block; the terminator, whose operands can then be asked for."""
        ...

    def call(self, op: Operation, symbol: str, arguments: Sequence[Value]) -> Sequence[Value]: ...
    def function_named(self, op: Operation, symbol: str) -> Operation | None: ...


RULES: dict[str, Rule] = {}
EDGES: dict[str, Callable[[Machine, Operation], Sequence[Edge]]] = {}
PURE_DIALECTS = frozenset({"arith", "math", "complex", "vector", "ub", "index", "tensor"})
_LOADED: set[str] = set()
_DIALECT_FILES = frozenset(
    {
        "affine",
        "arith",
        "async_",
        "atomics",
        "bits",
        "cf",
        "enzymexla",
        "func",
        "gpu",
        "linalg",
        "llvm",
        "llvm_ext",
        "math",
    }
    | {"memref", "scf", "vector"}
)
_FILES_OF = {
    "arith": ("arith", "math", "bits"),
    "math": ("math", "bits"),
    "llvm": ("llvm", "cf", "atomics", "bits"),
    "memref": ("memref", "atomics"),
    "ub": ("cf",),
    "async": ("async_",),
}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Register a function as the meaning of the ops with these names."""

    def register(function: Rule) -> Rule:
        for name in names:
            if name in RULES:
                raise ValueError(f"two rules for {name}")
            RULES[name] = function
        return function

    return register


def rule_for(name: str) -> Rule | None:
    """The rule of the op called `name`; loads its dialect's file on first use."""
    dialect = name.partition(".")[0]
    if dialect not in _LOADED:
        for file in _FILES_OF.get(dialect, (dialect,)):
            if file in _DIALECT_FILES:
                import_module(f"verify.semantics.{file}")
        _LOADED.add(dialect)
    return RULES.get(name)


def edges_of(machine: Machine, op: Operation, name: str) -> Sequence[Edge] | None:
    """Where a branching terminator may go, or `None` when it leaves the region."""
    rule_for(name)
    found = EDGES.get(name)
    return None if found is None else found(machine, op)


def parameters(block: Block, arguments: Sequence[Value]) -> Iterator[tuple[SSAValue, Value]]:
    """The arguments of a block with their values."""
    if len(block.args) != len(arguments):
        raise UnsupportedError(f"{len(arguments)} values are given for {len(block.args)} arguments")
    return zip(block.args, arguments, strict=True)

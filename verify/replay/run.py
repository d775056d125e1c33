"""One concrete run of a function under the checkpoint replay."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from xdsl.ir import Operation

from verify.replay.arguments import raw_element
from verify.replay.arrays import CPU, Arrays
from verify.replay.checkpoint import CheckpointListener, Observation
from verify.replay.concrete import ConcreteMachine, MisalignedCopyError
from verify.replay.inputs import Inputs
from verify.replay.loop_runs import OutOfStepsError
from verify.replay.plans import USUAL, Manner
from verify.semantics.algebra import UndefinedBehaviourError
from verify.semantics.types import UnsupportedError

MOST_STEPS = 20_000


@dataclass(slots=True)
class Outcome:
    """What a run showed; `status` is `ran`, `undefined`, `unsupported` or `too-long`.

    `initial` are the contents of small integer arguments. `silent` are ops that call something
    without a body, which was taken to do nothing.
    """

    status: str
    observation: Observation
    arguments: list[Any]
    reason: str = ""
    silent: tuple[str, ...] = ()
    initial: dict[int, list[int]] = field(default_factory=dict)


def run_function(  # noqa: PLR0913 - independent choices, given by name
    function: Operation,
    symbols: dict[str, Operation],
    inputs: Inputs,
    *,
    targets: set[Operation] | None = None,
    shifted: bool = False,
    layout_ops: frozenset[Operation] = frozenset(),
    manner: Manner = USUAL,
    arrays: Arrays = CPU,
    max_steps: int = MOST_STEPS,
) -> Outcome:
    """Run `function` on `inputs` and replay its checkpointed loops, on the arrays of a device."""
    listener = CheckpointListener(targets, manner, shifted=shifted, layout_ops=layout_ops)
    machine = ConcreteMachine(symbols, inputs, listener, max_steps, arrays=arrays)
    machine.raw_element = raw_element(function)
    region = function.regions[0]
    arguments: list[Any] = []
    try:
        for position, value in enumerate(region.blocks[0].args):
            arguments.append(machine.argument(position, value))
        machine.run_region(region, arguments)
        machine.scheduler.finish()
    except UndefinedBehaviourError as error:
        return Outcome("undefined", listener.seen, arguments, str(error))
    except UnsupportedError as error:
        return Outcome("unsupported", listener.seen, arguments, str(error))
    except (OutOfStepsError, RecursionError):
        return Outcome("too-long", listener.seen, arguments, "the run takes too many steps")
    except MisalignedCopyError as error:
        return Outcome("undefined", listener.seen, arguments, str(error))
    except (KeyError, OverflowError, MemoryError) as error:
        return Outcome("unsupported", listener.seen, arguments, repr(error))
    silent = tuple(dict.fromkeys(machine.silent))
    return Outcome("ran", listener.seen, arguments, silent=silent, initial=machine.initial)

"""All kinds of edits, in the order in which they are tried."""

from verify.reduce.attributes import ATTRIBUTES
from verify.reduce.edit import Edit
from verify.reduce.regions import BODIES, CALLS, CHOICES, JOINTS
from verify.reduce.signatures import BLOCK_ARGUMENTS, PARAMETERS, RESULTS, TOKENS, YIELDS
from verify.reduce.statements import ARGUMENTS, ONES, OPS, SYMBOLS, TREES, UNUSED, ZEROS

EDITS: tuple[Edit, ...] = (
    SYMBOLS,
    OPS,
    UNUSED,
    CALLS,
    BODIES,
    CHOICES,
    JOINTS,
    TREES,
    ZEROS,
    RESULTS,
    YIELDS,
    BLOCK_ARGUMENTS,
    TOKENS,
    PARAMETERS,
    ATTRIBUTES,
    ONES,
    ARGUMENTS,
)

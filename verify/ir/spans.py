"""Where ops and values stand in the source, and what the source calls them."""

from xdsl.dialects.builtin import ArrayAttr, CallSiteLoc, FileLineColLoc, FusedLoc, NameLoc
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from verify.diagnostic import Location
from verify.ir.names import op_name
from verify.ir.source import find_source
from verify.ir.value_names import SourceNames, op_token


def file_location_of(location: Attribute) -> FileLineColLoc | None:
    """The first file location inside `location`."""
    pending: list[Attribute] = [location]
    while pending:
        current = pending.pop()
        if isinstance(current, FileLineColLoc):
            return current
        if isinstance(current, NameLoc):
            pending.append(current.location)
        elif isinstance(current, CallSiteLoc):
            pending += [current.caller, current.callee]
        elif isinstance(current, FusedLoc):
            pending += reversed(list(_parts(current)))
    return None


def _parts(location: FusedLoc) -> tuple[Attribute, ...]:
    parts = location.locations
    return parts.data if isinstance(parts, ArrayAttr) else ()


def op_location(op: Operation) -> Location | None:
    """The place of the op's name; `end_column` is known while its source is registered."""
    place = file_location_of(op.location)
    if place is None or not place.line.data:
        return None
    file, line, column = place.filename.data, place.line.data, place.column.data
    source = find_source(file)
    token = op_token(source.line(line), column) if source is not None else ""
    return Location(file, line, column, column + len(token) if token else None)


def value_location(value: SSAValue) -> Location | None:
    """The place of the `%name` that defines the value; the op's place when it has none there."""
    if isinstance(value, BlockArgument):
        place = file_location_of(value.location)
        name = _source_name(value)
        if place is None or name is None:
            return None
        line, column = place.line.data, place.column.data
        return Location(place.filename.data, line, column, column + 1 + len(name))
    if isinstance(value, OpResult):
        return _result_location(value) or op_location(value.op)
    return None


def value_name(value: SSAValue) -> str:
    """What the source calls the value, such as `%head`; else a name as a printer would give it."""
    name = _source_name(value) or value.name_hint
    return f"%{name}" if name else f"%{_printed_name(value)}"


def _names_of(location: Attribute) -> tuple[FileLineColLoc, SourceNames] | None:
    place = file_location_of(location)
    source = find_source(place.filename.data) if place is not None else None
    if place is None or source is None:
        return None
    return place, SourceNames(source)


def _source_name(value: SSAValue) -> str | None:
    if isinstance(value, BlockArgument):
        found = _names_of(value.location)
        return found[1].argument(found[0]) if found else None
    if isinstance(value, OpResult):
        found = _names_of(value.op.location)
        if found is None:
            return None
        names = found[1].results(found[0], op_name(value.op), len(value.op.results))
        return names[value.index] if names else None
    return None


def _result_location(value: OpResult) -> Location | None:
    found = _names_of(value.op.location)
    if found is None:
        return None
    place, names = found
    span = names.result_span(place, op_name(value.op), len(value.op.results), value.index)
    if span is None:
        return None
    line, column, end_column = span
    return Location(place.filename.data, line, column, end_column)


def _printed_name(value: SSAValue) -> str:
    """Numbered in the order of printing, arguments and results apart, within the top-level op."""
    block = value.owner if isinstance(value, BlockArgument) else value.owner.parent
    root = _outermost_function(block) if isinstance(block, Block) else None
    if root is None:
        return f"arg{value.index}" if isinstance(value, BlockArgument) else "0"
    arguments = results = 0
    for op in root.walk():
        for result in op.results:
            if result is value:
                return str(results)
        results += bool(op.results)
        for region in op.regions:
            for inner in region.blocks:
                for argument in inner.args:
                    if argument is value:
                        return f"arg{arguments}"
                    arguments += 1
    return "?"


def _outermost_function(block: Block) -> Operation | None:
    op = block.parent_op()
    while op is not None:
        above = op.parent_op()
        if above is None or above.parent_op() is None:
            return op
        op = above
    return None

"""Scalar ops of a drawn kernel: integers, floats, casts, comparisons, `llvm` and affine maps."""

from __future__ import annotations

from fuzz.strategies.kernel_values import FLOATS, INTEGERS, ODD, Drawing, Scope, bits_of

ANY_OPERANDS = (
    "addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui",
)  # fmt: skip
DIVISIONS = ("divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui")
SHIFTS = ("shli", "shrsi", "shrui")
FLOAT_BINARY = (
    "addf", "subf", "mulf", "divf", "remf", "maximumf", "minimumf", "maxnumf", "minnumf",
)  # fmt: skip
EXACT_MATH = ("absf", "sqrt", "ceil", "floor", "trunc", "roundeven", "round")
LIBRARY = (
    "rsqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin",
    "acos", "atan", "sinh", "cosh", "tanh", "cbrt",
)  # fmt: skip
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FLOAT_PREDICATES = (
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule",
    "une", "uno", "true",
)  # fmt: skip
LLVM_BINARY = ("add", "sub", "mul", "and", "or", "xor")
LLVM_INTRINSICS = ("smax", "smin", "umax", "umin")
LLVM_FLOATS = ("fadd", "fsub", "fmul", "fdiv", "frem")
MAPS = (
    "d0 + d1 * 2", "d0 floordiv 3 - d1", "(d0 - d1) mod 4", "-d0 + 7", "(d0 + d1) ceildiv 5",
    "d0 * 3 mod 7",
)  # fmt: skip


def bounds(name: str, bits: int) -> tuple[str, str]:
    """Numbers between which a float fits an integer of some bits by `fptosi` or `fptoui`."""
    size = 2 ** min(bits - (name == "fptosi"), 15)
    return f"{-size if name == 'fptosi' else 0}.0", f"{size * 0.875}"


class Scalars(Drawing):
    """Statements that give a scalar."""

    def arithmetic(self, scope: Scope) -> None:
        """An integer op whose operands may be anything."""
        kind = self.integer(scope, also=(*INTEGERS, *ODD))
        a, b = self.value(scope, kind), self.value(scope, kind)
        scope.add(kind, self.put(f"arith.{self.pick(*ANY_OPERANDS)} {a}, {b} : {kind}"))

    def division(self, scope: Scope) -> None:
        """A division by what is neither zero nor minus one."""
        kind = self.integer(scope, also=INTEGERS)
        a, b = self.value(scope, kind), self.value(scope, kind)
        one, minus = self.constant(1, kind), self.constant(-1, kind)
        odd = self.put(f"arith.ori {b}, {one} : {kind}")
        flag = self.put(f"arith.cmpi eq, {odd}, {minus} : {kind}")
        divisor = self.put(f"arith.select {flag}, {one}, {odd} : {kind}")
        scope.add(kind, self.put(f"arith.{self.pick(*DIVISIONS)} {a}, {divisor} : {kind}"))

    def shift(self, scope: Scope) -> None:
        """A shift by less than the width."""
        kind = self.integer(scope, also=(*INTEGERS, *ODD))
        a, b = self.value(scope, kind), self.value(scope, kind)
        width = self.constant(bits_of(kind), kind)
        amount = self.put(f"arith.remui {b}, {width} : {kind}")
        scope.add(kind, self.put(f"arith.{self.pick(*SHIFTS)} {a}, {amount} : {kind}"))

    def bits(self, scope: Scope) -> None:
        """A count of bits, an absolute value, or a result of two words."""
        kind = self.integer(scope, also=INTEGERS)
        a, b = self.value(scope, kind), self.value(scope, kind)
        name = self.pick("ctpop", "ctlz", "cttz", "absi", "add", "multiply")
        if name == "add":
            low = self.fresh()
            self.lines.append(f"{low}, {low}c = arith.addui_extended {a}, {b} : {kind}, i1")
            scope.add("i1", f"{low}c")
            scope.add(kind, low)
        elif name == "multiply":
            low, sign = self.fresh(), self.pick("s", "u")
            self.lines.append(f"{low}, {low}h = arith.mul{sign}i_extended {a}, {b} : {kind}")
            scope.add(kind, low)
            scope.add(kind, f"{low}h")
        else:
            scope.add(kind, self.put(f"math.{name} {a} : {kind}"))

    def logic(self, scope: Scope) -> None:
        """An op on truth values."""
        a, b = self.value(scope, "i1"), self.value(scope, "i1")
        scope.add("i1", self.put(f"arith.{self.pick('andi', 'ori', 'xori')} {a}, {b} : i1"))

    def comparison(self, scope: Scope) -> None:
        """A comparison of integers or floats."""
        if self.draw.random() < 0.5:
            kind = self.integer(scope, also=("i1",))
            a, b = self.value(scope, kind), self.value(scope, kind)
            text = f"arith.cmpi {self.pick(*PREDICATES)}, {a}, {b} : {kind}"
        elif self.draw.random() < 0.7:
            kind = self.float_type(scope)
            a, b = self.value(scope, kind), self.value(scope, kind)
            text = f"arith.cmpf {self.pick(*FLOAT_PREDICATES)}, {a}, {b} : {kind}"
        else:
            kind = self.float_type(scope)
            name = self.pick("isnan", "isinf", "isfinite")
            text = f"math.{name} {self.value(scope, kind)} : {kind}"
        scope.add("i1", self.put(text))

    def select(self, scope: Scope) -> None:
        """One of two values."""
        kind = self.number_type(scope)
        flag = self.value(scope, "i1")
        a, b = self.value(scope, kind), self.value(scope, kind)
        scope.add(kind, self.put(f"arith.select {flag}, {a}, {b} : {kind}"))

    def resize(self, scope: Scope) -> None:
        """An integer of another width."""
        old, new = self.integer(scope, also=("i1",)), self.pick("i1", "index", *INTEGERS, *ODD)
        if {old, new} in ({old}, {"i1", "index"}):
            return
        a = self.value(scope, old)
        if "index" in (old, new):
            name = self.pick("index_cast", "index_castui")
        else:
            name = self.pick("extsi", "extui") if bits_of(new) > bits_of(old) else "trunci"
        scope.add(new, self.put(f"arith.{name} {a} : {old} to {new}"))

    def convert(self, scope: Scope) -> None:
        """Between integers and floats, or between floats."""
        real = self.float_type(scope)
        whole = self.pick(*INTEGERS, *ODD)
        if self.draw.random() < 0.35:
            name, a = self.pick("sitofp", "uitofp"), self.value(scope, whole)
            scope.add(real, self.put(f"arith.{name} {a} : {whole} to {real}"))
        elif self.draw.random() < 0.4:
            name, a = self.pick("fptosi", "fptoui"), self.value(scope, real)
            low, high = (self.constant(n, real) for n in bounds(name, bits_of(whole)))
            a = self.put(f"arith.maxnumf {a}, {low} : {real}")
            a = self.put(f"arith.minnumf {a}, {high} : {real}")
            scope.add(whole, self.put(f"arith.{name} {a} : {real} to {whole}"))
        else:
            other, a = self.pick(*FLOATS), self.value(scope, real)
            if bits_of(other) != bits_of(real):
                name = "extf" if bits_of(other) > bits_of(real) else "truncf"
                scope.add(other, self.put(f"arith.{name} {a} : {real} to {other}"))

    def number(self, scope: Scope, kind: str) -> str:
        """A float that is a number: the bits of a NaN are not fixed."""
        a = self.value(scope, kind)
        flag = self.put(f"arith.cmpf uno, {a}, {a} : {kind}")
        return self.put(f"arith.select {flag}, {self.constant('1.0', kind)}, {a} : {kind}")

    def bitcast(self, scope: Scope) -> None:
        """The bits of a float, or a float of some bits."""
        real = self.float_type(scope)
        whole = f"i{bits_of(real)}"
        if self.draw.random() < 0.5:
            scope.add(
                whole, self.put(f"arith.bitcast {self.number(scope, real)} : {real} to {whole}")
            )
        else:
            scope.add(
                real, self.put(f"arith.bitcast {self.value(scope, whole)} : {whole} to {real}")
            )

    def floating(self, scope: Scope) -> None:
        """A float op."""
        kind = self.float_type(scope)
        a, b = self.value(scope, kind), self.value(scope, kind)
        match self.pick("two", "two", "two", "one", "one", "fma", "sign", "negate"):
            case "two":
                text = f"arith.{self.pick(*FLOAT_BINARY)} {a}, {b} : {kind}"
            case "one":
                names = EXACT_MATH if self.is_exact else (*EXACT_MATH, *LIBRARY)
                text = f"math.{self.pick(*names)} {a} : {kind}"
            case "fma":
                text = f"math.fma {a}, {b}, {self.value(scope, kind)} : {kind}"
            case "sign":
                text = f"math.copysign {a}, {self.number(scope, kind)} : {kind}"
            case _:
                text = f"arith.negf {a} : {kind}"
        scope.add(kind, self.put(text))

    def library(self, scope: Scope) -> None:
        """A float op of two operands that libraries round as they like."""
        if self.is_exact:
            return
        kind = self.float_type(scope)
        a, b = self.value(scope, kind), self.value(scope, kind)
        scope.add(kind, self.put(f"math.{self.pick('powf', 'atan2')} {a}, {b} : {kind}"))

    def affine_map(self, scope: Scope) -> None:
        """An index by an affine map of two others."""
        a, b = self.value(scope, "index"), self.value(scope, "index")
        if self.draw.random() < 0.7:
            text = f"affine.apply affine_map<(d0, d1) -> ({self.pick(*MAPS)})>({a}, {b})"
        else:
            maps = f"{self.pick(*MAPS)}, {self.pick(*MAPS)}"
            text = f"affine.{self.pick('min', 'max')} affine_map<(d0, d1) -> ({maps})>({a}, {b})"
        scope.add("index", self.put(text))

    def llvm_integer(self, scope: Scope) -> None:
        """An `llvm` op on integers."""
        kind = self.pick(*INTEGERS)
        a, b = self.value(scope, kind), self.value(scope, kind)
        match self.pick("two", "intrinsic", "compare", "constant", "count"):
            case "two":
                text = f"llvm.{self.pick(*LLVM_BINARY)} {a}, {b} : {kind}"
            case "intrinsic":
                types = f"({kind}, {kind}) -> {kind}"
                text = f"llvm.intr.{self.pick(*LLVM_INTRINSICS)}({a}, {b}) : {types}"
            case "compare":
                text = f'llvm.icmp "{self.pick(*PREDICATES)}" {a}, {b} : {kind}'
                scope.add("i1", self.put(text))
                return
            case "constant":
                text = f"llvm.mlir.constant({self.literal(kind)} : {kind}) : {kind}"
            case _:
                name = self.pick("ctpop", "cttz", "ctlz")
                extra = "" if name == "ctpop" else " <{is_zero_poison = false}>"
                text = f'"llvm.intr.{name}"({a}){extra} : ({kind}) -> {kind}'
        scope.add(kind, self.put(text))

    def llvm_float(self, scope: Scope) -> None:
        """An `llvm` op on floats."""
        kind = self.pick(*FLOATS)
        a, b = self.value(scope, kind), self.value(scope, kind)
        if self.draw.random() < 0.6:
            scope.add(kind, self.put(f"llvm.{self.pick(*LLVM_FLOATS)} {a}, {b} : {kind}"))
        else:
            name = self.pick("oeq", "olt", "ule", "une", "uno")
            scope.add("i1", self.put(f'llvm.fcmp "{name}" {a}, {b} : {kind}'))


SCALARS = (
    "arithmetic", "arithmetic", "arithmetic", "division", "shift", "bits", "logic", "comparison",
    "comparison", "select", "resize", "resize", "convert", "convert", "bitcast", "floating",
    "floating", "floating", "library", "affine_map", "llvm_integer", "llvm_float",
)  # fmt: skip

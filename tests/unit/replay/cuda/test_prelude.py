"""The C helpers that round, on all values of the narrow types and their neighbourhoods."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.cuda import host
from verify.replay.cuda.kernel import prelude
from verify.semantics.rounding import as_float
from verify.semantics.types import Element

MAIN = """
template <typename From, typename To, typename F> static void all(F run) {
  for (From value; fread(&value, sizeof value, 1, stdin) == 1;) {
    To result = run(value);
    fwrite(&result, sizeof result, 1, stdout);
  }
}
int main(int, char **arguments) {
  switch (atoi(arguments[1])) {
  case 0: all<float, u16>([](float v) { return to_f16(v); }); break;
  case 1: all<float, u16>([](float v) { return to_bf16(v); }); break;
  case 2: all<double, u16>([](double v) { return to_f16(narrow_odd(v)); }); break;
  case 3: all<double, u16>([](double v) { return to_bf16(narrow_odd(v)); }); break;
  case 4: all<u16, float>([](u16 v) { return from_f16(v); }); break;
  case 5: all<i64, u16>([](i64 v) { return to_f16(odd_float(v)); }); break;
  case 6: all<i64, u16>([](i64 v) { return to_bf16(odd_float(v)); }); break;
  case 7: all<double, i64>([](double v) { return (i64)whole(v); }); break;
  }
}
"""
HALVES = np.arange(1 << 16, dtype=np.uint16)


@pytest.fixture(name="program", scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    host.require_compiler()
    folder = tmp_path_factory.mktemp("prelude")
    source, program = folder / "prelude.cpp", folder / "prelude"
    source.write_text(host.BEFORE + prelude() + MAIN)
    command = [str(host.COMPILER), *host.OPTIONS, str(source), "-o", str(program)]
    subprocess.run(command, check=True)
    return program


def results(program: Path, number: int, values: NDArray[Any], kind: type) -> NDArray[Any]:
    command = [str(program), str(number)]
    found = subprocess.run(command, input=values.tobytes(), capture_output=True, check=True)
    return np.frombuffer(found.stdout, kind)


def around(name: str) -> NDArray[np.float32]:
    """Each number of a narrow type, what is halfway to the next one, and the neighbours of both."""
    if name == "f16":
        numbers = np.arange(0x7C00, dtype=np.uint16).view(np.float16).astype(np.float64)
        numbers = np.append(numbers, 65536.0)
    else:
        numbers = (np.arange(0x7F80, dtype=np.uint32) << 16).view(np.float32).astype(np.float64)
        numbers = np.append(numbers, 2.0**128)
    halfway = (numbers[1:] + numbers[:-1]) / 2
    exact = np.concatenate([numbers[:-1], halfway]).astype(np.float32)
    bits = exact.view(np.uint32)
    near = [bits, bits + np.uint32(1), np.maximum(bits, 1) - np.uint32(1)]
    found = np.concatenate(near).astype(np.uint32).view(np.float32)
    return np.concatenate([found, -found, np.array([np.inf, -np.inf], np.float32)])


def narrowed(values: Sequence[Any], name: str) -> list[int]:
    """The bits of each value in a narrow type, by the rule of the semantics."""
    element = Element(name, "float", 16)
    with np.errstate(all="ignore"):
        found = [as_float(v, element) for v in values]
    if name == "f16":
        return np.array(found, np.float16).view(np.uint16).tolist()
    return (np.array(found, np.float32).view(np.uint32) >> 16).tolist()


@pytest.mark.slow
def test_a_float_becomes_an_f16(program: Path) -> None:
    values = around("f16")
    with np.errstate(all="ignore"):
        expected = values.astype(np.float16).view(np.uint16)

    assert expected.tolist() == results(program, 0, values, np.uint16).tolist()


@pytest.mark.slow
def test_a_float_becomes_a_bf16(program: Path) -> None:
    values = around("bf16")[::7]

    assert narrowed([*values], "bf16") == results(program, 1, values, np.uint16).tolist()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "number"), [("f16", 2), ("bf16", 3)])
def test_a_double_is_rounded_once(program: Path, name: str, number: int) -> None:
    exact = around(name)[::29].astype(np.float64)
    finite = exact[np.isfinite(exact)]
    near = np.concatenate([np.nextafter(finite, np.inf), np.nextafter(finite, -np.inf), exact])
    expected = narrowed([float(v) for v in near], name)

    assert expected == results(program, number, near, np.uint16).tolist()


def test_every_f16_becomes_a_float(program: Path) -> None:
    with np.errstate(all="ignore"):
        expected = HALVES.view(np.float16).astype(np.float32)

    np.testing.assert_array_equal(expected, results(program, 4, HALVES, np.float32))


@pytest.mark.parametrize(("name", "number"), [("f16", 5), ("bf16", 6)])
def test_an_integer_is_rounded_once(program: Path, name: str, number: int) -> None:
    powers = [1 << k for k in range(63)]
    near = [
        p + d * (p >> s) + e
        for p in powers
        for s in (8, 9, 11, 12)
        for d in (1, 3)
        for e in (-1, 0, 1)
    ]
    numbers = [n for n in near if n < 1 << 63]
    values = np.array([*numbers, *(-n for n in numbers), -(1 << 63)], np.int64)
    expected = narrowed([int(v) for v in values], name)

    assert expected == results(program, number, values, np.uint16).tolist()


def test_a_double_becomes_an_integer(program: Path) -> None:
    draw = np.random.default_rng(0)
    values = draw.integers(0, 1 << 64, 5000, np.uint64, endpoint=False).view(np.float64)
    values = np.concatenate([values, draw.uniform(-1e19, 1e19, 5000), [0.5, -0.5, 2.0**63, np.nan]])
    expected = [int(v) if np.isfinite(v) else 0 for v in values]
    wrapped = [(n + (1 << 63)) % (1 << 64) - (1 << 63) for n in expected]

    assert wrapped == results(program, 7, values, np.int64).tolist()

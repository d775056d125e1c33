"""Every query about the corpus again, put to cvc5: it must give the answer that Z3 gave."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from verify.checks.options import CheckOptions
from verify.checks.run import check_module
from verify.ir.frontend import read_modules
from verify.ir.source import read_source

cvc5 = pytest.importorskip("cvc5", reason="cvc5 is not installed")

CORPUS = Path(__file__).resolve().parents[2] / "corpus"
UNREADABLE = {"syntax_error.mlir"}
TIME_LIMIT_MS = 10_000


@pytest.fixture(scope="module")
def queries(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Every query that a check of the corpus asks, under both readings of arguments."""
    folder = tmp_path_factory.mktemp("queries")
    for path in sorted(CORPUS.rglob("*.mlir")):
        if path.name in UNREADABLE:
            continue
        for arguments in ("no-alias", "may-alias"):
            options = CheckOptions(arguments=arguments, emit_smt2=folder)
            for parsed in read_modules(read_source(str(path)), split=True):
                if parsed.module is not None:
                    check_module(parsed.module, options)
    return sorted(folder.glob("*.smt2"))


def stated_answer(query: str) -> str:
    """The answer that Z3 gave."""
    found = re.search(r"\(set-info :status (\w+)\)", query)
    assert found is not None, "the query does not state an answer"
    return found[1]


def cvc5_answer(query: str) -> str:
    """What cvc5 says of a query."""
    solver = cvc5.Solver()
    solver.setOption("tlimit-per", str(TIME_LIMIT_MS))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, _without_status(query), "query")
    answer = ""
    while not (command := parser.nextCommand()).isNull():
        answer = str(command.invoke(solver, parser.getSymbolManager())).strip() or answer
    return answer.split()[0]


def _without_status(query: str) -> str:
    """The bare question."""
    return re.sub(r"\(set-info :status \w+\)", "", query)


def test_cvc5_gives_the_answers_of_z3(queries: list[Path]) -> None:
    answers: Counter[tuple[str, str]] = Counter()
    different: list[str] = []
    for path in queries:
        query = path.read_text()
        pair = stated_answer(query), cvc5_answer(query)
        answers[pair] += 1
        if "unknown" not in pair and pair[0] != pair[1]:
            different.append(f"{path.name}: Z3 says {pair[0]}, cvc5 says {pair[1]}")
    print(f"{len(queries)} queries; (Z3, cvc5): {dict(answers)}")  # noqa: T201 - the report

    assert different == []
    assert answers["sat", "sat"] > 0
    assert answers["unsat", "unsat"] > 0

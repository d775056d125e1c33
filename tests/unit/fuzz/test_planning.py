"""Plans depend on the seed and on what was seen, and on nothing else."""

from dataclasses import replace

from fuzz.planning import ROUND, Planner
from fuzz.recipes import Draw, Edit, from_json, to_json
from fuzz.settings import Settings
from fuzz.tables import ProgramRow

CORPUS = ("corpus/unsafe/double_snapshot.mlir", "corpus/unsafe/fill_a_view.mlir")


def settings(**given: object) -> Settings:
    plain = Settings(3, ("gpu-async-region",), ("crash",), count=500, corpus=CORPUS).to_plain()
    return Settings.from_plain({**plain, **given})


def rows(planner: Planner, round_: int, *features: str) -> list[ProgramRow]:
    recipes = planner.plan(round_)
    return [
        ProgramRow(round_ * ROUND + i, round_, to_json(r), "judged", "proven", 0.1, features)
        for i, r in enumerate(recipes)
    ]


def test_files_come_first() -> None:
    plan = Planner(settings()).plan(0)

    assert [Edit(path, 0, 0, 0) for path in CORPUS] == plan[:2]
    assert ROUND == len(plan)


def test_the_order_of_results_does_not_matter() -> None:
    one, two = Planner(settings()), Planner(settings())
    some = rows(one, 0, "view:a", "loop:b")
    one.apply(some)
    two.apply(some[::-1])

    assert one.plan(1) == two.plan(1)


def test_programs_with_new_pairs_become_parents() -> None:
    planner = Planner(settings())
    some = rows(planner, 0)
    new = next(i for i, row in enumerate(some) if isinstance(from_json(row.recipe), Draw))
    some[new] = replace(some[new], features=("view:a", "loop:b"))
    planner.apply(some)

    children = [r for r in planner.plan(1) if isinstance(r, Draw) and r.patches]
    assert 5 < len(children) < ROUND
    assert {from_json(some[new].recipe).seed} == {child.seed for child in children}


def test_what_depends_on_time_does_not_steer_a_campaign_with_a_count() -> None:
    steady, timed = Planner(settings()), Planner(settings(count=None, time_s=9.0))
    for planner in (steady, timed):
        planner.apply(rows(planner, 0, "view:a", "verdict:E0101"))

    assert (0, 1) == (len(steady.coverage.counts), len(timed.coverage.counts))


def test_coverage_mode_judges_the_files_alone() -> None:
    assert 2 == len(Planner(settings(mode="coverage")).plan(0))

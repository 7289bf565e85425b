"""Records become tables by size, language and style."""

from dataclasses import replace

from bench_records import RECORD, SUMMARY
from redraft.measure.report.speed import accepted, bin_of, by_language, by_style, phases, summary, table
from redraft.measure.speed.phases import Phases


def test_figures_are_those_of_the_records_that_were_answered() -> None:
    answered = [
        replace(
            RECORD,
            id=str(n),
            forwards=n,
            limit_ratio=n / 10,
            speed_up=float(n * n),
            equal_to_vanilla=n != 3,
            accepted_per_forward=float(n),
            chars_per_second=100.0 * n,
        )
        for n in (5, 1, 4, 2, 3, 9, 8, 7, 6, 10)
    ]
    failed = replace(RECORD, id="failed", status="error", exact=False, forwards=99, chars_per_second=0.0)
    assert summary([*answered, failed]) == {
        "n": 11,
        "dtype": None,
        "limit_ratio_median": 0.55,
        "limit_ratio_p90": 0.9,
        "speed_up_median": 30.5,
        "forwards_median": 5.5,
        "accepted_per_forward_median": 5.5,
        "chars_per_second_median": 550.0,
        "equal_to_vanilla": 9,
    }
    assert list(summary([])) == SUMMARY
    assert set(summary([]).values()) == {0, None}


def test_a_table_has_a_row_a_size_class_and_one_for_all() -> None:
    large = replace(
        RECORD, bucket="100-400", exact=False, equal_to_vanilla=False, forwards=3, speed_up=4.04, limit_ratio=1.5
    )
    head, rule, *rows = table(
        [large, replace(large, status="error"), replace(RECORD, equal_to_vanilla=True, peak_memory=2048.0)]
    ).split("\n")
    assert {line.count("|") for line in (head, rule, *rows)} == {18}
    one, both, three = "1 (100.0%)", "2 (100.0%)", "3 (100.0%)"
    fast = "1.50 | 1.50 | 4.0x | 4.04x"
    assert rows == [
        f"| up to 100 | 1 | 0 | {one} | {one} | {one} | 100% | 300 | 25 | - | - | - | - | 1 | 1.0 | - | 2,048 |",
        f"| 100-400 | 2 | 1 | 0 (0.0%) | {both} | {both} | 0% | 300 | 25 | {fast} | 3 | 3.0 | - | - |",
        f"| all | 3 | 1 | 1 (33.3%) | {three} | {three} | 50% | 300 | 25 | {fast} | 2 | 2.0 | - | 2,048 |",
    ]
    assert table([]).split("\n")[2] == "| all | 0 | 0 |" + " - |" * 14


def test_time_is_told_by_phase_and_size() -> None:
    timed = replace(RECORD, seconds=2.0, completion_tokens=50, phases=Phases(0.02, 0.5, 1.0, 0.01, 0.03, 0.44))
    large = replace(timed, bucket="100-400", seconds=4.0)
    head, _, *rows = phases([timed, large, RECORD]).split("\n")
    assert head.count("mean") == 6
    assert rows == [
        "| up to 100 | 1 | 1.0% | 25.0% | 50.0% | 0.5% | 1.5% | 22.0% | 200.0 |",
        "| 100-400 | 1 | 0.5% | 12.5% | 25.0% | 0.2% | 0.8% | 11.0% | 200.0 |",
        "| all | 2 | 0.8% | 18.8% | 37.5% | 0.4% | 1.1% | 16.5% | 200.0 |",
    ]


def test_accepted_ids_are_counted_by_forward() -> None:
    records = [replace(RECORD, steps=[(5, 0), (5, 1), (5, 3)]), replace(RECORD, steps=[(9000, 9000), (4, 2)])]
    assert accepted(records).split("\n")[2:] == [
        "| 0 | 1 | 20.0% |",
        "| 1 | 1 | 20.0% |",
        "| 2-3 | 2 | 40.0% |",
        "| 1024 and more | 1 | 20.0% |",
    ]
    assert [bin_of(taken) for taken in (3, 4, 7, 8, 1023, 1024)] == [
        "2-3", "4-7", "4-7", "8-15", "512-1023", "1024 and more",
    ]  # fmt: skip


def test_tables_by_language_and_style_say_how_many_are_right() -> None:
    wrong = replace(RECORD, id="b", language="go", style="", exact=False, equal_but_whitespace=False)
    records = [replace(wrong, style="unknown"), RECORD, wrong, replace(wrong, style="hunks", merge_exact=False)]
    assert by_language(records).split("\n") == [
        "| language | edits | exact | equal but for whitespace | merge exact |",
        "|---|---:|---:|---:|---:|",
        "| go | 3 | 0 (0.0%) | 0 (0.0%) | 2 (66.7%) |",
        "| python | 1 | 1 (100.0%) | 1 (100.0%) | 1 (100.0%) |",
    ]
    assert by_style(records).split("\n")[2:] == [
        "| hunks | 2 | 1 (50.0%) | 1 (50.0%) | 1 (50.0%) |",
        "| unknown | 2 | 0 (0.0%) | 0 (0.0%) | 2 (100.0%) |",
    ]

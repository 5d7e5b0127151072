"""The tables of the scale page, from benchmark files whose growth is known."""

import runpy

import pytest

from tests.support import ROOT, load_yaml

SCALE = runpy.run_path(str(ROOT / "docs" / "make_scale.py"), run_name="make_scale")


def write(folder, path, seconds, megabytes):
    file = folder / "benchmarks" / f"{path}.tsv"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"s\th:m:s\tmax_rss\n{seconds}\t0:00:01\t{megabytes}\n")


@pytest.fixture
def runs(tmp_path):
    """Three sizes: training EASE grows with the cube, in two jobs per size; rendering has no law."""
    for size in (1, 2, 4):
        folder = tmp_path / str(size)
        for split in ("holdout", "last_one"):
            write(folder, f"train_model/scale/{split}/ease", 0.5 * size**3, 100 * size**2)
        write(folder, "render_index", 3, "NA")
    return {size: SCALE["measured"](tmp_path / str(size)) for size in (1, 2, 4)}


def test_seconds_are_summed_and_memory_is_that_of_the_largest_job(runs):
    assert runs[2] == {"train_model ease": (8.0, 400.0), "render_index": (3.0, 0.0)}


def test_the_exponent_is_the_power_of_the_size(runs):
    by_time, by_memory = {}, {}
    for line in SCALE["tables"](runs).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 10:
            by_time[cells[0]], by_memory[cells[0]] = cells[4], cells[8]
    assert by_time["train_model ease"] == "3.0"
    assert by_memory["train_model ease"] == "2.0"
    assert by_time["render_index"] == "0.0"
    assert by_memory["render_index"] == "–", "a job too short to be measured"


def test_what_a_rule_asks_for_stands_beside_what_its_jobs_held(runs):
    row = next(line for line in SCALE["tables"](runs).splitlines() if line.startswith("| train_model ease |"))
    assert row.endswith("| 100 | 400 | 1,600 | 2.0 | 8,000 |")


def on_the_page():
    """Return the rows of both tables, their heads first."""
    text = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8").split(SCALE["MARK"])[1]
    tables = ([line for line in table.splitlines() if line.startswith("|")] for table in text.split("\n\n"))
    return [[line.strip("| ").split(" | ") for line in table] for table in tables if table]


def test_no_job_on_the_page_held_more_than_its_rule_asks_for():
    (head, _, *rows), _ = on_the_page()
    place = head.index("8x, MB")
    held = {row[0]: int(row[place].replace(",", "")) for row in rows}
    assert len(held) > 20
    assert {stage: peak for stage, peak in held.items() if peak > SCALE["allowed"](stage)} == {}


def test_the_projection_has_every_stage_that_grows_and_follows_from_what_was_measured():
    (head, _, *rows), (_, _, *paper) = on_the_page()
    size = SCALE["size_of"](SCALE["study_of"](SCALE["WHOLE"]))
    seconds, place = {row[0]: float(row[head.index("8x, s")]) for row in rows}, head.index("exponent")
    assert {row[0] for row in rows if float(row[place]) > 0.2} <= {row[0] for row in paper} == SCALE["LAWS"].keys()
    for stage, grows, _, hours in paper:
        assert grows == SCALE["LAWS"][stage][0]
        least, most = (SCALE["projected"](stage, seconds[stage] + half, size) for half in (-0.05, 0.05))
        assert round(least) <= float(hours.replace(",", "")) <= round(most), stage


def test_the_projection_follows_the_law():
    """A thousand times the items: a thousand million times the hours, whatever happens to the users."""
    size = SCALE["Size"](100, 10_000, 7300)
    assert SCALE["projected"]("train_model ease", 3600, size) == pytest.approx(1e9)
    assert SCALE["projected"]("draw_shard draw_100", 3600, size) == pytest.approx(1e6)
    assert SCALE["projected"]("render_index", 3600, size) is None


def test_the_largest_size_is_the_study_itself_and_halves_are_halves():
    whole = load_yaml(ROOT / "workflow" / "studies" / "scale.yaml")
    assert SCALE["study_of"](SCALE["WHOLE"]) == whole
    half, settings = SCALE["study_of"](SCALE["WHOLE"] / 2)["datasets"]["scale"], whole["datasets"]["scale"]
    assert half["interactions"] * 2 == settings["interactions"]
    assert abs(half["users"] * 2 - settings["users"]) <= 1


def test_the_page_has_a_place_for_the_tables_and_laws_are_of_stages_that_exist():
    assert (ROOT / "docs" / "scale.md").read_text(encoding="utf-8").count(SCALE["MARK"]) == 2
    stages = {path.stem for path in (ROOT / "workflow" / "truerank" / "stages").glob("*.py")}
    assert {stage.split()[0] for stage in SCALE["LAWS"]} <= stages

"""What a file was taken for, and what was left out of it, is on the page."""

from datetime import UTC, datetime

from truerank.report.data import facts_table

NOTES = {
    "file_format": "semicolon",
    "file_encoding": "latin-1",
    "file_quotes": "around fields",
    "timestamp_unit": "ms",
    "timestamp_range": [-86_400, 253_402_300_799],
    "rows_without_rating": 716_109,
    "likely_missing_rating": "9 of 10 ratings are 0",
    "cold_test_users_dropped": 2,
    "cold_test_rows_dropped": 3,
    "attributes_absent": "users.dat",
}


def test_every_note_of_a_file_is_a_row_of_the_table():
    frame = facts_table("dataset", {"mine": NOTES}, "The dataset").frame
    shown = dict(zip(frame["fact"], frame["mine"], strict=True))
    assert len(shown) == len(NOTES)
    assert {"semicolon", "latin-1", "around fields", "ms", "716,109", "9 of 10 ratings are 0", "users.dat"} <= set(
        map(str, shown.values())
    )
    assert shown["timestamp range"] == f"1969-12-31 to {datetime.fromtimestamp(253_402_300_799, UTC):%Y-%m-%d}"
    assert str(shown["test users who are not in training (dropped)"]) == "2"
    assert str(shown["test rows of these users (dropped)"]) == "3"

"""Pages show errors by their usual names, files by those of the config."""

import pandas as pd
from truerank.report.metric_names import shown
from truerank.report.table import Column, Table


def test_the_usual_names_are_of_errors_over_all_ratings():
    assert [shown("mae_micro", "all"), shown("nrmse_micro")] == ["MAE", "NRMSE"]
    assert [shown("mae", "all"), shown("rmse")] == ["MAE (mean of users)", "RMSE (mean of users)"]
    assert [shown("ndcg", "10"), shown("mae_of_mine", "all")] == ["ndcg@10", "mae_of_mine@all"]


def test_a_table_shows_them_and_its_files_do_not():
    table = Table("errors", pd.DataFrame({"metric": ["mae_micro", "mae"], "value": [1.0, 2.0]}), "", [Column("metric")])
    assert ">MAE<" in table.html.replace("\n", "").replace(" ", "")
    assert "MAE (mean of users)" in table.html
    assert table.files["errors.csv"] == "metric,value\nmae_micro,1.0\nmae,2.0\n"

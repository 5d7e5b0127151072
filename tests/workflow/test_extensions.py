"""Pieces of one's own, one of each kind, in a file outside the package: selected by name, run to the figures."""

import subprocess
import textwrap

import pandas as pd

from tests.workflow.conftest import METRICS, REPOSITORY

PIECES = '''
    """A metric, a model, an estimator, a sampler, a data source and a split of one's own."""

    import numpy as np
    from truerank.datasets import DATASETS, NO_TIME, Interactions
    from truerank.estimators import ESTIMATORS, Weighting
    from truerank.metrics import FIRST, Term, additive, any_relevant
    from truerank.models import MODELS, Recommender
    from truerank.sampling import SAMPLERS, Sample, simulate
    from truerank.splits import SPLITS, all_kept, first_of_each


    @additive("any_hit", norm=any_relevant, higher_is_better=True, range=(0, 1))
    def any_hit(judged):
        """Tell whether a relevant item is among the first k places."""
        return Term(judged.relevant, FIRST)


    @MODELS.register("backwards", uses=("interactions",), predicts_ratings=False, time="items", memory="items")
    class Backwards(Recommender):
        """Score an item by how few users have it."""

        def fit(self, train, rng, callback=None):
            return {"degree": -train.degree.astype(np.float32)}

        def scores(self, learnt, train, users):
            return np.tile(learnt["degree"], (len(users), 1))


    @ESTIMATORS.register("half", takes=("ranks",))
    class Half(Weighting):
        """Take half of the sampled metric."""

        def weights(self, problem, prior):
            return problem.sampled / 2


    @SAMPLERS.register("five", needs="ranks", gives="ranks")
    def five(rank, candidates, rng, *, repeats: int = 3):
        """Draw five negatives."""
        uniforms = rng.random((repeats, len(candidates)))
        return Sample(np.stack([simulate(one, candidates, 5, uniforms, True) for one in rank]), np.int32(5))


    @DATASETS.register("chessboard")
    def chessboard(context, *, size: int = 24):
        """Let users have items of their own colour, rated 4 and 5."""
        user, item = np.nonzero(np.add.outer(np.arange(size), np.arange(size)) % 2 == 0)
        kept = context.rng.random(len(user)) < 0.8
        user, item = user[kept].astype(np.int32), item[kept].astype(np.int32)
        ids = [str(number) for number in range(size)]
        return Interactions(
            user=user,
            item=item,
            rating=(4 + item % 2).astype(np.float32),
            timestamp=np.full(len(user), NO_TIME),
            users={"id": ids},
            items={"id": ids},
            scale=(1, 5),
        ).canonical()


    @SPLITS.register("two_each")
    def two_each(rows, rng):
        """Hold out two rows of each user."""
        return all_kept(first_of_each(rows.user, np.full(len(rows.per_user), 2), rows.lots(rng)), "users are few")
'''


def joined(study):
    """Let a study use one piece of each kind by its name."""
    (study.folder / "mine.py").write_text(textwrap.dedent(PIECES))
    models = ["popularity", "backwards"]
    study.config = {
        "extensions": ["mine.py"],
        "significance": {"draws": 1000},
        "robustness": {"sparsity": [1, 0.5], "popularity": [1, 0.9], "samples": 3},
        "select": {
            "datasets": ["chessboard"],
            "ranking": {"split": "two_each", "models": models, "metrics": ["recall", "any_hit"], "cutoffs": [1, 5]},
            "sampling": {
                "split": "two_each",
                "models": models,
                "metrics": ["recall", "any_hit"],
                "cutoffs": [1, 5],
                "samplers": ["five"],
                "estimators": ["uncorrected", "half"],
            },
        },
    }
    return study


def test_one_piece_of_each_kind_from_outside_the_package(study):
    targets = ["results/figures/chessboard.json"]
    joined(study).done(*targets)
    values = pd.read_parquet(study.results / "metrics/chessboard/two_each/per_user.parquet")
    assert set(values["model"]) == {"popularity", "backwards"}
    assert (values["any_hit@5"] == (values["recall@5"] > 0)).all()
    swept = pd.read_parquet(study.results / "meta/chessboard/two_each/robustness.parquet")
    assert set(swept["metric"]) == {"recall", "any_hit"}
    estimates = [
        pd.read_parquet(study.results / f"estimates/chessboard/two_each/five/{name}.parquet")["estimate"]
        for name in ("uncorrected", "half")
    ]
    assert (estimates[0] == 2 * estimates[1]).all()
    assert "backwards" in (study.folder / targets[0]).read_text(encoding="utf-8")
    assert study.would_run(*targets) == set()

    code = (study.folder / "mine.py").read_text()
    (study.folder / "mine.py").write_text(code.replace("problem.sampled / 2", "problem.sampled / 4"))
    again = {job.split()[0] for job in study.would_run(*targets)}
    assert "estimate_metrics" in again, "the fingerprint follows the file"


def test_a_mistake_in_an_extension_is_one_sentence(study):
    joined(study)
    (study.folder / "mine.py").write_text("import numpy as np\n\nnp.nothing\n")
    told = study.run("--dry-run").stderr
    assert f"extensions: {study.folder / 'mine.py'}, line 3 cannot be imported (AttributeError" in told
    assert "Traceback" not in told
    study.config["extensions"] = ["theirs.py"]
    assert f"extensions: {study.folder / 'theirs.py'} is not a Python file; correct the path" in study.run("-n").stderr
    study.config["extensions"] = "mine.py"
    assert "extensions is 'mine.py', expected a list" in study.run("-n").stderr


def test_another_workflow_uses_this_one_as_a_module(study):
    study.config["select"]["ranking"]["models"] = ["popularity"]
    (study.folder / "outer").mkdir()
    (study.folder / "outer" / "Snakefile").write_text(
        textwrap.dedent(f"""
            configfile: "study.yaml"

            module truerank:
                snakefile: "{REPOSITORY / "Snakefile"}"
                config: config

            use rule * from truerank

            rule mine:
                default_target: True
                input:
                    "{METRICS}",
                output:
                    "mine.parquet",
                shell:
                    "cp {{input}} {{output}}"
        """)
    )
    command = study.command("mine.parquet")
    place = command.index("--snakefile")
    command[place + 1] = str(study.folder / "outer" / "Snakefile")
    run = subprocess.run(command, cwd=study.folder, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr
    assert (study.folder / "mine.parquet").read_bytes() == (study.folder / METRICS).read_bytes()

"""Runs that are killed, run twice at once, or find another config half way."""

import subprocess

from tests.faults.bench import RIGHT, SAID, WRONG
from tests.workflow.conftest import kill_tree, wait_for

IN_A_ROW = 5  # kills of one study before it may finish


def kill_nine(bench, tries):
    """Kill -9 everything at a random moment; what is there is right at once, and all of it in the end."""
    done = 0
    while done < tries:
        study = bench.fresh(f"killed {done}")
        outcomes = []
        while len(outcomes) < min(IN_A_ROW, tries - done):
            process = study.start()
            try:
                process.wait(timeout=bench.draw.uniform(0, 0.7 * bench.seconds))
            except subprocess.TimeoutExpired:
                kill_tree(process)
                left = {path: data for path, data in study.contents().items() if not path.endswith(".part")}
                strange = sorted(path for path in left if left[path] != bench.right.get(path))
                outcomes.append((WRONG, f"other bytes in {strange[0]} after a kill") if strange else (RIGHT, ""))
            else:
                break
        run = study.run()
        last = bench.judge(study, run)
        done += len(outcomes)
        for outcome in outcomes:
            bench.record("kill -9 at a random moment", outcome if last[0] == RIGHT else (WRONG, f"afterwards: {last}"))


def two_at_once(bench, tries):
    """Start the same command twice: one finishes, the other is refused or finishes too."""
    for number in range(tries):
        study = bench.fresh(f"twice {number}")
        command = study.command()
        pair = []
        for _ in range(2):
            pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
            pair.append(subprocess.Popen(command, cwd=study.folder, **pipes))
            if number % 2:
                wait_for(lambda study=study: list(study.folder.glob(".snakemake/locks/*")))
        ended = []
        for process in pair:
            _, text = process.communicate(timeout=1200)
            ended.append(subprocess.CompletedProcess(command, process.returncode, "", text))
        outcomes = [bench.judge(study, run) for run in ended]
        if not any(outcome[0] == RIGHT for outcome in outcomes):
            outcomes.append((WRONG, "neither finished"))
        worst = max(outcomes, key=lambda outcome: (RIGHT, SAID, WRONG).index(outcome[0]))
        bench.record("two runs at once", bench.mended(study, worst))


def changed_config(bench, tries):
    """Change the seed in the config while jobs run: the next run has the new seed's bytes, none of the old ones'."""

    def reseed(study):
        study.config["seed"] = 2

    new = bench.reference("other seed", reseed)
    both = [bench.right, new]
    for number in range(tries):
        study = bench.fresh(f"changed {number}")
        process = study.start()
        stage = ("fetch_dataset", "train_model", "rank_items")[number % 3]
        wait_for(
            lambda study=study, stage=stage, process=process: (
                list(study.results.glob(f"logs/{stage}/**/*.log")) or process.poll() is not None
            )
        )
        reseed(study)
        study.command()  # writes the config
        process.wait(timeout=1200)
        text = (study.folder / "run.log").read_text(errors="replace")
        run = subprocess.CompletedProcess([], process.returncode, "", text)
        found = study.contents()
        if run.returncode == 0 and found not in both:
            outcome = WRONG, "a mixture of two configs was called finished"
        else:
            first = [bench.judge(study, run, right, damaged=found) for right in both]
            outcome = min(first, key=lambda outcome: (RIGHT, SAID, WRONG).index(outcome[0]))
        bench.record("config changed in mid-run", bench.mended(study, outcome, new))

"""Pages: one per dataset, one that sets a study against its paper, and one that leads to all."""

TEMPLATE = local(sorted(map(str, TEMPLATES.iterdir())))
BLOCKS = [path for path in TEMPLATE if path.endswith(".j2") and not path.endswith("page.html.j2")]
DATA = "interactions user_table item_table facts train test split_facts tuning trials training ranks".split()
META = ("summary", "significance", "discriminative_power", "correlation", "robustness", "migration")
META += ("replicates", "replicate_variance", "by_time", "groups", "group_pairs", "checklist")
PAGE = (*DATA, *META, "best_set", "robustness_summary", *SAMPLED, *CURVES, "verdict")


use rule stage as write_checklist with:
    """Answer what a reviewer would ask, from what the study wrote."""
    input:
        **reads("facts", "split_facts", "summary", "significance", "replicates", "groups"),
    output:
        **writes(
            "write_checklist",
            checklist="results/checklist/{dataset}.json",
            checklist_page="results/report/checklist/{dataset}.md",
        ),
    log:
        log_of("write_checklist"),
    benchmark:
        benchmark_of("write_checklist")
    resources:
        **limits(mem_mb=2000, minutes=10),
    params:
        **settings("write_checklist", config="answers_from"),


use rule stage as draw_figures with:
    """Draw the sections of one dataset's page, from all its artefacts."""
    input:
        BLOCKS,
        **reads(*PAGE, model="runs"),
    output:
        **writes("draw_figures", drawn="results/figures/{dataset}.json"),
    log:
        log_of("draw_figures"),
    benchmark:
        benchmark_of("draw_figures")
    threads: 2
    resources:
        **limits(mem_mb=4000, minutes=30),
    params:
        **settings("draw_figures", "config", others=["truerank.report"]),


use rule stage as render_report with:
    """Render the report of one dataset from all its artefacts."""
    input:
        TEMPLATE,
        **reads("drawn", *PAGE, model="runs"),
        notebook=local(f"{NOTEBOOKS}/report.ipynb"),
    output:
        **writes(
            "render_report",
            page=reported("results/report/{dataset}.html", "render_report", "{dataset}"),
            **stored(tables="results/report/tables/{dataset}", figures="results/report/figures/{dataset}"),
        ),
    log:
        log_of("render_report"),
        notebook="results/logs/render_report/{dataset}.ipynb",
    benchmark:
        benchmark_of("render_report")
    resources:
        **limits(mem_mb=4000, minutes=30),
    params:
        **settings("render_report", "config", others=["truerank.report"]),


use rule stage as render_paper with:
    """Render the page that sets the paper which a study reproduces against ours, figure by figure."""
    input:
        TEMPLATE,
        **reads(*META, *SAMPLED, *CURVES, "facts", "verdict", "train", "ranks"),
        notebook=local(f"{NOTEBOOKS}/paper.ipynb"),
        published=local(f"{PUBLISHED}/{{paper}}.yaml"),
    output:
        **writes(
            "render_paper",
            paper_page="results/report/paper/{paper}.html",
            **stored(paper_tables="results/report/paper/{paper}"),
        ),
    log:
        log_of("render_paper"),
        notebook="results/logs/render_paper/{paper}.ipynb",
    benchmark:
        benchmark_of("render_paper")
    resources:
        **limits(mem_mb=2000, minutes=30),
    params:
        **settings("render_paper", "config", others=["truerank.report"]),


use rule stage as render_index with:
    """Render the page that leads to the reports of all datasets and compares them."""
    input:
        TEMPLATE,
        **reads("page", "paper_page", "facts", "summary", "verdict", "migration", discriminative_power="ranking"),
        notebook=local(f"{NOTEBOOKS}/index.ipynb"),
    output:
        **writes("render_index", index_page=reported("results/report/index.html", "render_index", "all")),
    log:
        log_of("render_index"),
        notebook="results/logs/render_index.ipynb",
    benchmark:
        benchmark_of("render_index")
    resources:
        **limits(mem_mb=2000, minutes=30),
    params:
        **settings("render_index", "config", others=["truerank.report"]),

"""The figures and tables that notebooks call, each one from the artefacts of a study."""

from truerank.report.agreement import correlation
from truerank.report.bounded import what_can_be_known
from truerank.report.by_rank import corrected_by_rank, metrics_by_rank
from truerank.report.checklist import advice, checklist
from truerank.report.corrected import estimator_errors, user_sampling
from truerank.report.cost import model_cost, stage_cost
from truerank.report.curves import crossing_curves, expected_curves, mapping_curves
from truerank.report.cutoffs import cutoff_curves
from truerank.report.data import dataset_facts, distributions, split_facts
from truerank.report.drawings import paper_drawings
from truerank.report.effort import sampling_cost
from truerank.report.everywhere import everywhere
from truerank.report.findings import paper_findings
from truerank.report.first_screen import first_screen
from truerank.report.for_papers import for_papers
from truerank.report.groups import user_groups
from truerank.report.index import across, datasets, index_provenance, open_index, overview, papers
from truerank.report.leakage import leakage
from truerank.report.levels import relevance_levels
from truerank.report.mapped import mapping_winners, rank_fits
from truerank.report.method import metrics, models, protocol, provenance
from truerank.report.migrate import migration
from truerank.report.pairs import pair_differences
from truerank.report.paper import paper_provenance, paper_verdict
from truerank.report.paper_tables import paper_tables
from truerank.report.power import discriminative_power
from truerank.report.published import open_paper
from truerank.report.ranked_error import ranked_error
from truerank.report.ranks import rank_distributions
from truerank.report.replicates import replicates
from truerank.report.robust import robustness
from truerank.report.sampled import order_reversals, sampled_metrics
from truerank.report.section_answers import answer
from truerank.report.sections import unless_drawn
from truerank.report.side_by_side import metrics_on_trial, migration_across, power_across
from truerank.report.standings import leaderboard
from truerank.report.study import open_study
from truerank.report.training import training_curves
from truerank.report.trust import trust
from truerank.report.tuning import tuning
from truerank.report.verdict import verdict

__all__ = [
    "SECTIONS",
    "across",
    "advice",
    "answer",
    "checklist",
    "corrected_by_rank",
    "correlation",
    "crossing_curves",
    "cutoff_curves",
    "dataset_facts",
    "datasets",
    "discriminative_power",
    "distributions",
    "estimator_errors",
    "everywhere",
    "expected_curves",
    "first_screen",
    "for_papers",
    "index_provenance",
    "leaderboard",
    "leakage",
    "mapping_curves",
    "mapping_winners",
    "metrics",
    "metrics_by_rank",
    "metrics_on_trial",
    "migration",
    "migration_across",
    "model_cost",
    "models",
    "open_index",
    "open_paper",
    "open_study",
    "order_reversals",
    "overview",
    "pair_differences",
    "paper_drawings",
    "paper_findings",
    "paper_provenance",
    "paper_tables",
    "paper_verdict",
    "papers",
    "power_across",
    "protocol",
    "provenance",
    "rank_distributions",
    "rank_fits",
    "ranked_error",
    "relevance_levels",
    "replicates",
    "robustness",
    "sampled_metrics",
    "sampling_cost",
    "split_facts",
    "stage_cost",
    "training_curves",
    "trust",
    "tuning",
    "user_groups",
    "user_sampling",
    "verdict",
    "what_can_be_known",
]

# The sections of a dataset's page that follow from artefacts alone, so that they can be drawn before and kept.
SECTIONS = (
    "corrected_by_rank",
    "correlation",
    "crossing_curves",
    "cutoff_curves",
    "dataset_facts",
    "discriminative_power",
    "distributions",
    "estimator_errors",
    "expected_curves",
    "first_screen",
    "leaderboard",
    "mapping_curves",
    "mapping_winners",
    "metrics",
    "metrics_by_rank",
    "migration",
    "models",
    "order_reversals",
    "pair_differences",
    "protocol",
    "rank_distributions",
    "rank_fits",
    "ranked_error",
    "relevance_levels",
    "robustness",
    "sampled_metrics",
    "sampling_cost",
    "split_facts",
    "training_curves",
    "trust",
    "tuning",
    "user_sampling",
    "verdict",
    "what_can_be_known",
)
for _name in SECTIONS:
    globals()[_name] = unless_drawn(globals()[_name])

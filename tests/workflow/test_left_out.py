"""A model that needs what a dataset does not have is no job there, and no mistake."""


def test_models_that_learn_from_attributes_of_users_are_left_out(study):
    study.config["select"]["ranking"]["models"] += ["lc_nn", "bpr_triplet", "ncf_plain"]
    study.config["select"]["datasets"].append("ml-100k")
    trained = {job.removeprefix("train_model ") for job in study.would_run() if job.startswith("train_model ")}
    anywhere = {"popularity", "item_cf_z", "ials", "ncf_plain"}
    assert {job.split("/")[-1] for job in trained if job.startswith("small/")} == anywhere
    assert {job.split("/")[-1] for job in trained if job.startswith("ml-100k/")} == anywhere | {"lc_nn", "bpr_triplet"}

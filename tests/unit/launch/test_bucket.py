"""A bucket that cannot take the results is told in one sentence, before a job starts."""

import pytest
from botocore.exceptions import ClientError
from truerank.launch.cluster import cluster_flaw

from tests.support import ROOT

PROFILE = ["--profile", str(ROOT / "workflow/profiles/s3"), "--snakefile", str(ROOT / "Snakefile"), "--cores", "1"]
NAMED = [*PROFILE, "--default-storage-prefix", "s3://mine/study"]


@pytest.fixture
def answer(monkeypatch):
    """Let every server answer with a status."""
    monkeypatch.setenv("SNAKEMAKE_STORAGE_S3_ACCESS_KEY", "x")
    monkeypatch.setenv("SNAKEMAKE_STORAGE_S3_SECRET_KEY", "y")

    def with_status(status):
        def call(client, operation, arguments):
            assert (operation, arguments) == ("HeadBucket", {"Bucket": "mine"})
            if status != 200:
                raise ClientError({"Error": {}, "ResponseMetadata": {"HTTPStatusCode": status}}, operation)

        monkeypatch.setattr("botocore.client.BaseClient._make_api_call", call)

    return with_status


@pytest.mark.parametrize("status", [200, 404])
def test_a_bucket_that_is_there_or_can_be_made_is_fine(answer, status):
    answer(status)
    assert cluster_flaw(NAMED) is None


def test_a_bucket_of_others_is_told(answer):
    answer(403)
    assert "the server refuses the bucket 'mine' (status 403); correct" in cluster_flaw(NAMED)


def test_a_server_that_is_not_there_is_told(answer):
    told = cluster_flaw([*NAMED, "--storage-s3-endpoint-url", "http://127.0.0.1:9"])
    assert "the bucket 'mine' cannot be reached (Could not connect to the endpoint URL" in told
    assert "cannot be reached (Invalid endpoint: nowhere)" in cluster_flaw(
        [*NAMED, "--storage-s3-endpoint-url", "nowhere"]
    )


def test_a_bucket_must_be_named():
    assert "no bucket is named; add --default-storage-prefix s3://" in cluster_flaw(PROFILE)
    told = cluster_flaw(["--cores", "1", "--default-storage-provider", "s3", "--default-storage-prefix", "mine/study"])
    assert "--default-storage-prefix is 'mine/study'; add" in told


def test_a_missing_package_is_told(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert cluster_flaw(NAMED).endswith("install it: pip install 'truerank[s3]'")

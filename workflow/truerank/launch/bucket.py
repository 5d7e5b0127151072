"""Ask whether results can go to a bucket, before Snakemake asks for each of them."""

import importlib.util
from typing import Any

SECONDS = 10
HOW = "docs/cluster.md"


def bucket_flaw(choices: Any) -> str | None:
    """Return what is wrong with the bucket that Snakemake's options name, None if nothing is, or if they name none."""
    if choices.default_storage_provider != "s3":
        return None
    if importlib.util.find_spec("snakemake_storage_plugin_s3") is None:
        return "results in a bucket need a package that is not installed here; install it: pip install 'truerank[s3]'"
    prefix = choices.default_storage_prefix or ""
    if not prefix.startswith("s3://"):
        found = f"--default-storage-prefix is {prefix!r}" if prefix else "no bucket is named"
        return f"{found}; add --default-storage-prefix s3://my-bucket/my-study: {HOW}"
    return server_flaw(prefix.removeprefix("s3://").partition("/")[0], settings_of(choices))


def settings_of(choices: Any) -> Any:
    """Return the settings of the storage plugin, from options and from the environment."""
    from snakemake_interface_storage_plugins.registry import StoragePluginRegistry

    return StoragePluginRegistry().get_plugin("s3").get_settings(choices).get_settings()


def server_flaw(bucket: str, settings: Any) -> str | None:
    """Return a sentence if the server does not answer or refuses us; a bucket that is not there will be made."""
    import boto3
    from botocore.config import Config
    from botocore.exceptions import BotoCoreError, ClientError

    patience = {"connect_timeout": SECONDS, "read_timeout": SECONDS, "retries": {"total_max_attempts": 1}}
    try:
        boto3.client(
            "s3",
            endpoint_url=settings.endpoint_url,
            region_name=settings.region,
            aws_access_key_id=settings.access_key,
            aws_secret_access_key=settings.secret_key,
            aws_session_token=settings.token,
            config=Config(signature_version=settings.signature_version, **patience),
        ).head_bucket(Bucket=bucket)
    except ClientError as failure:
        status = failure.response["ResponseMetadata"]["HTTPStatusCode"]
        if status != 404:
            return f"the server refuses the bucket {bucket!r} (status {status}); correct its name or your keys: {HOW}"
    except (BotoCoreError, ValueError) as failure:
        reason = " ".join(str(failure).split()).rstrip(".")
        return f"the bucket {bucket!r} cannot be reached ({reason}); correct the server or your keys: {HOW}"
    return None

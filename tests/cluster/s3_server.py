"""An S3 server on this machine that comes back after a kill with what it held: moto's, with its record of requests."""

import json
import os
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import boto3

from tests.workflow.conftest import wait_for

KEYS = {"SNAKEMAKE_STORAGE_S3_ACCESS_KEY": "x", "SNAKEMAKE_STORAGE_S3_SECRET_KEY": "y"}
BUCKET = "truerank"


class Server:
    """moto keeps objects in memory, and every request in a file, from which it makes the objects again."""

    def __init__(self, folder):
        self.record = folder / "requests"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()
        self.client.create_bucket(Bucket=BUCKET)

    def start(self):
        self.process = subprocess.Popen(
            [Path(sys.executable).parent / "moto_server", "-H", "127.0.0.1", "-p", str(self.port)],
            env=os.environ | {"MOTO_ENABLE_RECORDING": "1", "MOTO_RECORDER_FILEPATH": str(self.record)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_for(self.answers)

    def answers(self):
        with socket.socket() as knock:
            return knock.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self):
        self.process.kill()
        self.process.wait()

    def restart(self):
        """Start again with all objects whose request was written down whole; their times are new, in the same order."""
        lines = self.record.read_text().splitlines(keepends=True)
        whole = [line for line in lines if line.endswith("}\n")]
        self.record.write_text("".join(line for line in whole if json.loads(line)["method"] not in ("GET", "HEAD")))
        self.start()
        urllib.request.urlopen(urllib.request.Request(f"{self.url}/moto-api/recorder/replay-recording", method="POST"))

    @property
    def client(self):
        keys = {"aws_access_key_id": "x", "aws_secret_access_key": "y", "region_name": "us-east-1"}
        return boto3.client("s3", endpoint_url=self.url, **keys)

    def objects(self, prefix):
        """Return name -> bytes of all objects below a prefix."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=f"{prefix}/")
        keys = [found["Key"] for page in pages for found in page.get("Contents", ())]
        held = (self.client.get_object(Bucket=BUCKET, Key=key)["Body"].read() for key in keys)
        return dict(zip((key.removeprefix(f"{prefix}/") for key in keys), held, strict=True))

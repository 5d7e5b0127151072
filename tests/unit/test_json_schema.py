"""jsonschema is imported without what takes long, and nobody else misses it."""

import subprocess
import sys

import pytest


@pytest.mark.slow
def test_the_optional_package_is_left_out_and_can_still_be_imported():
    program = (
        "import sys, truerank.json_schema\n"
        "assert not {'rfc3987_syntax', 'rfc3986_validator', 'lark'} & sys.modules.keys()\n"
        "import jsonschema, importlib.util\n"
        "assert jsonschema is truerank.json_schema.jsonschema\n"
        "assert importlib.util.find_spec('rfc3987_syntax')\n"
        "import rfc3987_syntax, rfc3986_validator\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)

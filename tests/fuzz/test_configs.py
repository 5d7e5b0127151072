"""Configs that are almost right pass, or are refused in one sentence: no traceback, no hang.

Apart from files, whose memory is watched, which makes Python several times as slow.
"""

import copy

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from truerank.config.checks import check_config
from truerank.config.merging import DEFAULT_STUDY, DEFAULTS
from truerank.launch.config_files import config_flaw

from tests.fuzz.guard import guarded
from tests.fuzz.inputs import NASTY, spoiled
from tests.support import default_study

STUDY = default_study()
SUPPRESSED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]
fuzzed = settings(suppress_health_check=SUPPRESSED)
slowly = settings(fuzzed, max_examples=settings.default.max_examples // 4)  # a config is checked in a tenth of a second


@slowly
@given(st.builds(copy.deepcopy, st.just(STUDY)).flatmap(spoiled))
def test_configs(config):
    with guarded():
        check_config(config, [DEFAULTS, DEFAULT_STUDY])


@fuzzed
@given(st.lists(st.sampled_from([*NASTY, b"a: ", b"- ", b"&x ", b"*x", b"!!python/name:os.system "])))
def test_text_that_is_no_config(tmp_path, pieces):
    path = tmp_path / "study.yaml"
    path.write_bytes(b"".join(pieces))
    with guarded():
        flaw = config_flaw(["--configfile", str(path)])
        assert flaw is None or "\n" not in flaw

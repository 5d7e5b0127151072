"""Hand a job over before its script takes up what Snakemake gives it, which imports much of Snakemake.

Python imports ``sitecustomize`` before it runs a script; ``allow_warm_starts`` puts this one on the path of the jobs of
a local run. One that was there before is imported as it would be without this one.
"""

import os
import sys

SCRIPT = ".run_stage.py"  # how the scripts of jobs end


def hand_over_job() -> None:
    """End as the job did, if this process is one and a starter has run it."""
    if sys.argv[0].endswith(SCRIPT):
        from truerank.stages.handing_over import hand_over

        status = hand_over()
        if status is not None:
            os._exit(status)


def import_other() -> None:
    """Import the ``sitecustomize`` that this one hides, if there is any."""
    here = os.path.dirname(__file__)
    sys.path[:] = [path for path in sys.path if path != here]
    own = sys.modules.pop(__name__)
    try:
        import sitecustomize  # noqa: F401  another one, since this folder is no longer on the path
    except ModuleNotFoundError as missing:
        if missing.name != __name__:
            raise
        sys.modules[__name__] = own


hand_over_job()
import_other()

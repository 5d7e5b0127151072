"""What must be right before Snakemake starts: the encoding, the config files, the cluster, the folder.

``truerank run`` sees to all of it and then becomes Snakemake: one process, with one exit status. Under a plain
``snakemake`` the logger plugin, which is the first of our code that runs, asks for ``check_command``, and the rules
for ``hold_folder``.
"""

import os
import sys
from collections.abc import Sequence

from truerank.launch.workdir import RUN


def check_command(arguments: Sequence[str]) -> None:
    """End this process with a sentence if Snakemake cannot go on from its ``arguments``; what was checked is not again.

    Config files are vetted, since Snakemake, which reads them next, would expand or even run what they say. A cluster
    that does not answer is told, since Snakemake would wait for it without end.
    """
    if os.environ.get(RUN, "").partition(":")[0] == str(os.getpid()):
        return
    speak_utf8()
    from truerank.launch.cluster import cluster_flaw
    from truerank.launch.config_files import config_flaw

    flaw = config_flaw(arguments) or cluster_flaw(arguments)
    if flaw:
        sys.exit(f"truerank: {flaw}")


def speak_utf8() -> None:
    """Start Python again if it takes file names for ASCII: the C locale, with Python's own remedy switched off."""
    if sys.getfilesystemencoding() != "utf-8" and os.environ.get("PYTHONUTF8") != "1":
        os.execve(sys.executable, sys.orig_argv, os.environ | {"PYTHONUTF8": "1"})

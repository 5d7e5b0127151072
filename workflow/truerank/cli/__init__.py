"""The command line ``truerank``.

truerank correct ranks.csv --items 3706 --negatives 100 --estimator mn_mes --metric recall@10 --metric ndcg@10
truerank plan users --margin 0.01 --confidence 0.95 --models 5
truerank compare one.csv other.csv --json compared.json
truerank export results --to folder

Each command imports what it needs, so that a mistake or ``--help`` is answered at once. This module imports nothing
that takes long: a Ctrl-C finds it ready.
"""

import contextlib
import io
import os
import sys
from collections.abc import Sequence

from truerank.errors import UserError

# Exit codes; the last two are those that a shell gives to a process that SIGINT or SIGPIPE ends.
MISTAKE, INTERRUPTED, CLOSED_PIPE = 1, 130, 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; an error is reported in one sentence, never as a traceback."""
    try:
        run_command(argv)
    except UserError as mistake:
        say(mistake)
        return MISTAKE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return CLOSED_PIPE
    return 0


def run_command(argv: Sequence[str] | None) -> None:
    from truerank.cli.parser import parser

    own, passed_on = parted(sys.argv[1:] if argv is None else argv)
    answer = io.StringIO()
    try:
        with contextlib.redirect_stdout(answer):  # argparse would not notice that it cannot be written
            choices = parser().parse_args(own)
    except SystemExit:  # after --help, --version or a mistake of usage
        write(answer.getvalue())
        raise
    choices.passed_on = passed_on
    write("".join(f"{line}\n" for line in choices.run(choices)))


def parted(argv: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the arguments of ours, and those after ``--``, which ``truerank run`` passes on."""
    if not argv or argv[0] != "run" or "--" not in argv:
        return argv, ()
    place = argv.index("--")
    return argv[:place], argv[place + 1 :]


def write(text: str) -> None:
    """Write to standard output, down to the device, so that nothing is left to fail while the interpreter ends."""
    if sys.stdout is None and text:
        raise UserError("standard output is closed; redirect it to a file or a terminal")
    try:
        print(text, end="", flush=True)
    except BrokenPipeError:
        discard_output()
        raise
    except OSError as failure:
        discard_output()
        reason = (failure.strerror or str(failure)).lower()
        raise UserError(f"standard output cannot be written: {reason}; redirect it to another file") from None


def discard_output() -> None:
    """Let standard output lead nowhere: Python would try to write the rest once more when it ends, and complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def say(sentence: object) -> None:
    """Tell something beside the result, if there is anybody to tell."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            print(f"truerank: {sentence}", file=sys.stderr, flush=True)

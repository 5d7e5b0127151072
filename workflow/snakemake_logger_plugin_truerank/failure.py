"""Find, in the log of a failed job, the sentence that matters."""

MARK = "error: "


def sentence_in(logs):
    """Return what follows the last ``error:`` in the logs or, where a job died without one, their last line."""
    last = ""
    for path in logs:
        try:
            with open(path, encoding="utf-8", errors="replace") as log:
                lines = [line.strip() for line in log if line.strip()]
        except OSError:
            continue
        marked = [line.removeprefix(MARK) for line in lines if line.startswith(MARK)]
        if marked:
            return marked[-1]
        last = lines[-1] if lines else last
    return (
        last
        or "it ended without a word, most often because it was killed or ran out of memory; run the same command again"
    )

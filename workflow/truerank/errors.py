"""The one exception for mistakes that a user can mend, and what a failure is known by."""

import errno

MARK = "error: "  # before the sentence that a failed job leaves in its log
FULL_OR_CLOSED = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EFBIG)


class UserError(Exception):
    """A user's mistake, described in one sentence.

    The sentence names the file, the line or key, what was found, what was expected and what to do. Stages and the
    Snakefile print it without a traceback; any other exception is a defect of ours and keeps its traceback. What was
    found may have line breaks, the sentence has none.
    """

    def __init__(self, sentence: object) -> None:
        super().__init__(" ".join(str(sentence).splitlines()))

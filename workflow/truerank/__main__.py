"""``python -m truerank`` is ``truerank``."""

import sys

from truerank.cli import main

if __name__ == "__main__":
    sys.exit(main())

"""jsonschema, without optional packages of its that take longer to import than a small job takes in all.

``rfc3987_syntax`` and ``rfc3986_validator``, which come with Jupyter, compile grammars when they are imported;
jsonschema looks for them to check web addresses, of which a config has none.
"""

import sys

OPTIONAL = [name for name in ("rfc3987_syntax", "rfc3986_validator") if name not in sys.modules]

for name in OPTIONAL:
    sys.modules[name] = None  # type: ignore[assignment]  # says that there is none

import jsonschema  # noqa: E402  after that

for name in OPTIONAL:
    del sys.modules[name]

__all__ = ["jsonschema"]

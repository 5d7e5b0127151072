"""jsonschema, without an optional package of its that takes longer to import than a small job takes in all.

``rfc3987_syntax``, which comes with Jupyter, compiles 38 grammars when it is imported; jsonschema looks for it to check
web addresses, of which a config has none.
"""

import sys

OPTIONAL = "rfc3987_syntax"

if OPTIONAL in sys.modules:
    import jsonschema
else:
    sys.modules[OPTIONAL] = None  # type: ignore[assignment]  # says that there is none
    import jsonschema

    del sys.modules[OPTIONAL]

__all__ = ["jsonschema"]

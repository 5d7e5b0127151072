"""How much an experiment needs, one module for each kind of plan: ``plan`` in it is what ``tr.plan`` calls."""

"""The kinds of ``truerank plan``, one module each, made like that of a command."""

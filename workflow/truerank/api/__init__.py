"""The functions of ``import truerank as tr``, one module each: the face of what the core computes in memory.

They take paths, frames, dicts or arrays, and return a ``Result``: frames that show, save and print themselves.
"""

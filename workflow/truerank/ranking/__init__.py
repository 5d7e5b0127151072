"""Exact ranks and top lists, computed in blocks of users."""

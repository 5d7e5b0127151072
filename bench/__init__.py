"""Truerank measured side by side with its peers, and with the least that the work can take: `make bench`."""

"""What cells of a notebook and the page that is made of it agree on."""

from pathlib import Path

TEMPLATES = Path(__file__).parents[1] / "report" / "template"
FILES = "application/vnd.truerank.files+json"  # of what a cell offers to be saved: name -> text

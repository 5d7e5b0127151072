"""What turns the repository's Markdown into a site: pages of the root, linked files as pages, formulas, the API page.

Links in the sources are those of the repository, so that they work there; each is turned into one of the site, and a
link to nothing is an error.
"""

import ast
import os
import re
import sys
from pathlib import Path
from posixpath import dirname, join, normpath, relpath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "workflow")]

import mathml  # noqa: E402
import truerank  # noqa: E402

PAGES = {  # of the root, by their place in the site
    "index.md": "README.md",
    "changelog.md": "CHANGELOG.md",
    "code_of_conduct.md": "CODE_OF_CONDUCT.md",
    "contributing.md": "CONTRIBUTING.md",
    "security.md": "SECURITY.md",
}
PLACES = {path: place for place, path in PAGES.items()}
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
MOST_LINES = 600  # of a file that gets a page
LANGUAGES = {".yaml": "yaml", ".yml": "yaml", ".py": "python", ".smk": "python", ".cff": "yaml", ".txt": "text"}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Name the pages of docs/ that the navigation does not."""
    known = re.findall(r"[\w/-]+\.md", str(config.nav))
    more = [path.name for path in sorted((ROOT / "docs").glob("*.md")) if path.name not in known]
    present = lambda name: name in PAGES or (ROOT / "docs" / name).exists()  # noqa: E731
    config.nav = [
        {title: [name for name in pages if present(name)] if isinstance(pages, list) else pages}
        for section in config.nav
        for title, pages in section.items()
    ]
    if more:
        config.nav.append({"More": more})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the root, and a page for every file and folder that a page links to."""
    for place, path in PAGES.items():
        files.append(File.generated(config, place, content=(ROOT / path).read_text(encoding="utf-8")))
    linked = {}
    for file in files.documentation_pages():
        for _, link, _ in LINK.findall(file.content_string):
            target = repository_path(file.src_uri, link)
            if target is not None and is_source(target):
                linked[place_of(target)] = target
    for place, target in linked.items():
        files.append(File.generated(config, place, content=page_of(target)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    here = page.file.src_uri
    if here == "api.md":
        markdown += reference()
    if here.startswith("files/"):
        return markdown
    return mathml.with_formulas(LINK.sub(lambda found: found[1] + site_link(here, found[2]) + found[3], markdown))


def source_of(place: str) -> str:
    """Return the path in the repository of a page of the site."""
    return PAGES.get(place, f"docs/{place}")


def repository_path(place: str, link: str) -> str | None:
    """Return what a link of a page points to in the repository, None if that is on the page or elsewhere."""
    path = link.partition("#")[0]
    if re.match(r"\w+:", link) or not path:
        return None
    target = normpath(join(dirname(source_of(place)), path))
    if not (ROOT / target).exists():
        raise PluginError(f"{source_of(place)} links to {link}, which does not exist")
    return target


def is_source(target: str) -> bool:
    """Tell whether a target is no page or picture of the site: a file of code, or a folder."""
    return target not in PLACES and not (target.startswith("docs/") and target.endswith((".md", ".png", ".svg")))


def place_of(target: str) -> str:
    if target in PLACES:
        return PLACES[target]
    return f"files/{target}.md" if is_source(target) else target.removeprefix("docs/")


def site_link(place: str, link: str) -> str:
    target = repository_path(place, link)
    if target is None:
        return link
    _, mark, anchor = link.partition("#")
    return relpath(place_of(target), dirname(place) or ".") + mark + anchor


def page_of(target: str) -> str:
    """Show a file of the repository, or the names in a folder."""
    path = ROOT / target
    if path.is_dir():
        names = sorted(
            each.name + "/" * each.is_dir() for each in path.iterdir() if not each.name.startswith(("_", "."))
        )
        return f"# {target}\n\nA folder of the repository:\n\n" + "\n".join(f"- `{name}`" for name in names)
    lines = path.read_text(encoding="utf-8").splitlines()
    shown = "\n".join(lines[:MOST_LINES])
    rest = f"\n\n{len(lines) - MOST_LINES:,} more lines are in the repository." if len(lines) > MOST_LINES else ""
    if path.suffix == ".md":
        return shown
    return f"# {target}\n\n````{LANGUAGES.get(path.suffix, 'text')}\n{shown}\n````{rest}\n"


def reference() -> str:
    """Return the API page's entries: every name of the front door, and the results that its module defines."""
    parts = []
    for name, module in truerank.OFFERED.items():
        parts.append(f"\n::: {module}.{name}\n")
        parts += [f"\n::: {module}.{result}\n" for result in results_in(module) if result != name]
    return "\n".join(dict.fromkeys(parts))


def results_in(module: str) -> list[str]:
    """Return the names of the result classes that a module defines."""
    path = ROOT / "workflow" / (module.replace(".", os.sep) + ".py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return [node.name for node in classes if "Result" in {ast.unparse(base) for base in node.bases}]

"""Config files, vetted before Snakemake reads them: it would expand or even run what they say."""

from collections.abc import Iterable
from pathlib import Path

import yaml

MOST_VALUES = 100_000  # of a study, its aliases written out
TEMPLATE = "__use_yte__"


def config_flaw(arguments: Iterable[str], folder: str | Path = ".") -> str | None:
    """Return what is wrong with the first config file that the command line names and that is, None if all are fine.

    Snakemake reads these files before any code of a workflow runs, and answers without the name or the line.
    folder : where it was started, which paths are relative to, whatever ``--directory`` says.
    A pipe is left to Snakemake: it can be read only once.
    """
    for path in config_files(arguments):
        file = Path(folder, path)
        is_pipe = file.exists() and not file.is_file() and not file.is_dir()
        flaw = None if is_pipe else file_flaw(path, file)
        if flaw:
            return flaw
    return None


def file_flaw(path: str, file: Path) -> str | None:
    """Return what is wrong with one config file, None if nothing is; its size is known before anything is built."""
    try:
        text = file.read_text(encoding="utf-8")
        size = expanded(yaml.compose(text, yaml.SafeLoader), {})
        if size > MOST_VALUES:
            return (
                f"{path} has aliases that make more than {MOST_VALUES:,} values of it, expected a study that can be "
                "read; replace its `*names` by their values"
            )
        content = yaml.safe_load(text)
    except OSError as failure:
        return f"{path} cannot be read: {(failure.strerror or str(failure)).lower()}; correct the path"
    except UnicodeDecodeError as failure:
        return f"{path} is not UTF-8 text (byte {failure.start}); save it as UTF-8"
    except yaml.YAMLError as failure:
        mark = getattr(failure, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        problem = " ".join(str(getattr(failure, "problem", failure)).split())
        return f"{path}{line}: not valid YAML ({problem}); correct it"
    except RecursionError:
        return f"{path} has lists or mappings in each other more deeply than any study needs; correct it"
    except ValueError as failure:  # a number of thousands of digits, the 31st of February
        return f"{path}: found a value that YAML cannot read ({failure}); correct it, or put it in quotes"
    if not isinstance(content, dict):
        found = "empty" if content is None else f"a {type(content).__name__}"
        return f"{path} is {found}, expected keys such as `select:` at the top; see config.yaml for an example"
    if TEMPLATE in content:
        return f"{path}: the key {TEMPLATE} makes Snakemake run Python that the file holds; leave it out"
    return None


def expanded(node: yaml.Node | None, known: dict[int, int]) -> int:
    """How many values a node of YAML stands for, each alias counted as all that it names; one in itself is endless."""
    if id(node) not in known:
        known[id(node)] = MOST_VALUES + 1  # until it is known: what it is found in again is itself
        below = node.value if isinstance(node, yaml.CollectionNode) else ()
        pairs = (part for each in below for part in (each if isinstance(each, tuple) else (each,)))
        known[id(node)] = 1 + sum(expanded(part, known) for part in pairs)
    return known[id(node)]


def config_files(arguments: Iterable[str]) -> list[str]:
    """Return the paths that follow ``--configfile``, which takes all words up to the next option."""
    paths, taking = [], False
    for word in arguments:
        option, _, value = word.partition("=")
        if word.startswith("-"):
            taking = option in ("--configfile", "--configfiles")
            paths += [value] if taking and value else []
        elif taking:
            paths.append(word)
    return paths

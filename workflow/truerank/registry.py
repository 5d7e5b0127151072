"""Tables from the names that a config uses to the functions that they mean.

A metric, model, data source or split is one decorated function or class in a file of its own::

    @METRICS.register("precision", higher_is_better=True, range=(0, 1))
    def precision(judged, *, k): ...

Nothing else is edited: the config schema, the contract tests, the report and the documentation read these tables. The
keyword-only parameters are the settings that a config may give; their annotations become the JSON schema, so that a
wrong type or range is found before a job starts. What a piece states about itself is a small dataclass (``facts``).
"""

import difflib
import importlib
import inspect
import pkgutil
import typing
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from typing import Annotated, Any, Generic, Literal, TypeVar

from truerank.errors import UserError
from truerank.extensions import load_extensions

Count = Annotated[int, {"minimum": 1}]
Natural = Annotated[int, {"minimum": 0}]
NonNegative = Annotated[float, {"minimum": 0}]
Positive = Annotated[float, {"exclusiveMinimum": 0}]
Share = Annotated[float, {"exclusiveMinimum": 0, "exclusiveMaximum": 1}]

# As a config has them: what a name means, all that are named, and a cut-off, which may be "all".
Definition = Mapping[str, Any]
Definitions = Mapping[str, Definition]
Cutoff = int | str

Piece = TypeVar("Piece", bound=Callable[..., Any])
AnyFacts = TypeVar("AnyFacts", bound="Facts")

JSON_TYPES = {int: "integer", float: "number", str: "string", bool: "boolean", dict: "object", list: "array"}


@dataclass(frozen=True)
class Entry(Generic[AnyFacts]):
    """One registered piece: what it is called, what it is, and what it says of itself."""

    name: str
    make: Any
    facts: AnyFacts
    from_caller: tuple[str, ...] = ()

    @property
    def module(self) -> str:
        return self.make.__module__

    @property
    def sentence(self) -> str:
        """The first line of the docstring: what the piece is, for tables and pages."""
        return (inspect.getdoc(self.make) or "").partition("\n")[0]

    @cached_property
    def settings(self) -> dict[str, inspect.Parameter]:
        """The keyword-only parameters that a config may set, by name."""
        return {
            name: parameter
            for name, parameter in inspect.signature(self.make).parameters.items()
            if parameter.kind is parameter.KEYWORD_ONLY and name not in self.from_caller
        }

    @property
    def defaults(self) -> dict[str, Any]:
        """The settings that have a default, by name."""
        return {name: p.default for name, p in self.settings.items() if p.default is not inspect.Parameter.empty}

    @property
    def has_cutoff(self) -> bool:
        """Whether a metric takes cut-offs."""
        return "k" in inspect.signature(self.make).parameters

    @property
    def schema(self) -> dict[str, Any]:
        """JSON schema of the settings: types and ranges from annotations, required where there is no default."""
        empty = inspect.Parameter.empty
        return {
            "type": "object",
            "properties": {name: json_schema(p.annotation, p.default) for name, p in self.settings.items()},
            "required": [name for name, p in self.settings.items() if p.default is empty],
            "additionalProperties": False,
        }


class Registry(Generic[AnyFacts]):
    """The pieces of one kind, found by importing every module of one package.

    facts : the dataclass of what a piece states about itself. key : the name that a definition has for the piece.
    from_caller : keyword-only parameters that the caller supplies and a config cannot set. shared : settings that a
    definition may have whatever its piece, and that the piece does not see.
    """

    def __init__(
        self,
        noun: str,
        package: str,
        facts: type[AnyFacts],
        *,
        key: str = "kind",
        from_caller: tuple[str, ...] = (),
        shared: tuple[str, ...] = (),
    ) -> None:
        self.noun = noun
        self.package = package
        self.facts = facts
        self.key = key
        self.from_caller = from_caller
        self.shared = shared
        self._entries: dict[str, Entry[AnyFacts]] = {}
        self._complete = False

    def register(self, name: str, **facts: Any) -> Callable[[Piece], Piece]:
        """Enter the decorated function or class under ``name``; ``facts`` is what it states about itself."""
        known = [fact.name for fact in fields(self.facts)]
        for fact in facts:
            if fact not in known:
                raise TypeError(f"{self.noun} {name!r}: {unknown('fact', fact, known)}")

        def enter(make: Piece) -> Piece:
            if name in self._entries and self._entries[name].module != make.__module__:
                raise ValueError(f"{self.noun} {name!r} is in {self._entries[name].module} and in {make.__module__}")
            self._entries[name] = Entry(name, make, self.facts(**facts), self.from_caller)
            return make

        return enter

    def of(self, definition: Definition) -> Entry[AnyFacts]:
        """Return the entry that a definition such as ``{"kind": "ndcg", "gain": "binary"}`` is of."""
        return self[definition[self.key]]

    def named(self, name: str) -> dict[str, Any]:
        """Return the definition of a piece with all settings at their defaults, such as ``{"kind": "ndcg"}``."""
        return {self.key: name}

    def settings_of(self, definition: Definition) -> dict[str, Any]:
        """Return all that a definition sets: all but the piece's name."""
        return {name: value for name, value in definition.items() if name != self.key}

    def settings(self, definition: Definition) -> dict[str, Any]:
        """Return what a definition sets of its piece: all but what every piece shares."""
        shared = self.shared_settings(definition)
        return {name: value for name, value in self.settings_of(definition).items() if name not in shared}

    def shared_settings(self, definition: Definition) -> dict[str, Any]:
        """Return what a definition sets of what every piece shares; a piece's own setting of that name comes first."""
        own = self.of(definition).settings
        return {name: value for name, value in definition.items() if name in self.shared and name not in own}

    def make(self, definition: Definition) -> Any:
        """Return the piece of a definition with its settings: an object of a class, or a function of the rest."""
        made = partial(self.of(definition).make, **self.settings(definition))
        return made() if inspect.isclass(made.func) else made

    @property
    def entries(self) -> dict[str, Entry[AnyFacts]]:
        if not self._complete:
            self._complete = True  # at once: what is imported here may look something up
            package = importlib.import_module(self.package)
            for module in pkgutil.iter_modules(package.__path__):
                if not module.ispkg:  # plumbing is in packages
                    importlib.import_module(f"{self.package}.{module.name}")
        load_extensions()
        return self._entries

    @property
    def names(self) -> list[str]:
        return sorted(self.entries)

    def __iter__(self) -> Iterator[Entry[AnyFacts]]:
        return (self.entries[name] for name in self.names)

    def __getitem__(self, name: str) -> Entry[AnyFacts]:
        if not (self._complete and name in self._entries) and name not in self.entries:
            raise UserError(unknown(self.noun, name, self.names))
        return self._entries[name]


def unknown(noun: str, found: object, expected: Collection[object]) -> str:
    """Say that ``found`` is not one of ``expected``, with the nearest name where there is one."""
    near = difflib.get_close_matches(str(found), [str(name) for name in expected], n=1)
    known = ", ".join(map(str, expected)) or "none"
    return f"unknown {noun} {found!r}" + (f", did you mean {near[0]!r}?" if near else f"; expected one of: {known}")


def json_schema(annotation: Any, default: Any = inspect.Parameter.empty) -> dict[str, Any]:
    """Turn a parameter's annotation into JSON schema; a default of None also admits null."""
    if annotation is inspect.Parameter.empty:
        return {}
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        schema = json_schema(arguments[0]) | arguments[1]
    elif origin is Literal:
        schema = {"enum": list(arguments)}
    elif origin is list:
        schema = {"type": "array", "items": json_schema(arguments[0])}
    else:
        schema = {"type": JSON_TYPES[origin or annotation]}
    return {"anyOf": [schema, {"type": "null"}]} if default is None else schema


@dataclass(frozen=True, kw_only=True)
class Facts:
    """Of any piece. inputs : settings that name files of the user's own. folders : those that may be one of Parquet
    files. only_with : setting -> another one and the values of that with which it has an effect."""

    inputs: tuple = ()
    folders: tuple = ()
    only_with: dict = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class DatasetFacts(Facts):
    """Of a data source: where it comes from and what is in it.

    archives : the files that can be fetched. scale : lowest and highest possible rating. comes_split : whether it has a
    test set. user_attributes : whether it knows more of users. memory_mb : what reading takes.
    """

    archives: tuple = ()
    licence: str | None = None
    citation: str | None = None
    scale: tuple | None = None
    comes_split: bool = False
    user_attributes: bool = False
    memory_mb: int = 4000


@dataclass(frozen=True, kw_only=True)
class SplitFacts(Facts):
    """Of a way to split. random : whether another seed gives other test rows, beyond ties. by_user : whether a user's
    rows are cut without those of others, but for ``Rows.moments``, and random numbers are ``Rows.lots``, drawn once."""

    random: bool = False
    by_user: bool = False


@dataclass(frozen=True, kw_only=True)
class ModelFacts(Facts):
    """Of a recommender.

    uses : what it learns from besides who has what. uses_with : what it learns from if told so -> a setting and the
    values with which it does. predicts_ratings : whether its scores are ratings. time, memory : how they grow.
    """

    uses: tuple
    predicts_ratings: bool
    time: str
    memory: str
    uses_with: dict = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class MetricFacts(Facts):
    """Of a metric.

    range : least and largest value, the latter a number or a ``Bound``. needs : what it is computed from. per : user or
    system. additive : its terms and norm, if it adds up over a user's items. pooled : its errors, if it is one ratio
    over all test ratings; then a user's value is a contribution to it, which may lie outside of the range.
    """

    higher_is_better: bool
    range: tuple
    needs: Literal["ranks", "predictions", "lists", "values"] = "ranks"
    per: Literal["user", "system"] = "user"
    additive: Any = None
    pooled: Any = None


@dataclass(frozen=True, kw_only=True)
class SamplerFacts(Facts):
    """Of a sampler: what it starts from, and what it gives, which estimators take.

    takes : the exact ranks that it is called with. ``some``: of a block of 65,536 instances, which has a stream of
    its own; it must sample for an instance without the others. ``all``. ``none``: an array of models x 0.
    """

    needs: Literal["ranks", "models"]
    gives: Literal["ranks", "sized ranks", "weighted ranks", "users", "informed"]
    takes: Literal["some", "all", "none"] = "all"


@dataclass(frozen=True, kw_only=True)
class EstimatorFacts(Facts):
    """Of an estimator: which samples it takes."""

    takes: tuple


DATASETS = Registry(
    "data source",
    "truerank.datasets",
    DatasetFacts,
    key="source",
    shared=("binary_threshold", "implicit_threshold", "per_user", "core", "items"),
)
SPLITS = Registry("split", "truerank.splits", SplitFacts)
MODELS = Registry("model", "truerank.models", ModelFacts, shared=("calibration", "tune"))
METRICS = Registry("metric", "truerank.metrics", MetricFacts, from_caller=("k",), shared=("relevance",))
SAMPLERS = Registry("sampler", "truerank.sampling", SamplerFacts, shared=("exclude_test_items",))
ESTIMATORS = Registry("estimator", "truerank.estimators", EstimatorFacts)
REGISTRIES = (DATASETS, SPLITS, MODELS, METRICS, SAMPLERS, ESTIMATORS)

"""Documents of models: what a model file says, as dicts that may be changed, and their text in YAML."""
from __future__ import annotations

import difflib
import json
import math
import re
from typing import Any, Iterator, Mapping, MutableMapping, Optional

from . import kinds
from .kind import Kind

# Parts of a model and the kinds that are in them.
CATEGORIES = {
    "materials": "material", "sections": "section", "bodies": "body", "joints": "joint", "forces": "force",
    "surfaces": "surface", "contacts": "contact", "outputs": "output", "tables": "table", "variables": "variable",
    "inputs": "input", "controllers": "controller", "events": "event", "analysis": "analysis",
}  # fmt: skip
ORDER = ["sinew", "title", "gravity", "planar", "keep", "parameters", "tables", "inputs", "variables", "controllers",
         "materials", "sections", "bodies", "joints", "forces", "surfaces", "contacts", "events", "outputs", "analysis"]  # fmt: skip
_classes: dict[tuple[str, str], type[Kind]] = {}
for _name in kinds.__all__:
    _class = getattr(kinds, _name)
    _classes[_class._category, _class._type] = _class


def plain(value: Any) -> Any:
    """Only what JSON has, which a model file may be written in: kinds, numpy and tuples become dicts and lists."""
    if isinstance(value, Kind):
        return plain(value.to_dict())
    if isinstance(value, (Mapping, Entries)):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "tolist"):  # numpy
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"a model has no number {value}")
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise TypeError(f"a model cannot have a {type(value).__name__}: {value!r}")


def as_kind(part: str, entry: Any) -> Any:
    """An entry of a part of a model as an object of its class; as it is where it has no class, or is wrong."""
    if not isinstance(entry, dict) or part not in CATEGORIES:
        return entry
    category = CATEGORIES[part]
    kind = _classes.get((category, entry.get("type", category)))
    if kind is None:
        return entry
    known = {name.rstrip("_"): name for name in kind.__init__.__annotations__}
    try:
        return kind(**{known.get(str(key), str(key)): value for key, value in entry.items() if key != "type"})
    except TypeError:
        return entry


class Entries(MutableMapping[str, Any]):
    """Things of one part of a model by name: ``m.bodies["beam"] = sinew.Cable(...)``, ``del m.joints["pin"]``."""

    def __init__(self, part: str, entries: MutableMapping[str, Any]):
        self._part, self._entries = part, entries

    def __getitem__(self, name: str) -> Any:
        if name not in self._entries:
            near = difflib.get_close_matches(str(name), list(self._entries), 1)
            hint = f"did you mean '{near[0]}'?" if near else f"it has {', '.join(self._entries) or 'none'}"
            raise KeyError(f"the model has no '{name}' in {self._part}; {hint}")
        entry = self._entries[name] = as_kind(self._part, self._entries[name])
        return entry

    def __setitem__(self, name: str, entry: Any) -> None:
        category = CATEGORIES.get(self._part)
        if isinstance(entry, Kind) and entry._category != category:
            raise TypeError(f"a {type(entry).__name__} is a {entry._category}: it does not belong to {self._part}")
        if category and not isinstance(entry, (Kind, Mapping)):
            raise TypeError(f"an entry of {self._part} is an object of a class of sinew or a dict, not {entry!r}")
        plain(entry)
        self._entries[name] = dict(entry) if isinstance(entry, Mapping) else entry

    def __delitem__(self, name: str) -> None:
        self[name]
        del self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return repr({name: self[name] for name in self})


# ---- YAML ----

_PLAIN = re.compile(r"[A-Za-z_$][\w.$()*+/^-]*( [\w.$()*+/^-]+)*$", re.ASCII)
_WORDS = {"true", "false", "null"}


def _scalar(value: Any) -> str:
    if isinstance(value, float):
        short = f"{value:g}"
        return short if float(short) == value else repr(value)
    if isinstance(value, str):
        return value if _PLAIN.match(value) and value.lower() not in _WORDS else json.dumps(value, ensure_ascii=False)
    return json.dumps(value)


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value)


def _lines(key: str, value: Any, indent: str, depth: int) -> Iterator[str]:
    line = f"{indent}{_scalar(key)}: {_flow(value)}"
    if isinstance(value, dict) and value and (depth < 1 or len(line) > 120):
        yield f"{indent}{_scalar(key)}:"
        for name, item in value.items():
            yield from _lines(name, item, indent + "  ", depth + 1)
    else:
        yield line


def to_yaml(document: Mapping[str, Any]) -> str:
    """The text of a model file."""
    lines: list[str] = []
    order = {key: i for i, key in enumerate(ORDER)}
    parts = plain({"sinew": 1, **document})
    for key, value in sorted(parts.items(), key=lambda part: order.get(part[0], len(order) - 1)):
        if not (isinstance(value, dict) and not value):
            lines += _lines(key, value, "", 0 if key != "analysis" and key != "parameters" else 1)
    return "\n".join(lines) + "\n"


_LOADER: Optional[Any] = None


def _loader() -> Any:
    """The scalars of YAML 1.2, as the engine reads them: PyYAML alone takes 2e7 for a text and off for false."""
    global _LOADER
    if _LOADER is None:
        try:
            import yaml  # type: ignore[import]
        except ImportError:
            raise ImportError("parts of a model that was read from a file need PyYAML (python3-yaml)") from None

        class Loader(yaml.SafeLoader):
            yaml_implicit_resolvers: dict = {}

        tag = "tag:yaml.org,2002:"
        Loader.add_implicit_resolver(tag + "bool", re.compile("^(?:true|false)$"), list("tf"))
        Loader.add_implicit_resolver(tag + "null", re.compile("^(?:~|null|)$"), ["~", "n", ""])
        Loader.add_implicit_resolver(tag + "merge", re.compile("^<<$"), ["<"])
        number = r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$"
        Loader.add_implicit_resolver(tag + "float", re.compile(number), list("-+.0123456789"))
        Loader.add_constructor(tag + "float", lambda loader, node: _number(node.value))
        _LOADER = Loader
    return _LOADER


def _number(text: str) -> Any:
    return int(text) if re.match(r"[-+]?[0-9]+$", text) else float(text)


def read_yaml(text: str) -> dict[str, Any]:
    """A model file as a dict. The text is one that the engine has read."""
    loader = _loader()(text)
    try:
        document = loader.get_single_data() or {}
    finally:
        loader.dispose()
    return {key: {} if value is None and key in CATEGORIES else value for key, value in document.items()}

"""A compiled model: from a file, a text, or a dict."""
from __future__ import annotations

import json
import os
from typing import Any, Mapping, Union

from ._engine import ffi, lib
from .errors import check, text


def _plain(value: Any) -> Any:
    """Only what JSON has, which a model file may be written in: kinds, numpy and tuples become dicts and lists."""
    if hasattr(value, "to_dict"):
        return _plain(value.to_dict())
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):  # numpy
        return _plain(value.tolist())
    return value


class Model:
    """A model that is read and compiled, and does not change.

    source: path of a model file (.yaml), its text, or a dict with the keys of a model file, whose entries may be
    objects of the classes in ``sinew`` (``sinew.Cable(...)``).
    parameters: numbers or expressions in place of those of the file, ``Model("arm.yaml", E=2e8)``.
    """

    def __init__(self, source: Union[str, os.PathLike, Mapping[str, Any]], **parameters: Any):
        self._context = ffi.gc(lib.sn_context_create(), lib.sn_context_free)
        if self._context == ffi.NULL:
            raise MemoryError("out of memory")
        sets = [ffi.new("char[]", f"{name}={value!r}".replace("'", "").encode()) for name, value in parameters.items()]
        array = ffi.new("const char *[]", sets)
        made = ffi.new("sn_model **")
        if isinstance(source, Mapping):
            source = json.dumps(_plain({"sinew": 1, **source}), allow_nan=False)
            name = "model"
        else:
            source = os.fspath(source)
            name = "text"
        if "\n" in source or source.lstrip().startswith("{"):
            data = source.encode()
            status = lib.sn_model_parse(self._context, name.encode(), data, len(data), array, len(sets), made)
        else:
            status = lib.sn_model_load(self._context, os.fsencode(source), array, len(sets), made)
        check(self._context, status)
        self._pointer = ffi.gc(made[0], lib.sn_model_free)

    def _names(self, which: int) -> list[str]:
        return [text(lib.sn_model_name(self._pointer, which, i)) for i in range(lib.sn_model_count(self._pointer, which))]

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies; the ground is one."""
        return self._names(lib.SN_LIST_BODIES)

    @property
    def joints(self) -> list[str]:
        return self._names(lib.SN_LIST_JOINTS)

    @property
    def outputs(self) -> dict[str, dict[str, str]]:
        """Of each output its columns, and their units: ``{"tip": {"x": "m", ...}}``."""
        info = ffi.new("sn_output_info *")
        result = {}
        for i in range(lib.sn_model_count(self._pointer, lib.SN_LIST_OUTPUTS)):
            lib.sn_model_output(self._pointer, i, info)
            result[text(info.name)] = {text(info.column[k]): text(info.unit[k]) for k in range(info.columns)}
        return result

    @property
    def inputs(self) -> dict[str, tuple[float, float]]:
        """Of each input the range that may be set."""
        info = ffi.new("sn_input_info *")
        result = {}
        for i in range(lib.sn_model_count(self._pointer, lib.SN_LIST_INPUTS)):
            lib.sn_model_input(self._pointer, i, info)
            result[text(info.name)] = (info.low, info.high)
        return result

    def coordinates(self, body: str) -> slice:
        """Where the coordinates of a body are in ``Simulation.q`` and ``v``."""
        number = lib.sn_model_find(self._pointer, lib.SN_LIST_BODIES, body.encode())
        if number < 0:
            raise KeyError(f"the model has no body '{body}'; it has {', '.join(self.bodies)}")
        info = ffi.new("sn_body_info *")
        lib.sn_model_body(self._pointer, number, info)
        return slice(info.first, info.first + info.count)

    def __repr__(self) -> str:
        count = lib.sn_model_coordinates(self._pointer)
        return f"<sinew.Model: {', '.join(self.bodies)}; {count} coordinates>"

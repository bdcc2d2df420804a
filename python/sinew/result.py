"""A result file: series over time as numpy arrays."""
from __future__ import annotations

import os
from typing import Iterator, Union

import numpy as np

from ._engine import ffi, lib
from .errors import check, text
from .memory import view


class Group:
    """Series that share a name: ``result["tip"].x``, ``result.energy.total``."""

    def __init__(self, result: "Result", name: str):
        self._result, self._name = result, name

    def __getattr__(self, column: str) -> np.ndarray:
        if column.startswith("_"):
            raise AttributeError(column)
        try:
            return self._result.series(f"{self._name}.{column}")
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __dir__(self) -> list[str]:
        return [name[len(self._name) + 1 :] for name in self._result if name.startswith(self._name + ".")]

    def __repr__(self) -> str:
        return f"<{self._name}: {', '.join(dir(self))}>"


class Result:
    """The rows of a run. Arrays are read from the file when they are first used, and belong to the result."""

    def __init__(self, path: Union[str, os.PathLike]):
        self.path = os.fspath(path)
        self._context = ffi.gc(lib.sn_context_create(), lib.sn_context_free)
        made = ffi.new("sn_result **")
        check(self._context, lib.sn_result_open(self._context, os.fsencode(path), made))
        self._pointer = ffi.gc(made[0], lib.sn_result_free)
        self.names: list[str] = []
        names = lib.sn_result_names(self._pointer)
        while names[len(self.names)] != ffi.NULL:
            self.names.append(text(names[len(self.names)]))
        self.verdict: str = text(lib.sn_result_verdict(self._pointer))
        self.reasons: list[str] = text(lib.sn_result_reasons(self._pointer)).splitlines()

    def _series(self, name: str):
        series = lib.sn_result_series(self._pointer, name.encode())
        if series == ffi.NULL:
            raise KeyError(text(lib.sn_message(self._context)).strip())
        return series

    def series(self, name: str) -> np.ndarray:
        """One column over time: ``series("tip.x")``."""
        series = self._series(name)
        return view(series.value, series.count, self)

    def unit(self, name: str) -> str:
        return text(self._series(name).unit)

    @property
    def t(self) -> np.ndarray:
        """Times of the rows [s]."""
        series = lib.sn_result_time(self._pointer)
        return view(series.value, series.count, self)

    @property
    def energy(self) -> Group:
        """Energies and works [J]: ``energy.total``, ``energy.error``, ..."""
        return Group(self, "energy")

    def __getitem__(self, name: str) -> Union[np.ndarray, Group]:
        """A series by its whole name ("tip.x"), or those of an output ("tip") as attributes."""
        if name not in self.names and any(other.startswith(name + ".") for other in self.names):
            return Group(self, name)
        return self.series(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __len__(self) -> int:
        return len(self.names)

    def to_pandas(self, *names: str):
        """A pandas DataFrame over time; without names: all series."""
        import pandas

        chosen = names or [name for name in self.names if name != "t"]
        return pandas.DataFrame({name: self.series(name) for name in chosen}, index=pandas.Index(self.t, name="t"))

    def to_xarray(self, *names: str):
        """An xarray Dataset over time, with units; without names: all series."""
        import xarray

        chosen = names or [name for name in self.names if name != "t"]
        data = {name: ("t", self.series(name), {"units": self.unit(name)}) for name in chosen}
        return xarray.Dataset(data, coords={"t": ("t", self.t, {"units": "s"})}, attrs={"verdict": self.verdict})

    def plot(self, *names: str, axes=None):
        """Series over time with matplotlib; a name of an output stands for all of its columns. Returns the axes."""
        import matplotlib.pyplot as plt

        axes = axes if axes is not None else plt.subplots()[1]
        for name in names:
            for one in [name] if name in self.names else [x for x in self.names if x.startswith(name + ".")]:
                axes.plot(self.t, self.series(one), label=f"{one} [{self.unit(one)}]" if self.unit(one) else one)
            if name not in self.names and not any(x.startswith(name + ".") for x in self.names):
                self._series(name)  # raises, with the nearest name
        axes.set_xlabel("t [s]")
        axes.legend()
        return axes

    def __repr__(self) -> str:
        return f"<sinew.Result {self.path}: {len(self.t)} rows, {len(self.names)} series, {self.verdict or 'running'}>"

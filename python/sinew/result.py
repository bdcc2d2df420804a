"""A result file: series over time as numpy arrays."""
from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, NoReturn, Union

import numpy as np

from ._engine import ffi, lib
from .errors import check, text
from .memory import new_context, own, view
from .page import in_notebook, write_page

if TYPE_CHECKING:
    import pandas
    import xarray


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

    def _columns(self) -> list[str]:
        return [name[len(self._name) + 1 :] for name in self._result if name.startswith(self._name + ".")]

    def __dir__(self) -> list[str]:
        return self._columns()

    def __repr__(self) -> str:
        return f"<{self._name}: {', '.join(self._columns())}>"


class Result:
    """The rows of a run. Arrays are read from the file when they are first used, and belong to the result."""

    def __init__(self, path: Union[str, os.PathLike]):
        self.path = os.fspath(path)
        self._context = new_context()
        made = ffi.new("sn_result **")
        check(self._context, lib.sn_result_open(self._context, os.fsencode(path), made))
        self._pointer = own(made[0], lib.sn_result_free, self._context)
        self.names: list[str] = []
        names = lib.sn_result_names(self._pointer)
        while names[len(self.names)] != ffi.NULL:
            self.names.append(text(names[len(self.names)]))
        self.verdict: str = text(lib.sn_result_verdict(self._pointer))
        self.reasons: list[str] = text(lib.sn_result_reasons(self._pointer)).splitlines()

    def close(self) -> None:
        """Free its memory now, or when the last array of it is gone. It cannot be used any more."""
        self.__dict__.pop("_pointer", None)

    def __getattr__(self, name: str) -> NoReturn:
        if name == "_pointer":
            raise ValueError("the result is closed")
        raise AttributeError(f"a Result has no attribute '{name}'; outputs are items: result['tip'].x")

    def __enter__(self) -> "Result":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _series(self, name: str) -> Any:
        if not isinstance(name, str):
            raise TypeError(f"a series has a name, such as 'tip.x', not {name!r}")
        series = lib.sn_result_series(self._pointer, name.encode())
        if series == ffi.NULL:
            if lib.sn_result_failed(self._pointer):
                raise OSError(text(lib.sn_message(self._context)).strip())
            groups = dict.fromkeys(one.rpartition(".")[0] for one in self.names if "." in one)
            near = difflib.get_close_matches(name, [*groups, *self.names], 1)
            hint = f"did you mean '{near[0]}'?" if near else f"it has {', '.join(groups)}"
            raise KeyError(f"the result has no series '{name}'; {hint}")
        return series

    def series(self, name: str) -> np.ndarray:
        """One column over time: ``series("tip.x")``."""
        series = self._series(name)
        return view(series.value, series.count, self._pointer)

    def unit(self, name: str) -> str:
        """Unit of a series: ``unit("tip.x")`` is ``"m"``."""
        return text(self._series(name).unit)

    @property
    def t(self) -> np.ndarray:
        """Times of the rows [s]."""
        series = lib.sn_result_time(self._pointer)
        return view(series.value, series.count, self._pointer)

    @property
    def energy(self) -> Group:
        """Energies and works [J]: ``energy.total``, ``energy.error``, ..."""
        return Group(self, "energy")

    def __getitem__(self, name: str) -> Any:
        """A series by its whole name ("tip.x"), or those of an output ("tip") as attributes."""
        if isinstance(name, str) and name not in self.names and any(other.startswith(name + ".") for other in self.names):
            return Group(self, name)
        return self.series(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __len__(self) -> int:
        return len(self.names)

    def _chosen(self, names: tuple[str, ...]) -> list[str]:
        """Series of names, of which one of an output stands for all of its columns; without names: all."""
        chosen: list[str] = []
        for name in names or [name for name in self.names if name != "t"]:
            columns = [name] if name in self.names else [x for x in self.names if x.startswith(f"{name}.")]
            if not columns:
                self._series(name)  # raises, with the nearest name
            chosen += columns
        return chosen

    def to_pandas(self, *names: str) -> "pandas.DataFrame":
        """A pandas DataFrame over time, of series and outputs; without names: all series."""
        import pandas

        chosen = self._chosen(names)
        return pandas.DataFrame({name: self.series(name) for name in chosen}, index=pandas.Index(self.t, name="t"))

    def to_xarray(self, *names: str) -> "xarray.Dataset":
        """An xarray Dataset over time, with units, of series and outputs; without names: all series."""
        import xarray

        chosen = self._chosen(names)
        data = {name: ("t", self.series(name), {"units": self.unit(name)}) for name in chosen}
        return xarray.Dataset(data, coords={"t": ("t", self.t, {"units": "s"})}, attrs={"verdict": self.verdict})

    def plot(self, *names: str, axes: Any = None) -> Any:
        """Series over time with matplotlib; a name of an output stands for all of its columns. Returns the axes."""
        import matplotlib.pyplot as plt

        chosen = self._chosen(names)
        axes = axes if axes is not None else plt.subplots()[1]
        for name in chosen:
            axes.plot(self.t, self.series(name), label=f"{name} [{self.unit(name)}]" if self.unit(name) else name)
        axes.set_xlabel("t [s]")
        axes.legend()
        return axes

    def page(self, path: Union[str, os.PathLike]) -> Path:
        """Write the 3D view and the curves as one HTML file, which opens in any browser (``sinew report``).

        It needs the program ``sinew``: in PATH, or named by the environment variable SINEW."""
        return write_page(self.path, path)

    def _repr_html_(self) -> str:
        """In a notebook: the 3D page."""
        return in_notebook(self.path, repr(self), self.reasons)

    def __repr__(self) -> str:
        return f"<sinew.Result {self.path}: {len(self.t)} rows, {len(self.names)} series, {self.verdict or 'running'}>"

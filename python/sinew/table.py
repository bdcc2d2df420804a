"""Tables that studies return: rows of named values."""
from __future__ import annotations

import csv
import html
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Sequence, Union

import numpy as np

if TYPE_CHECKING:
    import pandas


def _text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


class StudyTable(Sequence[dict[str, Any]]):
    """Rows as dicts, columns as arrays: ``table[0]["E"]``, ``table["E"]``."""

    def __init__(self, names: Sequence[str], rows: Sequence[Sequence[Any]]):
        self.names = list(names)
        self._rows = [tuple(row) for row in rows]

    def __getitem__(self, key: Any) -> Any:
        """A row by its number, or a column by its name."""
        if isinstance(key, str):
            if key not in self.names:
                raise KeyError(f"the table has no column '{key}'; it has {', '.join(self.names)}")
            at = self.names.index(key)
            return np.array([row[at] for row in self._rows])
        if isinstance(key, slice):
            return StudyTable(self.names, self._rows[key])
        return dict(zip(self.names, self._rows[key]))

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (dict(zip(self.names, row)) for row in self._rows)

    def __eq__(self, other: object) -> bool:
        """Equal names and equal bits of all values."""
        return isinstance(other, StudyTable) and self.names == other.names and repr(self._rows) == repr(other._rows)

    __hash__ = None  # type: ignore[assignment]

    def to_pandas(self) -> "pandas.DataFrame":
        """A pandas DataFrame."""
        import pandas

        return pandas.DataFrame(self._rows, columns=self.names)

    def to_csv(self, path: Union[str, os.PathLike, None] = None) -> str:
        """As CSV with all digits; also written to a file if a path is given."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.names)
        writer.writerows([repr(v) if isinstance(v, float) else v for v in row] for row in self._rows)
        if path is not None:
            Path(path).write_text(out.getvalue(), encoding="utf-8")
        return out.getvalue()

    def __repr__(self) -> str:
        cells = [self.names] + [[_text(value) for value in row] for row in self._rows]
        widths = [max(map(len, column)) for column in zip(*cells)]
        return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths)).rstrip() for row in cells)

    def _repr_html_(self) -> str:
        """In a notebook: a table."""
        rows = ["".join(f"<td>{html.escape(_text(value))}</td>" for value in row) for row in self._rows]
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.names)
        return f"<table><tr>{head}</tr>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"

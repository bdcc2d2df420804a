"""Measures: numbers that say what came of a run."""
from __future__ import annotations

import re
from typing import Any, Callable, Mapping, Sequence, Union

import numpy as np

from .result import Result

Measure = Union[str, Callable[[Result], float]]


def _mean(t: np.ndarray, y: np.ndarray) -> float:
    """Over time, by the trapezoidal rule."""
    return float(np.trapz(y, t) / (t[-1] - t[0])) if t[-1] > t[0] else float(np.mean(y))


_FUNCTIONS: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
    "final": lambda t, y: y[-1],
    "maximum": lambda t, y: np.max(y),
    "minimum": lambda t, y: np.min(y),
    "mean": _mean,
    "rms": lambda t, y: float(np.sqrt(_mean(t, y * y))),
    "amplitude": lambda t, y: (np.max(y) - np.min(y)) / 2,
}


def named_measures(measures: Union[Measure, Sequence[Measure], Mapping[str, Measure]]) -> dict[str, Measure]:
    """Measures by name; texts are their own names, functions have those of their definitions."""
    if isinstance(measures, Mapping):
        named = dict(measures)
    else:
        several = [measures] if isinstance(measures, str) or callable(measures) else list(measures)
        named = {m if isinstance(m, str) else getattr(m, "__name__", "measure"): m for m in several}
        if len(named) < len(several):
            raise ValueError("two measures have the same name: give them as a dict, {name: measure}")
    for measure in named.values():
        if not callable(measure):
            _parse(measure)
    return named


def _parse(measure: Any) -> tuple[str, str]:
    match = re.fullmatch(r"\s*(\w+)\s*\(\s*(.+?)\s*\)\s*", measure) if isinstance(measure, str) else None
    if not match or match[1] not in _FUNCTIONS:
        raise ValueError(f"a measure is a function of a result, or a text such as 'maximum(tip.y)' with one of "
                         f"{', '.join(_FUNCTIONS)}; not {measure!r}")  # fmt: skip
    return match[1], match[2]


def measure(result: Result, what: Measure) -> float:
    """One number of a run: ``measure(result, "maximum(tip.y)")``, or what a function of the result returns.

    Texts know final, maximum, minimum, mean and rms over time, and amplitude (half of maximum minus minimum)."""
    if callable(what):
        return float(what(result))
    function, series = _parse(what)
    return float(_FUNCTIONS[function](result.t, result.series(series)))

"""The rigid chain of problem.h for engines with an interface in Python: numbers, command line, output.

exudyn_chain.py and chrono_chain.py use it. They were written from the documentation and the public sources of their engines
and have NOT been run by the authors of this benchmark: Debian has no packages of these. Nothing of them is in
docs/performance.md.
"""

import math
import sys
import time
from collections.abc import Callable, Sequence

LENGTH, RADIUS, MASS, GRAVITY, DURATION = 1.0, 0.05, 1.0, 9.81, 1.0
AXIAL, TRANSVERSE = MASS * RADIUS**2 / 2, MASS * (3 * RADIUS**2 + LENGTH**2) / 12


def arguments() -> tuple[int, float]:
    """N and STEP."""
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} N STEP")
    return int(sys.argv[1]), float(sys.argv[2])


def steps_of(step: float) -> int:
    return round(DURATION / step)


def measure(run: Callable[[], None]) -> float:
    """CPU time of it [s]."""
    start = time.process_time()
    run()
    return time.process_time() - start


def show(engine: str, method: str, n: int, step: float, cpu: float, tip: Sequence[float]) -> None:
    """The line of a driver (problem.h): compare its tip with that of run.sh."""
    if not all(math.isfinite(value) for value in tip[:3]):
        sys.exit("the computation failed")
    print(f"chain {engine} {method} {step:g} {n} {cpu:.9g} {steps_of(step)} {tip[0]:.15g} {tip[1]:.15g} {tip[2]:.15g}")

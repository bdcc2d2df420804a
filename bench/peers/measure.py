"""Runs the drivers that run.sh has built and prints the tables.

    measure.py FOLDER [--rounds N] [--limit S] [CASE...]

FOLDER has one program per engine, named after it, and the file `versions`. The command line and the output of a driver
are described in problem.h.
"""

import argparse
import math
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

COUNTS = [8, 12, 16, 25, 33, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000]
STEPS = [1 / count for count in COUNTS]
TOLERANCES = [factor * 10.0**-k for k in range(1, 12) for factor in (1.0, 0.3)]
TARGETS = [1e-3, 2e-5]  # error [m]
EQUAL_STEP = 1e-3

FIXED = [
    ("sinew", "hht-i3"), ("sinew", "radau"), ("sinew", "erk"), ("mujoco", "Euler"), ("mujoco", "RK4"), ("bullet", "multibody"),
    ("ode", "step"), ("ode", "quick20"), ("simbody", "SemiEuler"), ("dart", "euler"),
]  # fmt: skip
ADAPTIVE = [
    ("sinew", "radau-adaptive"), ("sinew", "adams-adaptive"), ("sinew", "erk-adaptive"), ("simbody", "Merson"),
    ("simbody", "Feldberg"), ("simbody", "CPodes"),
]  # fmt: skip
FOURBAR_FIXED = [
    ("sinew", "hht-i3"), ("sinew", "radau"), ("sinew", "erk"), ("mujoco", "Euler"), ("mujoco", "RK4"), ("mujoco", "Euler-stiff"),
    ("mujoco", "RK4-stiff"), ("bullet", "multibody10"), ("bullet", "multibody100"), ("ode", "step"), ("ode", "quick20"),
    ("simbody", "SemiEuler"), ("dart", "euler"),
]  # fmt: skip
SPHERES = [
    ("sinew", "dvi-1e-2"), ("sinew", "dvi-3e-3"), ("sinew", "dvi-1e-3"), ("sinew", "dvi-1e-4"), ("ode", "quick20"),
    ("ode", "quick100"), ("bullet", "impulse10"), ("bullet", "impulse50"), ("mujoco", "CG"), ("mujoco", "Newton"),
]  # fmt: skip
# DART: dense matrices of all contacts; Simbody: compliant contacts with explicit steps. Minutes for 125 spheres.
SPHERES_FEW = [("dart", "pgs"), ("dart", "dantzig"), ("simbody", "Merson")]


@dataclass
class Run:
    """A task of a driver, its results, and the CPU times of all runs of it."""

    engine: str
    method: str
    setting: float
    n: int
    case: str = "chain"
    steps: int = 0
    values: list[float] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    failure: str = ""

    @property
    def cpu(self) -> float:
        return min(self.times)


class Bench:
    def __init__(self, folder: Path, rounds: int, limit: float) -> None:
        self.folder, self.rounds, self.limit = folder, rounds, limit

    def has(self, engine: str) -> bool:
        return os.access(self.folder / engine, os.X_OK)

    def run(self, run: Run, limit: float | None = None) -> bool:
        """Once more; False: it failed, with the reason in run.failure."""
        limit = limit or self.limit
        command = [str(self.folder / run.engine), run.case, run.method, repr(run.setting), str(run.n)]
        # No RLIMIT_CPU: under one, Linux counts the CPU time of a process in ticks.
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=4 * limit)
        except subprocess.TimeoutExpired:
            run.failure = f"over {4 * limit:g} s by the clock"
            return False
        if done.returncode:
            run.failure = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1][:60]
            return False
        words = done.stdout.split()
        run.times.append(float(words[5]))
        run.steps = int(words[6])
        run.values = [float(word) for word in words[7:]]
        return True

    def interleave(self, runs: Iterable[Run]) -> None:
        """Every round runs each of them once, so that the load of the machine meets all alike; long ones less often."""
        runs = [run for run in runs if not run.failure]
        for _ in range(self.rounds):
            for run in runs:
                if sum(run.times) < 0.5 * self.limit:
                    self.run(run)


def error(run: Run, reference: Run) -> float:
    distance = math.dist(run.values[:3], reference.values[:3])
    return distance if math.isfinite(distance) else math.inf


def reference_of(bench: Bench, case: str, n: int) -> Run:
    """Converged: Sinew's radau at 1e-10. Printed beside it: how far another method and another engine are from it."""
    reference = Run("sinew", "radau-adaptive", 1e-10, n, case)
    if not bench.run(reference, 120):
        sys.exit(f"the reference failed: {reference.failure}")
    print(f"Reference: Sinew radau at 1e-10, point at ({reference.values[0]:.10f}, {reference.values[1]:.10f}) m. From it differ:")
    mujoco = "RK4" if case == "chain" else "RK4-stiff"
    for engine, method, setting in (("sinew", "adams-adaptive", 1e-9), ("simbody", "Merson", 1e-11), ("mujoco", mujoco, 2e-4)):
        other = Run(engine, method, setting, n, case)
        if not bench.has(engine):
            continue
        if bench.run(other, 120):
            print(f"  {other.engine} {other.method} at {other.setting:g}: {error(other, reference):.1e} m")
        else:
            print(f"  {other.engine} {other.method} at {other.setting:g}: {other.failure}")
    return reference


def show(runs: list[Run], reference: Run, base: Run) -> None:
    """The table; ratios are to `base`."""
    print(f"  {'engine':8} {'method':15} {'step or tol.':>12} {'steps':>7} {'CPU time [ms]':>20} {'us/step/body':>12}"
          f" {'error [m]':>13} {'ratio':>7}" + (f" {'loop gap [m]':>13}" if reference.case == "fourbar" else ""))  # fmt: skip
    for run in runs:
        label = f"  {run.engine:8} {run.method:15} {run.setting:12.3g}"
        if run.failure:
            print(f"{label} {'':>7} {run.failure}")
            continue
        low, high = 1e3 * min(run.times), 1e3 * max(run.times)
        each = 1e6 * run.cpu / run.steps / run.n
        print(f"{label} {run.steps:7d} {f'{low:.2f} to {high:.2f}':>20} {each:12.2f} {error(run, reference):13.1e}"
              f" {run.cpu / base.cpu:7.2f}" + (f" {run.values[3]:13.1e}" if run.case == "fourbar" else ""))  # fmt: skip


def search(bench: Bench, engine: str, method: str, settings: list[float], n: int, reference: Run) -> dict[float, Run]:
    """For each target the largest setting that meets it, and whose next smaller one, if the limit allows one, meets it
    too: one that meets it by chance does not count. A failure instead where none is found."""
    found: dict[float, Run] = {}
    tried: list[Run] = []
    why = "no setting of the list is accurate enough"
    for setting in settings:
        if tried and tried[-1].times and 2.5 * tried[-1].cpu > bench.limit:
            why = f"not reached within {bench.limit:g} s"
            break
        run = Run(engine, method, setting, n, reference.case)
        bench.run(run)
        tried.append(run)
        errors = [error(r, reference) if r.times else math.inf for r in tried]
        for target in TARGETS:
            if target not in found and len(tried) > 1 and max(errors[-2:]) <= target:
                found[target] = Run(engine, method, tried[-2].setting, n, reference.case)
        if len(found) == len(TARGETS) or (run.failure.startswith("over") and len(tried) > 1):
            break
    best = min((error(r, reference) for r in tried if r.times), default=math.inf)
    for target in TARGETS:
        if target in found:
            continue
        found[target] = Run(engine, method, tried[-1].setting, n, reference.case)
        if not tried[-1].times or error(tried[-1], reference) > target:
            found[target].failure = f"{why}; best error {best:.1e} m" if math.isfinite(best) else tried[-1].failure or why
    return found


def motion(bench: Bench, case: str, n: int, methods: list[tuple[str, str]]) -> None:
    """Chain and four-bar: at equal step, then at equal accuracy."""
    reference = reference_of(bench, case, n)
    fixed = [(engine, method) for engine, method in methods if bench.has(engine)]
    runs = [Run(engine, method, EQUAL_STEP, n, case) for engine, method in fixed]
    for run in runs:
        bench.run(run)
        run.times.clear()
    bench.interleave(runs)
    print(f"\nEqual step, {EQUAL_STEP:g} s; ratio to Sinew {runs[0].method}\n")
    show(runs, reference, runs[0])
    adaptive = [(engine, method) for engine, method in ADAPTIVE if bench.has(engine)]
    found = [search(bench, engine, method, STEPS, n, reference) for engine, method in fixed]
    found += [search(bench, engine, method, TOLERANCES, n, reference) for engine, method in adaptive]
    for target in TARGETS:
        chosen = [f[target] for f in found]
        bench.interleave(chosen)
        good = [run for run in chosen if run.engine == "sinew" and run.times]
        base = min(good, key=lambda run: run.cpu)
        print(f"\nEqual accuracy, error at most {target:g} m; ratio to Sinew {base.method}\n")
        show(sorted(chosen, key=lambda run: run.cpu if run.times else math.inf), reference, base)
        sys.stdout.flush()


def spheres(bench: Bench, n: int) -> None:
    print(f"\n## {n**3} spheres at rest in a box, steps of 1e-3 s: 1,000 to settle, 200 timed\n")
    methods = SPHERES + (SPHERES_FEW if n <= 3 else [])
    runs = [Run(engine, method, 1e-3, n, "spheres") for engine, method in methods if bench.has(engine)]
    limit = bench.limit
    bench.limit = 12 * limit  # settling is part of a run
    for run in runs:
        bench.run(run)
        run.times.clear()
    bench.interleave(runs)
    bench.limit = limit
    print(f"  {'engine':8} {'method':10} {'CPU time per step [ms]':>24} {'penetration, most; mean [um]':>29} {'overlaps':>9}"
          f" {'rms speed [mm/s]':>17} {'ratio':>7}")  # fmt: skip
    print("  (ratio to the first row; read it together with the penetration)")
    for run in runs:
        if run.failure:
            print(f"  {run.engine:8} {run.method:10} {run.failure}")
            continue
        each = [1e3 * t / run.steps for t in run.times]
        most, mean, count, speed = run.values
        print(f"  {run.engine:8} {run.method:10} {f'{min(each):.2f} to {max(each):.2f}':>24} {f'{1e6 * most:.1f}; {1e6 * mean:.2f}':>29}"
              f" {count:9.0f} {1e3 * speed:17.2f} {run.cpu / runs[0].cpu:7.2f}")  # fmt: skip


def load() -> str:
    return " ".join(f"{value:.1f}" for value in os.getloadavg())


def main() -> None:
    parser = argparse.ArgumentParser(description="Run the drivers and print the tables; see run.sh.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit", type=float, default=5.0)
    parser.add_argument("cases", nargs="*")
    options = parser.parse_intermixed_args()
    bench = Bench(options.folder, options.rounds, options.limit)
    cases = options.cases or ["chain10", "chain100", "fourbar", "spheres27", "spheres125", "spheres"]
    models = [line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line]
    print(f"{time.strftime('%Y-%m-%d %H:%M', time.gmtime())} UTC, {models[0] if models else 'unknown processor'}, "
          f"{os.cpu_count()} processors, load {load()}")  # fmt: skip
    print((options.folder / "versions").read_text().strip().replace("\n", "; "))
    print(f"CPU time of the steps alone, one thread, lowest to highest of {options.rounds} interleaved rounds; ratios are of the lowest.")
    for case in cases:
        if case == "spheres":
            spheres(bench, 10)
        elif case == "spheres125":
            spheres(bench, 5)
        elif case == "spheres27":
            spheres(bench, 3)
        elif case == "fourbar":
            print("\n## Four-bar linkage driven by a motor, to 1 s: error of the middle of the coupler\n")
            motion(bench, "fourbar", 3, FOURBAR_FIXED)
        else:
            n = int(case.removeprefix("chain"))
            print(f"\n## Rigid chain of {n} rods to 1 s: error of the tip\n")
            motion(bench, "chain", n, FIXED)
        sys.stdout.flush()
    print(f"\nload at the end {load()}")


if __name__ == "__main__":
    main()

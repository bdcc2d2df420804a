"""What one step from Python costs more than from C, on the pendulum of ten elements: at most 2 microseconds.

    python3 python/tools/bench_step.py [--check]

A loop of `step` in Python takes the same steps as one call of the engine that takes all of them; the difference of the
CPU times, over the number of steps, is the overhead. A step of a simulation that is at its end does nothing and shows the
cost of the call alone.
"""
import sys
import time
from pathlib import Path

import sinew

MODEL = Path(__file__).resolve().parents[2] / "models" / "pendulum.yaml"
LIMIT = 2e-6


def cpu(function, *arguments):
    begin = time.thread_time()
    function(*arguments)
    return time.thread_time() - begin


def by_steps(simulation, count):
    for _ in range(count):
        simulation.step()


def main(repeats=15, count=2000):
    model = sinew.Model(MODEL)
    simulation = sinew.Simulation(model, integrator="hht-i3", step=1e-4)
    start = simulation.snapshot()
    python, engine = [], []
    for _ in range(repeats):
        simulation.restore(start)
        python.append(cpu(by_steps, simulation, count))
        end = simulation.time
        simulation.restore(start)
        engine.append(cpu(simulation.advance, end))
    step = min(engine) / count
    overhead = (min(python) - min(engine)) / count
    ended = sinew.Simulation(model, until=1e-3)
    ended.run()
    call = min(cpu(by_steps, ended, 10000) for _ in range(5)) / 10000
    print(f"a step of the engine   {step * 1e6:7.2f} us")
    print(f"more from Python       {overhead * 1e6:7.2f} us ({100 * overhead / step:.1f} %)")
    print(f"a call that does nothing {call * 1e6:5.2f} us")
    return overhead, call


if __name__ == "__main__":
    overhead, call = main()
    if "--check" in sys.argv and not (overhead < LIMIT and call < LIMIT):
        sys.exit(f"a step from Python costs more than {LIMIT * 1e6:g} us over C")

"""A table of a study on any executor: the same bits from threads and from processes.

    python3 sweep.py [--quick]

Dask (`distributed.Client().get_executor()`) and MPI (`mpi4py.futures.MPIPoolExecutor()`) are executors too.
"""
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np

import sinew

MODEL = Path(__file__).resolve().parents[2] / "models" / "pendulum.yaml"


def fastest(result):
    """Largest speed of the tip; a function of the module, so that processes can be sent it."""
    return np.max(np.sqrt(result["tip"].vx ** 2 + result["tip"].vy ** 2 + result["tip"].vz ** 2))


def main(quick=False):
    values = {"E": [1e7, 2e7, -1] if quick else [1e6, 1e7, 1e8, -1], "L": [0.5, 1.0]}
    measures = {"lowest": "minimum(tip.y)", "fastest": fastest}
    tables = []
    for kind in (ThreadPoolExecutor, ProcessPoolExecutor):
        with kind(2) as executor:
            tables.append(sinew.sweep(MODEL, values, measures, executor=executor, until=0.2 if quick else 1))
    print(tables[0])
    return tables


if __name__ == "__main__":
    threads, processes = main("--quick" in sys.argv)
    assert threads == processes
    assert "young must be at least 0" in threads[-1]["reason"]  # the modulus -1 has a row with its reason

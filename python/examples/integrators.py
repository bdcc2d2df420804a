"""Which integrator is the cheapest for an accuracy: methods and tolerances on one model, against a reference.

    python3 integrators.py [--quick] [MODEL.yaml]
"""
import sys
from pathlib import Path

import sinew

MODEL = Path(__file__).resolve().parents[2] / "models" / "simple-pendulum.yaml"


def main(path=MODEL, quick=False):
    methods = ["radau", "hht-i3", "newmark", "erk"]
    table = sinew.compare(path, methods, tolerances=[1e-4, 1e-6] if quick else [1e-3, 1e-4, 1e-5, 1e-6, 1e-7],
                          until=1 if quick else 2)  # fmt: skip
    print(table)
    best = min((row for row in table if row["error"] < 1e-5), key=lambda row: row["cpu"])
    print(f"error below 1e-5: {best['integrator']} at tolerance {best['tolerance']:g}, {1000 * best['cpu']:.2f} ms")
    return table


if __name__ == "__main__":
    files = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    table = main(*files, quick="--quick" in sys.argv)
    errors = {(row["integrator"], row["tolerance"]): row["error"] for row in table}
    assert errors["radau", 1e-6] < 0.1 * errors["radau", 1e-4]

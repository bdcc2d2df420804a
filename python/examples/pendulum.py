"""A rubber bar swings on a pin: a model built part by part, run, written and drawn.

    python3 pendulum.py [--quick] [FOLDER]
"""
import sys
from pathlib import Path

import numpy as np

import sinew


def build():
    m = sinew.Model()
    m.title = "Rubber pendulum"
    m.gravity = [0, -9.81, 0]
    m.parameters["E"] = 2e7
    m.materials["rubber"] = sinew.Material(density=7200, young="E")
    m.sections["square"] = sinew.RectangleSection(width=0.02, height=0.02)
    m.bodies["bar"] = sinew.Cable(from_=[0, 0, 0], to=[1, 0, 0], elements=8, material="rubber", section="square")
    m.joints["pin"] = sinew.Spherical(between=["ground", "bar.start"])
    m.outputs["tip"] = sinew.Output(point="bar.end")
    m.analysis = sinew.Dynamics(duration=1, output_step=0.01)
    return m


def main(quick=False, folder="."):
    m = build()
    if quick:
        m.bodies["bar"].elements = 4
    m.save(Path(folder) / "pendulum.yaml")
    stretch = {}
    for E in (2e7, 2e8):
        r = sinew.run(m, E=E)
        length = np.hypot(r["tip"].x, r["tip"].y)
        stretch[E] = length.max() - 1
        print(f"E = {E:g} Pa: {r.verdict}; the tip is {length.min():.4f} to {length.max():.4f} m from the pin, "
              f"energy error {np.abs(r.energy.error).max():.1e} J")  # fmt: skip
        assert r.verdict == "good"
    try:
        r.plot("tip.x", "tip.y").figure.savefig(Path(folder) / "pendulum.png")
    except ImportError:
        print("python3-matplotlib is missing: no picture")
    return stretch


if __name__ == "__main__":
    folders = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    stretch = main("--quick" in sys.argv, *folders)
    assert stretch[2e8] < stretch[2e7] < 0.01

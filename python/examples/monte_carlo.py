"""Scatter of a cantilever's deflection when modulus and radius scatter: many runs on all cores.

    python3 monte_carlo.py [--quick]

The tip under its own weight is at w = q L^4/(8 E I) with I/A = r^2/4, for small deflections: w ~ 1/(E r^2), so that
standard deviations add up as s(w)/w = sqrt(s(E)^2/E^2 + 4 s(r)^2/r^2).
"""
import math
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np

import sinew

E, R = 2e9, 0.01


def build():
    m = sinew.Model()
    m.gravity = [0, -9.81, 0]
    m.parameters.update({"E": E, "r": R})
    m.materials["wood"] = sinew.Material(density=700, young="E")
    m.sections["round"] = sinew.CircleSection(radius="r")
    m.bodies["beam"] = sinew.Cable(from_=[0, 0, 0], to=[1, 0, 0], elements=4, material="wood", section="round")
    m.joints["clamp"] = sinew.Fixed(between=["ground", "beam.start"])
    m.outputs["tip"] = sinew.Output(point="beam.end")
    m.analysis = sinew.Statics()
    return m


def main(count=1000):
    random = np.random.default_rng(0)
    cases = [{"E": random.normal(E, 0.05 * E), "r": random.normal(R, 0.02 * R)} for _ in range(count)]
    with ProcessPoolExecutor() as executor:
        table = sinew.sweep(build(), cases, {"deflection": "final(tip.y)"}, executor=executor)
    w = -table["deflection"]
    exact = 700 * 9.81 / (2 * E * R**2)  # q L^4/(8 E I), q = rho A g
    expected = math.sqrt(0.05**2 + 4 * 0.02**2)
    print(f"{count} runs: deflection {1000 * w.mean():.2f} mm ({1000 * exact:.2f} mm by the formula), "
          f"scatter {100 * w.std() / w.mean():.2f} % ({100 * expected:.2f} % to first order)")  # fmt: skip
    assert set(table["verdict"]) == {"good"}
    return w.mean() / exact, w.std() / w.mean() / expected


if __name__ == "__main__":
    count = 100 if "--quick" in sys.argv else 1000
    mean, spread = main(count)
    assert abs(mean - 1) < 0.03
    assert abs(spread - 1) < 4 / math.sqrt(2 * count) + 0.02  # the scatter of a scatter

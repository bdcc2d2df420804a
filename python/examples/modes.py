"""Natural frequencies of a cantilever against Euler-Bernoulli theory, and how they fall under a weight at its end.

    python3 modes.py
"""
import math

import numpy as np

import sinew

L, R, E, RHO = 1.0, 0.01, 2e11, 7800.0


def build():
    m = sinew.Model()
    m.materials["steel"] = sinew.Material(density=RHO, young=E)
    m.sections["round"] = sinew.CircleSection(radius=R)
    m.bodies["beam"] = sinew.Cable(from_=[0, 0, 0], to=[L, 0, 0], elements=10, material="steel", section="round")
    m.joints["clamp"] = sinew.Fixed(between=["ground", "beam.start"])
    m.analysis = sinew.Modes(count=6)
    return m


def main():
    m = build()
    found = sinew.modes(m)[::2]  # bending in two planes: pairs
    roots = np.array([1.8751041, 4.6940911, 7.8547574])  # of cos(z) cosh(z) = -1
    theory = roots**2 / (2 * math.pi * L**2) * math.sqrt(E * R**2 / 4 / RHO)
    print("alone      " + ", ".join(f"{f:.3f} Hz ({100 * (f / g - 1):+.3f} %)" for f, g in zip(found, theory)))
    m.parameters["weight"] = 1
    m.bodies["weight"] = sinew.PointMass(mass="weight", position=[L, 0, 0])
    m.joints["weld"] = sinew.Spherical(between=["beam.end", "weight"])
    first = [sinew.modes(m, weight=w)[0] for w in (1, 10, 100)]
    print("with weight " + ", ".join(f"{f:.3f} Hz" for f in first))
    massless = math.sqrt(3 * E * math.pi * R**4 / 4 / L**3 / 100) / (2 * math.pi)  # a spring 3EI/L^3 under 100 kg
    return found / theory, first[-1] / massless


if __name__ == "__main__":
    alone, loaded = main()
    assert np.all(np.abs(alone - 1) < 1e-3)
    assert abs(loaded - 1) < 0.01

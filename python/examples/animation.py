"""A film of a falling cable with matplotlib: markers along it are outputs, each row is a picture.

    python3 animation.py [--quick] [FILE.gif]
"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.animation import FuncAnimation, PillowWriter

import sinew


def build(points):
    m = sinew.Model()
    m.gravity = [0, -9.81, 0]
    m.materials["rubber"] = sinew.Material(density=1200, young=2e6)
    m.sections["round"] = sinew.CircleSection(radius=0.01)
    m.bodies["rope"] = sinew.Cable(from_=[0, 0, 0], to=[1, 0, 0], elements=8, material="rubber", section="round",
                                   stiffness_damping=2e-3)  # fmt: skip
    m.joints["pin"] = sinew.Spherical(between=["ground", "rope.start"])
    for i in range(points):
        m.outputs[f"p{i}"] = sinew.Output(point=f"rope.at({i / (points - 1):.4f})")
    m.analysis = sinew.Dynamics(duration=1.5, output_step=0.02)
    return m


def main(path="rope.gif", quick=False):
    points = 11 if quick else 41
    r = sinew.run(build(points), until=0.2 if quick else None)
    x = np.stack([r[f"p{i}"].x for i in range(points)], axis=1)
    y = np.stack([r[f"p{i}"].y for i in range(points)], axis=1)
    figure, axes = plt.subplots(figsize=(4, 4))
    axes.set(xlim=(-1.1, 1.1), ylim=(-1.3, 0.9), aspect="equal")
    (line,) = axes.plot([], [], lw=3)

    def draw(k):
        line.set_data(x[k], y[k])
        axes.set_title(f"t = {r.t[k]:.2f} s")
        return (line,)

    FuncAnimation(figure, draw, frames=len(r.t), interval=20).save(path, PillowWriter(fps=25))
    print(f"{len(r.t)} pictures in {path}")
    return len(r.t)


if __name__ == "__main__":
    files = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    assert main(*files, quick="--quick" in sys.argv) > 1

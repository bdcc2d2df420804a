"""Models that are built, changed, read back and written. References: the bundled models as the engine reads them itself,
and closed forms."""
import math
import os
import pickle
import shutil
import tempfile
import unittest
from pathlib import Path

import numpy as np

import sinew

MODELS = Path(__file__).resolve().parents[2] / "models"


def cantilever():
    """Built part by part."""
    m = sinew.Model()
    m.title = "Cantilever"
    m.parameters["E"] = 1e7
    m.materials["rubber"] = sinew.Material(density=1200, young="E")
    m.sections["round"] = sinew.CircleSection(radius=0.01)
    m.bodies["beam"] = sinew.Cable(from_=[0, 0, 0], to=[0.5, 0, 0], elements=6, material="rubber", section="round")
    m.joints["clamp"] = sinew.Fixed(between=["ground", "beam.start"])
    m.outputs["tip"] = sinew.Output(point="beam.end")
    m.analysis = sinew.Modes(count=2)
    return m


def first_frequency(E, L=0.5):
    """Euler-Bernoulli: (1.8751/L)^2/(2 pi) sqrt(EI/(rho A)) with I/A = r^2/4."""
    return 1.8751041**2 / (2 * math.pi * L**2) * math.sqrt(E / 1200 * 0.01**2 / 4)


class Parts(unittest.TestCase):
    def test_all_categories(self):
        """Every kind stands in a part of the model, or in a field of others; a written model has all parts."""
        from sinew import document, kinds

        known = {getattr(kinds, name)._category for name in kinds.__all__}
        self.assertEqual(known - set(document.CATEGORIES.values()), {"shape", "integrator"})
        self.assertEqual(set(document.CATEGORIES) - set(document.ORDER), set())


    def test_numpy(self):
        """Arrays may stand wherever a model has lists, also at its top level."""
        m = sinew.Model({"gravity": np.array([0, -9.81, 0]), "bodies": {"a": sinew.PointMass(mass=1, position=np.zeros(3))}})
        self.assertEqual(m.to_dict()["gravity"], [0, -9.81, 0])
        m.gravity = np.array([0, 0, -1.62])
        self.assertEqual(sinew.run(m, until=1).verdict, "good")

    def test_empty(self):
        for nothing in ("", " \n"):
            with self.assertRaisesRegex(ValueError, "empty"):
                sinew.Model(nothing)


class Changes(unittest.TestCase):
    def test_built(self):
        m = cantilever()
        for E in (1e7, 4e7):
            m.parameters["E"] = E
            self.assertAlmostEqual(sinew.modes(m)[0] / first_frequency(E), 1, delta=1e-3)
        self.assertAlmostEqual(sinew.modes(m, E=1e6)[0] / first_frequency(1e6), 1, delta=1e-3)
        self.assertEqual(m.parameters["E"], 4e7)  # the model itself stays
        m.bodies["beam"].to = [1, 0, 0]
        self.assertAlmostEqual(sinew.modes(m)[0] / first_frequency(4e7, 1), 1, delta=1e-3)

    def test_entries(self):
        m = cantilever()
        size = m.size
        m.bodies["beam"].elements = 12
        self.assertEqual(m.size, 2 * size - 6)
        m.bodies["beam"] = sinew.Cable(from_=[0, 0, 0], to=[1, 0, 0], elements=6, material="rubber", section="round")
        self.assertEqual(m.size, size)
        m.bodies["weight"] = {"type": "point-mass", "mass": 1, "position": [0, 1, 0]}
        self.assertEqual(m.size, size + 3)
        self.assertEqual(m.bodies["weight"].mass, 1)
        self.assertEqual(list(m.bodies), ["beam", "weight"])
        del m.bodies["weight"]
        self.assertEqual(m.size, size)
        self.assertNotIn("weight", m.bodies)
        m.joints = {}
        self.assertEqual(len(m.joints), 0)
        self.assertEqual(m.title, "Cantilever")
        self.assertEqual(m.analysis, sinew.Modes(count=2))
        self.assertEqual(m.gravity, [0, 0, 0])

    def test_simulations_stay(self):
        """A change after a simulation was made does not affect it."""
        m = sinew.Model(MODELS / "simple-pendulum.yaml")
        s = sinew.Simulation(m)
        m.gravity = [0, 0, 0]
        s.advance(0.2)
        self.assertLess(s["bob"].vy, -1)
        t = sinew.Simulation(m)
        t.advance(0.2)
        self.assertAlmostEqual(t["bob"].vy, 0)

    def test_file(self):
        m = sinew.Model(MODELS / "pendulum.yaml", n=4)
        self.assertEqual(m.parameters["n"], 4)
        self.assertEqual(m.parameters["E"], 2e7)
        self.assertIsInstance(m.bodies["beam"], sinew.Cable)
        self.assertEqual(m.bodies["beam"].elements, "n")
        self.assertEqual(m.size, 30)
        m.parameters["n"] = 6
        self.assertEqual(m.size, 42)

    def test_written_and_read(self):
        """All bundled models: what is written gives the coordinates and velocities of the file, bit by bit."""
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        shutil.copytree(MODELS, folder, dirs_exist_ok=True)  # with the tables of the models
        for path in sorted(MODELS.glob("*.yaml")):
            m = sinew.Model(path)
            m.save(os.path.join(folder, path.name))
            a, b = sinew.Simulation(m), sinew.Simulation(os.path.join(folder, path.name))
            with self.subTest(path.name):
                np.testing.assert_array_equal(a.q, b.q)
                np.testing.assert_array_equal(a.v, b.v)
                self.assertEqual(m.columns, b.model.columns)
                self.assertEqual(m.to_dict(), b.model.to_dict())

    def test_copies(self):
        m = cantilever()
        other = pickle.loads(pickle.dumps(m))
        other.bodies["beam"].elements = 3
        self.assertEqual(m.bodies["beam"].elements, 6)
        self.assertEqual(other.size, 24)
        variant = m.variant(E=3e7)
        self.assertEqual((m.parameters["E"], variant.parameters["E"]), (1e7, 3e7))
        source = {"bodies": {"m": sinew.PointMass(mass=2, position=[0, 0, 0])}}
        built = sinew.Model(source)
        built.bodies["m"].mass = 3
        self.assertEqual(source["bodies"]["m"].mass, 2)


class Mistakes(unittest.TestCase):
    def test_fields(self):
        m = cantilever()
        with self.assertRaisesRegex(AttributeError, "did you mean 'elements'"):
            m.bodies["beam"].element = 3
        with self.assertRaisesRegex(KeyError, "did you mean 'beam'"):
            m.bodies["bean"]
        with self.assertRaisesRegex(KeyError, "no 'pin' in joints"):
            del m.joints["pin"]
        with self.assertRaisesRegex(TypeError, "does not belong to joints"):
            m.joints["beam"] = m.bodies["beam"]
        with self.assertRaises(TypeError):
            m.bodies["beam"] = 3
        with self.assertRaises(ValueError):
            m.parameters["E"] = math.nan
        with self.assertRaises(ValueError):
            m.variant(E=math.inf)
        with self.assertRaises(TypeError):
            m.parameters["E"] = object()
        self.assertEqual(len(sinew.modes(m)), 2)  # nothing of it matters

    def test_wrong_model(self):
        m = cantilever()
        m.bodies["beam"].material = "ruber"
        with self.assertRaisesRegex(sinew.ModelError, "rubber"):
            m.size
        m.bodies["beam"].material = "rubber"
        self.assertGreater(m.size, 0)
        with self.assertRaisesRegex(sinew.ModelError, "Q"):
            sinew.run(m, Q=3)
        with self.assertRaises(TypeError):
            sinew.Model(3)


if __name__ == "__main__":
    unittest.main()

"""Builds the engine with CMake, then the extension around it (python/build_extension.py)."""
import os
import re
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

version = re.search(r"project\(sinew\s+VERSION\s+([0-9.]+)", Path("CMakeLists.txt").read_text(), re.I).group(1)


class BuildPackage(build_py):
    """With the program sinew, which makes the 3D pages, where it was built."""

    def run(self):
        super().run()
        program = Path(os.environ.get("SINEW_BUILD", "build/python")) / "sinew"
        if program.exists() and not self.editable_mode:
            target = Path(self.build_lib) / "sinew" / "bin"
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy(program, target / "sinew")


setup(version=version, cffi_modules=["python/build_extension.py:ffi"], cmdclass={"build_py": BuildPackage})

"""Builds the engine with CMake, then the extension around it (python/build_extension.py)."""
import re
from pathlib import Path

from setuptools import setup

version = re.search(r"project\(sinew\s+VERSION\s+([0-9.]+)", Path("CMakeLists.txt").read_text(), re.I).group(1)
setup(version=version, cffi_modules=["python/build_extension.py:ffi"])

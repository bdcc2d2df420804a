"""The C interface, made by build_extension.py with cffi."""
from typing import Any

ffi: Any
lib: Any

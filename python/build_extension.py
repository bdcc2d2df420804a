"""The extension module sinew._engine: the C interface, as the headers in include/sinew declare it, linked to the engine.

cffi in its compiled form: a call costs about 0.1 microseconds, the interpreter's lock is released in it, and the
declarations are the headers themselves, so that nothing is written twice.

The engine is built with CMake into build/python, with the program sinew, which makes the 3D pages; SINEW_BUILD names
another folder that has libsinew.a already.
"""
import os
import re
import subprocess
from pathlib import Path

from cffi import FFI

root = Path(__file__).resolve().parent.parent
build = Path(os.environ.get("SINEW_BUILD", root / "build" / "python")).resolve()


def make_engine() -> None:
    if (build / "libsinew.a").exists() and "SINEW_BUILD" in os.environ:
        return
    cmake = ["cmake", "-S", str(root), "-B", str(build), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]
    cmake.append("-DSINEW_NATIVE=OFF")  # a wheel runs on any machine of its kind, with kernels for several of them
    subprocess.run(cmake, check=True)
    subprocess.run(["cmake", "--build", str(build), "--target", "sinew_static", "sinew"], check=True)


def declarations(header: str) -> str:
    """What cffi reads of a header: no comments, no preprocessor, no extern "C"."""
    text = (root / "include" / "sinew" / header).read_text()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r'#ifdef __cplusplus.*?#endif', "", text, flags=re.S)
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    return text.replace("SN_API ", "")


def libraries() -> list:
    """What the engine itself is linked to, as its pkg-config file says."""
    pc = (build / "sinew.pc").read_text()
    needed = re.search(r"^Requires.private: (.*)$", pc, re.M).group(1).replace(",", " ").split()
    flags = subprocess.run(["pkg-config", "--libs", *needed], check=True, capture_output=True, text=True).stdout.split()
    return flags + re.search(r"^Libs.private: (.*)$", pc, re.M).group(1).split()


make_engine()
ffi = FFI()
headers = ["base.h", "model.h", "simulation.h", "result.h", "callback.h", "analysis.h"]
ffi.cdef("\n".join(declarations(h) for h in headers))
ffi.cdef("static const char *const SINEW_VERSION;")
ffi.cdef("""extern "Python" {
  void sinew_progress(void *user, const sn_simulation *simulation);
  int sinew_input(void *user, double t, const double *x, double *value, double *derivative);
  int sinew_constraint(void *user, double t, const double *x, double *value, double *first, double *second);
  int sinew_between(void *user, sn_simulation *simulation);
  int sinew_event(void *user, sn_simulation *simulation, const sn_event_info *event);
}""")
ffi.set_source(
    "sinew._engine",
    '#include "sinew/sinew.h"',
    include_dirs=[str(root / "include"), str(build / "include")],
    extra_objects=[str(build / "libsinew.a")],
    depends=[str(build / "libsinew.a")],  # a new engine is linked, also where the declarations stay as they are
    extra_link_args=libraries(),
)

if __name__ == "__main__":
    ffi.compile(verbose=True)

"""The 3D page of a result, made by the program sinew: one HTML file, also shown in notebooks."""
from __future__ import annotations

import html
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Union

INSIDE = Path(__file__).parent / "bin" / "sinew"  # of the package


def program() -> str:
    """The program sinew: $SINEW, that of the package, or the one in PATH."""
    named = os.environ.get("SINEW")
    if named:
        if not os.access(named, os.X_OK):
            raise FileNotFoundError(f"the program that the environment variable SINEW names does not exist: {named}")
        return named
    found = str(INSIDE) if os.access(INSIDE, os.X_OK) else shutil.which("sinew")
    if not found:
        raise FileNotFoundError("the program sinew is not in PATH; the 3D page needs it: build it (cmake --preset release, "
                                "cmake --build --preset release --target sinew) and name it in the environment variable "
                                "SINEW")  # fmt: skip
    return found


def write_page(result: str, path: Union[str, os.PathLike]) -> Path:
    """`sinew report` of a result file."""
    command = [program(), "report", result, "-o", os.fspath(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise OSError(done.stderr.strip() or f"{' '.join(command)} failed with exit code {done.returncode}")
    return Path(path)


def in_notebook(result: str, summary: str, reasons: list[str], height: int = 560) -> str:
    """The page within the page of a notebook; where the program is missing, a summary that says so."""
    try:
        with tempfile.TemporaryDirectory(prefix="sinew-") as folder:
            page = write_page(result, Path(folder) / "page.html").read_text(encoding="utf-8")
    except OSError as error:
        lines = [summary, *reasons, f"No 3D page: {error}"]
        return "".join(f"<p>{html.escape(line)}</p>" for line in lines)
    return (f'<iframe srcdoc="{html.escape(page)}" width="100%" height="{height}" '
            f'style="border: 0" title="{html.escape(summary)}"></iframe>')  # fmt: skip

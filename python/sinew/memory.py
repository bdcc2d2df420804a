"""Objects of the engine and numpy arrays over its memory, without copies."""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ._engine import ffi, lib


def own(pointer: Any, free: Callable[[Any], None], *needs: Any) -> Any:
    """An object of the engine that is freed when nobody uses it, before the objects that it needs are."""

    def destroy(p: Any, needs: tuple = needs) -> None:
        free(p)

    return ffi.gc(pointer, destroy)


def new_context() -> Any:
    """A context of the engine: messages and the interrupt flag."""
    context = lib.sn_context_create()
    if context == ffi.NULL:
        raise MemoryError("out of memory")
    return own(context, lib.sn_context_free)


class _Memory:
    """Numbers of an owner, whom an array made of it keeps alive."""

    def __init__(self, pointer: Any, count: int, owner: Any):
        self.owner = owner
        address = int(ffi.cast("uintptr_t", pointer))
        self.__array_interface__ = {"shape": (count,), "typestr": np.dtype(float).str, "data": (address, True),
                                    "version": 3}  # fmt: skip


def view(pointer: Any, count: int, owner: Any) -> np.ndarray:
    """A read-only array of ``count`` numbers."""
    return np.asarray(_Memory(pointer, count, owner)) if count else np.empty(0)

"""What goes wrong in the engine, as exceptions. Their text is the engine's message, with file, line and remedy."""
from ._engine import ffi, lib


class SinewError(Exception):
    """Any failure of the engine; ``code`` is its status."""

    def __init__(self, message: str, code: int):
        super().__init__(message)
        self.code = code


class ModelError(SinewError):
    """The model is wrong; the message says where."""


class InputError(SinewError, ValueError):
    """A call makes no sense: an unknown name, a value outside its range."""


class NumericsError(SinewError, ArithmeticError):
    """The numerics failed; results up to there stay valid."""


class CallbackError(SinewError):
    """A function of the program gave no number, or an error without an exception."""


class InterruptedRun(SinewError):
    """The run was interrupted; results up to there stay valid."""


_classes = {
    lib.SN_USAGE: InputError,
    lib.SN_BAD_MODEL: ModelError,
    lib.SN_NUMERICS: NumericsError,
    lib.SN_CALLBACK: CallbackError,
    lib.SN_INTERRUPTED: InterruptedRun,
}


def text(pointer) -> str:
    """A text of the engine, which belongs to it."""
    return ffi.string(pointer).decode() if pointer else ""


def check(context, status: int) -> None:
    """Raise what a status means."""
    if status == lib.SN_OK:
        return
    message = text(lib.sn_message(context)).strip()
    if status == lib.SN_IO:
        raise OSError(message)
    if status == lib.SN_MEMORY:
        raise MemoryError(message)
    raise _classes.get(status, SinewError)(message, status)

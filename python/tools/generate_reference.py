"""docs/python-reference.md from the docstrings of the package.

    python3 python/tools/generate_reference.py > docs/python-reference.md
"""
import inspect
import re

import sinew
from sinew.document import CATEGORIES, Entries
from sinew.functions import Functions
from sinew.kind import Kind
from sinew.model import Part, Setting
from sinew.result import Group
from sinew.simulation import Inputs

FUNCTIONS = [sinew.run, sinew.rollouts, sinew.modes, sinew.sweep, sinew.converge, sinew.compare, sinew.measure]
CLASSES = [sinew.Model, Entries, sinew.Simulation, sinew.BodyState, sinew.EventRecord, sinew.LinearModel, Inputs, sinew.Snapshot, sinew.Result, Group, sinew.StudyTable, sinew.Env,
           sinew.Box]  # fmt: skip
ERRORS = [sinew.SinewError, sinew.ModelError, sinew.InputError, sinew.NumericsError, sinew.CallbackError,
          sinew.InterruptedRun]  # fmt: skip


def signature(function) -> str:
    """Arguments with their types, as they are written."""
    text = str(inspect.signature(function)).replace("'", "").replace('"', "")
    text = re.sub(r"^\(self(, )?", "(", text)
    return re.sub(r"\b(?:typing|sinew\.\w+)\.", "", text)


def doc(thing) -> str:
    """Its docstring; double backquotes of docstrings are single ones in Markdown, and lines with names become a list."""
    lines = (inspect.getdoc(thing) or "").replace("``", "`").splitlines()
    return "\n".join(re.sub(r"^(\w+(?:, \w+)*): ", r"- `\1`: ", line) for line in lines)


def methods(thing) -> None:
    head = "\nMethods and properties:\n"
    members = {**vars(thing), **(vars(Functions) if thing is sinew.Simulation else {})}
    for name, member in members.items():
        function = member.fget if isinstance(member, property) else member
        if name.startswith("_") or isinstance(member, (Part, Setting)) or not inspect.isfunction(function):
            continue
        print(head, end="\n" if head else "")
        head = ""
        call = name if isinstance(member, property) else name + signature(function)
        first, *rest = doc(function).splitlines() or [""]
        print("\n".join([f"- `{call}`: {first}", *(f"  {line}".rstrip() for line in rest)]))


def parts() -> None:
    print("\nParts with entries by name, and settings:\n")
    for name, member in vars(sinew.Model).items():
        if isinstance(member, (Part, Setting)):
            print(f"- `{name}`: {doc(member)}")


def kinds() -> None:
    print("\n## Kinds\n\nOne class for each kind of thing in a model. Their fields are in [reference.md](reference.md) and in `help(sinew.Cable)`.\n")
    classes = [getattr(sinew, name) for name in sinew.kinds.__all__]
    for part, category in CATEGORIES.items():
        names = [c.__name__ for c in classes if issubclass(c, Kind) and c._category == category]
        print(f"- `{part}`: {', '.join(f'`{name}`' for name in names)}")
    others = [c.__name__ for c in classes if c._category not in CATEGORIES.values()]
    print(f"- in fields of others: {', '.join(f'`{name}`' for name in others)}")


def main() -> None:
    print("# Python reference\n\nMade by `python/tools/generate_reference.py` from the docstrings; [python.md](python.md) is the guide.")
    print("\n## Functions")
    for function in FUNCTIONS:
        print(f"\n### sinew.{function.__name__}\n\n`{function.__name__}{signature(function)}`\n\n{doc(function)}")
    print("\n## Classes")
    for thing in CLASSES:
        public = thing.__name__ in sinew.__all__
        print(f"\n### {'sinew.' if public else ''}{thing.__name__}\n")
        if public and thing not in (sinew.Snapshot, sinew.StudyTable, sinew.LinearModel):
            print(f"`{thing.__name__}{signature(thing.__init__).removesuffix(' -> None')}`\n")
        print(doc(thing))
        if thing is sinew.Model:
            parts()
        methods(thing)
    print("\n## Errors\n")
    for error in ERRORS:
        base = ", ".join(b.__name__ for b in error.__bases__)
        print(f"- `{error.__name__}` ({base}): {doc(error)}")
    print("- `OSError` and `MemoryError` for files and memory, `KeyError` for unknown names, `ValueError` and `TypeError` for wrong arguments.")
    kinds()


if __name__ == "__main__":
    main()

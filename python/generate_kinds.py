"""python/sinew/kinds.py from `sinew schema`: a class for every kind of body, joint, force, ..., with its fields.

    build/release/sinew schema | python3 python/generate_kinds.py > python/sinew/kinds.py
"""
import json
import keyword
import re
import sys
import textwrap

# Which class name a kind gets: the category behind names that several have, and for kinds that are also something else.
suffix = {"section": "Section", "shape": "Shape", "surface": "Surface", "integrator": "", "contact": ""}


def camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[-_]", name))


def python_name(field: str) -> str:
    return field + "_" if keyword.iskeyword(field) or field == "self" else field


def main() -> None:
    definitions = json.load(sys.stdin)["$defs"]
    kinds = [(key.split(".", 1), value) for key, value in definitions.items() if "." in key]
    taken = {}
    print('"""A class for every kind of thing in a model. Made by python/generate_kinds.py; do not edit."""')
    print("from __future__ import annotations\n\nfrom typing import Any\n\nfrom .kind import Kind\n\n__all__: list[str] = []")
    for (category, kind), schema in kinds:
        name = camel(kind) + suffix.get(category, "")
        if name in taken or keyword.iskeyword(name):
            name += camel(category)
        if name in taken:
            raise SystemExit(f"two kinds would be the class {name}")
        taken[name] = key = f"{category}.{kind}"
        properties = {field: about for field, about in schema.get("properties", {}).items() if field != "type"}
        required = [field for field in properties if field in schema.get("required", [])]
        others = [field for field in properties if field not in required]
        print(f'\n\nclass {name}(Kind):\n    """{schema.get("description", key)}\n')
        for field in required + others:
            text = f"{python_name(field)}: {properties[field].get('description', '')}"
            print(textwrap.fill(text, 112, initial_indent="    ", subsequent_indent="        ").replace("\\", "\\\\"))
        print('    """\n')
        print(f"    _category, _type = {category!r}, {kind!r}")
        if properties:
            arguments = [f"{python_name(f)}: Any" for f in required] + [f"{python_name(f)}: Any = None" for f in others]
            body = textwrap.fill(", ".join(arguments), 108, initial_indent=" " * 8, subsequent_indent=" " * 8)
            print(f"\n    def __init__(\n        self,\n        *,\n{body},\n    ):")
            print("        super().__init__(locals())")
        print(f'\n\n__all__.append("{name}")')


main()

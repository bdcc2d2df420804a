"""gallery.py - docs/gallery.md from the bundled models: docs/site/gallery.py > docs/gallery.md.

A model is listed by its title, with the comment at its top, under the first group whose pattern its text matches.
"""

import re
from pathlib import Path

root = Path(__file__).resolve().parent.parent.parent

HEAD = """# Gallery: all bundled models

<!-- Made from models/*.yaml by docs/site/gallery.py. Change those, not this page. -->

Every model below is a file in `models/` that runs as it is: `sinew run models/pendulum.yaml`, then `sinew view pendulum.h5`.
On the site made by `scripts/site.sh --gallery` each has a film of ten seconds.
"""

GROUPS = [
    ("Contact", r"^contacts:"),
    ("Control, motors and events", r"^(controllers|events):|type: (actuator|dc-motor|hydraulic-cylinder|servo)\b|controller"),
    ("Equilibrium, vibration and stability", r"^(?![\s\S]*type: (dynamics|kinematics)\b)[\s\S]*type: (statics|modes|buckling|path|linearize)\b"),
    ("Ropes, belts and pulleys", r"type: (reeving|rope)\b"),
    ("Flexible bodies", r"type: (cable|beam|beam2d|plate|floating|planar-bar|planar-beam|\$\w+)\b"),
    ("Rigid bodies and mechanisms", r""),
]


def describe(path):
    text = path.read_text(encoding="utf-8")
    comment = re.match(r"((?:#.*\n)*)", text).group(1)
    comment = " ".join(line.lstrip("# ").strip() for line in comment.splitlines())
    title = re.search(r"^title: *(.*?) *$", text, re.M).group(1).strip("\"'")
    return text, title, comment.replace("|", "\\|").replace("<", "\\<").replace("*", "\\*").replace("$", "\\$")


def main():
    groups = {name: [] for name, _ in GROUPS}
    for path in sorted((root / "models").glob("*.yaml")):
        text, title, comment = describe(path)
        group = next(name for name, pattern in GROUPS if re.search(pattern, text, re.M))
        picture = f"![{title}](gallery/{path.stem}.png)"
        groups[group].append(f"| {picture} | **{title}**, [{path.stem}.yaml](../models/{path.name}). {comment} |")
    parts = [f"## {name}\n\n| | |\n|---|---|\n" + "\n".join(rows) + "\n" for name, rows in groups.items() if rows]
    print("\n".join([HEAD] + parts), end="")


main()

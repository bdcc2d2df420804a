#!/usr/bin/env python3
"""Runs the pages of the manual as they are printed and compares what the programs say with what the pages state.

    scripts/run_pages.py [PAGE...]             run and compare; all pages without arguments; exit code 1 on a difference
    scripts/run_pages.py --update PAGE...      write the outputs of today into the pages; read the changes before you commit them
    scripts/run_pages.py --pictures PAGE...    make the pictures of the pages again

Environment: SINEW, the program (build/release/sinew without it). PYTHONPATH, PKG_CONFIG_PATH and others are passed on.

A page runs in an empty folder of its own, from top to bottom. Comments of one line before a fenced block or an image say what it is:

    <!-- file: NAME -->         the block is the file NAME; a later block of the same name replaces it
    <!-- change: NAME -->       a block of language diff changes NAME: its lines with '-' and ' ' occur once in the file and
                                become its lines with '+' and ' '. A line '@@' separates several changes.
    <!-- tolerance: 0.02 -->    relative tolerance of the numbers of a console block; 1e-3 without it
    <!-- exit: 2 -->            exit code of the last command of a console block; all others end with 0
    <!-- not run: REASON -->    a block that is only shown
    <!-- picture: sinew render a.h5 -o NAME.png -->    the command that makes the image that follows, ![...](pictures/NAME.png)

A block of language console has lines '$ command', run by bash, each followed by what it prints (standard error included). A command
that ends with a backslash continues on the next line. In the output, a line '...' stands for any number of lines and '...' within a line for any words, numbers and signs;
all else is compared word by word, numbers by the tolerance. Numbers below 1e-12 are all equal: they are rounding.
Blocks without a language, or of language text or mermaid, are only shown. Every other block says what it is.
If commands of a page name models/..., its folder has the bundled models.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ["docs/start.md", "docs/tutorials/*.md", "docs/howto/*.md"]
SHOWN = {"", "text", "mermaid", "math"}  # languages of blocks that are not run
TOLERANCE = 1e-3
ROUNDING = 1e-12
LIMIT = 300  # seconds of a command
PICTURE_BYTES = 60 * 1024


class PageError(Exception):
    """What is wrong with a page, with the line (from 0) where."""

    def __init__(self, line, text):
        super().__init__(text)
        self.line = line


# ---- reading pages ----


@dataclass
class Block:
    """A fenced block or an image with the comments before it; line: of its fence or image, from 0."""

    line: int
    language: str
    lines: list
    notes: dict
    image: str = ""


@dataclass
class Command:
    """text: what bash gets; line: where it is printed; first: line of the page where its output begins."""

    text: str
    line: int
    first: int = 0
    expected: list = field(default_factory=list)


NOTE = re.compile(r"^<!--\s*(file|change|tolerance|exit|not run|picture):\s*(.*?)\s*-->\s*$")
IMAGE = re.compile(r"^!\[[^\]]*\]\(([^)]+)\)\s*$")


def blocks_of(lines):
    """The blocks of a page, in their order. Comments belong to what follows them."""
    notes, i = {}, 0
    while i < len(lines):
        note, image = NOTE.match(lines[i]), IMAGE.match(lines[i])
        if note:
            notes[note[1]] = note[2]
        elif lines[i].startswith("```"):
            start = i
            i += 1
            while i < len(lines) and lines[i].rstrip() != "```":
                i += 1
            if i == len(lines):
                raise PageError(start, "this block does not end")
            yield Block(start, lines[start][3:].strip(), lines[start + 1 : i], notes)
            notes = {}
        elif image:
            yield Block(i, "", [], notes, image[1])
            notes = {}
        elif lines[i].strip() and notes:
            raise PageError(i, f"'{next(iter(notes))}' is not followed by its block")
        i += 1
    if notes:
        raise PageError(len(lines) - 1, f"'{next(iter(notes))}' is not followed by its block")


def commands_of(block):
    """The commands of a console block, each with its expected output."""
    commands, lines, i = [], block.lines, 0
    while i < len(lines):
        if lines[i].startswith("$ "):
            command = Command(lines[i][2:], block.line + 1 + i)
            while command.text.endswith("\\") and i + 1 < len(lines):
                i += 1
                command.text += "\n" + lines[i].removeprefix("> ")
            command.first = block.line + 2 + i
            commands.append(command)
        elif commands:
            commands[-1].expected.append(lines[i])
        else:
            raise PageError(block.line + 1 + i, "a console block begins with '$ command'")
        i += 1
    return commands


# ---- changes of files ----


def hunks_of(block):
    """(old lines, new lines) of every change of a diff block."""
    hunks = [([], [])]
    for i, line in enumerate(block.lines):
        old, new = hunks[-1]
        if line.startswith("@@"):
            hunks.append(([], []))
        elif line[:1] in ("-", "+", " ", ""):
            if line[:1] != "+":
                old.append(line[1:])
            if line[:1] != "-":
                new.append(line[1:])
        else:
            raise PageError(block.line + 1 + i, "a line of a diff block begins with '-', '+' or a blank")
    return [h for h in hunks if h != ([], [])]


def apply_change(text, block):
    """The text with the changes of a block. Blanks at the ends of lines do not count."""
    lines = text.splitlines()
    for old, new in hunks_of(block):
        wanted = [line.rstrip() for line in old]
        places = [i for i in range(len(lines) - len(old) + 1) if [line.rstrip() for line in lines[i : i + len(old)]] == wanted]
        if not old or len(places) != 1:
            raise PageError(block.line, f"the lines to change occur {len(places) if old else 0} times in the file, not once:\n" + "\n".join(old))
        lines[places[0] : places[0] + len(old)] = new
    return "\n".join(lines) + "\n"


# ---- comparison ----

TOKEN = re.compile(r"\.\.\.|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[^\W\d_]+|\S")


def equal_token(expected, got, tolerance):
    if expected == got:
        return True
    try:
        a, b = float(expected), float(got)
    except ValueError:
        return False
    return abs(a - b) <= max(tolerance * abs(a), ROUNDING)


def matches(pattern, items, equal):
    """Whether items are what the pattern says, in which '...' stands for any number of them."""
    reached = {0}  # how many items the pattern so far may have used
    for p in pattern:
        if p == "...":
            reached = set(range(min(reached), len(items) + 1)) if reached else reached
        else:
            reached = {i + 1 for i in reached if i < len(items) and equal(p, items[i])}
        if not reached:
            return False
    return len(items) in reached


def equal_line(expected, got, tolerance):
    return matches(TOKEN.findall(expected), TOKEN.findall(got), lambda a, b: equal_token(a, b, tolerance))


def equal_output(expected, got, tolerance):
    pattern = ["..." if line.strip() == "..." else line for line in expected]
    return matches(pattern, got, lambda a, b: equal_line(a, b, tolerance))


def first_difference(expected, got, tolerance):
    """Index of the first expected line up to which the output does not follow."""
    for n in range(1, len(expected) + 1):
        if not equal_output([*expected[:n], "..."], got, tolerance):
            return n - 1
    return len(expected)


# ---- running ----


class Page:
    """A page while it runs; edits: what --update writes, {first line: (number of lines, new lines)}."""

    def __init__(self, path, folder, options):
        self.path, self.folder, self.options = path, folder, options
        self.lines = path.read_text().splitlines()
        self.commands, self.failures, self.edits = 0, 0, {}

    def complain(self, line, text):
        self.failures += 1
        print(f"{self.path}:{line + 1}: {text}")

    def run(self):
        for block in blocks_of(self.lines):
            if block.image:
                self.picture(block)
            elif "not run" in block.notes:
                continue
            elif "file" in block.notes:
                self.write(block.notes["file"], "\n".join(block.lines) + "\n")
            elif "change" in block.notes:
                self.change(block)
            elif block.language == "console":
                self.console(block)
            elif block.language not in SHOWN:
                raise PageError(block.line, f"a block of language {block.language} that is no file, no change and not 'not run'")

    def write(self, name, text):
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def change(self, block):
        target = self.folder / block.notes["change"]
        if not target.exists():
            raise PageError(block.line, f"there is no file {block.notes['change']} to change")
        target.write_text(apply_change(target.read_text(), block))

    def shell(self, text):
        """Exit code and lines of output."""
        try:
            done = subprocess.run(["bash", "-o", "pipefail", "-c", text], cwd=self.folder, timeout=LIMIT, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")  # fmt: skip
        except subprocess.TimeoutExpired:
            return 124, [f"(stopped after {LIMIT} s)"]
        return done.returncode, [line.rstrip() for line in done.stdout.splitlines()]

    def console(self, block):
        tolerance = float(block.notes.get("tolerance", TOLERANCE))
        commands = commands_of(block)
        for command in commands:
            wanted = int(block.notes.get("exit", 0)) if command is commands[-1] else 0
            code, got = self.shell(command.text)
            self.commands += 1
            if code != wanted:
                self.complain(command.line, f"'{command.text}' ends with exit code {code}, not {wanted}:\n" + "\n".join(f"    {line}" for line in got))
            elif not equal_output(command.expected, got, tolerance):
                if self.options.update:
                    self.renew(command, got, tolerance)
                else:
                    self.differ(command, got, tolerance)

    def differ(self, command, got, tolerance):
        n = first_difference(command.expected, got, tolerance)
        line = command.expected[n] if n < len(command.expected) else "(no more lines)"
        text = [f"'{command.text}' prints something else; here", f"  expected: {line}", "  got:"]
        self.complain(command.first + n, "\n".join(text + [f"    {g}" for g in got]))

    def renew(self, command, got, tolerance):
        """Lines with '...' that still match stay as they are."""
        kept = [line for line in command.expected if "..." in line and line.strip() != "..."]
        lines = [next((k for k in kept if equal_line(k, g, tolerance)), g) for g in got]
        self.edits[command.first] = (len(command.expected), lines)

    def picture(self, block):
        target = self.path.parent / block.image
        if "picture" in block.notes and self.options.pictures:
            command = block.notes["picture"]
            code, got = self.shell(command)
            made = self.folder / target.name
            if code or not made.exists():
                self.complain(block.line, f"'{command}' made no {target.name}:\n" + "\n".join(f"    {line}" for line in got))
                return
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(made, target)
            print(f"{target}: {target.stat().st_size / 1024:.0f} KB")
        if not target.exists():
            self.complain(block.line, f"there is no picture {target}")
        elif target.stat().st_size > PICTURE_BYTES:
            self.complain(block.line, f"{target} has {target.stat().st_size // 1024} KB, more than {PICTURE_BYTES // 1024}")

    def save(self):
        for first in sorted(self.edits, reverse=True):
            count, lines = self.edits[first]
            self.lines[first : first + count] = lines
        if self.edits:
            self.path.write_text("\n".join(self.lines) + "\n")
            print(f"{self.path}: {len(self.edits)} outputs renewed")


def run_page(path, options):
    """Number of differences."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        page = Page(path, Path(folder), options)
        try:
            if any(line.startswith("$ ") and "models/" in line for line in page.lines):
                (page.folder / "models").symlink_to(ROOT / "models")
            page.run()
        except PageError as error:
            page.complain(error.line, str(error))
        if options.update:
            page.save()
    outcome = "FAIL" if page.failures else "ok  "
    print(f"{outcome}  {path}: {page.commands} commands, {time.monotonic() - start:.1f} s", flush=True)
    return page.failures


def set_environment(folder):
    """sinew and python3 first in PATH; no colors, a terminal of 100 columns."""
    program = Path(os.environ.get("SINEW") or ROOT / "build/release/sinew").resolve()
    if not program.exists():
        sys.exit(f"there is no program {program}; SINEW names another one")
    (folder / "sinew").symlink_to(program)
    if Path("/usr/bin/python3").exists():
        (folder / "python3").symlink_to("/usr/bin/python3")
    os.environ.update(PATH=f"{folder}{os.pathsep}{os.environ['PATH']}", SINEW=str(program), NO_COLOR="1", COLUMNS="100", LC_ALL="C.UTF-8",
                      MPLBACKEND="Agg", PYTHONDONTWRITEBYTECODE="1")  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--pictures", action="store_true")
    options = parser.parse_args()
    pages = options.pages or [path for pattern in PAGES for path in sorted(ROOT.glob(pattern))]
    with tempfile.TemporaryDirectory() as folder:
        set_environment(Path(folder))
        failures = sum(run_page(path, options) for path in pages)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()

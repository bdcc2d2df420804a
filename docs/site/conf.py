"""conf.py - the manual as a site, by Sphinx, from the Markdown pages of docs/.

The pages contain nothing but plain Markdown with LaTeX between dollar signs, as GitHub shows it. What Sphinx needs
besides is added here while they are read: the contents from the lists of links in README.md, equations by KaTeX,
pictures and films in the gallery. scripts/site.sh calls this.
"""

import html
import inspect
import os
import re
import shutil
import subprocess
from pathlib import Path

from docutils import nodes

here = Path(__file__).resolve().parent
root = here.parent.parent

project = "Sinew"
author = "The Sinew authors"
version = release = re.search(r"project\(Sinew VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text()).group(1)
extensions = ["myst_parser"]
root_doc = "README"
exclude_patterns = ["site", "**/node_modules"]
language = "en"
nitpicky = True

# ---- Markdown as GitHub reads it ----

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
myst_dmath_double_inline = True
suppress_warnings = ["myst.header"]  # pages may jump from # to ###
highlight_language = "text"

# ---- appearance ----

html_theme = "furo"
html_title = f"Sinew {version}"
html_static_path = ["static"]
html_css_files = ["katex/katex.min.css", "manual.css"]
html_js_files = ["manual.js"]
html_copy_source = False
html_show_sphinx = False
html_use_index = False
html_math_renderer = "katex"
# Of the styles in Debian, these have contrasts of 4.5 and more on their backgrounds.
pygments_style = "default"
pygments_dark_style = "github-dark"
# Furo's own dark colors: Debian's style sheet has them for the button only, not for readers who prefer dark.
html_theme_options = {
    "dark_css_variables": {
        "color-problematic": "#ee5151",
        "color-foreground-primary": "#ffffffcc",
        "color-foreground-secondary": "#9ca0a5",
        "color-foreground-muted": "#81868d",
        "color-foreground-border": "#666666",
        "color-background-primary": "#131416",
        "color-background-secondary": "#1a1c1e",
        "color-background-hover": "#1e2124ff",
        "color-background-hover--transparent": "#1e212400",
        "color-background-border": "#303335",
        "color-background-item": "#444",
        "color-brand-primary": "#3d94ff",
        "color-brand-content": "#368ce2",
        "color-highlighted-background": "#083563",
        "color-highlight-on-target": "#333300",
        "color-admonition-background": "#18181a",
    }
}

# ---- contents: the lists of links in README.md ----

LINK = re.compile(r"\]\(([^)#:]+)\.md(?:#[^)]*)?\)")


def toctree(caption, pages):
    lines = ["", "```{toctree}", ":hidden:"]
    lines += [f":caption: {caption}"] if caption else []
    return "\n".join(lines + [""] + pages + ["```", ""])


def pages_of(text, taken):
    """The pages that a text links to, each once; not those in other folders' lists."""
    pages = []
    for page in LINK.findall(text):
        if not page.startswith("..") and page not in taken:
            taken.add(page)
            pages.append(page)
    return pages


def add_contents(docname, text):
    """README.md at the top: a part of the contents for every heading. Others: the pages they link to."""
    taken = {"README"}
    if docname != root_doc:
        folder_only = [p for p in pages_of(text, taken) if "/" not in p]
        return text + toctree("", folder_only) if folder_only else text
    parts = re.split(r"^## +(.*)$", text, flags=re.M)[1:]
    for title, body in zip(parts[::2], parts[1::2]):
        pages = pages_of(body, taken)
        if pages:
            text += toctree(title.strip(), pages)
    return text


# ---- gallery: the rows of its tables as figures, with what scripts/gallery.sh has made ----

MODEL = re.compile(r"^\| !\[(.*?)\]\(gallery/([\w-]+)\.png\) \| (.*) \|$", re.M)
films = root / "build/gallery"


def figure(row):
    title, name, words = row.groups()
    picture = f"_gallery/{name}.png"
    if (films / f"{name}.webm").exists():
        shown = f'<video src="_gallery/{name}.webm" poster="{picture}" aria-label="{html.escape(title)}" controls loop muted playsinline preload="none"></video>'
    else:
        shown = f'<img src="{picture}" alt="{html.escape(title)}" loading="lazy">'
    return f"<figure>\n{shown}\n<figcaption>\n\n{words}\n\n</figcaption>\n</figure>\n\n"


def show_models(text):
    tables = re.compile(r"\| \| \|\n\|---\|---\|\n((?:\|.*\n)+)")
    return tables.sub(lambda table: f'<div class="models">\n\n{MODEL.sub(figure, table.group(1))}</div>\n', text)


def copy_gallery(app):
    place = Path(app.outdir, "_gallery")
    place.mkdir(exist_ok=True)
    for file in [*films.glob("*.webm"), *(root / "docs/gallery").glob("*.png")]:
        shutil.copy2(file, place / file.name)


# ---- what is read differently from GitHub ----

OUTSIDE = re.compile(r"\[([^]\n]*)\]\(((?:\.\./)+[^)#\n]*)(#[^)\n]*)?\)")


def outside(app, docname, link):
    """A link to something outside of docs/: pages there are files to open, folders only names."""
    text, path = link.group(1), link.group(2)
    place = (Path(app.srcdir) / docname).parent / path
    if (root / "docs").resolve() in place.resolve().parents or not place.exists():
        return link.group(0)
    if place.is_dir():
        return text
    return f"{{download}}`{text} <{path}>`" if path.endswith(".md") else link.group(0)


def adapt(app, docname, source):
    text = source[0]
    text = re.sub(r"^( *)```math$", r"\1```{math}", text, flags=re.M)
    text = re.sub(r"^( *)```mermaid$", r"\1```text", text, flags=re.M)
    text = OUTSIDE.sub(lambda link: outside(app, docname, link), text)
    if docname == "gallery":
        text = show_models(text)
    if docname.split("/")[-1] == "README":
        text = add_contents(docname, text)
    source[0] = text


# ---- equations: marked here, set by KaTeX in all pages at once (equations.mjs) ----


def inline_equation(self, node):
    self.body.append(f'<span class="tex">{html.escape(node.astext())}</span>')
    raise nodes.SkipNode


def block_equation(self, node):
    self.body.append(f'<div class="tex">{html.escape(node.astext())}</div>')
    raise nodes.SkipNode


def set_equations(app):
    done = subprocess.run(["node", str(here / "equations.mjs"), app.outdir], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"equations: {done.stderr or done.stdout}")


# ---- the theme as Debian packs it ----


def repair_theme(app):
    """Debian's Furo takes a style sheet from its web server, and its script is a module, which files cannot load."""
    static = Path(app.outdir, "_static")
    styles, script = static / "styles/furo.css", static / "scripts/furo.js"
    text = re.sub(r"@import url\(/javascript/[^)]*\);", "", styles.read_text(encoding="utf-8"))
    styles.write_text(text, encoding="utf-8")
    text = script.read_text(encoding="utf-8")
    spy = static / "scripts/gumshoe-patched.js"
    if text.startswith("import Gumshoe"):
        script.write_text(spy.read_text(encoding="utf-8") + text[text.index("\n") :], encoding="utf-8")


def serve_all(app):
    """What Sphinx leaves out for keyboards and screen readers: code that scrolls has the focus, headings have a level."""
    for page in Path(app.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        better = re.sub(r'role="heading"(?! aria-level)', 'role="heading" aria-level="2"', text).replace("<pre>", '<pre tabindex="0">')
        if better != text:
            page.write_text(better, encoding="utf-8")


# ---- words: where `sinew docs WORD` goes ----


def write_words(app):
    """words.txt: every title of a page and heading in lower case, a tab, its address. The first one counts."""
    words = {}
    first = ["reference", "glossary", "tools"]
    docs = sorted(app.env.found_docs, key=lambda d: (d not in first, "/" in d, d))
    for doc in docs:
        words.setdefault(doc.split("/")[-1].lower(), f"{doc}.html")
    for doc in docs:
        for link in app.env.tocs[doc].findall(nodes.reference):
            if link["refuri"] == doc:
                words.setdefault(link.astext().lower(), f"{doc}.html{link['anchorname']}")
    with open(os.path.join(app.outdir, "words.txt"), "w", encoding="utf-8") as out:
        out.writelines(f"{word}\t{place}\n" for word, place in sorted(words.items()))


def write_index(app):
    """The first page is README.html; a server and a reader look for index.html."""
    with open(os.path.join(app.outdir, "index.html"), "w", encoding="utf-8") as out:
        out.write(
            '<!doctype html><meta charset="utf-8"><title>Sinew</title>\n'
            '<meta http-equiv="refresh" content="0; url=README.html"><a href="README.html">The manual</a>\n'
        )


def finish(app, error):
    if error or app.builder.name != "html":
        return
    set_equations(app)
    copy_gallery(app)
    repair_theme(app)
    serve_all(app)
    write_words(app)
    write_index(app)


def setup(app):
    # All pages are read again when one of these changes; the gallery always is.
    readers = (toctree, pages_of, add_contents, outside, adapt, inline_equation, block_equation)
    app.add_config_value("readers", "".join(map(inspect.getsource, readers)), "env")
    app.connect("env-get-outdated", lambda app, env, added, changed, removed: ["gallery"])
    app.add_html_math_renderer("katex", (inline_equation, None), (block_equation, None))
    app.connect("source-read", adapt)
    app.connect("build-finished", finish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

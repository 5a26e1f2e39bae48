"""Configuration of the documentation site: python -m sphinx -c docs/site -W . out/site.

The sources are the pages in the project itself, so links work in both places. The API reference
comes from docstrings; neither Maya nor Qt is needed.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from docs import make_gallery  # noqa: E402
from jointlimits_core.base.version import __version__  # noqa: E402

project = "Joint Limits for Maya"
version = release = __version__
copyright = "the authors of Joint Limits for Maya; MIT licence"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
]
root_doc = "docs/index"
# The source folder is the whole project, so pages are listed explicitly.
include_patterns = [
    "docs/*.md",
    "docs/evidence/*.md",
    "docs/api/*.rst",
    "*/README.md",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
]
exclude_patterns = [".*", "build", "dist", "out", "tests", "**/.venv*", "**/__pycache__"]
# A promised name also has a page where it lives; a link may lead to either.
# README files of folders start as GitHub shows them.
suppress_warnings = ["myst.header", "ref.python"]

myst_heading_anchors = 3

autodoc_mock_imports = ["maya"]
autosummary_generate = False  # the tables list names documented on the same page
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # docstrings have more: shapes, units
autodoc_preserve_defaults = True
add_module_names = False  # they are in the headings
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False

html_theme = "furo"
html_title = f"Joint Limits {__version__}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_logo = "../../icons/jointLimits_window_200.png"
html_favicon = "../../icons/jointLimits_window.png"
html_copy_source = False
html_show_sphinx = False
templates_path = ["templates"]
# The front page is in docs; index.html at the top forwards to it.
html_additional_pages = {"index": "forward.html"}


def _readable(app, what, name, thing, options, signature, returns):
    """Replace defaults made by a factory with an ellipsis."""
    return signature and signature.replace("<factory>", "..."), returns


def _sentence(app, what, name, thing, options, lines):
    """Keep napoleon from reading text before a colon in the first line as a type."""
    if what in {"attribute", "data", "property"} and lines:
        lines[:0] = ["..", ""]


def _described(app, pagename, templatename, context, doctree):
    """Link from highlighted source to the description of the public name."""
    if not pagename.startswith("_modules/"):
        return
    module = pagename.partition("/")[2].replace("/", ".")

    def whole(found):
        page, name = found.groups()
        inside = page.endswith("/index.html") or name.startswith(f"{module}.")
        return f"{page}#{name}" if inside else f"{page}#{module}.{name.partition('.')[2]}"

    context["body"] = re.sub(r"([\w./]+\.html)#(jointlimits_core\.[\w.]+)", whole, context["body"])


def _write_gallery(app, failure):
    """Write the reports that the pictures of the gallery stand for."""
    if failure is None and app.builder.format == "html":
        make_gallery.main(Path(app.outdir) / "docs" / "gallery")


def _open_reports(app, pagename, templatename, context, doctree):
    """Lead from a picture of the gallery to its report, which only the site holds."""
    if pagename == "docs/gallery":
        link = r'download="" href="[^"]*gallery_(\w+)\.png"'
        context["body"] = re.sub(link, r'href="gallery/\1.html"', context["body"])


def setup(app):
    """Connect the handlers of signatures, docstrings, source links and the gallery."""
    app.connect("autodoc-process-signature", _readable)
    app.connect("autodoc-process-docstring", _sentence, priority=400)
    app.connect("html-page-context", _described)
    app.connect("html-page-context", _open_reports)
    app.connect("build-finished", _write_gallery)

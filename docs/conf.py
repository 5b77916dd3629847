"""The documentation site: `scripts/docs` builds it with Sphinx."""

from __future__ import annotations

import sys
from pathlib import Path

import apsp

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_sphinx"), str(HERE.parent)]

project = "apsp"
author = "the authors of apsp"
copyright = f"2026, {author}"  # noqa: A001 - the name that Sphinx reads
release = version = apsp.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "name_links",
    "repository_pages",
    "returned_classes",
    "step_page",
]
exclude_patterns = ["_build", "_sphinx", "_templates", "examples", "papers/figures", "gallery/**.ipynb"]
templates_path = ["_templates"]
nitpicky = True
highlight_language = "python"
default_role = "literal"  # `name` in a docstring is code, and a link where it is documented (name_links)
# Anchors of headings are those of a forge, so that links to them work there and here.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]

autosummary_generate = True
autodoc_typehints = "none"  # the docstrings say the types, with shapes and units
autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

sphinx_gallery_conf = {
    "examples_dirs": ["examples"],
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"plot_",
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_signature": False,
    "show_memory": False,
    "min_reported_time": 60,
    "write_computation_times": False,
    "remove_config_comments": True,
    "thumbnail_size": (480, 340),
    "doc_module": ("apsp",),
    "backreferences_dir": None,
}

html_theme = "pydata_sphinx_theme"
html_title = "apsp"
html_static_path = ["_static"]
html_css_files = ["apsp.css"]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"index": [], "getting-started": []}
html_theme_options = {
    "logo": {"text": "apsp"},
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_center": [],
    "footer_end": ["theme-version"],
    "show_prev_next": True,
    "back_to_top_button": False,
}

"""Settings of the site: `make docs`."""

import vclogic

project = "vclogic"
version = release = vclogic.__version__
project_copyright = "the vclogic authors, MIT licence"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = f"vclogic {release}"
html_show_sphinx = False

myst_heading_anchors = 4  # as on GitHub, so that links to headings work in both places
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 100
napoleon_use_ivar = True
python_use_unqualified_type_names = True

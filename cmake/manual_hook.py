# SPDX-License-Identifier: Apache-2.0
"""What mkdocs is told of our pages: they are written for readers of the tree, too.

- Links that leave docs/ go to files that a site does not have; their words stay.
- Lists of the tree have no empty line around them, and inner lists two spaces; Python's Markdown asks for more.
- Scripts beside pictures stay out of the site.
- Pages that the program prints (cmake/manual_pages.py) come from the folder that TOFSCOPE_PAGES names.
"""
import os
import pathlib
import re

from mkdocs.structure.files import File

PAGES = pathlib.Path(os.environ.get("TOFSCOPE_PAGES", "build/release/manual"))


def on_files(files, config):
    ours = [file for file in files if file.abs_src_path.startswith(config["docs_dir"])]
    for file in ours:
        if not file.src_uri.endswith((".md", ".png", ".html", ".txt", "manual.css")):
            files.remove(file)
    for page in sorted(PAGES.glob("*.md")):
        files.append(File(page.name, str(page.parent), config["site_dir"], config["use_directory_urls"]))
    return files


def on_page_markdown(markdown, page, **_):
    up = "../" * (page.file.src_uri.count("/") + 1)
    markdown = re.sub(r"(?<!!)\[([^\]]*)\]\(%s[^)]*\)" % re.escape(up), r"\1", markdown)
    markdown = re.sub(r"\n(<!-- /?tree[^>]*-->)\n", r"\n\n\1\n\n", markdown)
    markdown = re.sub(r"^  (?=([-*]|\d+\.) )", "    ", markdown, flags=re.M)
    # A list that follows a line of text directly.
    return re.sub(r"^((?!\s|[-*|>#]|\d+\. ).+)\n(?=([-*]|1\.) )", r"\1\n\n", markdown, flags=re.M)

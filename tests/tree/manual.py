#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""manual.py PROGRAMS: the manual is whole: pages, links, anchors and pictures, in the tree and as a site.

  PROGRAMS   the folder with tofscope-cli

Pages are those of mkdocs.yml. Links are followed as readers of the tree follow them (GitHub's anchors), and once more in the
HTML that installer/manual makes, which must ask no other host for anything. Without mkdocs that half is left out, and says so.
"""
import html.parser
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PRINTED = {"commands.md"}  # by cmake/manual_pages.py
LARGEST_PICTURE = 150_000
OLD_PICTURES = "screenshots"  # of the whole window, which takes more


def nav():
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    return re.findall(r"^ +- [^:\n]+: (\S+\.md)$", text, re.M)


def without_code(text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(page):
    """The names that GitHub gives to headings."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    names = []
    for heading in re.findall(r"^#+ +(.*?)\s*$", text, re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        names.append(re.sub(r"[^\w\- ]", "", plain).replace(" ", "-"))
    return names


def check_tree(pages):
    """Faults of links and pictures in docs/, and the pictures that pages show."""
    faults, shown = [], set()
    for page in pages:
        whole = page.read_text(encoding="utf-8")
        text = without_code(whole)
        if "![" in text and page.parent == DOCS and not re.search(r"`docs/\w+/make`", whole):
            faults.append("%s: does not say which script makes its pictures" % page.relative_to(ROOT))
        for mark, target in re.findall(r"(!?)\[[^\]]*\]\(([^)\s]+)\)", text):
            if re.match(r"https?:|mailto:", target):
                continue
            name, _, anchor = target.partition("#")
            file = (page.parent / urllib.parse.unquote(name)).resolve() if name else page
            if file.name in PRINTED and file.parent == DOCS:
                continue
            if not file.exists():
                faults.append("%s: '%s' is not there" % (page.relative_to(ROOT), target))
            elif anchor and anchor not in anchors(file):
                faults.append("%s: '%s' has no such heading" % (page.relative_to(ROOT), target))
            elif mark:
                shown.add(file)
    return faults, shown


def check_pictures(shown):
    faults = []
    for picture in sorted(DOCS.rglob("*.png")):
        name = picture.relative_to(ROOT)
        if picture not in shown:
            faults.append("%s: no page shows it" % name)
        if picture.parent.name == "pictures" and picture.stat().st_size > LARGEST_PICTURE:
            faults.append("%s: has %d bytes; %d are the most" % (name, picture.stat().st_size, LARGEST_PICTURE))
    return faults


def check_nav():
    listed = nav()
    faults = ["mkdocs.yml: '%s' is there twice" % name for name in sorted(set(listed)) if listed.count(name) > 1]
    there = {path.name for path in DOCS.glob("*.md")} | PRINTED | {"measurements/README.md"}
    faults += ["mkdocs.yml: '%s' is missing" % name for name in sorted(there - set(listed))]
    return faults + ["mkdocs.yml: there is no '%s'" % name for name in sorted(set(listed) - there)]


class Html(html.parser.HTMLParser):
    """Ids, links and what a page loads."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loaded = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids.update(given[name] for name in ("id", "name") if given.get(name))
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if given.get("src") or (tag == "link" and given.get("href")):
            self.loaded.append(given.get("src") or given["href"])


def check_site(programs, site):
    pages = site.parent / "pages"
    subprocess.run([sys.executable, ROOT / "cmake/manual_pages.py", programs / "tofscope-cli", pages], check=True)
    made = subprocess.run([ROOT / "installer/manual", site, pages], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        return ["installer/manual: " + (made.stdout + made.stderr).strip()]
    parsed = {path: Html(path) for path in site.rglob("*.html")}
    faults = []
    for path, page in parsed.items():
        name = path.relative_to(site)
        for target in page.links + page.loaded:
            if re.match(r"https?:|//|data:", target):
                if target in page.loaded and not target.startswith("data:"):
                    faults.append("%s loads %s" % (name, target))
                continue
            file, _, anchor = urllib.parse.unquote(target).partition("#")
            wanted = (site / file.lstrip("/") if file.startswith("/") else path.parent / file).resolve() if file else path
            wanted = wanted / "index.html" if wanted.is_dir() else wanted
            if not wanted.exists():
                faults.append("site: %s: '%s' is not there" % (name, target))
            elif anchor and wanted in parsed and anchor not in parsed[wanted].ids:
                faults.append("site: %s: '%s' has no such heading" % (name, target))
    for style in site.rglob("*.css"):
        faults += ["%s loads %s" % (style.name, url) for url in re.findall(r"url\([\"']?(https?:[^)]*)\)", style.read_text())]
    return faults


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    faults, shown = check_tree([*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
    faults += check_nav() + check_pictures(shown)
    if shutil.which("mkdocs"):
        with tempfile.TemporaryDirectory() as folder:
            faults += check_site(programs, pathlib.Path(folder).resolve() / "site")
    else:
        print("SKIP: mkdocs is not installed (installer/dependencies); the site was not made")
    for fault in faults:
        print("FAULT " + fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

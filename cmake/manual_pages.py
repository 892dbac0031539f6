#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""manual_pages.py TOFSCOPE_CLI OUT [MAN]: pages of the manual that the program prints, with examples of the tutorials.

  OUT   the folder for commands.md
  MAN   a folder with the manual pages of the program (.1), which get the examples, too
"""
import json
import pathlib
import re
import subprocess
import sys

DOCS = pathlib.Path(__file__).resolve().parents[1] / "docs"
TUTORIALS = ["get-started", "tutorial-image", "tutorial-kernel", "tutorial-frames", "tutorial-foreign"]


def examples():
    """What the tutorials do with a command, one line of each: {command: [(title, page, line), ...]}."""
    found = {}
    for page in TUTORIALS:
        text = (DOCS / (page + ".md")).read_text(encoding="utf-8")
        title = re.match(r"# (.*)", text).group(1)
        for line, command in re.findall(r"^    (tofscope-cli ([a-z-]+).*)$", text, re.M):
            known = found.setdefault(command, [])
            if all(page != other and line != one for _, other, one in known):
                known.append((title, page, line))
    return found


def with_examples(roff, known):
    """A manual page with its examples before SEE ALSO."""
    plain = [line.replace("\\", "\\e").replace("-", "\\-") for _, _, line in known]
    return roff.replace(".SH SEE ALSO", ".SH EXAMPLES\n.EX\n%s\n.EE\n.SH SEE ALSO" % "\n".join(plain))


def cell(text):
    return " ".join(text.split()).replace("|", "\\|")


def row(given, name):
    takes = ", ".join("`%s`" % choice for choice in given["choices"]) or (given["value"] and "`%s`" % given["value"])
    start = "required" if given["required"] else given["default"]
    return "| `%s` | %s | %s | %s |" % (name, takes, cell(start), cell(given["help"]))


def section(command, known):
    needed = [given["name"] if given["required"] else "[%s]" % given["name"] for given in command["positionals"]]
    lines = ["## %s" % command["name"], "", command["summary"] + ".", "",
             "```text", " ".join(["tofscope-cli", command["name"], *needed, "[options]"]), "```", "",
             "| argument or option | takes | begins as | what it is |", "| --- | --- | --- | --- |"]
    lines += [row(given, given["name"]) for given in command["positionals"]]
    lines += [row(given, given["name"]) for given in command["options"] if given["name"] != "--help"]
    for title, page, line in known:
        lines += ["", "In [%s](%s.md):" % (title, page), "", "```text", line, "```"]
    return "\n".join(lines)


def main():
    cli, out = sys.argv[1:3]
    known = examples()
    for page in [page for folder in sys.argv[3:] for page in pathlib.Path(folder).glob("tofscope-cli-*.1")]:
        shown = known.get(page.stem.removeprefix("tofscope-cli-"))
        if shown:
            page.write_text(with_examples(page.read_text(encoding="utf-8"), shown), encoding="utf-8")
    said = json.loads(subprocess.run([cli, "manual"], capture_output=True, text=True, check=True).stdout)
    head = ("# Commands\n\n`tofscope-cli` %s prints this page from its table of commands, and also the manual pages "
            "(`man tofscope-cli`)\nand the completions of shells. `--json`, `--quiet` and `--verbose` belong to every command."
            % said["version"])
    text = "\n\n".join([head, *[section(command, known.get(command["name"], [])) for command in said["commands"]]]) + "\n"
    page = pathlib.Path(out) / "commands.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


main()

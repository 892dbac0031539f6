#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""manual_pages.py TOFSCOPE_CLI OUT: pages of the manual that the program prints: commands.md in the folder OUT."""
import json
import pathlib
import subprocess
import sys


def cell(text):
    return " ".join(text.split()).replace("|", "\\|")


def row(given, name):
    takes = ", ".join("`%s`" % choice for choice in given["choices"]) or (given["value"] and "`%s`" % given["value"])
    start = "required" if given["required"] else given["default"]
    return "| `%s` | %s | %s | %s |" % (name, takes, cell(start), cell(given["help"]))


def section(command):
    needed = [given["name"] if given["required"] else "[%s]" % given["name"] for given in command["positionals"]]
    lines = ["## %s" % command["name"], "", command["summary"] + ".", "",
             "```text", " ".join(["tofscope-cli", command["name"], *needed, "[options]"]), "```", "",
             "| argument or option | takes | begins as | what it is |", "| --- | --- | --- | --- |"]
    lines += [row(given, given["name"]) for given in command["positionals"]]
    lines += [row(given, given["name"]) for given in command["options"] if given["name"] != "--help"]
    return "\n".join(lines)


def main():
    cli, out = sys.argv[1:]
    said = json.loads(subprocess.run([cli, "manual"], capture_output=True, text=True, check=True).stdout)
    head = ("# Commands\n\n`tofscope-cli` %s prints this page from its table of commands, and also the manual pages "
            "(`man tofscope-cli`)\nand the completions of shells. `--json`, `--quiet` and `--verbose` belong to every command."
            % said["version"])
    text = "\n\n".join([head, *map(section, said["commands"])]) + "\n"
    page = pathlib.Path(out) / "commands.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""release.py PROGRAMS: what a release says of itself is one thing, and its manual pages and completions work.

  PROGRAMS   the folder with tofscope-cli and, where it is built, tofscope

Version and date are those of recon/settings/version.h everywhere. Tools that are not installed are named and left out:
desktop-file-validate, appstreamcli, man, bash, zsh, fish. installer/dependencies --lint installs them all.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DESKTOP = ROOT / "resources" / "desktop"


class Faults(list):
    def expect(self, what, found, wanted):
        if found != wanted:
            self.append("%s is %r, not %r" % (what, found, wanted))

    def run(self, what, words, **more):
        """Runs a tool that must succeed and say nothing on standard error."""
        if not shutil.which(words[0]):
            print("SKIP: %s is not installed (installer/dependencies --lint)" % words[0])
            return ""
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **more)
        if done.returncode != 0 or done.stderr.strip():
            self.append("%s: %s" % (what, (done.stdout + done.stderr).strip()[:2000]))
        return done.stdout


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def first(pattern, where):
    found = re.search(pattern, text(where), re.M)
    return found.groups() if found else None


def check_numbers(faults):
    header = text("recon/settings/version.h")
    version, date = (re.search(name + r' = "(.*)"', header).group(1) for name in ("kVersion", "kReleaseDate"))
    faults.expect("the newest release of CHANGELOG.md", first(r"^## (\S+) \((.*)\)$", "CHANGELOG.md"), (version, date))
    faults.expect("CITATION.cff", first(r"^version: (\S+)\ndate-released: (\S+)$", "CITATION.cff"), (version, date))
    faults.expect("the newest release of the metainfo",
                  first(r'<release version="(.*)" date="(.*)">', "resources/desktop/org.tofscope.Tofscope.metainfo.xml"),
                  (version, date))
    return version


def check_desktop(faults):
    faults.run("tofscope.desktop", ["desktop-file-validate", DESKTOP / "tofscope.desktop"])
    faults.run("metainfo", ["appstreamcli", "validate", "--no-net", *DESKTOP.glob("*.metainfo.xml")])


def completed(faults, script, words):
    """What bash offers for the last of the words."""
    program = ('source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tofscope_cli; printf "%s\\n" "${COMPREPLY[@]}"')
    return faults.run("bash's completion", ["bash", "-c", program, script, *words]).split()


def check_completions(faults, folder, table):
    bash = folder / "bash-completion/completions/tofscope-cli"
    fish = folder / "fish/vendor_completions.d/tofscope-cli.fish"
    faults.run("zsh's completion", ["zsh", "-n", folder / "zsh/vendor-completions/_tofscope-cli"])
    if shutil.which("bash"):
        faults.expect("bash after 'recon'", completed(faults, bash, ["tofscope-cli", "recon"]), ["reconstruct"])
        for command in table["commands"]:
            for option in command["options"]:
                words = ["tofscope-cli", command["name"], option["name"], ""]
                if option["choices"]:
                    faults.expect("bash after %s" % words[1:3], completed(faults, bash, words), option["choices"])
    if shutil.which("fish"):
        said = faults.run("fish's completion", ["fish", "--no-config", "-c",
                                                "source $argv[1]; complete -C 'tofscope-cli bin --deposit '", fish])
        faults.expect("fish after bin --deposit", [line.split("\t")[0] for line in said.splitlines()], ["centre", "face"])


def check_manual(faults, programs, folder):
    cli = programs / "tofscope-cli"
    faults.run("manual", [cli, "manual", folder])
    table = json.loads(faults.run("manual", [cli, "manual"]))
    pages = sorted((folder / "man/man1").glob("*.1"))
    wanted = ["tofscope-cli", *("tofscope-cli-" + command["name"] for command in table["commands"])]
    faults.expect("the manual pages", sorted(page.stem for page in pages), sorted(wanted))
    if (programs / "tofscope").exists():
        pages.append(folder / "man/man1/tofscope.1")
        faults.run("tofscope(1)", [sys.executable, ROOT / "cmake/window_manual.py", programs / "tofscope", pages[-1]])
    for page in pages:
        faults.run(page.name, ["man", "--warnings", "-l", page],
                   env={"LC_ALL": "C.UTF-8", "MANWIDTH": "100", "PATH": "/usr/bin:/bin"})
    check_completions(faults, folder, table)
    return table["version"]


def main():
    faults = Faults()
    version = check_numbers(faults)
    check_desktop(faults)
    with tempfile.TemporaryDirectory() as folder:
        said = check_manual(faults, pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(folder))
    faults.expect("the version of tofscope-cli", said, version)
    print("\n".join("FAULT " + fault for fault in faults))
    return 1 if faults else 0


sys.exit(main())

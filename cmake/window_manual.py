#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""window_manual.py TOFSCOPE OUT: the manual page tofscope(1) from what `tofscope --help` says."""
import pathlib
import re
import subprocess
import sys

VERSION = pathlib.Path(__file__).resolve().parents[1] / "recon" / "settings" / "version.h"


def escaped(text):
    roff = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + roff if roff.startswith((".", "'")) else roff


def stated(name):
    return re.search(name + r' = "(.*)"', VERSION.read_text(encoding="utf-8")).group(1)


def lines_of(text):
    """The page's body: options as tagged paragraphs, headings as sections, and the example as it is."""
    for line in text.splitlines()[1:]:
        option = re.match(r"  (--[a-z-]+)(?: (\S+))?\s{2,}(.*)$", line)
        if option:
            name, value, words = option.groups()
            yield ".TP\n\\fB%s\\fR%s\n%s" % (escaped(name), " \\fI%s\\fR" % escaped(value) if value else "", escaped(words))
        elif line.startswith("  "):
            yield ".SH EXAMPLE\n.EX\n%s\n.EE" % escaped(line.strip())
        elif line.endswith(":"):
            yield ".SH %s" % line[:-1].upper()
        elif line:
            yield ".PP\n" + escaped(line)


def main():
    program, out = sys.argv[1:]
    text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    page = ['.TH "TOFSCOPE" 1 "%s" "Tofscope %s" "Tofscope"' % (stated("kReleaseDate"), stated("kVersion")),
            ".SH NAME", "tofscope \\- reconstruct time\\-of\\-flight PET in a window",
            ".SH SYNOPSIS", "\\fBtofscope\\fR [\\fIFILE\\fR...] [\\fIOPTION\\fR...]", ".SH DESCRIPTION", *lines_of(text),
            ".SH SEE ALSO", "\\fBtofscope\\-cli\\fR(1)"]
    target = pathlib.Path(out)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n".join(page) + "\n", encoding="utf-8")


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands that the documents print, so that a reader who types them finds that they work.

usage: tests/tree/documents.py PROGRAMS [--list] [--times] [--keep FOLDER] [DOCUMENT ...]
  PROGRAMS   the folder with tofscope-cli and, where it is built, tofscope
  --keep     leave what the commands of each document wrote in FOLDER/DOCUMENT (docs/pictures/make)

Commands are the lines of indented and fenced blocks that begin with a known program. Those of one document run one
after the other in a new folder, in which the files of `prepare` are. Rules:

- *Get started* and the tutorials are followed to the letter, from an empty folder: files that they tell to save ("Save
  this as `NAME`:" before a block) are saved, and every command runs as it stands. Pictures that a page shows must be made.
- In other documents numbers are made small: `shrunk` says how. A scanner whose data are large has a small one in its place.
- Commands with a file of somebody else's (`FOREIGN`), words that a reader fills in (LIST, OUT), or a launcher of
  several processes are not run: their options must be those of `COMMAND --help`.
- Scripts of the tree must be there and be executable; presets and options of CMake must be there.
- `tofscope` runs off screen and ends by `--exit`.
- Options in the text, as `--noise-free`, must be options of some command.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile

import foreign_files

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = ["README.md", "CONTRIBUTING.md", *sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").glob("*.md"))]
FOREIGN = {"smalllong.hs", "rat.h5", "PET_ACQ_small.l.hdr.STIR", "brain.h5", "coincidencesLM.clm.safir", "dynamic.nii.gz",
           "helix.h5"}  # tests/library makes that one
# Options of other programs that documents name.
OTHERS = {"--allow-run-as-root", "--oversubscribe", "--next", "--bind-to", "--map-by", "--help", "--preset", "--build", "--lint", "--release",
          "--fix", "--base", "--mpi", "--write", "--busy", "--gpu", "--target", "--install", "--times"}
RINGS = {"kind": "rings", "name": "small", "rings": 4, "crystals_per_ring": 96, "radius_mm": 420, "ring_spacing_mm": 6.54,
         "segments": "ge", "radial_bins": 55, "angles_per_part": 4}
PANELS = {"name": "tiny", "modules": {"count": 2, "face_to_face_mm": 20, "first_angle_deg": 0, "crystals": [7, 5],
                                      "pitch_mm": [2.4, 2.4]},
          "crystal_mm": [2.1, 2.1, 20], "attenuation_per_mm": 0.0819, "acceptance_deg": 85, "fov_diameter_mm": 100,
          "timing_fwhm_ps": 3000}
SMALL = {"ge-ste": ("rings.json", RINGS), "hrrt-panel": ("panels.json", PANELS)}
# What lists that commands begin with are of: the estimate of scatter takes as long as the body is large.
BODY = {"name": "small", "shapes": [
    {"kind": "cylinder", "name": "water", "role": "background", "centre_mm": [0, 0, 0], "radius_mm": 50, "length_mm": 60,
     "activity": 1, "mu_per_mm": 0.0096},
    {"kind": "sphere", "name": "sphere", "role": "sphere", "centre_mm": [20, 0, 0], "radius_mm": 12, "activity": 4,
     "mu_per_mm": 0.0096}]}
TO_THE_LETTER = re.compile(r"docs/(get-started|tutorial-[a-z]+)\.md$")
MOST = {"--events": 4000, "--iterations": 2, "--subsets": 8, "--measure-cycles": 1, "--threads": 2}
# A lattice that commands without one get, and the most voxels of a side of one. What a view's factors take follows the
# millimetres of the lattice rather than its voxels, so a side is made half as long, too.
SMALL_GRID = ["--grid", "24x24x8", "--voxel", "10"]
MOST_ACROSS, SHORTER = 24, 1 / 2
LONGEST_S = 300


def joined(lines):
    """Lines with those that a backslash continues, without their comments."""
    whole = ""
    for line in lines:
        line = re.sub(r"\s{2,}#.*$", "", line)
        whole += " " + line.strip()
        if whole.endswith("\\"):
            whole = whole[:-1]
            continue
        yield whole.strip()
        whole = ""


def commands_of(text):
    """The lines of blocks that begin with a program we know."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.S | re.M)
    outside = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    lines = [line for block in blocks for line in block.splitlines()]
    lines += [line for line in outside.splitlines() if re.match(r" {4,}\S", line)]
    known = re.compile(r"((\w+=\S+ )*(build/release/bin/)?(tofscope|tofscope-cli|mpirun|srun|cmake|ctest|mkdir|echo|python3)\b"
                       r"|(installer|\.ci|tests|docs|build/release/bin)/)")
    return [line for line in joined(lines) if known.match(line)]


def saved_files(text):
    """What a page tells to save: {name: text}."""
    return dict(re.findall(r"[Ss]ave\s+this\s+as\s+`([^`]+)`:\n\n```\w*\n(.*?)^```", text, re.S | re.M))


def options_of_text(text):
    prose = re.sub(r"^```.*?^```|^ {4,}.*?$", "", text, flags=re.S | re.M)
    spans = re.findall(r"`([^`]+)`", prose)
    return sorted({option for span in spans for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*[a-z]", span)})


class Programs:
    def __init__(self, folder):
        self.folder = folder
        self.helps = {}

    def path(self, name):
        return self.folder / name

    def help(self, command):
        """What `tofscope-cli COMMAND --help` says, of tofscope with None."""
        if command not in self.helps:
            words = [str(self.path("tofscope-cli")), command, "--help"] if command else [str(self.path("tofscope")), "--help"]
            said = subprocess.run(words, capture_output=True, text=True, env=environment(), check=False)
            if said.returncode != 0:
                raise SystemExit("no command '%s': %s" % (command, said.stderr.strip()))
            self.helps[command] = said.stdout + self.general() if command else said.stdout
        return self.helps[command]

    def general(self):
        """What `tofscope-cli --help` says: the commands, and options of all of them."""
        if "" not in self.helps:
            self.helps[""] = subprocess.run([str(self.path("tofscope-cli")), "--help"], capture_output=True, text=True,
                                            env=environment(), check=True).stdout
        return self.helps[""]

    def commands(self):
        return re.findall(r"^  ([a-z][a-z-]+)  ", self.general(), re.M)

    def has_window(self):
        return self.path("tofscope").exists()


def environment(home=None):
    """Every folder is a home of its own; what programs keep to make nothing twice is common to those beside each other."""
    env = dict(os.environ, QT_QPA_PLATFORM="offscreen", LC_ALL="C.UTF-8")
    if home:
        env.update(HOME=str(home), XDG_STATE_HOME=str(home / "state"), XDG_CACHE_HOME=str(home.parent / "cache"),
                   XDG_CONFIG_HOME=str(home / "config"), XDG_DATA_HOME=str(home / "data"), XDG_RUNTIME_DIR=str(home))
    return env


def coarser(word, factor, up):
    numbers = [float(number) for number in word.split("x")]
    return "x".join("%g" % (number * factor if up else max(1, round(number / factor))) for number in numbers)


def shrunk(words):
    """The command on small data: few events, iterations, rounds and views, and a coarse lattice."""
    words = list(words)
    factor = 1
    for i, word in enumerate(words[:-1]):
        value = words[i + 1]
        if word in MOST and re.fullmatch(r"\d+", value):
            # Without physics ten times as many events take no longer.
            most = MOST[word] * (10 if word == "--events" and "labr3-ideal" in words else 1)
            words[i + 1] = str(min(int(value), most))
        elif word == "--views":
            words[i + 1] = "x".join(str(min(int(number), most)) for number, most in zip(value.split("x"), (4, 2)))
        elif word == "--grid" and re.match(r"\d+x", value):
            factor = max(1, max(int(number) for number in value.split("x")) / MOST_ACROSS)
            words[i + 1] = coarser(value, factor, up=False)
        elif word == "--scanner" and value in SMALL:
            words[i + 1] = SMALL[value][0]
    for i, word in enumerate(words[:-1]):
        if word == "--voxel" and re.match(r"[\d.]+", words[i + 1]):
            words[i + 1] = coarser(words[i + 1], max(1, factor * SHORTER), up=True)
    if words[0] == "correct" and "--rounds" not in words:
        words += ["--rounds", "1"]
    if words[0] == "bin" and "--grid" not in words and "--to" not in words:
        words += SMALL_GRID
    return words


def fillable(words):
    """Words that a reader fills in: LIST, DATA-OR-SCANNER, RUN.h5."""
    return [word for word in words if re.fullmatch(r"\[?[A-Z][A-Z-]+(\.\w+)?\]?", word)]


def prepare(programs, folder):
    """Files that commands of documents begin with: lists, data, a run, an image, and small files of other programs."""
    cli = str(programs.path("tofscope-cli"))
    folder.chmod(0o700)  # XDG_RUNTIME_DIR must be the user's alone
    for name, description in SMALL.values():
        (folder / name).write_text(json.dumps(description))
    (folder / "body.json").write_text(json.dumps(BODY))
    simulate = [cli, "--quiet", "simulate", "--phantom", "body.json", "--events", "4000", "--seed"]
    for words in ([cli, "kernel", "invariant", "--save", "mine"],
                  simulate + ["1", "--scanner", "labr3", "list.h5", "--delayeds", "late.h5", "--singles", "singles.h5"],
                  simulate + ["2", "--scanner", "labr3", "norm.h5"],
                  [cli, "--quiet", "bin", "list.h5", "data.h5", "--views", "4x2", *SMALL_GRID],
                  [cli, "--quiet", "convert", "list.h5", "scan.cdh"], [cli, "--quiet", "convert", "list.h5", "scan.petsird"],
                  [cli, "--quiet", "reconstruct", "data.h5", "--out", "run.h5", "--iterations", "1"]):
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, env=environment(folder), check=False)
        if done.returncode != 0:
            raise SystemExit("%s: %s" % (" ".join(words), done.stderr))
    shutil.copy(folder / "run.h5", folder / "image.h5")
    foreign_files.write_all(folder)
    study = folder / "study.tofstudy"
    (study / "runs").mkdir(parents=True)
    shutil.copy(folder / "data.h5", study / "data.h5")
    (study / "study.json").write_text('{"version": 1, "settings": {}, "true_ratio": 6}')


def options_fault(programs, words):
    """Why the options of a command are not those of its help; empty: they are."""
    words = [word for word in words if word not in ("[", "]")]
    name = pathlib.PurePath(words[0]).name
    command = words[1] if name == "tofscope-cli" and len(words) > 1 and not words[1].startswith("-") else None
    if name == "tofscope" and not programs.has_window():
        return ""
    if name == "tofscope-cli" and command is None:
        return ""
    known = programs.help(command)
    missing = [word for word in words if re.match(r"\[?--[a-z]", word)
               and not re.search(r"%s\b" % re.escape(word.strip("[]").split("=")[0]), known)]
    return "no option %s of %s" % (", ".join(missing), command or name) if missing else ""


def cmake_fault(words):
    presets = json.loads((ROOT / "CMakePresets.json").read_text())
    names = {preset["name"] for kind in ("configurePresets", "buildPresets", "testPresets") for preset in presets.get(kind, [])}
    for i, word in enumerate(words):
        if word == "--preset" and words[i + 1] not in names:
            return "no preset '%s'" % words[i + 1]
        option = re.match(r"-D(TOFSCOPE_\w+)", word)
        if option and option.group(1) not in (ROOT / "CMakeLists.txt").read_text():
            return "no option %s in CMakeLists.txt" % option.group(1)
    return ""


def script_fault(word):
    path = ROOT / word
    if word.startswith("build/release/bin/"):
        return ""  # a test program
    return "" if path.is_file() and os.access(path, os.X_OK) else "no program %s" % word


class Made:
    """What `simulate` and `bin` of pages wrote, by their words and the files that these name: pages that begin alike do so
    once."""

    def __init__(self, folder):
        self.folder = folder
        self.known = {}

    def run(self, words, folder, command):
        """What `command` returns, which writes files into `folder`, or those that it wrote before."""
        if words[0] not in ("simulate", "bin"):
            return command()
        named = [(folder / word).read_bytes() for word in words if (folder / word).is_file()]
        key = (*words, *(hashlib.sha256(held).hexdigest() for held in named))
        if key in self.known:
            shutil.copytree(self.known[key], folder, dirs_exist_ok=True)
            return ""
        before = set(folder.iterdir())
        fault = command()
        made = [path for path in folder.iterdir() if path not in before and path.is_file()]
        if made and not fault:
            self.known[key] = self.folder / str(len(self.known))
            self.known[key].mkdir(parents=True)
            for path in made:
                shutil.copy(path, self.known[key])
        return fault


class Absent(Exception):
    """What a page needs is not on this machine."""


def run(programs, line, folder, made):
    """What is wrong with a command of a document; empty: nothing. With its own numbers where there is `made`, else with small
    ones."""
    exactly = made is not None
    try:
        words = shlex.split(line)
    except ValueError as fault:
        return str(fault)
    settings = [word for word in words if re.fullmatch(r"[A-Z_]+=\S*", word)]
    while words and words[0] in settings:
        words.pop(0)
    if words[0] in ("mpirun", "srun"):
        at = next((i for i, word in enumerate(words) if word.startswith("tofscope")), None)
        return options_fault(programs, words[at:]) if at is not None else ""
    if words[0] in ("cmake", "ctest"):
        return cmake_fault(words)
    name = words[0].removeprefix("build/release/bin/")
    if name == "python3" and not exactly:
        return ""
    if name not in ("tofscope", "tofscope-cli", "mkdir", "echo", "python3"):
        return script_fault(words[0])
    if name in ("mkdir", "echo", "python3"):
        env = environment(folder)
        env.update(PATH="%s:/usr/bin:%s" % (programs.folder, env["PATH"]))
        done = subprocess.run(line, shell=True, cwd=folder, capture_output=True, text=True, check=False, env=env)
        absent = re.search(r"No module named '(h5py|numpy)'", done.stderr)
        if absent:
            raise Absent("SKIP: Python's %s is not installed (installer/dependencies)" % absent.group(1))
        return done.stderr if done.returncode != 0 else ""
    if name == "tofscope" and not programs.has_window():
        return ""
    fault = options_fault(programs, words)
    if fault or fillable(words[1:]) or set(words) & FOREIGN or "bench" in words[1:2] or "experiment" in words[1:2]:
        return fault
    if name == "tofscope" and len(words) == 1:
        return ""
    words = [str(programs.path(name)), *(words[1:] if exactly else shrunk(words[1:]))]
    if name == "tofscope" and "--exit" not in words:
        words.append("--exit")
    return made.run(words[1:], folder, lambda: fault_of(words, folder)) if exactly else fault_of(words, folder)


def fault_of(words, folder):
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, env=environment(folder), timeout=LONGEST_S,
                              check=False)
    except subprocess.TimeoutExpired:
        return "took more than %d s" % LONGEST_S
    return "exit code %d: %s" % (done.returncode, done.stderr.strip()) if done.returncode != 0 else ""


def processor_seconds():
    """Of all commands that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("programs", type=lambda folder: pathlib.Path(folder).resolve())
    arguments.add_argument("--list", action="store_true", help="print the commands, run none")
    arguments.add_argument("--times", action="store_true", help="print what each command takes")
    arguments.add_argument("--keep", type=pathlib.Path, help="a folder for what the commands write")
    arguments.add_argument("documents", nargs="*", default=DOCUMENTS)
    given = arguments.parse_intermixed_args()
    programs = Programs(given.programs)
    faults = []
    known = ""
    with tempfile.TemporaryDirectory() as temporary:
        prepared = pathlib.Path(temporary) / "prepared"
        prepared.mkdir()
        made = Made(pathlib.Path(temporary) / "made")
        if not given.list:
            known = "".join(programs.help(command) for command in programs.commands())
            known += programs.help(None) if programs.has_window() else ""
            if not all(TO_THE_LETTER.search(document) for document in given.documents):
                prepare(programs, prepared)
        for document in given.documents:
            text = (ROOT / document).read_text(encoding="utf-8")
            folder = (given.keep or pathlib.Path(temporary)).resolve() / document.replace("/", "-")
            exactly = bool(TO_THE_LETTER.search(document))
            shutil.rmtree(folder, ignore_errors=True)
            if exactly:
                folder.mkdir(parents=True, mode=0o700)
                for name, words in saved_files(text).items():
                    (folder / name).write_text(words, encoding="utf-8")
            else:
                shutil.copytree(prepared, folder)
            try:
                for line in commands_of(text):
                    print("%s: %s" % (document, line), flush=True)
                    before = processor_seconds()
                    fault = "" if given.list else run(programs, line, folder, made if exactly else None)
                    if given.times:
                        print("    %.1f s of processor time" % (processor_seconds() - before), flush=True)
                    if fault:
                        faults.append("%s: %s\n    %s" % (document, line, fault))
                        print("    " + fault, flush=True)
            except Absent as absent:
                print("%s: %s" % (document, absent), flush=True)
                continue
            shown = re.findall(r"\]\(pictures/([^)]*)\)", text) if exactly and programs.has_window() and not given.list else []
            faults += ["%s: no command makes %s" % (document, name) for name in shown if not (folder / name).exists()]
            if known and programs.has_window():
                gone = [option for option in options_of_text(text)
                        if option not in OTHERS and not re.search(r"%s\b" % re.escape(option), known)]
                if gone:
                    faults.append("%s: no command has %s" % (document, ", ".join(gone)))
    for fault in faults:
        print("FAULT " + fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

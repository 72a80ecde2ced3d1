#!/usr/bin/env python3
"""Measures CPU time, wall time and peak memory of whole commands, with a floor and other tools for comparison.

    python3 benches/processes.py [--binary B]... [--floor F] [--rounds N] [--peers] [--threads N] TREE... [--made FILES]

Each TREE is copied, because its files are edited. The binaries alternate on each step, and a figure is the median of the
rounds. The floor is `cargo bench --bench speed -- --floor DIR`: it only reads and parses the same files. `--made` adds a
tree with that many files of ten functions each. To measure a change, compare two binaries:

    --binary before=/path/to/whichfn --binary after=target/release/whichfn
"""

import argparse, os, pathlib, shutil, statistics, subprocess, sys, tempfile, time

QUESTION = "which function decides whether a redirect target URL is safe"
WORD = "redirect"
COMMENT = {"py": "#", "rb": "#"}
# A function that contains a call, to append to a file.
CALL = {
    "py": "def added_{n}(value):\n    return len(str(value))\n",
    "rb": "def added_{n}(value)\n  value.to_s\nend\n",
    "js": "function added_{n}(value) {{ return String(value); }}\n",
    "ts": "function added_{n}(value: number) {{ return String(value); }}\n",
    "tsx": "function added_{n}(value: number) {{ return String(value); }}\n",
    "rs": "fn added_{n}(value: u32) -> String {{ value.to_string() }}\n",
    "go": "func added_{n}(value int) string {{ return string(rune(value)) }}\n",
    "java": "class Added{n} {{ String of(int value) {{ return String.valueOf(value); }} }}\n",
    "cs": "class Added{n} {{ string Of(int value) {{ return value.ToString(); }} }}\n",
    "c": "static int added_{n}(int value) {{ return abs(value); }}\n",
    "cc": "static int added_{n}(int value) {{ return abs(value); }}\n",
    "cpp": "static int added_{n}(int value) {{ return abs(value); }}\n",
    "php": "function added_{n}($value) {{ return strval($value); }}\n",
}


def run(command, directory=None):
    """Returns CPU seconds, wall seconds, peak megabytes and exit status of one process and its children."""
    started = time.perf_counter()
    child = subprocess.Popen(command, cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - started
    return used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)


class Rows:
    """A table with a row for each step and program."""

    def __init__(self, tree, rounds):
        self.tree, self.rounds = tree, rounds

    def step(self, name, programs, before=lambda: None, rounds=None, note=""):
        """Runs the programs alternately, calls `before` before each run, and prints the medians."""
        figures = {program: [] for program in programs}
        for _ in range(rounds or self.rounds):
            for program, command in programs.items():
                before()
                figures[program].append(run(command, self.tree))
        for program, runs in figures.items():
            cpu, wall, memory = (statistics.median(one[at] for one in runs) for at in range(3))
            failed = [one[3] for one in runs if one[3] not in (0, 1)]
            print(
                f"{name:<22} {program:<10} {cpu * 1e3:>10.0f} {wall * 1e3:>10.0f} {memory:>8.0f}  {note}"
                + (f" failed: status {failed[0]}" if failed else ""),
                flush=True,
            )
        return {p: tuple(statistics.median(one[at] for one in runs) for at in range(3)) for p, runs in figures.items()}


def made(files, place):
    """Creates a tree with this number of Python files, a hundred per folder, with ten functions each that call each other."""
    for number in range(files):
        folder = place / f"part{number // 10000}" / f"group{number // 100}"
        folder.mkdir(parents=True, exist_ok=True)
        lines = [f"from part{number // 10000}.group{number // 100}.file{max(number - 1, 0)} import *\n"]
        for at in range(10):
            called = f"step_{number}_{at - 1}" if at else f"step_{max(number - 1, 0)}_9"
            lines.append(f"def step_{number}_{at}(value):\n    \"\"\"Redirect part {at} of {number}.\"\"\"\n    return {called}(value)\n")
        (folder / f"file{number}.py").write_text("\n".join(lines))


def ordinary(tree):
    """Returns the file of median size of the most frequent language."""
    by_end = {}
    for path in tree.rglob("*.*"):
        end = path.suffix[1:]
        if end in CALL and path.is_file() and not any(part.startswith(".") for part in path.relative_to(tree).parts):
            by_end.setdefault(end, []).append(path)
    files = sorted(max(by_end.values(), key=len), key=lambda path: (path.stat().st_size, path))
    return files[len(files) // 2]


def forget(folder):
    """Removes the files of an index from the page cache, as after a restart."""
    for path in pathlib.Path(folder).rglob("*"):
        if path.is_file():
            with open(path, "rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def measure(tree, binaries, options, work):
    source = sum(path.stat().st_size for path in tree.rglob("*") if path.is_file() and path.suffix[1:] in CALL)
    lines = sum(path.read_bytes().count(b"\n") for path in tree.rglob("*") if path.is_file() and path.suffix[1:] in CALL)
    print(f"\n## {tree.name}: {source / 1e6:.1f} MB and {lines} lines of code\n")
    print(f"{'step':<22} {'program':<10} {'CPU ms':>10} {'wall ms':>10} {'MB':>8}")
    rows, edited, count = Rows(tree, options.rounds), ordinary(tree), iter(range(10**9))
    index = {name: str(work / f"index-{name}") for name in binaries}

    def each(*arguments, last=()):
        return {name: [binary, *arguments, "--index-dir", index[name], *last] for name, binary in binaries.items()}

    floor = None
    if options.floor:
        floor = rows.step("floor", {"floor": [options.floor, "--floor", str(tree)]})["floor"][0]
    full = rows.step("full index", each("index", "--force"))
    for name, (cpu, _, memory) in full.items():
        times = f"{cpu / floor:.2f} x floor, " if floor else ""
        print(f"{'':<22} {name:<10} {times}{cpu / source * 1e6:.2f} s/MB, {memory * 2**20 / max(lines, 1):.0f} bytes/line")

    def edit(text):
        with open(edited, "a") as file:
            file.write(text.format(n=next(count)))

    end = edited.suffix[1:]
    rows.step("nothing to do", each("status"))
    comment = COMMENT.get(end, "//")
    rows.step(f"comment ({end})", each("status"), lambda: edit(f"\n{comment} edit {{n}}\n"))
    rows.step(f"call ({end})", each("status"), lambda: edit("\n" + CALL[end]))

    def new_file():
        (edited.parent / f"added_{next(count)}.{end}").write_text(CALL[end].format(n=next(count)))

    rows.step("new file", each("status"), new_file)
    others = sorted(path for path in tree.rglob(f"*.{end}") if path.is_file())[::20]

    def branch():
        for path in others:
            with open(path, "a") as file:
                file.write(f"\n{comment} branch {next(count)}\n")

    rows.step(f"branch, {len(others)} files", each("status"), branch, rounds=min(options.rounds, 2))
    rows.step("ask", each("ask", last=[QUESTION]), rounds=2 * options.rounds + 1)
    rows.step("ask, cold index", each("ask", last=[QUESTION]), lambda: [forget(folder) for folder in index.values()])
    rows.step("ask --unit file", each("ask", "--unit", "file", last=[QUESTION]))
    rows.step("ask --strategy prism", each("ask", "--strategy", "prism", last=[QUESTION]))
    rows.step("graph (picture)", each("graph", "--format", "dot"))
    peers = {}
    for name, command in {
        "rg -c": ["rg", "-c", WORD, "."],
        "ctags": ["ctags", "-R", "-f", str(work / "tags"), "."],
        "ast-grep": ["ast-grep", "run", "-p", f"{WORD}($A)", "."],
    }.items():
        if options.peers and shutil.which(command[0]):
            peers[name] = command
    if peers:
        rows.step("beside it", peers)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("trees", nargs="*")
    arguments.add_argument("--binary", action="append", default=[], help="[NAME=]PATH of a whichfn")
    arguments.add_argument("--floor", help="the program of `cargo bench --bench speed --no-run`")
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--peers", action="store_true", help="also measure rg, ctags and ast-grep, if they are installed")
    arguments.add_argument("--threads", type=int, help="threads of whichfn and of the floor")
    arguments.add_argument("--made", type=int, default=0, help="also measure a generated tree with this number of files")
    options = arguments.parse_args()
    if options.threads:
        os.environ["RAYON_NUM_THREADS"] = str(options.threads)
    named = [one.rpartition("=") for one in options.binary or ["target/release/whichfn"]]
    binaries = {name or "whichfn": os.path.abspath(path) for name, _, path in named}
    options.floor = options.floor and os.path.abspath(options.floor)
    for tree in options.trees + ([None] if options.made else []):
        with tempfile.TemporaryDirectory(prefix="whichfn-processes-") as work:
            work = pathlib.Path(work)
            copy = work / (pathlib.Path(tree).resolve().name if tree else f"made-{options.made}")
            if tree:
                shutil.copytree(tree, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
            else:
                made(options.made, copy)
            (copy / ".git").mkdir()
            measure(copy, binaries, options, work)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compares whichfn on a question set with other programs: rg with the question's words, probe, semble.

  benches/comparisons.py --program whichfn [--probe PROBE] [--semble] SET.jsonl=FOLDER...

Needs Python 3.9, rg and Universal Ctags; semble is imported. A result is right if it shares a line with a right function,
from the line of its name to its last line (according to whichfn); a file is right if it contains such a function. Rows:

  whichfn         functions by default; files with `--unit file`
  rg words        one `rg -i` for all words of the question except those in STOP, without their endings (-s, -es, -ed,
                  -ing), also inside longer words, in source files. The score of a file or function is the sum of log(files /
                  files with the word) over its distinct words. Ties are sorted by the number of matching lines, then by
                  length. ctags finds the starts of functions, and each ends where the next one starts. This is rg with a
                  program around it.
  probe           `probe search QUESTION`: the blocks in source files among its 100 best, by its score, without tests (its
                  default); files in that order
  semble, words   BM25 with semble's own order of results: alpha 0, because its model would have to be downloaded. Results are
                  chunks of about 1,500 characters that may contain several functions; any of them counts.
"""
import argparse
import collections
import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

ENDINGS = "c h cc cpp cxx hpp hh inl cs go java js jsx mjs cjs ts mts tsx php py rb rs".split()
STOP = set("""a about after all already also am an and any are as at be because been before being but by can cannot could did do
does doing done down each else every few for from get gets had has have how i if in instead into is it its itself keep keeps
know knows let like made make makes many may me more most much must my no nor not now of off on once one only onto or other our
out over own really same say says saying should so some somebody somewhere still such take takes than that the their them then
there these they thing things this those through to too two under until up use used uses very want wants was we were what when
where which while who whose why will with without would you your function method code s t""".split())
KINDS = {"function", "method", "func", "member", "singleton method", "singletonMethod", "constructor", "generator", "getter",
         "setter", "macro", "methodSpec"}


def run(command, cwd):
    """Runs a command and returns its standard output and CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=cwd, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode > 1:
        sys.exit(f"{command}: {done.stderr.decode(errors='replace')}")
    return done.stdout.decode(errors="replace"), cpu


def shorter(word):
    """Returns a word without a common ending, as a user would type it for rg."""
    for end in ("ing", "ies", "ed", "es", "s"):
        if word.endswith(end) and len(word) - len(end) >= 4:
            return word[: -len(end)]
    return word


class Whichfn:
    def __init__(self, program, index_dir):
        self.command = [program, "--index-dir", index_dir]

    def results(self, folder, question, *options):
        program, *index = self.command
        text, cpu = run([program, "ask", "-k", "100", "--json", "--snippet", "none", *index, *options, "--", question], folder)
        return json.loads(text)["results"], cpu

    def functions(self, folder, question):
        found, cpu = self.results(folder, question)
        return [(r["path"], r["line"], r["end_line"]) for r in found], cpu

    def files(self, folder, question):
        found, cpu = self.results(folder, question, "--unit", "file")
        return [r["path"] for r in found], cpu

    def lines_of(self, folder, path, name):
        """Returns the lines of the functions with a name in a file."""
        found, _ = self.results(folder, name, "--path", path, "--no-fold")
        return [(path, r["line"], r["end_line"]) for r in found if r["path"] == path and r["name"] == name]


class Rg:
    """Answers of whichfn. The functions of each folder are listed once."""

    def __init__(self):
        self.starts = {}
        self.files = {}

    def prepare(self, folder):
        if folder in self.starts:
            return
        globs = [part for end in ENDINGS for part in ("-g", "*." + end)]
        text, _ = run(["rg", "--files", *globs], folder)
        self.files[folder] = text.splitlines()
        names = "\n".join(self.files[folder]).encode()
        tags = subprocess.run(["ctags", "--fields=+nK", "--output-format=json", "-f", "-", "-L", "-"], cwd=folder, input=names,
                              capture_output=True).stdout.decode(errors="replace")
        starts = collections.defaultdict(set)
        for tag in map(json.loads, tags.splitlines()):
            if tag.get("kind") in KINDS or tag.get("kind", "").startswith("method"):
                starts[tag["path"]].add(tag["line"])
        self.starts[folder] = {path: sorted(lines) for path, lines in starts.items()}

    def answer(self, folder, question):
        self.prepare(folder)
        words = [shorter(w) for w in re.findall(r"[a-z0-9_]+", question.lower()) if w not in STOP]
        words = sorted(set(w for w in words if len(w) > 1))
        globs = [part for end in ENDINGS for part in ("-g", "*." + end)]
        patterns = [part for word in words for part in ("-e", word)]
        text, cpu = run(["rg", "-i", "-F", "-n", "-o", "--no-heading", "--with-filename", *globs, *patterns], folder)
        files, functions = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
        for line in text.splitlines():
            path, number, found = line.split(":", 2)
            files[path][found.lower()] += 1
            lines = self.starts[folder].get(path, [])
            at = sum(1 for start in lines if start <= int(number))
            if at:
                end = lines[at] - 1 if at < len(lines) else 1 << 30
                functions[path, lines[at - 1], end][found.lower()] += 1
        having = collections.Counter(word for counts in files.values() for word in counts)
        rare = {word: math.log((1 + len(self.files[folder])) / n) for word, n in having.items()}

        def order(entries, length):
            key = lambda e: (-sum(rare[w] for w in e[1]), -sum(e[1].values()), length(e[0]), e[0])
            return [place for place, _ in sorted(entries.items(), key=key)]

        return order(functions, lambda place: place[2] - place[1]), order(files, len), cpu


def probe(program, folder, question):
    command = [program, "search", question, ".", "--max-results", "100", "--format", "json", "--timeout", "600"]
    text, cpu = run(command, folder)
    found = json.loads(text[text.index("{"):])["results"] if "{" in text else []
    found = [r for r in found if r["file"].rpartition(".")[2] in ENDINGS]
    found.sort(key=lambda r: -r["score"])  # probe prints them file by file
    return [(os.path.relpath(os.path.join(folder, r["file"]), folder), *r["lines"]) for r in found], cpu


class Semble:
    """BM25 and the order of results of semble. Its model is replaced by an empty one without weight."""

    def __init__(self):
        os.environ["HOME"] = os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp()
        import numpy
        import semble.index.index as index

        class Nothing:
            dim = 1

            def encode(self, texts, **_):
                return numpy.ones((len(texts), 1), dtype=numpy.float32)

        index.load_model = lambda path=None: (Nothing(), "nothing")
        self.open, self.indexes = index.SembleIndex.from_path, {}

    def answer(self, folder, question):
        if folder not in self.indexes:
            self.indexes = {folder: self.open(folder)}
        start = time.process_time()
        found = [r.chunk for r in self.indexes[folder].search(question, top_k=50, alpha=0.0)]
        return [(c.file_path, c.start_line, c.end_line) for c in found], time.process_time() - start


def distinct(places):
    return list(dict.fromkeys(place[0] for place in places))


def rank(right):
    """Returns the rank of the first right result, starting at 1, or None."""
    return next((at for at, hit in enumerate(right, 1) if hit), None)


def right_place(places, gold):
    meets = lambda a, b: a[0] == b[0] and a[1] <= b[2] and b[1] <= a[2]
    return rank(any(meets(place, one) for one in gold) for place in places)


def right_file(files, gold):
    paths = {path for path, _, _ in gold}
    return rank(path in paths for path in files)


def questions(argument):
    path, _, folder = argument.partition("=")
    for line in open(path):
        row = json.loads(line)
        yield os.path.realpath(os.path.join(folder, row["repo"])), row


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", default="whichfn")
    options.add_argument("--index-dir", default=os.path.join(tempfile.gettempdir(), "whichfn-comparisons"))
    options.add_argument("--probe")
    options.add_argument("--semble", action="store_true")
    options.add_argument("--ranks", action="store_true", help="also print a line for each question")
    options.add_argument("sets", nargs="+", metavar="SET.jsonl=FOLDER")
    given = options.parse_args()
    whichfn, rg = Whichfn(given.program, given.index_dir), Rg()
    semble = Semble() if given.semble else None
    ranks, times, asked = collections.defaultdict(list), collections.defaultdict(list), 0
    for folder, row in (pair for argument in given.sets for pair in questions(argument)):
        question, asked = row["query"], asked + 1
        gold = [span for g in row["gold"] for span in whichfn.lines_of(folder, g["path"], g["name"])]
        if not gold:
            sys.exit(f"{row['id']}: no function of that name")
        rows = {}

        def note(name, places, files, cpu):
            rows[name] = right_place(places, gold), right_file(files, gold)
            times[name].append(cpu)

        places, cpu = whichfn.functions(folder, question)
        note("whichfn", places, whichfn.files(folder, question)[0], cpu)
        note("rg words", *rg.answer(folder, question))
        if given.probe:
            places, cpu = probe(given.probe, folder, question)
            note("probe", places, distinct(places), cpu)
        if semble:
            places, cpu = semble.answer(folder, question)
            note("semble, words", places, distinct(places), cpu)
        for name, pair in rows.items():
            ranks[name].append(pair)
        if given.ranks:
            print(row["id"], *(f"{name} {f or '-'}/{p or '-'}" for name, (f, p) in rows.items()), sep="\t", flush=True)
    print(f"{asked} questions      function: first, in 5, in 10      file: first, in 5, in 10      CPU ms, median")
    for name, pairs in ranks.items():
        shares = [sum(1 for pair in pairs if pair[part] and pair[part] <= at) / asked for part in (0, 1) for at in (1, 5, 10)]
        cpu = sorted(times[name])[len(times[name]) // 2] * 1000
        print(f"{name:<20}     " + "   ".join(f"{s:.2f}" for s in shares[:3]) + "               "
              + "   ".join(f"{s:.2f}" for s in shares[3:]) + f"          {cpu:8.0f}")


main()

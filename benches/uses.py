#!/usr/bin/env python3
"""Compares what whichfn and rg list as the uses of Python functions; jedi is the judge.

    pip install jedi && benches/uses.py --program target/release/whichfn CHECKOUT SOURCE-FOLDER

Draws functions of the source folder that are used somewhere, and counts lines: those that jedi knows as uses in the whole
checkout, and those that each tool lists. `rg` searches for the name as a word.
"""
import argparse
import json
import os
import random
import re
import subprocess

import jedi

SEED = 20261128


def functions(project, folder):
    """Returns the functions below a folder, in a random order: path, line, column, name."""
    found = []
    for parent, _, files in os.walk(folder):
        for path in (os.path.join(parent, name) for name in files if name.endswith(".py")):
            with open(path) as file:
                lines = file.read().split("\n")
            for one in jedi.Script(path=path, project=project).get_names(all_scopes=True, definitions=True):
                is_own = re.match(rf"\s*(async )?def {one.name}\b", lines[one.line - 1])
                if one.type == "function" and is_own and not re.fullmatch("__.*__", one.name):
                    found.append((path, one.line, one.column, one.name))
    found.sort()
    random.Random(SEED).shuffle(found)
    return found


def known(project, path, line, column):
    """Returns the lines that use a function, according to jedi."""
    references = jedi.Script(path=path, project=project).get_references(line, column)
    places = {(os.path.relpath(str(one.module_path)), one.line) for one in references
              if one.module_path and not one.is_definition()}
    return {place for place in places if not place[0].startswith("..")}


def with_rg(name):
    printed = subprocess.run(["rg", "-n", "-w", "--no-heading", name, "."], capture_output=True, text=True).stdout
    parts = (line.split(":", 2) for line in printed.splitlines())
    return {(os.path.relpath(path), int(line)) for path, line, _ in parts}


def with_whichfn(program, path, line):
    """Returns the lines of certain uses, and of all uses."""
    command = [program, "references", f"{path}:{line}", "--json", "-k", "100000"]
    printed = subprocess.run(command, capture_output=True, text=True).stdout
    uses = json.loads(printed)["uses"] if printed else []
    certain = {(one["path"], one["line"]) for one in uses if not one["possible"] and not one["by_name"]}
    return certain, {(one["path"], one["line"]) for one in uses}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default="whichfn")
    parser.add_argument("--functions", type=int, default=50)
    parser.add_argument("checkout")
    parser.add_argument("folder")
    asked = parser.parse_args()
    program = os.path.abspath(asked.program) if os.path.exists(asked.program) else asked.program
    os.chdir(asked.checkout)
    project, used, true = jedi.Project(".", added_sys_path=["src"]), 0, 0
    sums = {"rg -w": [0, 0], "whichfn, certain": [0, 0], "whichfn, with possible uses": [0, 0]}
    for path, line, column, name in functions(project, asked.folder):
        truth = known(project, path, line, column)
        if not truth or used == asked.functions:
            continue
        used, true = used + 1, true + len(truth)
        certain, every = with_whichfn(program, path, line)
        for tool, listed in zip(sums, (with_rg(name) - {(path, line)}, certain, every)):
            sums[tool][0] += len(listed)
            sums[tool][1] += len(listed & truth)
    print(f"{used} functions, {true} lines use them")
    for tool, (listed, right) in sums.items():
        print(f"{tool:30} {listed:6} listed {right:6} right   precision {right / max(listed, 1):.2f}   recall {right / max(true, 1):.2f}")


main()

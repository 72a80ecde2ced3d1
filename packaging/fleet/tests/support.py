"""Twelve small repositories, thirty questions about them, and functions that run the commands as a user types them."""

import json
import os
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PACKAGE))
sys.dont_write_bytecode = True

from whichfn_fleet import cli  # noqa: E402

VERBS = ["parse", "encode", "validate", "cache", "merge", "sort", "compress", "encrypt", "render", "schedule", "retry", "split"]
NOUNS = ["cookie header", "session token", "configuration file", "database row", "image thumbnail", "search index"]
NOUNS += ["mail address", "log record", "network packet", "calendar event", "price table", "word list"]
NAMES = ["auth", "billing", "calendar", "deploy", "editor", "feeds", "gateway", "http", "images", "jobs", "kernel", "mail"]
# In twelve repositories with twelve functions each, every pair of a verb and a noun occurs once.
QUESTIONS = [f"which function {VERBS[n * 5 % 12]}s a {NOUNS[(n * 7 + n // 12) % 12]}" for n in range(30)]
PROGRAM = os.environ.get("WHICHFN") or str(PACKAGE.parents[1] / "target" / "debug" / "whichfn")


def function(verb: str, noun: str) -> str:
    name = f"{verb}_{noun.replace(' ', '_')}"
    first, second = noun.split()
    return (
        f"def {name}({first}, limit=10):\n"
        f'    """{verb.capitalize()}s the {noun}; at most `limit` parts of it are looked at."""\n'
        f"    {second}s = [{first} for _ in range(limit)]\n"
        f"    return check_{first}({second}s)\n\n\n"
        f"def check_{first}(parts):\n    return [part for part in parts if part]\n\n\n"
    )


def repositories(folder: Path) -> list[str]:
    """Writes the repositories, with the same bytes each time, and returns their folders."""
    for row, name in enumerate(NAMES):
        source = folder / name / "src"
        source.mkdir(parents=True)
        for part in range(3):
            own = [(VERBS[verb], NOUNS[(verb + row) % 12]) for verb in range(part * 4, part * 4 + 4)]
            (source / f"{name}_{part}.py").write_text("".join(function(*pair) for pair in own))
    return [str(folder / name) for name in NAMES]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1", "WHICHFN": PROGRAM, **more}


def run(*words: str, status: int = 0, **more: str) -> subprocess.CompletedProcess[str]:
    """Runs a command of the package; fails if it ends with another status."""
    command = [sys.executable, "-m", "whichfn_fleet", *words]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(**more), timeout=300, check=False)
    if done.returncode != status:
        raise AssertionError(f"{words} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done


def whichfn(*words: str) -> dict:
    """Runs a command of the program and returns its JSON."""
    done = subprocess.run([PROGRAM, *words, "--json"], capture_output=True, text=True, timeout=300, check=False)
    if done.returncode > 1:
        raise AssertionError(f"{words}: {done.stderr}")
    return json.loads(done.stdout)


def args(*words: str) -> Namespace:
    """Returns the options of a command, for tests that call it in this process."""
    return cli.settings([*words, "--whichfn", PROGRAM])


def places(answer: dict) -> list[tuple]:
    """Returns the results of an answer in order, with their scores (to 1e-4)."""
    return [(one["repository"], one["path"], one["line"], round(one["score"], 4)) for one in answer["results"]]


def is_same(one: dict, other: dict) -> bool:
    """Checks whether two answers have the same results in the same order, with the same scores (to 1e-4)."""
    pairs = list(zip(one["results"], other["results"], strict=False))
    close = all(abs(a["score"] - b["score"]) <= 1e-4 for a, b in pairs)
    return len(one["results"]) == len(other["results"]) and close and [p[:3] for p in places(one)] == [p[:3] for p in places(other)]

#!/usr/bin/env python3
"""Measures `whichfn-fleet` as a user runs it: build, serve, questions over HTTP, pushes until a question finds the pushed function.

    benches/fleet/service.py --program whichfn --repositories DEST/repositories.jsonl --questions SET.jsonl... --work DIR

benches/fleet/cost.py measures only the program; this script also measures the package, its server and HTTP. The package is
imported from packaging/fleet. Existing shards in DIR/storage are used again.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import measure
from cost import WORDS, mix
from measure import Json

PACKAGE = pathlib.Path(__file__).parents[2] / "packaging/fleet"


class Service:
    def __init__(self, given: argparse.Namespace) -> None:
        os.environ["PYTHONPATH"] = str(PACKAGE)
        self.storage = given.work.absolute() / "storage"
        self.command = [sys.executable, "-m", "whichfn_fleet", "--whichfn", given.program, "--storage", str(self.storage)]
        self.repositories, self.work = measure.lines(given.repositories), given.work.absolute()

    def build(self, listing: pathlib.Path) -> str:
        self.storage.mkdir(parents=True, exist_ok=True)
        text, cost = measure.run([*self.command, "build", "--list", str(listing), "--json"])
        return f"build: {cost.cpu:.1f} s CPU, {cost.wall:.1f} s; {text.strip()}"

    def serve(self, workers: int) -> None:
        self.server = subprocess.Popen([*self.command, "serve", "--port", "0", "--workers", str(workers)], stdout=subprocess.PIPE, text=True)
        self.address = self.server.stdout.readline().strip()

    def ask(self, question: str, **fields: str) -> Json:
        query = urllib.parse.urlencode({"question": question, **fields})
        return json.loads(urllib.request.urlopen(f"{self.address}ask?{query}", timeout=60).read())

    def timed(self, question: str, **fields: str) -> float:
        started = time.perf_counter()
        answer = self.ask(question, **fields)
        if answer["shards"]["missing"]:
            raise SystemExit(f"the answer is incomplete: {answer['shards']}")
        return (time.perf_counter() - started) * 1e3

    def push(self, number: int, one: Json) -> tuple[float, float]:
        """Returns the seconds until the push has ended, and until a question finds its function."""
        copy, name = self.work / "pushed" / str(number), f"launch_{WORDS[number % len(WORDS)]}_zeppelin"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(one["path"], copy)
        (copy / "pushed.py").write_text(f'def {name}(mast):\n    """Leaves the mooring mast."""\n    return mast + {number}\n')
        started = time.perf_counter()
        measure.run([*self.command, "push", str(copy), "--name", one["name"], "--json"])
        ended = time.perf_counter()
        while name not in [result["name"] for result in self.ask(name.replace("_", " "))["results"]]:
            if time.perf_counter() - started > 120:
                raise SystemExit(f"{one['name']}: the pushed function is not found")
            time.sleep(.02)
        return ended - started, time.perf_counter() - started


def shown(name: str, times: list[float], unit: str) -> list[str]:
    found = [measure.quantile(times, share) for share in (.5, .95, 1)]
    return [name, str(len(times)), *(f"{time:.0f} {unit}" if time >= 100 else f"{time:.3g} {unit}" for time in found)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="whichfn")
    parser.add_argument("--repositories", type=pathlib.Path, required=True)
    parser.add_argument("--questions", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--pushes", type=int, default=20)
    given = parser.parse_args()
    service = Service(given)
    print(service.build(given.repositories), f"\nload {os.getloadavg()[0]:.1f}\n", flush=True)
    service.serve(given.workers)
    questions = mix([case for path in given.questions for case in measure.lines(path)], given.count)
    names = [service.repositories[number * 7919 % len(service.repositories)]["name"] for number in range(len(questions))]
    rows = []
    try:
        for question, name in zip(questions, names):
            service.timed(question, repos=name)
        rows.append(shown("within one repository", [service.timed(question, repos=name) for question, name in zip(questions, names)], "ms"))
        rows.append(shown("unscoped", [service.timed(question) for question in questions], "ms"))
        with ThreadPoolExecutor(4) as threads:
            rows.append(shown("unscoped, 4 at a time", list(threads.map(service.timed, questions)), "ms"))
        step = max(1, len(service.repositories) // given.pushes)
        times = [service.push(number, one) for number, one in enumerate(service.repositories[::step][: given.pushes])]
        rows.append(shown("push has ended", [ended for ended, _ in times], "s"))
        rows.append(shown("push to answer", [answered for _, answered in times], "s"))
    finally:
        service.server.terminate()
        service.server.wait(20)
    print(measure.table(["whichfn-fleet serve", "n", "p50", "p95", "longest"], rows))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures a fleet of many repositories on this machine, and prints the cost of a larger one, with the source of each figure.

    benches/fleet/cost.py measure --program whichfn --repositories DEST/repositories.jsonl --questions SET.jsonl... --work DIR
    benches/fleet/cost.py print --measurements DIR/measurements.json [--repositories 10000 --lines 1000000000 --cores 64 --memory 512]

`measure` runs the phases build, repository, team, all and push (select with `--phases build,all`), and writes
DIR/measurements.json after each. Running a phase again replaces its figures. benches/fleet/fetch.py writes repositories.jsonl.
All phases except `build` and `push` query resident processes: one coordinator and `--workers` workers.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import measure
from measure import Cost, Fleet, Json

WORDS = "alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango".split()
PHASES = ("build", "repository", "team", "all", "push")


class Bench:
    def __init__(self, given: argparse.Namespace) -> None:
        self.program, self.work, self.workers = given.program, given.work.absolute(), given.workers
        self.repositories = measure.lines(given.repositories)
        self.questions = mix([case for path in given.questions for case in measure.lines(path)], given.count)
        self.shards, self.pushes = self.work / "shards", given.pushes

    # build

    def pack(self, repositories: Sequence[Json], folder: pathlib.Path) -> tuple[Json, Cost]:
        command = [self.program, "fleet", "pack", *(one["path"] for one in repositories), "-o", str(folder), "--json"]
        for one in repositories:
            command += ["--name", one["name"]]
        text, cost = measure.run(command)
        return json.loads(text), cost

    def build(self) -> Json:
        """Packs a quarter, then all, then all again without changes."""
        for folder in (self.shards, self.work / "quarter"):
            shutil.rmtree(folder, ignore_errors=True)
        quarter = built(*self.pack(self.repositories[::4], self.work / "quarter"))
        shutil.rmtree(self.work / "quarter")
        packed, cost = self.pack(self.repositories, self.shards)
        _, again = self.pack(self.repositories, self.shards)
        (self.work / "packed.json").write_text(json.dumps(packed))
        self.write_catalog(packed["shards"])
        return {"quarter": quarter, **built(packed, cost), "unchanged_cpu": again.cpu, "unchanged_wall": again.wall}

    def write_catalog(self, shards: Sequence[Json]) -> None:
        """Writes `fleet.json` with the members of these shards; if several contain a repository, the last one counts."""
        of = {member["id"]: shard["file"] for shard in shards for member in shard["members"]}
        listed = [{"file": shard["file"], "members": [m["id"] for m in shard["members"] if of[m["id"]] == shard["file"]]} for shard in shards]
        known = {one["name"]: one for one in self.repositories}
        repositories: Json = {}
        for member in (member for shard in shards for member in shard["members"] if of[member["id"]] == shard["file"]):
            row = repositories.setdefault(member["repository"], {"revision": known[member["repository"]]["revision"], "team": known[member["repository"]]["team"],
                                                                "groups": [], "lines": 0, "files": 0, "functions": 0})
            for key in ("lines", "files", "functions"):
                row[key] += member[key]
        part = self.shards / "fleet.json.part"
        part.write_text(json.dumps({"version": 1, "shards": [shard for shard in listed if shard["members"]], "repositories": repositories}))
        part.replace(self.shards / "fleet.json")

    # questions

    def asked(self, fleet: Fleet, scope: Callable[[int], Json], lines: Callable[[int], int], together: int = 1) -> Json:
        """Asks all questions once to warm up and once more, and returns times, CPU time and lines searched."""
        def one(number: int) -> float:
            started = time.perf_counter()
            fleet.ask(question=self.questions[number], k=10, **scope(number))
            return (time.perf_counter() - started) * 1e3

        numbers = range(len(self.questions))
        before, first = fleet.cpu(), [one(number) for number in numbers] if together == 1 else []
        middle, started = fleet.cpu(), time.perf_counter()
        with ThreadPoolExecutor(together) as threads:
            times = list(threads.map(one, numbers))
        wall, after = time.perf_counter() - started, fleet.cpu()
        memory = [worker.memory() for worker in fleet.workers]
        count = len(numbers)
        return {"questions": count, "together": together, "p50_ms": measure.quantile(times, .5), "p95_ms": measure.quantile(times, .95),
                "longest_ms": max(times), "first_p50_ms": measure.quantile(first, .5), "a_second": count / wall,
                "worker_cpu_ms": (after["workers"] - middle["workers"]) / count * 1e3, "rank_cpu_ms": (after["rank"] - middle["rank"]) / count * 1e3,
                "first_worker_cpu_ms": (middle["workers"] - before["workers"]) / count * 1e3 if first else None,
                "lines": sum(map(lines, numbers)) / count, "resident_mb": sum(all for all, _ in memory), "own_mb": sum(own for _, own in memory),
                "rank_mb": fleet.rank.memory()[0]}

    def catalog(self) -> Json:
        return json.loads((self.shards / "fleet.json").read_text())["repositories"]

    def within(self, key: str) -> Callable[[Fleet], Json]:
        """Asks each question in one repository, or in one team, in rotation."""
        repositories = self.catalog()
        sizes: dict[str, int] = collections.Counter()
        for name, row in repositories.items():
            sizes[name if key == "repos" else row["team"]] += row["lines"]
        names = sorted(sizes)
        chosen = [names[number * 7919 % len(names)] for number in range(len(self.questions))]
        return lambda fleet: self.asked(fleet, lambda number: {key: [chosen[number]]}, lambda number: sizes[chosen[number]])

    def everywhere(self, fleet: Fleet) -> Json:
        total = sum(row["lines"] for row in self.catalog().values())
        alone = self.asked(fleet, lambda number: {}, lambda number: total)
        return {"alone": alone, "four": self.asked(fleet, lambda number: {}, lambda number: total, 4)}

    # pushes

    def take_back(self) -> list[Json]:
        """Removes pushed shards and restores the shards of the first build."""
        packed = json.loads((self.work / "packed.json").read_text())["shards"]
        self.write_catalog(packed)
        for file in set(self.shards.glob("*.shard")) - {self.shards / shard["file"] for shard in packed}:
            file.unlink()
        return packed

    def push(self, fleet: Fleet) -> Json:
        """Adds a file to one repository after another, and measures until a question finds its function."""
        shards, rows = self.take_back(), []
        for number, one in enumerate(self.repositories[:: max(1, len(self.repositories) // self.pushes)][: self.pushes]):
            copy = self.work / "pushed" / str(number)
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(one["path"], copy)
            name = f"launch_{WORDS[number % len(WORDS)]}_zeppelin"
            (copy / "pushed.py").write_text(f'def {name}(mast):\n    """Leaves the mooring mast."""\n    return mast + {number}\n')
            started, cpu = time.perf_counter(), sum(fleet.cpu().values())
            packed, cost = self.pack([{**one, "path": str(copy)}], self.shards)
            shards += packed["shards"]
            self.write_catalog(shards)
            before = time.perf_counter()
            fleet.reload()
            reloaded = time.perf_counter()
            results = fleet.ask(question=name.replace("_", " "), k=10)["results"]
            if name not in [result["name"] for result in results]:
                raise SystemExit(f"{one['name']}: the pushed function is not found: {[result['name'] for result in results]}")
            rows.append({"seconds": time.perf_counter() - started, "pack_cpu": cost.cpu, "pack_wall": cost.wall, "reload_ms": (reloaded - before) * 1e3,
                         "cpu": cost.cpu + sum(fleet.cpu().values()) - cpu, "lines": sum(member["lines"] for shard in packed["shards"] for member in shard["members"])})
        shutil.rmtree(self.work / "pushed")
        self.take_back()
        mean = {key: sum(row[key] for row in rows) / len(rows) for key in ("pack_cpu", "pack_wall", "cpu", "lines")}
        times = [row["seconds"] for row in rows]
        return {"pushes": len(rows), "p50_s": measure.quantile(times, .5), "p95_s": measure.quantile(times, .95), "longest_s": max(times),
                "reload_p50_ms": measure.quantile([row["reload_ms"] for row in rows], .5), **mean}


def built(packed: Json, cost: Cost) -> Json:
    members = [member for shard in packed["shards"] for member in shard["members"]]
    total = {key: sum(member[key] for member in members) for key in ("lines", "files", "functions", "source_bytes")}
    return {**total, "members": len(members), "shards": len(packed["shards"]), "bytes": sum(shard["bytes"] for shard in packed["shards"]),
            "cpu": cost.cpu, "wall": cost.wall}


def mix(cases: Sequence[Json], count: int) -> list[str]:
    """Returns a number of questions, equally many of each category, in an order that depends only on their text."""
    kinds: dict[str, list[str]] = {}
    for case in sorted(cases, key=lambda case: hashlib.sha256(case["query"].encode()).hexdigest()):
        kinds.setdefault(case.get("category", ""), []).append(case["query"])
    turns = [kinds[kind][turn] for turn in range(max(map(len, kinds.values()))) for kind in sorted(kinds) if turn < len(kinds[kind])]
    return turns[:count]


def take(given: argparse.Namespace) -> None:
    bench, file = Bench(given), given.work / "measurements.json"
    given.work.mkdir(parents=True, exist_ok=True)
    found: Json = json.loads(file.read_text()) if file.exists() else {}
    for phase in given.phases.split(","):
        load = os.getloadavg()[0]
        if phase == "build":
            found[phase] = bench.build()
        else:
            fleet = Fleet(bench.program, bench.shards, bench.workers)
            phases = {"repository": bench.within("repos"), "team": bench.within("teams"), "all": bench.everywhere, "push": bench.push}
            found[phase] = phases[phase](fleet)
            fleet.end()
        found[phase]["load"] = load
        file.write_text(json.dumps(found, indent=1))
        print(f"{phase}: {json.dumps(found[phase])}", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    one = verbs.add_parser("measure")
    one.add_argument("--program", default="whichfn")
    one.add_argument("--repositories", type=pathlib.Path, required=True)
    one.add_argument("--questions", type=pathlib.Path, nargs="+", required=True)
    one.add_argument("--work", type=pathlib.Path, required=True)
    one.add_argument("--workers", type=int, default=2)
    one.add_argument("--count", type=int, default=120, help="questions of each phase")
    one.add_argument("--pushes", type=int, default=20)
    one.add_argument("--phases", default=",".join(PHASES))
    one.set_defaults(do=take)
    two = verbs.add_parser("print")
    two.add_argument("--measurements", type=pathlib.Path, required=True)
    for name, value in (("repositories", 10_000), ("lines", 1_000_000_000), ("cores", 64), ("memory", 512), ("pushes", 10_000)):
        two.add_argument(f"--{name}", type=int, default=value)
    two.set_defaults(do=show)
    given = parser.parse_args()
    given.do(given)


def show(given: argparse.Namespace) -> None:
    import page
    print(page.text(json.loads(given.measurements.read_text()), page.Wanted(given.repositories, given.lines, given.cores, given.memory, given.pushes)))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures the answers to the same questions over several repositories in four ways.

    benches/fleet/needles.py --program whichfn --questions SET.jsonl --sources DIR --work DIR [--shards DIR] [--ways merged,alone,...]

SET has the format of docs/eval.md; DIR/REPO is the tree of its `repo`.

  merged   one index over a tree with all repositories (hard links in WORK/merged)
  alone    the index of the right repository
  fleet    `whichfn fleet ask --shards` over all; packs shards into WORK/shards unless --shards names them
  scoped   the same, with `--repo` set to the right repository

A result is right if it has the repository, path and name of the gold answer; near-duplicates count at the rank of their result.
Differences are paired, with a 95 % interval by bootstrap over functions (the part of a question's id before the slash).
"""
import argparse
import json
import os
import pathlib
import shutil
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

import measure
from measure import Json

WAYS = {"alone": "right repository only", "merged": "one merged tree, one index", "fleet": "fleet, unscoped", "scoped": "fleet, `--repo` the right one"}


class Found(NamedTuple):
    rank: int
    in_right_repository: bool
    results: list[str]
    cpu: float


class Bench:
    def __init__(self, given: argparse.Namespace) -> None:
        self.program, self.sources, self.work = given.program, given.sources.absolute(), given.work.absolute()
        self.shards = (given.shards or self.work / "shards").absolute()
        self.cases = measure.lines(given.questions)
        self.repositories = sorted({case["repo"] for case in self.cases})
        self.results = given.k

    def index(self) -> list[str]:
        return ["--index-dir", str(self.work / "index")]

    def prepare_merged(self) -> None:
        tree = self.work / "merged"
        for repository in self.repositories:
            if not (tree / repository).exists():
                shutil.copytree(self.sources / repository, tree / repository, copy_function=link)
        print(measure.run([self.program, "index", "-q", *self.index(), str(tree)])[0].strip(), file=sys.stderr)

    def prepare_alone(self) -> None:
        for repository in self.repositories:
            measure.run([self.program, "index", "-q", *self.index(), str(self.sources / repository)])

    def prepare_fleet(self) -> None:
        if self.shards.exists():
            return
        named = [option for name in self.repositories for option in ("--name", name)]
        text, cost = measure.run([self.program, "fleet", "pack", *(str(self.sources / name) for name in self.repositories), *named, "-o", str(self.shards)])
        print(f"packed: {cost.cpu:.1f} s CPU\n{text.strip()}", file=sys.stderr)

    def ask(self, way: str, case: Json) -> Found:
        """Returns the rank of the right answer, and the results as repository, path and line."""
        repository, options = case["repo"], ["-k", str(self.results), "--json"]
        shards = ["fleet", "ask", "--shards", str(self.shards), *options]
        command: dict[str, list[str]] = {
            "merged": ["ask", "--no-update", *self.index(), *options, "--", case["query"], str(self.work / "merged")],
            "alone": ["ask", *self.index(), *options, "--", case["query"], str(self.sources / repository)],
            "fleet": [*shards, "--", case["query"]],
            "scoped": [*shards, "--repo", repository, "--", case["query"]]}
        text, cost = measure.run([self.program, *command[way]])
        results = json.loads(text)["results"] if text.strip() else []
        where = self.places(way, repository)
        rank = measure.rank_of(results, case["gold"], lambda hit, head: rest if (found := where(hit, head)) and (rest := in_repository(found, repository)) else None)
        places = [where(result, result) for result in results]
        return Found(rank, bool(places) and in_repository(places[0], repository) is not None,
                     [f"{place}:{result['line']}" for place, result in zip(places, results)], cost.cpu)

    def places(self, way: str, repository: str) -> Callable[[Json, Json], str]:
        """Returns REPO/PATH of a result or near-duplicate."""
        if way == "merged":
            return lambda hit, head: hit["path"]
        if way == "alone":
            return lambda hit, head: f"{repository}/{hit['path']}"
        return lambda hit, head: f"{hit.get('repository') or head['repository']}/{hit['path']}"


def in_repository(place: str, repository: str) -> str | None:
    return place[len(repository) + 1:] if place.startswith(repository + "/") else None


def link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def rows(cases: Sequence[Json], found: dict[str, list[Found]]) -> list[list[object]]:
    """Returns a row for all questions, then for each category."""
    kinds = sorted({case.get("category", "") for case in cases})
    out: list[list[object]] = []
    for kind in [None, *(kinds if len(kinds) > 1 else [])]:
        chosen = [index for index, case in enumerate(cases) if kind is None or case.get("category") == kind]
        for way, answers in found.items():
            acc1, acc10, mrr = measure.figures([answers[index].rank for index in chosen])
            right = sum(answers[index].in_right_repository for index in chosen) / len(chosen)
            cpu = sum(answers[index].cpu for index in chosen) / len(chosen) * 1e3
            out.append([kind or "all", len(chosen), WAYS[way], acc1, acc10, mrr, right, f"{cpu:.0f}"])
    return out


def differences(cases: Sequence[Json], found: dict[str, list[Found]]) -> list[list[object]]:
    out: list[list[object]] = []
    for way, other in (("fleet", "merged"), ("fleet", "alone"), ("scoped", "alone"), ("merged", "alone")):
        if way not in found or other not in found:
            continue
        row: list[object] = [f"{WAYS[way]} minus {WAYS[other]}"]
        for value in (lambda rank: float(rank == 1), lambda rank: float(rank > 0), lambda rank: 1 / rank if rank else 0.):
            groups: dict[str, list[float]] = {}
            for case, one, two in zip(cases, found[way], found[other]):
                groups.setdefault(case["id"].rsplit("/", 1)[0], []).append(value(one.rank) - value(two.rank))
            mean = sum(map(sum, groups.values())) / len(cases)
            low, high = measure.interval(groups)
            row.append(f"{mean:+.3f} ({low:+.3f} to {high:+.3f})")
        same = sum(one.results == two.results for one, two in zip(found[way], found[other]))
        out.append([*row, f"{same} of {len(cases)}"])
    return out


def main() -> None:
    parser = measure.arguments(__doc__)
    parser.add_argument("--shards", type=pathlib.Path)
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--save", type=pathlib.Path, help="write every question's rank and results, as JSON lines")
    parser.add_argument("-k", type=int, default=10)
    given = parser.parse_args()
    bench, ways = Bench(given), [way for way in WAYS if way in given.ways.split(",")]
    if "merged" in ways:
        bench.prepare_merged()
    if "alone" in ways:
        bench.prepare_alone()
    if "fleet" in ways or "scoped" in ways:
        bench.prepare_fleet()
    found = {way: [bench.ask(way, case) for case in bench.cases] for way in ways}
    print(f"{len(bench.cases)} questions, {len(bench.repositories)} repositories; CPU time of a whole process per question.\n")
    print(measure.table(["questions", "n", "", "acc@1", "acc@10", "MRR", "right repository first", "CPU ms"], rows(bench.cases, found)))
    if compared := differences(bench.cases, found):
        print("\n" + measure.table(["difference (95 %)", "acc@1", "acc@10", "MRR", "same ten"], compared))
    if given.save:
        given.save.write_text("".join(json.dumps({"id": case["id"], "way": way, "rank": answer.rank, "results": answer.results}) + "\n"
                                      for way in ways for case, answer in zip(bench.cases, found[way])))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures the loss when a repository is cut into slices: the same questions, packed whole and in slices.

    benches/fleet/slices.py --program whichfn --questions SET.jsonl --sources DIR --work DIR [--slices 2,4,8]

SET has the format of docs/eval.md; DIR/REPO is the tree of its `repo`. `fleet pack --lines` makes the slices, as for a
repository that is too large for one shard. A result is right if it has the path and name of the gold answer.
"""
import json
import math
import pathlib
import sys
from collections.abc import Sequence
from typing import NamedTuple

import measure
from measure import Json


class Found(NamedTuple):
    rank: int
    results: list[str]


class Packed(NamedTuple):
    folder: pathlib.Path
    slices: int
    lines: int


def pack(program: str, tree: pathlib.Path, folder: pathlib.Path, lines: int | None) -> Packed:
    limit = ["--lines", str(lines)] if lines else []
    text, _ = measure.run([program, "fleet", "pack", str(tree), "-o", str(folder), "--json", *limit])
    members = [member for shard in json.loads(text)["shards"] for member in shard["members"]]
    return Packed(folder, len(members), sum(member["lines"] for member in members))


def ask(program: str, folder: pathlib.Path, case: Json) -> Found:
    text, _ = measure.run([program, "fleet", "ask", "--shards", str(folder), "-k", "10", "--json", "--", case["query"]])
    results = json.loads(text)["results"] if text.strip() else []
    return Found(measure.rank_of(results, case["gold"], lambda hit, _: hit["path"]), [f"{result['path']}:{result['line']}" for result in results])


def change(cases: Sequence[Json], found: Sequence[Found], whole: Sequence[Found], within: int) -> str:
    """Returns the 95 % interval of the difference in acc@1 or acc@10 from the whole repository."""
    groups: dict[str, list[float]] = {}
    for case, one, two in zip(cases, found, whole):
        groups.setdefault(case["id"].rsplit("/", 1)[0], []).append(float(0 < one.rank <= within) - float(0 < two.rank <= within))
    return "{:+.3f} to {:+.3f}".format(*measure.interval(groups))


def row(repository: str, packed: Packed, cases: Sequence[Json], found: Sequence[Found], whole: Sequence[Found]) -> list[object]:
    kept = [len(set(one.results) & set(two.results)) / len(two.results) for one, two in zip(found, whole) if two.results]
    first = sum(one.results[:1] == two.results[:1] for one, two in zip(found, whole))
    return [repository, packed.lines, packed.slices, len(cases), *measure.figures([one.rank for one in found]),
            change(cases, found, whole, 1), change(cases, found, whole, 10), f"{first} of {len(cases)}", sum(kept) / max(len(kept), 1) * 10]


def main() -> None:
    parser = measure.arguments(__doc__)
    parser.add_argument("--slices", default="2,4,8", help="approximate numbers of slices; directories are kept together")
    parser.add_argument("--only", help="names of repositories, separated by commas")
    given = parser.parse_args()
    cases = measure.lines(given.questions)
    rows, all = [], {}
    for repository in given.only.split(",") if given.only else sorted({case["repo"] for case in cases}):
        asked = [case for case in cases if case["repo"] == repository]
        tree, folder = given.sources.absolute() / repository, given.work.absolute() / repository
        whole = pack(given.program, tree, folder / "whole", None)
        expected = [ask(given.program, whole.folder, case) for case in asked]
        rows.append(row(repository, whole, asked, expected, expected))
        all.setdefault("whole", []).extend(zip(asked, expected, expected))
        for count in map(int, given.slices.split(",")):
            sliced = pack(given.program, tree, folder / str(count), math.ceil(whole.lines / count))
            found = [ask(given.program, sliced.folder, case) for case in asked]
            rows.append(row(repository, sliced, asked, found, expected))
            all.setdefault(f"about {count}", []).extend(zip(asked, found, expected))
        print(measure.table([""] * 11, rows[-1:]).splitlines()[-1], file=sys.stderr, flush=True)
    for name, triples in all.items():
        asked, found, expected = zip(*triples)
        rows.append(row("all", Packed(given.work, 0, 0), asked, found, expected))
        rows[-1][1:3] = ["", name]
    print(measure.table(["repository", "lines", "slices", "questions", "acc@1", "acc@10", "MRR", "acc@1 less whole (95 %)", "acc@10 less whole (95 %)", "same first", "of ten in common"], rows))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Measures how often `whichfn ask --kind docs` and the best single pattern of `rg` find the right passage.

measure.py WHICHFN DIR SET.jsonl [--rg]
"""
import collections
import json
import subprocess
import sys

STOP = set("a an and are at behind by can do does for from get has have how i if in into is it its make makes me my of "
           "on one only or other out own set so some that the their them then there this to under up use used using "
           "what when where which who why will with without".split())


def is_right(gold, path, start, end):
    return any(one["path"] == path and start <= one["end_line"] and end >= one["start_line"] for one in gold)


def whichfn(program, folder, case):
    done = subprocess.run([program, "ask", "--kind", "docs", "--json", "-k", "10", case["query"], folder],
                          capture_output=True, text=True, check=False)
    results = json.loads(done.stdout)["results"] if done.stdout else []
    right = (one["rank"] for one in results if is_right(case["gold"], one["path"], one["start_line"], one["end_line"]))
    return next(right, None)


def patterns(query):
    words = [word for word in query.replace("?", "").split() if word.lower() not in STOP]
    long = [word for word in words if len(word) >= 4]
    pairs = [f"{a} {b}" for a, b in zip(query.split(), query.split()[1:]) if a not in STOP and b not in STOP]
    return long + pairs + ["|".join(long)]


def ripgrep(folder, case):
    best = None
    for pattern in patterns(case["query"]):
        done = subprocess.run(["rg", "-in", "--hidden", "--no-heading", "--sort", "path", "--", pattern, "."],
                              cwd=folder, capture_output=True, text=True, check=False, errors="replace")
        for rank, line in enumerate(done.stdout.splitlines()[:1000], 1):
            # A line about a binary file has no number.
            path, number, *_ = [*line.split(":", 2), "", ""]
            if number.isdigit() and is_right(case["gold"], path.removeprefix("./"), int(number), int(number)):
                best = min(rank, best or rank)
                break
    return best


def interval(right, asked, z=1.96):
    """Returns Wilson's 95% interval of a share."""
    share, spread = right / asked, z * z / asked
    middle, half = share + spread / 2, z * (share * (1 - share) / asked + spread / (4 * asked)) ** 0.5
    return (middle - half) / (1 + spread), (middle + half) / (1 + spread)


def main():
    program, folder, name = sys.argv[1:4]
    search = ripgrep if "--rg" in sys.argv else lambda place, case: whichfn(program, place, case)
    ranks, by_repo = [], collections.defaultdict(list)
    for line in open(name, encoding="utf-8"):
        case = json.loads(line)
        rank = search(f"{folder}/{case['repo']}", case)
        ranks.append(rank)
        by_repo[case["repo"]].append(rank)
        print(f"{case['id']:14} {rank or '-':>4}  {case['query']}")
    count = lambda all, most: sum(1 for rank in all if rank and rank <= most)
    for repo, all in by_repo.items():
        print(f"{repo:14} first {count(all, 1)} of {len(all)}, top five {count(all, 5)}")
    for most in (1, 5, 10):
        low, high = interval(count(ranks, most), len(ranks))
        print(f"{'all':14} top {most:2}: {count(ranks, most)} of {len(ranks)} [{low:.2f}, {high:.2f}]")


main()

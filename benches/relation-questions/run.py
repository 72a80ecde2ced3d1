#!/usr/bin/env python3
"""Asks the questions of a set, and counts the questions about the graph that are recognized with the right definition,
and the ordinary questions that are taken for one.

    run.py PROGRAM ROOT SET.jsonl
"""
import json
import pathlib
import subprocess
import sys

RELATIONS = {"callers", "callees", "uses", "implementations", "bases", "tests", "definition"}


def plain(name):
    return name.replace("::", ".").replace("#", ".")


def is_right(row, answer):
    same = answer["asked_as"] == row["relation"] or {answer["asked_as"], row["relation"]} == {"callers", "uses"}
    return same and any(plain(name).endswith(plain(row["target"])) for name in answer.get("about", []))


def main(program, root, questions):
    counts = {"right": 0, "graph": 0, "taken": 0, "ordinary": 0}
    for line in pathlib.Path(questions).read_text().splitlines():
        row = json.loads(line)
        command = [program, "ask", row["query"], str(pathlib.Path(root) / row["repo"]), "--json", "-k", "3"]
        answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
        if "relation" in row:
            good, counts["graph"] = is_right(row, answer), counts["graph"] + 1
            counts["right"] += good
        else:
            good, counts["ordinary"] = answer["asked_as"] not in RELATIONS, counts["ordinary"] + 1
            counts["taken"] += not good
        if not good:
            print(f"{row['repo']}: {row['query']}  ->  {answer['asked_as']} {answer.get('about', '')}")
    print("{right} of {graph} recognized with the right definition; {taken} of {ordinary} ordinary ones taken".format(**counts))


if __name__ == "__main__":
    main(*sys.argv[1:])

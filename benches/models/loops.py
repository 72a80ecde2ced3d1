#!/usr/bin/env python3
"""Runs every loop that can use a language model on the same questions, and prints one row for each loop.

    loops.py WHICHFN SET.jsonl REPOS --llm-url URL --llm-model NAME [--questions N] [--category NAME] [--loops NAME,..]
             [--out FILE.jsonl]

The questions are spread evenly over the set. Each run has at most --seconds of time. Figures of a row: runs with an
answer, first answers that are right, requests, replies that were valid, repaired and rejected, replies that were cut off
and repeated themselves, tokens sent, reused and written as the server counts them, and seconds.
Run it again to continue an interrupted run; with no questions left it only prints the table.
"""
import argparse
import json
import os
import subprocess
import time

LOOPS = {
    "direct": None,
    "prism amendments": ["--strategy", "prism", "--memory", "amendments"],
    "prism in-place": ["--strategy", "prism", "--memory", "in-place"],
    "cok amendments": ["--strategy", "cok", "--memory", "amendments"],
    "cok in-place": ["--strategy", "cok", "--memory", "in-place"],
    "walk": ["--strategy", "walk"],
    "read": "read",
    "read --schema generate": "generate",
}


def command_of(arguments, loop, question, tree, log):
    model = ["--llm-url", arguments.llm_url, "--llm-model", arguments.llm_model, "--llm-log", log]
    how = LOOPS[loop]
    if how is None:
        return [arguments.whichfn, "ask", question["query"], tree, "--json"]
    if isinstance(how, list):
        return [arguments.whichfn, "ask", question["query"], tree, "--json", "--chunk-tokens", "1000", *how, *model]
    # A question about text: the first file with a right answer.
    file = os.path.join(tree, question["gold"][0]["path"])
    schema = ["--schema", "generate", "--domain", "source code"] if how == "generate" else []
    return [arguments.whichfn, "read", question["query"], file, "--json", "--chunk-tokens", "1000", *schema, *model]


def run(arguments, loop, question):
    tree = os.path.join(arguments.repos, question["repo"])
    log = arguments.out + ".log"
    if os.path.exists(log):
        os.remove(log)
    started = time.time()
    try:
        done = subprocess.run(command_of(arguments, loop, question, tree, log), capture_output=True, text=True,
                              timeout=arguments.seconds)
        status, out, error = done.returncode, done.stdout, done.stderr.strip()
    except subprocess.TimeoutExpired:
        status, out, error = "timeout", "", ""
    seconds = time.time() - started
    answer = json.loads(out) if out.strip() else {}
    first = (answer.get("results") or [{}])[0]
    calls = [json.loads(line) for line in open(log)] if os.path.exists(log) else []
    usage = [call["usage"] for call in calls if call["usage"]]
    steps = (answer.get("trace") or {}).get("steps") or []
    row = {
        "loop": loop, "id": question["id"], "status": status, "seconds": seconds, "error": error[:400],
        "right": any(first.get("path") == one["path"] and one.get("name") == first.get("name", "").split(".")[-1]
                     for one in question["gold"]),
        "verdict": (answer.get("trace") or {}).get("verdict"),
        "requests": len(calls), "failed": sum(call["error"] is not None for call in calls),
        "cut": sum(bool(call["cut"]) for call in calls), "repeats": sum(bool(call["repeats"]) for call in calls),
        "own_prompt": (answer.get("trace") or {}).get("total", {}).get("prompt", 0),
        "own_shared": (answer.get("trace") or {}).get("total", {}).get("shared", 0),
    }
    for name in ("prompt", "cached", "output", "prompt_ms", "output_ms"):
        row[name] = sum(one[name] for one in usage)
    for name in ("valid", "repaired", "rejected"):
        row[name] = sum((step.get("replies") or {}).get(name, 0) for step in steps)
    return row


def table(rows):
    names = ["runs", "answers", "right", "requests", "valid", "repaired", "rejected", "cut", "repeats", "sent", "reused",
             "written", "own count", "own shared", "read s", "write s", "s/run"]
    print(f"{'':<24}" + "".join(f"{name:>10}" for name in names))
    for loop in LOOPS:
        of = [row for row in rows if row["loop"] == loop]
        if not of:
            continue
        total = lambda name: sum(row[name] for row in of)
        values = [len(of), sum(row["status"] in (0, 1) for row in of), total("right"), total("requests"), total("valid"),
                  total("repaired"), total("rejected"), total("cut"), total("repeats"), total("prompt"), total("cached"),
                  total("output"), total("own_prompt"), total("own_shared"), round(total("prompt_ms") / 1e3),
                  round(total("output_ms") / 1e3), round(total("seconds") / len(of), 1)]
        print(f"{loop:<24}" + "".join(f"{value:>10}" for value in values))
    for error in sorted({row["error"].split("\n")[0] for row in rows if row["status"] not in (0, 1)}):
        print("failed:", error)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("whichfn")
    parser.add_argument("set")
    parser.add_argument("repos")
    parser.add_argument("--llm-url", required=True)
    parser.add_argument("--llm-model", required=True)
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--category")
    parser.add_argument("--loops", default=",".join(LOOPS))
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--out", default="loops.jsonl")
    arguments = parser.parse_args()
    rows = [json.loads(line) for line in open(arguments.out)] if os.path.exists(arguments.out) else []
    questions = [json.loads(line) for line in open(arguments.set)]
    questions = [one for one in questions if arguments.category in (None, one.get("category"))]
    count = min(arguments.questions, len(questions))
    for question in (questions[at * len(questions) // count] for at in range(count)):
        for loop in arguments.loops.split(","):
            if not any(row["loop"] == loop and row["id"] == question["id"] for row in rows):
                row = run(arguments, loop, question)
                rows.append(row)
                with open(arguments.out, "a") as file:
                    file.write(json.dumps(row) + "\n")
    table(rows)


if __name__ == "__main__":
    main()

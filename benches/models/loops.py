#!/usr/bin/env python3
"""Runs every loop that can use a language model on the same questions, and prints one row for each loop.

    loops.py WHICHFN SET.jsonl REPOS --llm-url URL --llm-model NAME [--questions N] [--category NAME] [--loops NAME,..]
             [--calls N] [--seconds N] [--chunk-tokens N] [--reply-tokens N] [--jobs N] [--out FILE.jsonl]

The questions are spread evenly over the set. Each run has at most --calls requests and --seconds of time; a run that
reaches either limit ends without an answer and without a trace. Figures of a row:
  answers, right               runs that ended with an answer; runs whose first answer is right
  requests, json, cut, repeats requests; replies that are JSON as they are; replies that were cut off; cut off as repetition
  traced, valid, repaired, rejected
                               runs with a trace, and what the trace counts
  sent, reused, written        tokens, as the server counts them
  own count, own shared        our own count of the runs with a trace, next to `sent` of the same runs (traced sent)
--jobs runs that many questions at the same time, for a server with as many slots. Run it again to continue an
interrupted run; with no questions left it only prints the table.
"""
import argparse
import json
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

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
    model = ["--llm-url", arguments.llm_url, "--llm-model", arguments.llm_model, "--llm-log", log,
             "--chunk-tokens", str(arguments.chunk_tokens), "--max-calls", str(arguments.calls),
             "--llm-timeout", str(arguments.seconds)]
    if arguments.reply_tokens:
        model += ["--llm-max-reply", str(arguments.reply_tokens)]
    how = LOOPS[loop]
    if how is None:
        return [arguments.whichfn, "ask", question["query"], tree, "--json"]
    if isinstance(how, list):
        return [arguments.whichfn, "ask", question["query"], tree, "--json", *how, *model]
    # A question about text: the first file with a right answer.
    file = os.path.join(tree, question["gold"][0]["path"])
    schema = ["--schema", "generate", "--domain", "source code"] if how == "generate" else []
    return [arguments.whichfn, "read", question["query"], file, "--json", *schema, *model]


def is_json(text):
    try:
        return isinstance(json.loads(text or ""), (dict, list))
    except ValueError:
        return False


def run(arguments, loop, question):
    tree = os.path.join(arguments.repos, question["repo"])
    os.makedirs(arguments.out + ".logs", exist_ok=True)
    log = os.path.join(arguments.out + ".logs", f"{loop} {question['id']}".replace("/", "-").replace(" ", "_"))
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
    trace = answer.get("trace") or {}
    steps = trace.get("steps") or []
    row = {
        "loop": loop, "id": question["id"], "status": status, "seconds": seconds, "error": error[:400],
        "right": any(first.get("path") == one["path"] and one.get("name", "") in ("", first.get("name", "").split(".")[-1])
                     for one in question["gold"]),
        "verdict": trace.get("verdict"), "traced": bool(trace),
        "requests": len(calls), "failed": sum(call["error"] is not None for call in calls),
        "json": sum(is_json(call["reply"]) for call in calls),
        "cut": sum(bool(call["cut"]) for call in calls), "repeats": sum(bool(call["repeats"]) for call in calls),
        "own_prompt": (trace.get("total") or {}).get("prompt", 0),
        "own_shared": (trace.get("total") or {}).get("shared", 0),
    }
    for name in ("prompt", "cached", "output", "prompt_ms", "output_ms"):
        row[name] = sum(one[name] for one in usage)
    row["traced_prompt"] = row["prompt"] if row["own_prompt"] else 0
    for name in ("valid", "repaired", "rejected"):
        row[name] = sum((step.get("replies") or {}).get(name, 0) for step in steps)
    return row


def table(rows):
    names = ["runs", "answers", "right", "requests", "json", "cut", "repeats", "traced", "valid", "repaired", "rejected",
             "sent", "reused", "written", "traced sent", "own count", "own shared", "read s", "write s", "s/run"]
    print(f"{'':<22}" + "".join(f"{name:>12}" for name in names))
    for loop in LOOPS:
        of = [row for row in rows if row["loop"] == loop]
        if not of:
            continue
        total = lambda name: sum(row[name] for row in of)
        values = [len(of), sum(row["status"] in (0, 1) for row in of),
                  *map(total, ["right", "requests", "json", "cut", "repeats", "traced", "valid", "repaired", "rejected",
                               "prompt", "cached", "output", "traced_prompt", "own_prompt", "own_shared"]),
                  round(total("prompt_ms") / 1e3), round(total("output_ms") / 1e3), round(total("seconds") / len(of), 1)]
        print(f"{loop:<22}" + "".join(f"{value:>12}" for value in values))
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
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--calls", type=int, default=40)
    parser.add_argument("--chunk-tokens", type=int, default=1000)
    parser.add_argument("--reply-tokens", type=int)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", default="loops.jsonl")
    arguments = parser.parse_args()
    rows = [json.loads(line) for line in open(arguments.out)] if os.path.exists(arguments.out) else []
    questions = [json.loads(line) for line in open(arguments.set)]
    questions = [one for one in questions if arguments.category in (None, one.get("category"))]
    count = min(arguments.questions, len(questions))
    asked = [questions[at * len(questions) // count] for at in range(count)]
    done = {(row["loop"], row["id"]) for row in rows}
    todo = [(loop, question) for question in asked for loop in arguments.loops.split(",")
            if (loop, question["id"]) not in done]
    with ThreadPoolExecutor(arguments.jobs) as jobs:
        for row in jobs.map(lambda one: run(arguments, *one), todo):
            rows.append(row)
            with open(arguments.out, "a") as file:
                file.write(json.dumps(row) + "\n")
    table(rows)


if __name__ == "__main__":
    main()

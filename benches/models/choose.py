#!/usr/bin/env python3
"""Measures whether a small model improves the order of the first ten results with one token for each question.

    choose.py WHICHFN SET.jsonl REPOS --llm-url URL [--every N] [--category NAME] [--out FILE.jsonl]

`whichfn` finds ten candidates. Two forms of question are asked, and only the probabilities of the next token are read:
  choose  all ten candidates as A to J, "Answer:"; the probabilities of the ten letters. A second prompt without the
          question gives the model's preference for letters and names, which is subtracted (contextual calibration,
          Zhao et al. 2021).
  yes     each candidate in a prompt of its own; the log-probability of yes minus that of no.
A model's score is added to the logarithm of 1/rank with a weight. The weight is chosen on the other half of the questions.
Needs a server with `/v1/completions` and logprobs (llama.cpp). Run it again to continue an interrupted run.
"""
import argparse
import json
import math
import os
import subprocess
import time
import urllib.request

LETTERS = "ABCDEFGHIJ"
WEIGHTS = [0, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 100]
MISSING = -20.0  # log-probability of a token that is not among the reported ones


def post(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request, timeout=1200))


def next_token(url, prompt):
    """Returns the log-probabilities of the most likely next tokens, without their blanks."""
    reply = post(f"{url}/completions", {"prompt": prompt, "max_tokens": 1, "temperature": 0, "logprobs": 60})
    found = {}
    for token in reply["choices"][0]["logprobs"]["content"][0]["top_logprobs"]:
        word = token["token"].strip().lower()
        found[word] = max(found.get(word, MISSING), token["logprob"])
    return found


def described(result):
    doc = (result.get("doc") or "").strip().split("\n")[0][:120]
    return f"{result['name']} in {result['path']}: {result.get('signature', '')[:120]}" + (f" - {doc}" if doc else "")


def choose_prompt(question, results):
    listed = "\n".join(f"{letter}. {described(result)}" for letter, result in zip(LETTERS, results))
    return f"Functions of a program:\n{listed}\n\nQuestion: {question}\nThe letter of the right function is the answer.\nAnswer:"


def yes_prompt(question, result):
    return f"Question about a program: {question}\nFunction: {described(result)}\nIs this the right function, yes or no?\nAnswer:"


def scores(url, question, results):
    started = time.time()
    asked, prior = (next_token(url, choose_prompt(text, results)) for text in (question, "N/A"))
    choose = [asked.get(letter.lower(), MISSING) for letter in LETTERS[: len(results)]]
    before = [prior.get(letter.lower(), MISSING) for letter in LETTERS[: len(results)]]
    middle = time.time()
    yes = []
    for result in results:
        tokens = next_token(url, yes_prompt(question, result))
        yes.append(tokens.get("yes", MISSING) - tokens.get("no", MISSING))
    return {
        "choose": choose,
        "calibrated": [a - b for a, b in zip(choose, before)],
        "yes": yes,
        "choose_s": middle - started,
        "yes_s": time.time() - middle,
    }


def is_gold(result, gold):
    return any(result["path"] == one["path"] and one.get("name", result["name"].split(".")[-1]) in
               (result["name"], result["name"].split(".")[-1]) for one in gold)


def collect(arguments, out):
    done = {json.loads(line)["id"] for line in open(out)} if os.path.exists(out) else set()
    questions = [json.loads(line) for line in open(arguments.set)]
    questions = [one for one in questions if arguments.category in (None, one.get("category"))][:: arguments.every]
    for one in questions:
        if one["id"] in done:
            continue
        command = [arguments.whichfn, "ask", one["query"], os.path.join(arguments.repos, one["repo"]), "--json", "-k", "10"]
        answer = json.loads(subprocess.run(command, capture_output=True, text=True).stdout or '{"results":[]}')
        results = answer["results"]
        if not results:
            continue
        row = {"id": one["id"], "gold": [is_gold(result, one["gold"]) for result in results]}
        row.update(scores(arguments.llm_url, one["query"], results))
        with open(out, "a") as file:
            file.write(json.dumps(row) + "\n")


def rank(row, kind, weight):
    """Returns the rank of the first right result; None if there is none."""
    own = row[kind]
    top = max(own)
    score = [weight * max(value - top, MISSING) - math.log(1 + at) for at, value in enumerate(own)]
    order = sorted(range(len(own)), key=lambda at: -score[at])
    return next((place + 1 for place, at in enumerate(order) if row["gold"][at]), None)


def figures(ranks):
    n = max(len(ranks), 1)
    return sum(r == 1 for r in ranks) / n, sum(1 / r for r in ranks if r) / n


def report(rows):
    print(f"{len(rows)} questions")
    base = figures([rank(row, "choose", 0) for row in rows])
    print(f"{'search':<12} first {base[0]:.3f}  MRR@10 {base[1]:.3f}")
    halves = rows[::2], rows[1::2]
    for kind in ("choose", "calibrated", "yes"):
        alone = figures([rank(row, kind, 100) for row in rows])
        picked, weights = [], []
        for own, other in (halves, halves[::-1]):
            weight = max(WEIGHTS, key=lambda w: figures([rank(row, kind, w) for row in other])[1])
            weights.append(weight)
            picked += [rank(row, kind, weight) for row in own]
        mixed = figures(picked)
        seconds = sum(row["yes_s" if kind == "yes" else "choose_s"] for row in rows) / max(len(rows), 1)
        print(f"{kind:<12} model alone: first {alone[0]:.3f}  MRR@10 {alone[1]:.3f};  with the search: first {mixed[0]:.3f}"
              f"  MRR@10 {mixed[1]:.3f} (weights {weights[0]}, {weights[1]});  {seconds:.1f} s a question")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("whichfn")
    parser.add_argument("set")
    parser.add_argument("repos")
    parser.add_argument("--llm-url", required=True)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--category")
    parser.add_argument("--out", default="choose.jsonl")
    arguments = parser.parse_args()
    collect(arguments, arguments.out)
    report([json.loads(line) for line in open(arguments.out)])

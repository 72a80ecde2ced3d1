#!/usr/bin/env python3
"""Measures how much of its work a real server reuses with `--memory amendments` and with `--memory in-place`.

    caching.py WHICHFN SET.jsonl REPOS --server URL [--questions N] [--chunks N] [--chunk-tokens N] [--out FILE.jsonl]

A small model rarely changes the memory, so its own replies cannot show the difference. Here this script takes the part
of the model: it notes every function of a chunk, corrects the note on the first function of the chunk before, and is
certain after --chunks chunks. Both forms get the same notes. Each prompt goes to a real llama.cpp server, which reads it
and writes one token (`n_predict: 1`), and reports how many tokens were in its cache (`cache_n`), how many it read
(`prompt_n`), and the time. Before each run, another prompt empties the server's cache. URL has no /v1.
Run it again to continue an interrupted run; with nothing left it only prints the table.
"""
import argparse
import http.server
import json
import os
import re
import subprocess
import threading
import urllib.request

FORMS = ["in-place", "amendments"]
HEADING = re.compile(r"^### (f\d+)(.*)$", re.M)


def read_prompt(server, prompt):
    """Lets the server read a prompt, and returns its counts."""
    body = {"prompt": prompt, "n_predict": 1, "temperature": 0, "cache_prompt": True, "id_slot": 0}
    request = urllib.request.Request(f"{server}/completion", json.dumps(body).encode(), {"Content-Type": "application/json"})
    timings = json.load(urllib.request.urlopen(request, timeout=3600))["timings"]
    return {"cached": timings["cache_n"], "read": timings["prompt_n"], "ms": timings["prompt_ms"]}


def note(key, purpose, procedure, operation):
    value = {"purpose": purpose, "input": None, "output": None, "procedure": procedure}
    return {"path": f"$.candidate_functions['{key}']", "operation": operation, "value": value}


class Script:
    """The replies of one run."""

    def __init__(self, server, chunks):
        self.server, self.chunks = server, chunks
        self.steps, self.former, self.shown = [], None, set()

    def reply(self, prompt):
        self.steps.append(read_prompt(self.server, prompt))
        if len(self.steps) > self.chunks:
            return {"order": ["f1"]}
        revisions, first = [], None
        for found in HEADING.finditer(prompt):
            key, code = found.group(1), " ".join(prompt[found.end():found.end() + 400].split())
            if key not in self.shown:
                first = first or key
                self.shown.add(key)
                revisions.append(note(key, found.group(2).strip()[:80], code[:160], "add"))
        if self.former:
            revisions.append(note(self.former, "does not match: it is only called by the function", "see its caller", "update"))
        self.former = first or self.former
        done = len(self.steps) == self.chunks
        return {"revisions": revisions, "certain": ["f1"] if done else None, "more": None if done else []}


def serve(script):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_error(404)

        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text = json.dumps(script.reply(body["messages"][0]["content"]))
            choice = {"message": {"content": text}, "finish_reason": "stop"}
            answer = json.dumps({"choices": [choice]}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def run(arguments, question, form):
    read_prompt(arguments.server, "Another prompt, which empties the cache. " * 3)
    script = Script(arguments.server, arguments.chunks)
    server = serve(script)
    command = [arguments.whichfn, "ask", question["query"], os.path.join(arguments.repos, question["repo"]), "--json",
               "--strategy", "prism", "--memory", form, "--chunk-tokens", str(arguments.chunk_tokens),
               "--llm-url", f"http://127.0.0.1:{server.server_address[1]}/v1", "--llm-model", "script", "--llm-timeout", "3600"]
    done = subprocess.run(command, capture_output=True, text=True)
    server.shutdown()
    trace = json.loads(done.stdout)["trace"]
    return {"id": question["id"], "form": form, "steps": script.steps, "own": trace["total"],
            "applied": sum(step["applied"] for step in trace["steps"]),
            "rejected": sum(len(step["rejected"]) for step in trace["steps"])}


def table(rows):
    print(f"{'':<12}{'runs':>6}{'prompts':>9}{'notes':>7}{'refused':>9}{'tokens':>9}{'reused':>9}{'read':>9}{'s':>8}"
          f"{'own count':>11}{'own shared':>12}")
    for form in FORMS:
        of = [row for row in rows if row["form"] == form]
        steps = [step for row in of for step in row["steps"]]
        total = lambda name: sum(step[name] for step in steps)
        print(f"{form:<12}{len(of):>6}{len(steps):>9}{sum(r['applied'] for r in of):>7}{sum(r['rejected'] for r in of):>9}"
              f"{total('cached') + total('read'):>9}{total('cached'):>9}{total('read'):>9}{total('ms') / 1e3:>8.1f}"
              f"{sum(r['own']['prompt'] for r in of):>11}{sum(r['own']['shared'] for r in of):>12}")
    print("\neach prompt, mean over the runs: tokens read (milliseconds)")
    for form in FORMS:
        of = [row["steps"] for row in rows if row["form"] == form]
        for at in range(max(map(len, of), default=0)):
            steps = [steps[at] for steps in of if at < len(steps)]
            mean = lambda name: sum(step[name] for step in steps) / len(steps)
            print(f"{form:<12}{at + 1:>4}{mean('cached') + mean('read'):>9.0f} tokens, {mean('read'):>6.0f} read ({mean('ms'):.0f} ms)")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("whichfn")
    parser.add_argument("set")
    parser.add_argument("repos")
    parser.add_argument("--server", required=True)
    parser.add_argument("--questions", type=int, default=5)
    parser.add_argument("--chunks", type=int, default=8)
    parser.add_argument("--chunk-tokens", type=int, default=500)
    parser.add_argument("--out", default="caching.jsonl")
    arguments = parser.parse_args()
    rows = [json.loads(line) for line in open(arguments.out)] if os.path.exists(arguments.out) else []
    questions = [json.loads(line) for line in open(arguments.set)]
    count = min(arguments.questions, len(questions))
    for question in (questions[at * len(questions) // count] for at in range(count)):
        for form in FORMS:
            if not any(row["id"] == question["id"] and row["form"] == form for row in rows):
                rows.append(run(arguments, question, form))
                with open(arguments.out, "a") as file:
                    file.write(json.dumps(rows[-1]) + "\n")
    table(rows)


if __name__ == "__main__":
    main()

"""The commands. Exit status as grep's: 0 found, 1 nothing found, 2 error; of `check` as that of `whichfn check`."""

import hashlib
import json
import os
import re
import subprocess
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from . import server, shards
from .engines import Json, run
from .fleet import Fleet

DESCRIPTION = """build DIR...      shards of all repositories (or of --list FILE), and the catalog
push DIR          one repository anew: a small layer over its bundle
ask QUESTION      functions of all repositories that fit
serve             the same over HTTP
status            what the catalog holds, and how a --server is
eval FILE         how well questions with known answers are answered
check DIR...      `whichfn check` in many checkouts (its options after --); or --archives: is each shard whole?"""


def status(args: Namespace) -> int:
    catalog = {"build": shards.build, "push": shards.push}.get(args.verb, lambda args: shards.Storage(args.storage).read())(args)
    rows, files = catalog["repositories"].values(), catalog["shards"]
    counts = {"version": 1, "sequence": catalog["sequence"], "repositories": len(rows), "shards": len(files)}
    counts |= {key: sum(row[key] for row in rows) for key in shards.SUMS} | {"bytes": sum(one["bytes"] for one in files)}
    counts["layers"] = sum(one["layer"] > 0 for one in files)
    counts["tombstones"] = sum(len(one["held"]) - len(one["members"]) for one in files)
    if args.server:
        counts["server"] = json.loads(urlopen(f"{args.server.rstrip('/')}/health", timeout=args.deadline).read())
    print(json.dumps(counts, indent=None if args.json else 1))
    return 0


def ask(args: Namespace) -> int:
    query = {"question": " ".join(args.what), "k": args.k, "repos": args.repo, "teams": args.teams, "languages": args.lang}
    kind = {"kind": args.kind} if args.kind else {}
    answer = Fleet(args).ask({**query, **kind, "paths": args.path, "groups": args.groups})
    if missing := answer["shards"]["missing"]:
        print(f"whichfn-fleet: a short answer: {len(missing)} shards do not answer: {', '.join(missing)}", file=sys.stderr)
    for one in () if args.json else answer["results"]:
        print(f"{one['repository']}/{one['path']}:{one['line']}  {one['qualified_name']}  {one['kind']}\n    {one['signature']}")
    if args.json:
        print(json.dumps(answer))
    return 0 if answer["results"] else 1


def rank(fleet: Fleet, args: Namespace, is_scoped: bool, question: Json) -> float:
    """The place of the first right answer, from 1; infinite without one. RuntimeError for a short answer: its figure would mislead."""
    repos = [question["repo"]] if is_scoped else []
    answer = fleet.ask({"question": question["query"], "k": 100, "repos": repos, "groups": args.groups})
    if answer["shards"]["missing"]:
        raise RuntimeError(f"{question['id']}: shards do not answer: {', '.join(answer['shards']['missing'])}")
    gold = {(question["repo"], one["path"], one.get("name")) for one in question["gold"]}
    for place, one in enumerate(answer["results"], 1):
        for found in (one, *({**one, **twin} for twin in one.get("alike", []))):
            names = None, re.split(r"\W+", found["qualified_name"])[-1]
            if gold & {(found["repository"], found["path"], name) for name in names}:
                return place
    return float("inf")


def evaluate(args: Namespace) -> int:
    fleet, figures = Fleet(args), Json()
    questions = [json.loads(line) for line in Path(args.what[0]).read_text().splitlines() if line.strip()]
    for scope in ("none", "repository"):
        ranks = list(ThreadPoolExecutor(args.jobs).map(partial(rank, fleet, args, scope == "repository"), questions))
        for kind in ["all", *sorted({one["category"] for one in questions if "category" in one})]:
            places = [place for one, place in zip(questions, ranks) if kind in ("all", one.get("category"))]
            sums = {"acc@1": sum(place <= 1 for place in places), "acc@10": sum(place <= 10 for place in places)}
            sums["mrr"] = sum(1 / place for place in places)
            row = {key: round(value / len(places), 4) for key, value in sums.items()}
            figures.setdefault(scope, {})[kind] = {"questions": len(places), **row}
    print(json.dumps({"version": 1, "scopes": figures}, indent=None if args.json else 1))
    return 0


def findings(task: Json) -> Json:
    """What `whichfn check` finds in a checkout. RuntimeError with its words where it cannot."""
    command = [task["whichfn"], "check", "--in", task["path"], "--json", *task["options"]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=task["deadline"], check=False)
    if done.returncode > 1:
        raise RuntimeError(done.stderr.strip())
    return {"status": done.returncode, "findings": [{"repository": task["name"], **one} for one in json.loads(done.stdout)["findings"]]}


def is_whole(task: Json) -> Json:
    """Nothing, where a shard has the digest that the catalog says, and holds what it says. RuntimeError where not."""
    with TemporaryDirectory() as folder:
        file = shards.Storage(task["storage"]).local(task["file"], Path(folder))
        if hashlib.sha256(file.read_bytes()).hexdigest() != task["sha256"]:
            raise RuntimeError("its digest is not the one that the catalog says: remove it and build again")
        command = [task["whichfn"], "fleet", "stats", str(file), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=task["deadline"], check=False)
        held = [one["id"] for one in json.loads(done.stdout)["shards"][0]["members"]] if done.returncode == 0 else []
        if held != task["held"]:
            raise RuntimeError(done.stderr.strip() or f"it holds {held}, and should hold {task['held']}: build again")
    return {"status": 0, "findings": []}


def check(args: Namespace) -> int:
    if args.archives:
        tasks, work = [{**args.task, **one} for one in shards.Storage(args.storage).read()["shards"]], is_whole
    else:
        tasks = [{**args.task, **one, "options": args.options} for one in shards.repositories(args.what, args.list)]
        work = findings
    done = run(args, work, tasks)
    for task, of in zip(tasks, done):
        if "error" in of:
            print(f"whichfn-fleet: {task.get('name') or task['file']}: {of['error']}", file=sys.stderr)
        for one in () if args.json else of.get("findings", ()):
            print(f"{one['repository']}/{one['path']}:{one['line']}  {one['severity']}[{one['rule']}] {one['name']} {one['message']}")
    if args.json:
        print(json.dumps({"version": 1, "findings": [one for of in done for one in of.get("findings", ())]}))
    return max((of.get("status", 2) for of in done), default=0)


VERBS = {"build": status, "push": status, "status": status, "ask": ask, "serve": server.serve, "eval": evaluate, "check": check}


def parser() -> ArgumentParser:
    options = ArgumentParser(prog="whichfn-fleet", description=DESCRIPTION, formatter_class=RawDescriptionHelpFormatter)
    options.add_argument("verb", choices=VERBS)
    options.add_argument("what", nargs="*")
    add, many = options.add_argument, {"action": "append", "default": []}
    add("-s", "--storage", default=os.environ.get("WHICHFN_FLEET"), help="a folder, or s3://bucket/prefix [WHICHFN_FLEET]")
    add("--whichfn", default=os.environ.get("WHICHFN", "whichfn"), help="the program, as each machine has it [WHICHFN]")
    add("--engine", choices=("local", "ray", "spark"), default="local")
    add("--address", help="of Ray's or Spark's cluster; none: a cluster of this process, on loopback")
    add("--cache", default="~/.cache/whichfn-fleet", help="where workers keep shards of a storage that is no folder")
    add("--workers", type=int, default=max(1, (os.cpu_count() or 1) // 2), help="that hold shards")
    add("--jobs", type=int, default=max(1, (os.cpu_count() or 1) // 2), help="tasks or questions at once, engine local")
    add("--deadline", type=float, help="seconds: of a question (10), of all tasks together (21600)")
    add("--json", action="store_true", help="one line of JSON")
    add("--list", metavar="FILE", help='lines of {"path": .., "name": .., "revision": .., "team": .., "groups": [..]}')
    add("--shards", type=int, help="build: about so many")
    add("--lines", type=int, default=2_000_000, help="build, push: of a shard at most")
    add("--name", help="push: the repository's name [that of its folder]")
    add("--revision", help="push: what answers name [the commit that is checked out]")
    add("--team", dest="teams", help="push: its team; ask: of these teams only", **many)
    add("--group", dest="groups", help="push: who may see it; ask, serve, eval: as a member of these", **many)
    add("--repo", metavar="GLOB", help="ask: only these repositories", **many)
    add("--lang", help="ask: only these languages", **many)
    add("--path", metavar="GLOB", help="ask: only these paths", **many)
    add("--kind", choices=("function", "type", "any"))
    add("-k", type=int, default=10, help="ask: results")
    add("--host", default="127.0.0.1")
    add("--port", type=int, default=7374, help="0: any that is free")
    add("--tokens", metavar="FILE", help='serve: {"TOKEN": ["group", ..]}; who bears one sees these groups')
    add("--server", metavar="URL", help="status: of this server too")
    add("--archives", action="store_true", help="check: the shards in the storage")
    return options


def settings(given: list[str]) -> Namespace:
    """What a command line says. ValueError for what does not fit together."""
    cut = given.index("--") if "--" in given else len(given)
    args = parser().parse_intermixed_args(given[:cut])
    args.options, args.deadline = given[cut + 1 :], args.deadline or (10.0 if args.verb in ("ask", "serve", "eval") else 21600.0)
    if "/" in args.whichfn:
        args.whichfn = str(Path(args.whichfn).resolve())
    if not args.storage and (args.verb != "check" or args.archives):
        raise ValueError("no storage is named: give --storage, a folder or s3://bucket/prefix, or set WHICHFN_FLEET")
    if args.storage and "://" not in args.storage:
        args.storage = str(Path(args.storage).expanduser().resolve())
    if args.engine == "spark" and args.verb in ("ask", "serve", "eval"):
        raise ValueError(f"Spark keeps no workers, so each question would cost seconds: {args.verb} with --engine local or ray")
    args.task = {key: getattr(args, key) for key in ("storage", "whichfn", "lines", "deadline")}
    return args


def main() -> int:
    """Exit status 2 and a line on stderr for what fails."""
    try:
        args = settings(sys.argv[1:])
        return VERBS[args.verb](args)
    except (ValueError, OSError, RuntimeError, ImportError, EOFError) as cause:
        print(f"whichfn-fleet: {cause}", file=sys.stderr)
        return 2

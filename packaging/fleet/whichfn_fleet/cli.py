"""whichfn-fleet VERB [OPTIONS] [-- OPTIONS OF whichfn check]: search many repositories with any number of machines.

  build DIR.. [--list FILE]     pack all repositories, write the catalog; FILE: {"path", "name", "revision", "team", "groups"} per line
  push DIR                      pack one repository again, as a layer above its bundle; --name NAME, --revision REV: instead of git's
  ask QUESTION                  search, limited by --repo GLOB.. --team NAME.. --lang NAME.. --path GLOB.. --kind KIND; --k N results (10)
  serve                         serve questions over HTTP at --host ADDRESS --port N; --tokens FILE: {"TOKEN": [groups that it may see]}
  status                        print the contents of the catalog, and the health of the server at --server URL
  eval FILE                     measure the ranking on questions with known answers, over all repositories and over the right one only
  check DIR.. [--list FILE]     run `whichfn check` in each checkout; --archives: verify the shards in the storage instead

--storage URL: a folder, or s3://bucket/prefix (default: WHICHFN_FLEET). --whichfn FILE: the program on all machines (default: WHICHFN).
--engine NAME: local, ray or spark; --address ADDRESS: its cluster. --jobs N: tasks at the same time. --workers N: processes that load
shards. --cache DIR: where workers keep the shards that they fetch. --shards N or --lines N: size of bundles. --group NAME..: search as a
member of this group; with push: who may see the repository. --deadline SECONDS: for a question (10) or for all tasks (21600).
--json: output for programs.
Exit status as in grep: 0 found, 1 nothing found, 2 error; for check, the status of `whichfn check`."""

import json
import os
import re
import sys
from argparse import SUPPRESS, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from . import server, shards
from .engines import Json, run
from .fleet import Fleet

CPUS = os.cpu_count() or 1
USUAL: Json = {"storage": os.environ.get("WHICHFN_FLEET"), "whichfn": os.environ.get("WHICHFN", "whichfn")}
USUAL |= {"jobs": (CPUS + 1) // 2, "workers": (CPUS + 1) // 2, "cache": "~/.cache/whichfn-fleet", "lines": 2_000_000}
USUAL |= {"engine": "local", "port": 7374, "k": 10, "host": "127.0.0.1"}


def status(args: Namespace) -> int:
    catalog = {"build": shards.build, "push": shards.push}.get(args.verb, lambda args: shards.Storage(args.storage).read())(args)
    rows, files = catalog["repositories"].values(), catalog["shards"]
    counts = {"version": 1, "sequence": catalog["sequence"], "repositories": len(rows), "shards": len(files)}
    counts |= {key: sum(row.get(key, 0) for row in rows) for key in shards.SUMS} | {"bytes": sum(one["bytes"] for one in files)}
    counts["layers"] = sum(one["layer"] > 0 for one in files)
    counts["tombstones"] = sum(len(one["held"]) - len(one["members"]) for one in files)
    if args.server:
        counts["server"] = json.loads(urlopen(f"{args.server.rstrip('/')}/health", timeout=10).read())
    print(json.dumps(counts, indent=None if args.json else 1))
    return 0


def ask(args: Namespace) -> int:
    query = {"question": " ".join(args.what), "k": args.k, "repos": args.repo, "teams": args.team, "languages": args.lang}
    answer = Fleet(args).ask(query | {"paths": args.path, "groups": args.group} | ({"kind": args.kind} if args.kind else {}))
    if missing := answer["shards"]["missing"]:
        print(f"whichfn-fleet: the answer is incomplete: {len(missing)} shards do not answer: {', '.join(missing)}", file=sys.stderr)
    lines = [f"{one['repository']}/{one['path']}:{one['line']}  {one['qualified_name']}  {one['kind']}" for one in answer["results"]]
    print(json.dumps(answer) if args.json else "\n".join(lines))
    return 0 if lines else 1


def rank(fleet: Fleet, args: Namespace, is_scoped: bool, question: Json) -> float:
    """Returns the rank of the first right answer, starting at 1, or infinity. Raises RuntimeError for an incomplete answer."""
    repos = [question["repo"]] if is_scoped else []
    answer = fleet.ask({"question": question["query"], "k": 100, "repos": repos, "groups": args.group})
    if answer["shards"]["missing"]:
        raise RuntimeError(f"{question['id']}: shards do not answer: {', '.join(answer['shards']['missing'])}")
    gold = {(question["repo"], one["path"], one.get("name")) for one in question["gold"]}
    for place, one in enumerate(answer["results"], 1):
        for found in (one, *(one | twin for twin in one.get("alike", []))):
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
            means = {f"acc@{k}": sum(place <= k for place in places) / len(places) for k in (1, 10)}
            means["mrr"] = sum(1 / place for place in places) / len(places)
            figures[f"{scope}/{kind}"] = {"questions": len(places)} | {key: round(value, 4) for key, value in means.items()}
    print(json.dumps({"version": 1, "figures": figures}, indent=None if args.json else 1))
    return 0


def checked(task: Json) -> Json:
    """Returns the findings of `whichfn check` in a checkout, or none for an intact shard. Raises RuntimeError with the problem."""
    if "path" in task:
        of = shards.said(task, "check", "--in", task["path"], "--json", *task["options"])
        return {"status": of["status"], "findings": [{"repository": task["name"]} | one for one in of["findings"]]}
    with TemporaryDirectory() as folder:
        file = shards.Storage(task["storage"]).local(task["file"], Path(folder))
        of = shards.said(task, "fleet", "stats", "--verify", "--json", str(file))
    if of["status"] or [one["id"] for one in of["shards"][0]["members"]] != task["held"]:
        raise RuntimeError("it is damaged, or differs from the catalog: remove it and run build again")
    return {"status": 0, "findings": []}


def check(args: Namespace) -> int:
    tasks = shards.Storage(args.storage).read()["shards"] if args.archives else shards.repositories(args.what, args.list)
    done = run(args, checked, [args.task | {"options": args.options} | one for one in tasks])
    for task, of in zip(tasks, done):
        if "error" in of:
            print(f"whichfn-fleet: {task.get('name') or task['file']}: {of['error']}", file=sys.stderr)
    found = [one for of in done for one in of.get("findings", [])]
    lines = [f"{one['repository']}/{one['path']}:{one['line']}  {one['severity']}[{one['rule']}] {one['message']}\n" for one in found]
    print(json.dumps({"version": 1, "findings": found}) + "\n" if args.json else "".join(lines), end="")
    return max((of.get("status", 2) for of in done), default=0)


VERBS = {"build": status, "push": status, "status": status, "ask": ask, "serve": server.serve, "eval": evaluate, "check": check}


def settings(given: list[str]) -> Namespace:
    """Parses a command line by the options in the help text. Raises ValueError for an invalid combination."""
    parser = ArgumentParser("whichfn-fleet", description=__doc__, usage=SUPPRESS, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=VERBS, help=SUPPRESS)
    parser.add_argument("what", nargs="*", help=SUPPRESS)
    for name, value, many in sorted(set(re.findall(r"--([a-z]+)(?: ([A-Z]{1,8})\b)?(\.\.)?", __doc__))):
        kind = {"N": int, "SECONDS": float}.get(value, str)
        how = {"action": "store_true"} if not value else {"action": "append", "default": []} if many else {"type": kind}
        parser.add_argument(f"--{name}", help=SUPPRESS, **how)
    parser.set_defaults(**USUAL)
    cut = given.index("--") if "--" in given else len(given)
    args = parser.parse_intermixed_args(given[:cut])
    args.options, args.deadline = given[cut + 1 :], args.deadline or (10.0 if args.verb in ("ask", "serve", "eval") else 21600.0)
    if not args.storage and (args.verb != "check" or args.archives):
        raise ValueError("no storage: pass a folder or s3://bucket/prefix with --storage, or set WHICHFN_FLEET")
    if args.storage and "://" not in args.storage:
        args.storage = str(Path(args.storage).expanduser().resolve())
    args.whichfn = str(Path(args.whichfn).resolve()) if "/" in args.whichfn else args.whichfn
    if args.engine not in ("local", "ray", "spark"):
        raise ValueError(f"no engine has the name {args.engine}: use local, ray or spark")
    if args.engine == "spark" and args.verb in ("ask", "serve", "eval"):
        raise ValueError(f"Spark keeps no workers running, so each question would take seconds: run {args.verb} with --engine local or ray")
    args.task = {key: getattr(args, key) for key in ("storage", "whichfn", "lines", "deadline")}
    return args


def main() -> int:
    try:
        args = settings(sys.argv[1:])
        return VERBS[args.verb](args)
    except (ValueError, OSError, RuntimeError, ImportError, EOFError) as cause:
        print(f"whichfn-fleet: {cause}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130

"""Shared code of the measurements in this folder: running the program, resident workers, figures."""
import argparse
import json
import os
import pathlib
import random
import resource
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

Json = dict[str, Any]


class Cost(NamedTuple):
    cpu: float
    wall: float


def run(command: Sequence[str], allowed: Sequence[int] = (0, 1)) -> tuple[str, Cost]:
    """Returns standard output and cost of a child process. A failure ends the measurement."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(list(command), capture_output=True, text=True)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - started
    if done.returncode not in allowed:
        raise SystemExit(f"{' '.join(command[:4])} ..: exit status {done.returncode}\n{done.stderr.strip()[-2000:]}")
    return done.stdout, Cost(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall)


def arguments(doc: str | None) -> argparse.ArgumentParser:
    """Returns a parser with the options that all measurements of right answers share."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="whichfn")
    parser.add_argument("--questions", type=pathlib.Path, required=True)
    parser.add_argument("--sources", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    return parser


def lines(path: pathlib.Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def quantile(values: Iterable[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Returns a Markdown table with numbers aligned to the right."""
    text = [[f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    marks = ["---" if index == 0 else "---:" for index in range(len(head))]
    return "\n".join("| " + " | ".join(row) + " |" for row in (list(head), marks, *text))


# Right answers.

def is_met(gold: Json, path: str, name: str, first: int, last: int) -> bool:
    """Compares by path and name. Without a name in the set, compares by path, and by lines if the set has them."""
    if gold["path"] != path:
        return False
    if gold.get("name"):
        return name == gold["name"]
    return not gold.get("start_line") or (first <= gold.get("end_line", gold["start_line"]) and gold["start_line"] <= last)


def last_part(qualified: str) -> str:
    return qualified.replace("::", ".").replace("#", ".").split(".")[-1]


def rank_of(results: Sequence[Json], gold: Sequence[Json], place: Callable[[Json, Json], str | None]) -> int:
    """Returns the rank of the first right result, or 0; near-duplicates count at the rank of their result. `place` returns
    a result's path in the right repository, or None for another repository."""
    for rank, result in enumerate(results, 1):
        for hit in (result, *result.get("alike", ())):
            path, name = place(hit, result), hit.get("name") or last_part(hit["qualified_name"])
            if path is not None and any(is_met(entry, path, name, hit["start_line"], hit["end_line"]) for entry in gold):
                return rank
    return 0


def figures(ranks: Sequence[int]) -> tuple[float, float, float]:
    """Returns acc@1, acc@10 and MRR among ten."""
    count = max(len(ranks), 1)
    return sum(rank == 1 for rank in ranks) / count, sum(rank > 0 for rank in ranks) / count, sum(1 / rank for rank in ranks if rank) / count


def interval(groups: dict[str, list[float]], rounds: int = 2000) -> tuple[float, float]:
    """Returns the 95 % interval of a mean difference: a seeded bootstrap over groups of questions about one function."""
    keys, chance, means = sorted(groups), random.Random(15), []
    for _ in range(rounds):
        drawn = [value for key in chance.choices(keys, k=len(keys)) for value in groups[key]]
        means.append(sum(drawn) / len(drawn))
    return quantile(means, .025), quantile(means, .975)


# Resident processes.

class Child:
    """A process that answers JSON lines on standard input and output, one at a time."""

    def __init__(self, *command: str) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.turn = threading.Lock()

    def ask(self, request: Json) -> Json:
        return json.loads(self.ask_text(json.dumps(request)))

    def ask_text(self, line: str) -> str:
        with self.turn:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit(f"{self.process.args}: ended with {self.process.wait(10)}")
        return answer

    def cpu(self) -> float:
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> tuple[float, float]:
        """Returns resident MB: all, and those that do not belong to mapped files."""
        found = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines() if ":" in line)
        return int(found["VmRSS"].split()[0]) / 1024, int(found["RssAnon"].split()[0]) / 1024

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait(20)


class Fleet:
    """A coordinator and some workers: a minimal implementation of the protocol, without deadlines, retries or HTTP."""

    def __init__(self, program: str, folder: pathlib.Path, workers: int) -> None:
        self.folder = folder
        self.rank = Child(program, "fleet", "rank", "--catalog", str(folder / "fleet.json"))
        self.workers = [Child(program, "fleet", "worker") for _ in range(workers)]
        self.numbers, self.of_shard = iter(range(1 << 60)), {}
        self.load()

    def load(self) -> None:
        """Assigns the shards of the catalog by size, each to the worker with the fewest bytes."""
        files = [shard["file"] for shard in json.loads((self.folder / "fleet.json").read_text())["shards"]]
        held: list[list[str]] = [[] for _ in self.workers]
        weight = [0] * len(self.workers)
        for file in sorted(files, key=lambda name: (-(self.folder / name).stat().st_size, name)):
            least = weight.index(min(weight))
            held[least].append(str(self.folder / file))
            weight[least] += (self.folder / file).stat().st_size
            self.of_shard[file] = self.workers[least]
        for worker, shards in zip(self.workers, held):
            answer = worker.ask({"op": "load", "shards": shards})
            if answer.get("failed") or answer.get("error"):
                raise SystemExit(f"load: {answer}")

    def reload(self) -> None:
        self.load()
        answer = self.rank.ask({"op": "reload"})
        if not answer.get("reloaded"):
            raise SystemExit(f"reload: {answer}")

    def ask(self, **fields: object) -> Json:
        """Runs all rounds of one question."""
        number = next(self.numbers)
        reply = self.rank.ask({"op": "ask", "id": number, **fields})
        while "send" in reply:
            reply = self.rank.ask({"op": "replies", "id": number, "replies": self.replies(reply["send"])})
        if "answer" not in reply:
            raise SystemExit(f"{fields}: {str(reply)[:500]}")
        return reply["answer"]

    def replies(self, requests: Json) -> Json:
        """Sends the requests of each worker in a separate thread."""
        found: Json = {}

        def some(worker: Child) -> None:
            for file, request in requests.items():
                if self.of_shard[file] is worker:
                    found[file] = worker.ask(request)

        asked = list({id(worker): worker for worker in map(self.of_shard.__getitem__, requests)}.values())
        threads = [threading.Thread(target=some, args=(worker,)) for worker in asked[1:]]
        for thread in threads:
            thread.start()
        for worker in asked[:1]:
            some(worker)
        for thread in threads:
            thread.join()
        return found

    def cpu(self) -> Json:
        return {"rank": self.rank.cpu(), "workers": sum(worker.cpu() for worker in self.workers)}

    def end(self) -> None:
        for child in (self.rank, *self.workers):
            child.end()

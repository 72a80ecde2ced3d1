"""Asks questions of a fleet. A child process `fleet rank` decides which requests each shard gets and combines the replies. Workers have
the shards loaded, each in a child process `fleet worker`. They are threads of this process, or Ray actors, which Ray restarts."""

import json
import subprocess
import time
from argparse import Namespace
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock, Timer

from .engines import Json, ray
from .shards import CATALOG, Storage

PATIENCE = 20.0  # seconds after which a child that does not answer is killed, unless the request allows more
LOADING = 600.0  # seconds for workers to fetch and load their shards; a question waits for shards that are loaded later


class Child:
    """A child process that answers JSON lines. It is started by the first request, and restarted by the first one after it died."""

    def __init__(self, command: Callable[[], list[str]]) -> None:
        self.command, self.lock, self.process = command, Lock(), None

    def ask(self, request: Json, seconds: float) -> Json:
        """Returns the reply. Raises EOFError if the child ends first; a request is self-contained, so the caller can send it again."""
        if not self.lock.acquire(timeout=max(0.0, seconds)):
            raise TimeoutError("the child process is busy with other questions")
        late = Timer(max(seconds, PATIENCE), lambda: self.process.kill())
        try:
            if self.process is None or self.process.poll() is not None:
                self.process = subprocess.Popen(self.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            late.start()
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())
        except (BrokenPipeError, ValueError) as cause:
            self.process.kill()
            self.process.wait()
            raise EOFError(f"{self.process.args} ended") from cause
        finally:
            late.cancel()
            self.lock.release()


class Worker:
    """Some shards, and the child that serves them. A restarted actor has no shards, so each step lists the shards that it needs."""

    def __init__(self, whichfn: str, storage: str, cache: str) -> None:
        self.storage, self.cache, self.lock, self.shards = Storage(storage), Path(cache).expanduser(), Lock(), list[str]()
        self.child = Child(lambda: [whichfn, "fleet", "worker", *self.paths()])

    def paths(self) -> list[str]:
        """Returns the shards as files of this machine. One that cannot be fetched is missing from answers."""
        found = []
        for name in self.shards:
            with suppress(OSError):
                found.append(str(self.storage.local(name, self.cache)))
        for old in {str(file) for file in self.cache.glob("*.shard")} - set(found):
            Path(old).unlink(missing_ok=True)
        return found

    def step(self, shards: list[str], request: Json, seconds: float) -> Json:
        """Returns the reply to a request, repeated if the child dies. Raises TimeoutError, or RuntimeError with the error message."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            with suppress(EOFError):
                with self.lock:
                    if self.shards != shards:
                        self.shards = shards
                        self.child.ask({"op": "load", "shards": self.paths()}, LOADING)
                reply = self.child.ask(request, until - time.monotonic())
                if "error" in reply:
                    raise RuntimeError(reply["error"])
                return reply
        raise TimeoutError(f"no reply in {seconds:g} s")


class Fleet:
    """The catalog as it was last read, the workers and the shards of each, and the child that ranks."""

    def __init__(self, args: Namespace) -> None:
        self.storage, self.deadline, self.lock, self.ids = Storage(args.storage), args.deadline, Lock(), count(1)
        self.folder = TemporaryDirectory(prefix="whichfn-fleet-")
        self.file = Path(self.folder.name, CATALOG)
        self.rank = Child(lambda: [args.whichfn, "fleet", "rank", "--catalog", str(self.file)])
        places = [(args.whichfn, args.storage, f"{args.cache}/{number}") for number in range(args.workers)]
        if args.engine == "ray":
            again = {"max_restarts": -1, "max_task_retries": -1, "max_concurrency": 8, "scheduling_strategy": "SPREAD"}
            actor = ray(args.address).remote(**again)(Worker)
            self.workers, self.threads = [actor.remote(*place) for place in places], []
        else:
            self.workers, self.threads = [Worker(*place) for place in places], [ThreadPoolExecutor(8) for _ in places]
        self.stamp, self.sequence, self.held = "", 0, [list[str]() for _ in places]
        self.reload()

    def step(self, worker: int, held: list[list[str]], request: Json, seconds: float) -> Future[Json]:
        step, what = self.workers[worker].step, (held[worker], request, seconds)
        return self.threads[worker].submit(step, *what) if self.threads else step.remote(*what).future()

    def reload(self) -> None:
        """Loads the catalog if it changed. A shard stays with its worker; a new one goes to the worker with the fewest bytes."""
        with self.lock:
            if (stamp := self.storage.stamp()) == self.stamp != "":
                return
            catalog = self.storage.read()
            if not (sizes := {shard["file"]: shard["bytes"] for shard in catalog["shards"]}):
                raise FileNotFoundError(f"{self.storage.catalog} does not exist or is empty: create shards with `whichfn-fleet build`")
            held = [[shard for shard in shards if shard in sizes] for shards in self.held]
            for shard in sorted(sizes.keys() - {one for shards in held for one in shards}, key=lambda one: (-sizes[one], one)):
                min(held, key=lambda shards: (sum(sizes[one] for one in shards), len(shards))).append(shard)
            self.held = [[*dict.fromkeys(old + new)] for old, new in zip(self.held, held)]  # the shards of both catalogs, until the switch
            self.ping(LOADING)
            (aside := self.file.with_suffix(".new")).write_text(json.dumps(catalog))
            aside.replace(self.file)
            self.rank.ask({"op": "reload"}, self.deadline)
            self.stamp, self.sequence, self.held = stamp, catalog["sequence"], held

    def ping(self, seconds: float) -> list[bool]:
        """Returns, for each worker, whether it confirms in time that its shards are loaded."""
        pings = [self.step(worker, self.held, {"op": "ping"}, seconds) for worker in range(len(self.workers))]
        wait(pings, seconds)
        return [ping.done() and not ping.exception() for ping in pings]

    def ask(self, query: Json) -> Json:
        """Returns the answer. Raises ValueError for an invalid question, RuntimeError for a failure, TimeoutError if it is late."""
        until = time.monotonic() + self.deadline
        while time.monotonic() < until:
            with suppress(EOFError):
                if "answer" in (reply := self.rounds(query, until)):
                    return reply["answer"]
                raise (ValueError if reply.get("usage") else RuntimeError)(reply["error"])
        raise TimeoutError(f"no answer in {self.deadline:g} s")

    def rounds(self, query: Json, until: float) -> Json:
        """Runs the rounds of a question. A shard that takes half of the remaining time is left out and reported as missing."""
        number, held, ranked_by = next(self.ids), self.held, self.rank.process
        place = {shard: worker for worker, shards in enumerate(held) for shard in shards}
        reply = self.rank.ask({"op": "ask", **query, "id": number}, until - time.monotonic())
        while "send" in reply:
            half = (until - time.monotonic()) / 2
            steps = {name: self.step(place[name], held, request, half) for name, request in reply["send"].items() if name in place}
            wait(steps.values(), half)
            done = {name: step.result() for name, step in steps.items() if step.done() and not step.exception()}
            replies = {name: done.get(name) for name in reply["send"]}
            reply = self.rank.ask({"op": "replies", "id": number, "replies": replies}, until - time.monotonic())
        if "error" in reply and self.rank.process is not ranked_by:
            raise EOFError("the ranking process was restarted and does not know the question")
        return reply

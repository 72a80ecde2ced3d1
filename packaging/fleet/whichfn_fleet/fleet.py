"""Questions to a fleet. A child `fleet rank` says what each shard is to be asked and makes the answer of the replies; workers with a
child `fleet worker` each hold the shards: threads of this process, or actors of Ray, which begins them again wherever it can."""

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

PATIENCE = 20.0  # seconds after which a child that does not answer is killed, unless it was given more
LOADING = 600.0  # seconds for workers to fetch and load their shards; questions wait for what comes later


class Child:
    """A child process that answers JSON lines: begun by the first request, and again by the first after its death."""

    def __init__(self, command: Callable[[], list[str]]) -> None:
        self.command, self.lock, self.process = command, Lock(), None

    def ask(self, request: Json, seconds: float) -> Json:
        """The reply. EOFError if the child ends first: each request is complete in itself, so asking again is right."""
        if not self.lock.acquire(timeout=max(0.0, seconds)):
            raise TimeoutError("a child is busy with other questions")
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
    """Some shards, and the child that serves them. As an actor it may begin again with none; each step says which it has to have."""

    def __init__(self, whichfn: str, storage: str, cache: str) -> None:
        self.storage, self.cache, self.lock, self.shards = Storage(storage), Path(cache).expanduser(), Lock(), list[str]()
        self.child = Child(lambda: [whichfn, "fleet", "worker", *self.paths()])

    def paths(self) -> list[str]:
        """The shards as files of this machine. One that cannot be had is missing in answers."""
        found = []
        for name in self.shards:
            with suppress(OSError):
                found.append(str(self.storage.local(name, self.cache)))
        for old in {str(file) for file in self.cache.glob("*.shard")} - set(found):
            Path(old).unlink(missing_ok=True)
        return found

    def step(self, shards: list[str], request: Json, seconds: float) -> Json:
        """The reply to one request; a child that dies is begun again and asked again. TimeoutError, or RuntimeError with its words."""
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
    """The catalog as it was last read, the workers and what each holds, and the child that ranks."""

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
        """Takes up the catalog if it is another. A shard stays with its worker; a new one goes to the one with the fewest bytes."""
        with self.lock:
            if (stamp := self.storage.stamp()) == self.stamp != "":
                return
            catalog = self.storage.read()
            if not (sizes := {shard["file"]: shard["bytes"] for shard in catalog["shards"]}):
                raise FileNotFoundError(f"there is nothing in {self.storage.catalog}: `whichfn-fleet build` makes shards")
            held = [[shard for shard in shards if shard in sizes] for shards in self.held]
            for shard in sorted(sizes.keys() - {one for shards in held for one in shards}, key=lambda one: (-sizes[one], one)):
                min(held, key=lambda shards: (sum(sizes[one] for one in shards), len(shards))).append(shard)
            self.held = [[*dict.fromkeys(old + new)] for old, new in zip(self.held, held)]  # for both catalogs
            self.ping(LOADING)
            (aside := self.file.with_suffix(".new")).write_text(json.dumps(catalog))
            aside.replace(self.file)
            self.rank.ask({"op": "reload"}, self.deadline)
            self.stamp, self.sequence, self.held = stamp, catalog["sequence"], held

    def ping(self, seconds: float) -> list[bool]:
        """Which workers answer in time that they have loaded what they hold."""
        pings = [self.step(worker, self.held, {"op": "ping"}, seconds) for worker in range(len(self.workers))]
        wait(pings, seconds)
        return [ping.done() and not ping.exception() for ping in pings]

    def ask(self, query: Json) -> Json:
        """The answer. ValueError if the question is wrong, RuntimeError if the program is, TimeoutError if what ranks gives no answer."""
        until = time.monotonic() + self.deadline
        while time.monotonic() < until:
            with suppress(EOFError):
                if "answer" in (reply := self.rounds(query, until)):
                    return reply["answer"]
                raise (ValueError if reply.get("usage") else RuntimeError)(reply["error"])
        raise TimeoutError(f"no answer in {self.deadline:g} s")

    def rounds(self, query: Json, until: float) -> Json:
        """A shard that takes half of the time that is left is out of the answer, which says so; so the others have time to go on."""
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
            raise EOFError("another child ranks now, which does not know the question")
        return reply

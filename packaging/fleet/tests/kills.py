"""Kills processes while questions run: each answer must be right, or report the missing shards. Not part of CI.

`kills.py [KILLS] [local|ray]` sends SIGKILL to a child of a worker, to the child that ranks, or (Ray) to an actor. KILLS: 100."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from support import QUESTIONS, args, environment, is_same, repositories, run

os.environ.update(environment(RAY_USAGE_STATS_ENABLED="0"))

from whichfn_fleet.fleet import Fleet  # noqa: E402


def victims(storage: str, rank: str) -> list[int]:
    """Returns the ids of this fleet's child processes."""
    listed = subprocess.run(["ps", "-eo", "pid=,args="], capture_output=True, text=True, check=True).stdout.splitlines()
    mine = (f" fleet worker {storage}", f" fleet rank --catalog {rank}")
    return [int(line.split()[0]) for line in listed if any(part in line for part in mine)]


def main(kills: int, engine: str) -> int:
    chance, seen, times = random.Random(1), Counter(), []
    with TemporaryDirectory() as folder:
        folders, storage = repositories(Path(folder, "repositories")), str(Path(folder, "shards"))
        run("build", *folders, "--storage", storage, "--shards", "4")
        fleet = Fleet(args("ask", "--storage", storage, "--engine", engine, "--workers", "4", "--deadline", "10"))
        right = {question: fleet.ask({"question": question, "k": 10}) for question in QUESTIONS}

        def ask(question: str) -> str:
            begun = time.monotonic()
            try:
                answer = fleet.ask({"question": question, "k": 10})
            except (TimeoutError, ValueError) as cause:
                return f"error: {cause}"
            times.append(time.monotonic() - begun)
            if answer["shards"]["missing"]:
                return "incomplete, and reported"
            return "right" if is_same(answer, right[question]) else "WRONG"

        for number in range(kills):
            with ThreadPoolExecutor(2) as two:
                asked = [two.submit(ask, chance.choice(QUESTIONS)) for _ in range(4)]
                time.sleep(chance.uniform(0, 0.03))
                if engine == "ray" and number % 4 == 0:
                    import ray

                    ray.kill(chance.choice(fleet.workers), no_restart=False)
                    seen["killed: actor"] += 1
                elif alive := victims(storage, str(fleet.file)):
                    os.kill(chance.choice(alive), signal.SIGKILL)
                    seen["killed: child"] += 1
                seen.update(one.result() for one in asked)
        seen.update(f"afterwards {ask(question)}" for question in QUESTIONS)
    for what, count in sorted(seen.items()):
        print(f"{count:5d}  {what}")
    print(f"slowest answer {max(times):.2f} s, median {sorted(times)[len(times) // 2]:.3f} s")
    return 1 if seen["WRONG"] or seen["afterwards right"] != len(QUESTIONS) else 0


if __name__ == "__main__":
    raise SystemExit(main(int((sys.argv[1:] or ["100"])[0]), (sys.argv[2:] or ["local"])[0]))

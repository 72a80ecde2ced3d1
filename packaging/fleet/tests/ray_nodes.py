"""Tests a fleet on two Ray nodes on 127.0.0.1: twelve repositories in four shards, thirty questions, a node killed during a build, an
actor and its child killed during a question, a push, a hidden repository. `.ci/fleet` runs it; the exit status is 0 if all checks pass."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from support import NAMES, QUESTIONS, args, environment, is_same, repositories, run, whichfn

os.environ.update(environment(RAY_USAGE_STATS_ENABLED="0", RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER="0"))  # keeps the address 127.0.0.1

import ray  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402

from whichfn_fleet.fleet import Fleet  # noqa: E402

BEGUN = time.monotonic()
NODE = {"node_ip_address": "127.0.0.1", "num_cpus": 2, "object_store_memory": 80 << 20, "include_dashboard": False}


def step(text: str) -> None:
    print(f"{time.monotonic() - BEGUN:6.1f} s  {text}", flush=True)


def digests(storage: str) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in Path(storage).glob("*.shard")}


def listening(cluster: Cluster) -> set[str]:
    """Returns the addresses on which this process and those of the cluster listen."""
    started = [info for node in cluster.list_all_nodes() for several in node.all_processes.values() for info in several]
    processes = {os.getpid()} | {info.process.pid for info in started}
    rows = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout.splitlines()
    for one, parent in sorted([int(number) for number in row.split()] for row in rows):  # parents come first
        processes |= {one} if parent in processes else set()
    sockets = set()
    for process in processes:
        try:
            sockets |= {os.readlink(f"/proc/{process}/fd/{fd}") for fd in os.listdir(f"/proc/{process}/fd")}
        except OSError:
            continue
    rows = [line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]
    return {row[1].split(":")[0] for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in sockets}


def build_with_a_lost_node(cluster: Cluster, folders: list[str], storage: str, serial: str) -> None:
    """Builds on two nodes, and kills the second one as soon as a task runs on it."""
    node = cluster.add_node(**NODE)
    command = [sys.executable, "-m", "whichfn_fleet", "build", *folders, "--storage", storage, "--shards", "4"]
    building = subprocess.Popen([*command, "--engine", "ray", "--address", cluster.address], stdout=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while not list(Path(storage).glob("*.unfinished")) and not digests(storage) and time.monotonic() < until:
        time.sleep(0.01)
    cluster.remove_node(node, allow_graceful=False)
    step(f"killed a raylet when {len(digests(storage))} of 4 shards existed")
    assert building.wait(timeout=90) == 0, "the build failed"
    assert digests(storage) == digests(serial), "the bytes differ from a serial build"
    assert not list(Path(storage).glob("*.unfinished")), "unfinished folders remain"
    step("all four shards exist, with the digests of a serial build")


def killed_in_flight(fleet: Fleet, question: str, kill, name: str) -> None:
    """Checks that the answer is the same as before, or reports what is missing."""
    before = fleet.ask({"question": question, "k": 10})
    with ThreadPoolExecutor(1) as thread:
        asked = thread.submit(fleet.ask, {"question": question, "k": 10})
        kill()
        after = asked.result()
    missing = after["shards"]["missing"]
    assert missing or is_same(before, after), "another answer, and nothing is reported as missing"
    again = fleet.ask({"question": question, "k": 10})
    assert is_same(before, again) and not again["shards"]["missing"], f"not recovered: {again['shards']}"
    step(f"killed {name} during a question: {'incomplete, and reported' if missing else 'the same answer'}; the next one is complete")


def main() -> None:
    with TemporaryDirectory() as folder:
        folders, storage = repositories(Path(folder, "repositories")), str(Path(folder, "shards"))
        serial, whole, without = (str(Path(folder, name)) for name in ("serial", "whole", "without"))
        run("build", *folders, "--storage", serial, "--shards", "4", "--jobs", "1")
        run("build", *folders, "--storage", whole, "--shards", "1")
        step("serial build of 12 repositories in 4 shards, and in one")
        cluster = Cluster(initialize_head=True, head_node_args=NODE)
        try:
            Path(storage).mkdir()
            build_with_a_lost_node(cluster, folders, storage, serial)
            cluster.add_node(**NODE)
            fleet = Fleet(args("ask", "--storage", storage, "--engine", "ray", "--address", cluster.address, "--workers", "2"))
            step(f"two nodes, two actors with {[len(held) for held in fleet.held]} shards")
            bound = listening(cluster)
            assert bound <= {"0100007F", "0" * 24 + "01000000", "0" * 16 + "FFFF0000" + "0100007F"}, f"listens at {bound}"
            step("everything listens on loopback only")
            for question in QUESTIONS:
                answer = fleet.ask({"question": question, "k": 10})
                assert not answer["shards"]["missing"], answer["shards"]
                for other in (storage, whole):
                    assert is_same(answer, whichfn("fleet", "ask", "--shards", other, question)), (question, other)
            step("30 questions: same ten results, order and scores (to 1e-4) from actors, one process and one shard")
            killed_in_flight(fleet, QUESTIONS[0], lambda: ray.kill(fleet.workers[0], no_restart=False), "an actor")
            listed = subprocess.run(["ps", "-eo", "pid=,args="], capture_output=True, text=True, check=True).stdout.splitlines()
            for child in [int(line.split()[0]) for line in listed if f" fleet worker {storage}" in line]:
                killed_in_flight(fleet, QUESTIONS[1], lambda child=child: os.kill(child, signal.SIGKILL), "a worker's child")
            changed = Path(folder, "changed", "auth")
            changed.mkdir(parents=True)
            (changed / "new.py").write_text('def peel_banana(banana):\n    """Peels a banana."""\n    return banana[1:]\n')
            begun = time.monotonic()
            run("push", str(changed), "--storage", storage)
            fleet.reload()
            answer = fleet.ask({"question": "which function peels a banana"})
            assert answer["results"][0]["name"] == "peel_banana", answer["results"][:1]
            step(f"a pushed file is searchable after {time.monotonic() - begun:.1f} s")
            run("build", *folders[1:], "--storage", without, "--shards", "4")
            catalog = json.loads(Path(storage, "fleet.json").read_text())
            catalog["repositories"]["auth"]["groups"] = ["security"]
            catalog["sequence"] += 1
            Path(storage, "fleet.json").write_text(json.dumps(catalog))
            fleet.reload()
            for question in QUESTIONS:
                answer = fleet.ask({"question": question, "k": 10})
                assert is_same(answer, whichfn("fleet", "ask", "--shards", without, question)), question
            step(f"`{NAMES[0]}` hidden: 30 answers are the same as without it")
        finally:
            ray.shutdown()
            cluster.shutdown()
    step("done")


if __name__ == "__main__":
    main()

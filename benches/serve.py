#!/usr/bin/env python3
"""Measures `whichfn serve` under load: latency with one client and with many, the delay after a save, and a switch of branches.

    python3 benches/serve.py [--program target/release/whichfn] [--clients 100] [--seconds 60] [--switch 10000] TREE

TREE is copied, because its files are changed. The clients are one process, which uses CPU time on the same machine: on a small
machine, the figures include both.
"""

import argparse, asyncio, json, os, pathlib, shutil, subprocess, tempfile, time, urllib.parse

QUESTIONS = [
    "decides whether a redirect target is safe", "hash a password", "parse a date from text", "escape text for HTML",
    "open a connection to the database", "retry after a failure", "send an email", "read the settings file",
    "convert a value to a string", "compress a response", "find a file on the search path", "check a signature",
    "remove expired entries from a cache", "translate a message", "merge two dictionaries", "run a command",
    "split a path into parts", "validate an email address", "render a template", "limit the number of results",
]


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


class Server:
    def __init__(self, program, tree, cache):
        command = [program, "serve", "--port", "0", "--index-dir", cache, str(tree)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        address = self.process.stdout.readline().strip()
        parts = urllib.parse.urlsplit(address)
        self.host, self.port = parts.hostname, parts.port

    def memory(self):
        """Returns resident megabytes: all, and those that do not belong to mapped files."""
        found = dict(line.split(":", 1) for line in open(f"/proc/{self.process.pid}/status") if ":" in line)
        return tuple(int(found[key].split()[0]) / 1024 for key in ("VmRSS", "RssAnon"))

    def cpu(self):
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    async def connect(self):
        return await asyncio.open_connection(self.host, self.port)

    async def get(self, stream, path, **fields):
        """Sends a request over an open connection and returns status and body."""
        reader, writer = stream
        target = path + ("?" + urllib.parse.urlencode(fields) if fields else "")
        writer.write(f"GET {target} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next(line.split(":")[1] for line in head.split("\r\n") if line.lower().startswith("content-length"))
        return int(head.split(" ")[1]), await reader.readexactly(int(length))

    def end(self):
        self.process.terminate()
        return self.process.wait(10)


async def ask(server, stream, number):
    started = time.perf_counter()
    status, body = await server.get(stream, "/ask", question=QUESTIONS[number % len(QUESTIONS)], snippet="best")
    return (time.perf_counter() - started) * 1e3, status == 200 and b'"results":[{' in body


async def alone(server, count=200):
    stream = await server.connect()
    for number in range(len(QUESTIONS)):
        await ask(server, stream, number)
    times = [(await ask(server, stream, number))[0] for number in range(count)]
    print(f"one client       {count} questions: p50 {quantile(times, .5):.1f} ms, p99 {quantile(times, .99):.1f} ms, "
          f"longest {max(times):.1f} ms", flush=True)


async def together(server, clients, seconds):
    times, wrong, memory = [], [], []
    until, cpu = time.perf_counter() + seconds, server.cpu()

    async def client(number):
        try:
            stream = await server.connect()
            while time.perf_counter() < until:
                took, is_right = await ask(server, stream, number)
                times.append(took)
                if not is_right:
                    wrong.append(number)
                number += 7
        except Exception as cause:
            wrong.append(repr(cause))

    async def watch():
        while time.perf_counter() < until:
            memory.append(server.memory())
            await asyncio.sleep(seconds / 12)

    await asyncio.gather(watch(), *(client(number) for number in range(clients)))
    print(f"{clients} clients      {seconds} s, {len(times)} questions ({len(times) / seconds:.0f} a second), "
          f"{len(wrong)} errors {wrong[:3] if wrong else ''}")
    print(f"                 p50 {quantile(times, .5):.0f} ms, p90 {quantile(times, .9):.0f} ms, "
          f"p99 {quantile(times, .99):.0f} ms, longest {max(times):.0f} ms; "
          f"{(server.cpu() - cpu) / max(len(times), 1) * 1e3:.1f} ms of CPU a question")
    print("                 resident MB (without mapped files), at twelve points in time:")
    print("                 " + ", ".join(f"{all:.0f} ({own:.0f})" for all, own in memory), flush=True)


async def held(server, stream):
    return json.loads((await server.get(stream, "/health"))[1])["repositories"][0]


async def until_functions(server, stream, count):
    started = time.perf_counter()
    while (await held(server, stream))["functions"] != count:
        if time.perf_counter() - started > 120:
            raise SystemExit(f"the index does not reach {count} functions: {await held(server, stream)}")
        await asyncio.sleep(.002)


async def saves(server, tree, count=40):
    stream, times = await server.connect(), []
    functions = (await held(server, stream))["functions"]
    for number in range(count):
        await asyncio.sleep(.4)
        started = time.perf_counter()
        (tree / "whichfn_saved.py").write_text("".join(f"def saved_{n}():\n    return {n}\n\n\n" for n in range(number + 1)))
        functions += 1
        await until_functions(server, stream, functions)
        times.append((time.perf_counter() - started) * 1e3)
    print(f"a save is seen   {count} times: p50 {quantile(times, .5):.0f} ms, longest {max(times):.0f} ms", flush=True)
    (tree / "whichfn_saved.py").unlink()
    await until_functions(server, stream, functions - count)


def git(tree, *arguments):
    quiet = ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(tree), *quiet, *arguments], check=True, capture_output=True)


async def switch(server, tree, files):
    """Switches between two branches that differ by this number of files and back, with a question every 20 ms."""
    stream = await server.connect()
    functions = (await held(server, stream))["functions"]
    git(tree, "checkout", "-q", "--orphan", "bench-one")
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "one")
    git(tree, "checkout", "-qb", "bench-two")
    for number in range(files):
        file = tree / f"switched/d{number % 100}/f{number}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"def switched_{number}(value):\n    return saved(value, {number})\n")
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "two")
    await until_functions(server, stream, functions + files)
    other, answers = await server.connect(), []

    async def asking():
        number = 0
        while True:
            answers.append(await ask(server, other, number))
            number += 1
            await asyncio.sleep(.02)

    for branch, wanted in (("bench-one", functions), ("bench-two", functions + files)):
        answers.clear()
        task, looks = asyncio.create_task(asking()), (await held(server, stream))["looks"]
        started = time.perf_counter()
        await asyncio.to_thread(git, tree, "checkout", "-q", branch)
        switched = time.perf_counter() - started
        await until_functions(server, stream, wanted)
        took, looks = time.perf_counter() - started, (await held(server, stream))["looks"] - looks
        task.cancel()
        times = [time for time, _ in answers]
        print(f"switch           {files} files to {branch}: git {switched:.1f} s, in the index after {took:.1f} s, {looks} looks; "
              f"meanwhile {len(answers)} answers, {sum(not right for _, right in answers)} errors, "
              f"p50 {quantile(times, .5):.0f} ms, longest {max(times, default=0):.0f} ms", flush=True)


async def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--program", default="target/release/whichfn")
    arguments.add_argument("--clients", type=int, default=100)
    arguments.add_argument("--seconds", type=int, default=60)
    arguments.add_argument("--switch", type=int, default=10_000)
    arguments.add_argument("tree", type=pathlib.Path)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="whichfn-serve-") as folder:
        tree = pathlib.Path(folder) / given.tree.name
        shutil.copytree(given.tree, tree, symlinks=True)
        if not (tree / ".git").is_dir():
            git(tree, "init", "-q")
        server = Server(given.program, tree, folder + "/index")
        stream = await server.connect()
        while (await held(server, stream))["functions"] == 0 or (await held(server, stream))["state"] != "ready":
            await asyncio.sleep(.05)
        time.sleep(3)
        print(f"{given.tree.name}: {await held(server, stream)}")
        await alone(server)
        await together(server, given.clients, given.seconds)
        await saves(server, tree)
        if given.switch:
            await switch(server, tree, given.switch)
        print(f"ends with        {server.end()}")


if __name__ == "__main__":
    asyncio.run(main())

"""Tests whichfn-fleet with the engine `local` and the real program: `python3 -m unittest discover packaging/fleet/tests`.

WHICHFN names the program; the default is target/debug/whichfn of this repository."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from support import NAMES, QUESTIONS, args, environment, is_same, repositories, run, whichfn

from whichfn_fleet.fleet import Fleet


def children(process: int) -> list[tuple[int, str]]:
    """Returns the children of a process, with their command lines."""
    listed = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(process)], capture_output=True, text=True, check=False)
    return [(int(line.split()[0]), line) for line in listed.stdout.splitlines()]


class Local(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.here = TemporaryDirectory()
        cls.folder = Path(cls.here.name)
        cls.repositories = repositories(cls.folder / "repositories")
        cls.shards = str(cls.folder / "shards")
        cls.built = json.loads(run("build", *cls.repositories, "--storage", cls.shards, "--shards", "4", "--json").stdout)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.here.cleanup()

    def fleet_of(self, name: str, *words: str) -> str:
        """Builds another storage with the same repositories and returns its path."""
        storage = str(self.folder / name)
        run("build", *self.repositories, "--storage", storage, "--shards", "4", *words)
        return storage

    def catalog(self, storage: str) -> dict:
        return json.loads(Path(storage, "fleet.json").read_text())

    def test_build_makes_the_shards_that_were_asked_for(self) -> None:
        self.assertEqual((self.built["shards"], self.built["repositories"], self.built["tombstones"]), (4, 12, 0))
        self.assertEqual(self.built["functions"], 12 * 24)

    def test_a_second_build_builds_nothing(self) -> None:
        before = {file.name: file.stat().st_mtime_ns for file in Path(self.shards).glob("*.shard")}
        run("build", *self.repositories, "--storage", self.shards, "--shards", "4")
        self.assertEqual({file.name: file.stat().st_mtime_ns for file in Path(self.shards).glob("*.shard")}, before)

    def test_workers_give_the_answer_of_one_process(self) -> None:
        fleet = Fleet(args("ask", "--storage", self.shards, "--workers", "3"))
        for question in QUESTIONS:
            answer = fleet.ask({"question": question, "k": 10})
            self.assertTrue(is_same(answer, whichfn("fleet", "ask", "--shards", self.shards, question)), question)
            self.assertEqual(answer["shards"]["missing"], [])

    def test_ask_prints_places_and_says_whether_there_are_any(self) -> None:
        found = run("ask", "--storage", self.shards, "--k", "3", QUESTIONS[0]).stdout
        self.assertRegex(found, r"^\w+/src/\w+\.py:\d+  \w+  function\n")
        run("ask", "--storage", self.shards, "--repo", "no-such-repository", QUESTIONS[0], status=1)

    def test_a_worker_that_is_killed_is_begun_again(self) -> None:
        fleet = Fleet(args("ask", "--storage", self.shards, "--workers", "2"))
        before = fleet.ask({"question": QUESTIONS[1]})
        for one in [*fleet.workers, fleet]:
            child = one.rank if one is fleet else one.child
            child.process.kill()
            self.assertTrue(is_same(fleet.ask({"question": QUESTIONS[1]}), before))

    def test_a_worker_that_hangs_is_missing_and_said_to_be(self) -> None:
        fleet = Fleet(args("ask", "--storage", self.shards, "--workers", "4", "--deadline", "2"))
        hung = fleet.workers[0].child.process
        os.kill(hung.pid, signal.SIGSTOP)
        begun = time.monotonic()
        answer = fleet.ask({"question": QUESTIONS[1]})
        self.assertLess(time.monotonic() - begun, 3)
        self.assertEqual((answer["shards"]["asked"], answer["shards"]["answered"]), (4, 3))
        self.assertEqual(answer["shards"]["missing"], fleet.held[0])
        hung.kill()

    def test_a_push_is_answered_and_its_old_state_is_not(self) -> None:
        storage = self.fleet_of("pushed")
        changed = self.folder / "changed" / "auth"
        (changed / "src").mkdir(parents=True)
        (changed / "src" / "new.py").write_text('def peel_banana(banana):\n    """Peels a banana."""\n    return banana[1:]\n')
        counts = json.loads(run("push", str(changed), "--storage", storage, "--json").stdout)
        self.assertEqual((counts["layers"], counts["tombstones"], counts["repositories"]), (1, 1, 12))
        answer = json.loads(run("ask", "--storage", storage, "--json", "which function peels a banana").stdout)
        self.assertEqual((answer["results"][0]["repository"], answer["results"][0]["name"]), ("auth", "peel_banana"))
        old = json.loads(run("ask", "--storage", storage, "--json", "--k", "100", "parse the cookie header").stdout)
        self.assertNotIn(("auth", "src/auth_0.py"), {(one["repository"], one["path"]) for one in old["results"]})
        run("build", *self.repositories, "--storage", storage, "--shards", "4")
        self.assertEqual(self.catalog(storage)["shards"][0]["layer"], 0)

    def test_pushes_at_the_same_time_are_all_there(self) -> None:
        storage = self.fleet_of("pushes")
        with ThreadPoolExecutor(6) as threads:
            list(threads.map(lambda path: run("push", path, "--storage", storage, "--team", "late"), self.repositories[:6]))
        catalog = self.catalog(storage)
        self.assertEqual([name for name, row in catalog["repositories"].items() if row.get("team") == "late"], NAMES[:6])
        self.assertEqual((catalog["sequence"], sum(shard["layer"] > 0 for shard in catalog["shards"])), (7, 6))

    def test_a_push_during_a_build_lies_above_it(self) -> None:
        from whichfn_fleet import shards

        storage = self.fleet_of("both")
        now = self.catalog(storage)
        run("push", self.repositories[0], "--storage", storage, "--team", "late")
        packed = [{**shard, "built": False, "members": []} for shard in now["shards"]]
        facts = {"revision": "", "lines": 1, "files": 1, "functions": 1}
        for shard in packed:
            shard["members"] = [{"id": one, "repository": one, **facts} for one in shard["held"]]
        after = shards.take_up(self.catalog(storage), packed, [{"name": name} for name in NAMES], now["sequence"])
        self.assertEqual(after["repositories"]["auth"]["team"], "late")
        self.assertEqual([shard["members"] for shard in after["shards"] if shard["layer"]], [["auth"]])

    def test_shards_that_were_dropped_are_removed_by_the_build_after(self) -> None:
        storage = self.fleet_of("cleaned")
        run("build", *self.repositories[:6], "--storage", storage, "--shards", "1")
        self.assertEqual(len(list(Path(storage).glob("*.shard"))), 5)
        run("build", *self.repositories[:6], "--storage", storage, "--shards", "1")
        self.assertEqual(len(list(Path(storage).glob("*.shard"))), 1)

    def test_a_hidden_repository_changes_no_answer_of_who_may_not_see_it(self) -> None:
        storage, without = self.fleet_of("hidden"), str(self.folder / "without")
        run("build", *self.repositories[1:], "--storage", without)
        catalog = self.catalog(storage)
        catalog["repositories"]["auth"]["groups"] = ["security"]  # edited, because a build would not put it into a shard with others
        Path(storage, "fleet.json").write_text(json.dumps(catalog))
        fleet, other = Fleet(args("ask", "--storage", storage)), Fleet(args("ask", "--storage", without))
        for question in QUESTIONS:
            self.assertTrue(is_same(fleet.ask({"question": question}), other.ask({"question": question})), question)
        seen = fleet.ask({"question": "parse the cookie header", "groups": ["security"], "k": 50})
        self.assertIn("auth", {one["repository"] for one in seen["results"]})

    def test_rights_bundle_apart_and_outlive_builds_that_do_not_name_them(self) -> None:
        storage, listing = str(self.folder / "rights"), self.folder / "listing.jsonl"
        rows = [{"path": f"repositories/{name}", "groups": ["dev"] if name < "d" else [], "team": name[0]} for name in NAMES]
        listing.write_text("".join(json.dumps(row) + "\n" for row in rows))
        run("build", "--list", str(listing), "--storage", storage, "--shards", "1")
        self.assertEqual({tuple(shard["members"]) for shard in self.catalog(storage)["shards"]}, {tuple(NAMES[:3]), tuple(NAMES[3:])})
        run("build", *self.repositories, "--storage", storage)
        run("push", self.repositories[0], "--storage", storage)
        self.assertEqual(self.catalog(storage)["repositories"]["auth"]["groups"], ["dev"])

    def test_a_bundle_that_fails_leaves_the_catalog_as_it_was(self) -> None:
        storage = self.fleet_of("failed")
        listing = self.folder / "odd.jsonl"
        listing.write_text(json.dumps({"path": self.repositories[0], "name": "a/../b"}) + "\n")
        failed = run("build", "--list", str(listing), "--storage", storage, status=2)
        self.assertIn("a/../b", failed.stderr)
        self.assertEqual(self.catalog(storage)["sequence"], 1)

    def test_check_of_archives_finds_a_changed_byte(self) -> None:
        storage = self.fleet_of("damaged")
        run("check", "--archives", "--storage", storage)
        victim = next(Path(storage).glob("*.shard"))
        data = bytearray(victim.read_bytes())
        data[len(data) // 2] ^= 1
        victim.write_bytes(data)
        self.assertIn(victim.name, run("check", "--archives", "--storage", storage, status=2).stderr)

    def test_check_of_checkouts_names_the_repository(self) -> None:
        folder = self.folder / "checkout"
        folder.mkdir()
        git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@example.org"]
        (folder / "a.py").write_text("def save(path, data):\n    return path\n")
        (folder / "b.py").write_text("from a import save\n\n\ndef stop():\n    save(1, data=2)\n")
        for step in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
            subprocess.run([*git, *step], check=True)
        (folder / "a.py").write_text("def save(path, mode):\n    return path\n")
        found = run("check", str(folder), status=1).stdout
        self.assertIn("checkout/a.py:1  error[callers] signature of save changed", found)
        run("check", str(folder), "--", "--only", "dead")

    def test_eval_counts_right_answers_with_and_without_their_repository(self) -> None:
        gold = [{"path": "src/auth_0.py", "name": "parse_cookie_header"}]
        questions = self.folder / "questions.jsonl"
        questions.write_text(json.dumps({"id": "1", "repo": "auth", "query": "parse the cookie header", "gold": gold, "category": "c"}))
        figures = json.loads(run("eval", str(questions), "--storage", self.shards, "--json").stdout)["figures"]
        self.assertEqual(figures["repository/c"], {"questions": 1, "acc@1": 1.0, "acc@10": 1.0, "mrr": 1.0})
        self.assertEqual(figures["none/all"]["acc@10"], 1.0)

    def test_what_cannot_be_done_is_said(self) -> None:
        self.assertIn("WHICHFN_FLEET", run("status", status=2, WHICHFN_FLEET="").stderr)
        self.assertIn("no workers", run("ask", "--storage", self.shards, "--engine", "spark", "x", status=2).stderr)
        self.assertIn("no engine", run("build", *self.repositories, "--storage", self.shards, "--engine", "dask", status=2).stderr)
        self.assertIn("fleet.json", run("ask", "--storage", str(self.folder / "nothing"), "x", status=2).stderr)
        self.assertIn("--tokens", run("serve", "--storage", self.shards, "--host", "0.0.0.0", status=2).stderr)


class Served(unittest.TestCase):
    """Tests of two servers, one of them with tokens."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.here = TemporaryDirectory()
        cls.folder = Path(cls.here.name)
        cls.repositories = repositories(cls.folder / "repositories")
        cls.storage = str(cls.folder / "shards")
        run("build", *cls.repositories, "--storage", cls.storage, "--shards", "3")
        run("push", cls.repositories[0], "--storage", cls.storage, "--group", "security")
        (cls.folder / "tokens").write_text(json.dumps({"a-long-token": ["security"], "another-token": []}))
        command = [sys.executable, "-m", "whichfn_fleet", "serve", "--storage", cls.storage, "--port", "0"]
        cls.open, cls.url = cls.started(command)
        cls.closed, cls.closed_url = cls.started([*command, "--tokens", str(cls.folder / "tokens")])

    @classmethod
    def started(cls, command: list[str]) -> tuple[subprocess.Popen, str]:
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment())
        return server, server.stdout.readline().strip()

    @classmethod
    def tearDownClass(cls) -> None:
        for server in (cls.open, cls.closed):
            server.kill()
            server.wait()
            server.stdout.close()
        cls.here.cleanup()

    def get(self, url: str, data: dict | None = None, **headers: str) -> tuple[int, dict]:
        body = json.dumps(data).encode() if data is not None else None
        try:
            with urlopen(Request(url, body, headers), timeout=30) as reply:
                return reply.status, json.loads(reply.read())
        except HTTPError as refusal:
            with refusal:
                return refusal.code, json.loads(refusal.read())

    def test_get_and_post_give_the_same_answer(self) -> None:
        status, answer = self.get(f"{self.url}ask?question=split+a+word+list&k=3&repos=http")
        self.assertEqual((status, len(answer["results"]), answer["results"][0]["repository"]), (200, 3, "http"))
        _, posted = self.get(f"{self.url}ask", {"question": "split a word list", "k": 3, "repos": ["http"], "snippet_lines": 2})
        self.assertTrue(is_same(posted, answer))
        self.assertEqual(posted["results"][0]["snippet_lines"][1:2], [posted["results"][0]["snippet_lines"][0] + 1])

    def test_a_token_shows_what_its_groups_may_see(self) -> None:
        ask = "ask?question=parse+the+cookie+header&k=100"
        self.assertEqual(self.get(self.closed_url + ask)[0], 401)
        self.assertEqual(self.get(self.closed_url + "health", Authorization="Bearer a-long-toke")[0], 401)
        for token, sees in (("a-long-token", True), ("another-token", False)):
            _, answer = self.get(self.closed_url + ask, Authorization=f"Bearer {token}")
            self.assertEqual("auth" in {one["repository"] for one in answer["results"]}, sees)

    def test_a_page_and_another_name_are_refused(self) -> None:
        self.assertEqual(self.get(f"{self.url}health", Origin="http://evil.example")[0], 403)
        self.assertEqual(self.get(f"{self.url}health", Host="evil.example")[0], 403)
        self.assertEqual(self.get(f"{self.url}health", Host=self.url.split("/")[2], Origin=self.url[:-1])[0], 200)

    def test_what_does_not_fit_is_told(self) -> None:
        for address, status in (("ask?question=x&lang=py", 400), ("ask?question=x&k=many", 400), ("nothing", 404), ("ask", 400)):
            code, value = self.get(self.url + address)
            self.assertEqual((code, sorted(value["error"])), (status, ["next", "what"]), address)

    def test_a_push_is_answered_within_seconds_and_health_says_which_catalog(self) -> None:
        changed = self.folder / "changed" / "mail"
        changed.mkdir(parents=True)
        (changed / "new.py").write_text('def fold_kite(kite):\n    """Folds a kite."""\n    return kite\n')
        number = json.loads(run("push", str(changed), "--storage", self.storage, "--json").stdout)["sequence"]
        until = time.monotonic() + 15
        while (health := self.get(f"{self.url}health")[1])["sequence"] != number and time.monotonic() < until:
            time.sleep(0.2)
        self.assertEqual((health["sequence"], health["status"]), (number, "ok"))
        _, answer = self.get(f"{self.url}ask?question=fold+a+kite")
        self.assertEqual(answer["results"][0]["name"], "fold_kite")
        said = json.loads(run("status", "--storage", self.storage, "--server", self.url, "--json").stdout)
        self.assertEqual(said["server"]["status"], "ok")

    def test_children_are_begun_again_under_questions(self) -> None:
        ask = f"{self.url}ask?question=split+a+word+list&k=3&repos=kernel"
        _, before = self.get(ask)
        for process, line in children(self.open.pid):
            if "fleet" in line:
                os.kill(process, signal.SIGKILL)
        _, after = self.get(ask)
        self.assertTrue(is_same(before, after))


if __name__ == "__main__":
    unittest.main()

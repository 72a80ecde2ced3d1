"""Shards and their catalog `fleet.json` in a storage. Engine tasks pack them, pushes add layers, and the next build cleans up."""

import fcntl
import json
import os
import random
import re
import subprocess
import time
from argparse import Namespace
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from .engines import Json, run

CATALOG, RIGHTS, SUMS = "fleet.json", ("team", "groups"), ("lines", "files", "functions")
BYTES_PER_LINE = 30  # a low estimate, so bundles are small; the program counts lines and divides bundles that are too large
SETTLE = 0.5  # seconds before a change of the catalog is read back


class Storage:
    """A folder that all machines can access (`files` is None), or a location in fsspec's `files`. A file is either complete or absent."""

    def __init__(self, url: str) -> None:
        self.files, self.root = None, url
        if "://" in url:
            import fsspec

            self.files, self.root = fsspec.core.url_to_fs(url.rstrip("/"), use_listings_cache=False)
        self.catalog = f"{self.root}/{CATALOG}"

    def stamp(self) -> str:
        """Returns a string that changes with the catalog; empty if there is no catalog."""
        with suppress(FileNotFoundError):
            seen = self.files.info(self.catalog) if self.files else {"seen": os.stat(self.catalog)}
            return str(seen.get("ETag") or seen)
        return ""

    def read(self) -> Json:
        """Returns the catalog, or an empty one with number 0."""
        data = (self.files.cat_file(self.catalog) if self.files else Path(self.catalog).read_bytes()) if self.stamp() else b"{}"
        found = {"version": 1, "sequence": 0, "shards": [], "repositories": {}, "dropped": []} | json.loads(data)
        plain = {"layer": 0, "bytes": 0}  # missing in a catalog that another program wrote
        return found | {"shards": [plain | {"held": shard["members"]} | shard for shard in found["shards"]]}

    def local(self, name: str, cache: Path) -> Path:
        """Returns the path of a shard on this machine. Raises FileNotFoundError if it does not exist."""
        if not self.files:
            return Path(self.root, name).resolve(strict=True)
        if not (cache / name).exists():
            cache.mkdir(parents=True, exist_ok=True)
            self.files.get_file(f"{self.root}/{name}", aside := f"{cache}/.{name}.{os.getpid()}-{time.monotonic_ns()}")
            Path(aside).replace(cache / name)
        return cache / name

    def change(self, by: Callable[[Json], Json]) -> Json:
        """Writes and returns the catalog that `by` makes from the current one. In a folder, a lock orders changes; S3 rejects the second of
        two (If-Match). On other storage, the change is looked for after SETTLE seconds, in the list of the last hundred, and repeated
        if another one undid it. A writer that takes longer than that between reading and writing can still undo a change unnoticed."""
        if not self.files:
            with Path(f"{self.catalog}.lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                (aside := Path(f"{self.catalog}.new")).write_text(json.dumps(after := by(self.read()), indent=1))
                aside.replace(self.catalog)
                return after
        for _ in range(100):
            stamp, before, mark = self.stamp(), self.read(), f"{random.getrandbits(64):x}"
            after = by(before) | {"changes": [*before.get("changes", [])[-99:], mark]}
            guard = {} if "s3" not in self.files.protocol else {"IfMatch": stamp} if stamp else {"IfNoneMatch": "*"}
            try:
                self.files.pipe_file(self.catalog, json.dumps(after, indent=1).encode(), **guard)
            except OSError as cause:
                if "condition" not in str(cause):  # 409 and 412: another change came first
                    raise
            time.sleep(SETTLE * random.uniform(1, 3))
            if mark in self.read().get("changes", []):
                return after
        raise OSError(f"{self.catalog}: other changes came first a hundred times; try again")


def repositories(folders: list[str], listing: str | None) -> list[Json]:
    """Returns the repositories with `path` and `name`, and with `revision`, `team` and `groups` if their line in the listing has them."""
    lines = Path(listing).read_text().splitlines() if listing else []
    found = [{"path": Path(folder)} for folder in folders]
    found += [one | {"path": Path(listing or "").parent / one["path"]} for one in map(json.loads, filter(str.strip, lines))]
    found = [{"name": one["path"].resolve().name} | one | {"path": str(one["path"].resolve(strict=True))} for one in found]
    if not found or len({one["name"] for one in found}) < len(found):
        raise ValueError("pass folders, or a list with --list FILE; each repository needs a different name")
    return found


def with_rights(found: list[Json], catalog: Json) -> list[Json]:
    """Adds the team and groups from the catalog to repositories that were listed without them."""
    rows = catalog["repositories"]
    return [{**{key: rows[one["name"]][key] for key in RIGHTS if key in rows.get(one["name"], {})}, **one} for one in found]


def size(path: str) -> int:
    """Returns the bytes of files up to 1 MiB outside hidden folders, rounded up to a power of two: little growth changes no bundle."""
    files = (f"{folder}/{name}" for folder, _, names in os.walk(path) if "/." not in folder[len(path) :] for name in names)
    return 1 << sum(size for file in files if (size := os.lstat(file).st_size) <= 1 << 20).bit_length()


def bundles(found: list[Json], shards: int | None, lines: int) -> list[list[Json]]:
    """Bundles repositories with the same rights, largest first, each into the smallest bundle. A shard's name reveals a member."""

    def load(bundle: list[Json]) -> int:
        return sum(one["size"] for one in bundle)

    found = sorted((one | {"size": size(one["path"])} for one in found), key=lambda one: (-one["size"], one["name"]))
    most, parts = load(found) / shards if shards else lines * BYTES_PER_LINE, list[list[Json]]()
    for rights in sorted({str(one.get("groups") or []) for one in found}):
        same = [one for one in found if str(one.get("groups") or []) == rights]
        new: list[list[Json]] = [[] for _ in range(min(len(same), int(-(-load(same) // most))))]
        for one in same:
            min(new, key=load).append(one)
        parts += new
    return [sorted(part, key=lambda one: one["name"]) for part in parts]


def pack(task: Json) -> Json:
    """Packs the shards of a bundle into the storage. Existing shards of the same first repository are fetched, not built again."""
    store, bundle = Storage(task["storage"]), task["bundle"]
    with TemporaryDirectory(prefix="whichfn-pack-") as folder:
        out, first = Path(folder if store.files else store.root), re.sub(r"[^\w.-]", "_", bundle[0]["name"])[:60]
        for there in store.files.glob(f"{store.root}/{first}-{'[0-9a-f]' * 16}.shard") if store.files else ():
            store.local(there.split("/")[-1], out)
        names = [part for one in bundle for part in ("--name", one["name"])]
        command = ["fleet", "pack", *(one["path"] for one in bundle), *names, "-o", str(out), "--lines", str(task["lines"])]
        shards = said(task, *command, "--json")["shards"]
        for shard in shards:
            if store.files and shard["built"]:
                store.files.put_file(str(out / shard["file"]), f"{store.root}/{shard['file']}")
        return {"shards": shards}


def said(task: Json, *command: str) -> Json:
    """Returns the JSON that the program prints, and its exit status. Raises RuntimeError with its error message."""
    done = subprocess.run([task["whichfn"], *command], capture_output=True, text=True, timeout=task["deadline"], check=False)
    if done.returncode > 1:
        raise RuntimeError(done.stderr.strip())
    return {"status": done.returncode} | json.loads(done.stdout)


def take_up(now: Json, packed: list[Json], found: list[Json], since: int | None) -> Json:
    """Returns the catalog after `now` with new shards: those of a push (`since` is None) above all others, those of a build below what was
    pushed after number `since`. A repository is served from its highest layer; a shard that serves none is dropped."""
    number, layer = now["sequence"] + 1, now["sequence"] + 1 if since is None else 0
    rows = {one["name"]: {key: one[key] for key in ("revision", *RIGHTS) if key in one} for one in with_rights(found, now)}
    for member in (member for shard in packed for member in shard["members"]):
        row = rows[member["repository"]]
        row |= {key: row.get(key, 0) + member[key] for key in SUMS} | {"revision": row.get("revision", member["revision"])}
    shards = [shard for shard in now["shards"] if since is None or shard["layer"] > since]
    for one in packed:
        held = [member["id"] for member in one["members"]]
        shards.append({"file": one["file"], "bytes": one["bytes"], "layer": layer, "held": held})
    shards, top = sorted(shards, key=lambda shard: shard["layer"]), dict[str, int]()
    for shard in reversed(shards):
        layers = {one: top.setdefault(one.split("#")[0], shard["layer"]) for one in shard["held"]}
        shard["members"] = [one for one, highest in layers.items() if highest == shard["layer"]]
    shards = [shard for shard in shards if shard["members"]]
    rows = {name: rows[name] if top[name] == layer else now["repositories"][name] for name in sorted(top)}
    dropped = {*now["dropped"], *(shard["file"] for shard in now["shards"])} - {shard["file"] for shard in shards}
    return {"version": 1, "sequence": number, "shards": shards, "repositories": rows, "dropped": sorted(dropped)}


def build(args: Namespace) -> Json:
    """Packs all repositories, and removes shards that were dropped before it started. Raises RuntimeError with the bundles that failed."""
    found, store = repositories(args.what, args.list), Storage(args.storage)
    old = store.read()
    parts = bundles(with_rights(found, old), args.shards, args.lines)
    done = run(args, pack, [args.task | {"bundle": part} for part in parts])
    if failed := [f"\n  {', '.join(one['name'] for one in part)}: {of['error']}" for part, of in zip(parts, done) if "error" in of]:
        raise RuntimeError(f"{len(failed)} of {len(parts)} bundles failed, and the catalog is unchanged:{''.join(failed)}")
    catalog = store.change(lambda now: take_up(now, [shard for one in done for shard in one["shards"]], found, old["sequence"]))
    for name in set(old["dropped"]) & set(catalog["dropped"]):
        (store.files.rm_file if store.files else os.unlink)(f"{store.root}/{name}")
    return catalog


def push(args: Namespace) -> Json:
    """Packs one repository into a layer above its bundle and returns the new catalog."""
    given = {"name": args.name, "revision": args.revision, "team": "".join(args.team[-1:]), "groups": args.group}
    found = [one | {key: value for key, value in given.items() if value} for one in repositories(args.what, None)[:1]]
    packed = pack(args.task | {"bundle": found})["shards"]
    return Storage(args.storage).change(lambda now: take_up(now, packed, found, None))

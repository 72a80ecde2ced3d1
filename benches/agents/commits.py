#!/usr/bin/env python3
"""Lists commits from which tasks can be made: small changes since January 2026 whose message describes a problem.

    commits.py MIRRORS owner/name...    writes a JSON object per commit: repository, commit, parent, text, changed lines

A mirror is a git directory with history: MIRRORS/owner+name/repo. The message loses what was added when it was merged.
`training/issues.py` has the rules of what is a program file, a test, or an addition to a message.
"""
import json, os, re, subprocess, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'training'))
import issues

SINCE = '2026-01-15'
MOST_FILES, MOST_HUNKS, MOST_LINES, LEAST_WORDS = 2, 8, 80, 8
NO_PROBLEM = re.compile(r'(revert|bump|release|merge|update|prepare|clean|rename|move|refactor|typo|docs?\b|chore|style|build|ci\b|'
                        r'deps|test|perf|lint|feat|add\b|adds\b|implement|support)', re.I)


def commits(directory):
    """(commit, parent, text) of the commits since SINCE that have one parent and a text about a problem."""
    log = issues.git(directory, 'log', '--no-merges', f'--since={SINCE}', '--format=%H%x00%P%x00%B%x01')
    for record in log.split('\x01'):
        if record.count('\0') != 2:
            continue
        commit, parents, message = record.strip('\n').split('\0')
        text = issues.text_of(message)
        if not text or NO_PROBLEM.match(text) or len(text.split()) < LEAST_WORDS or not (issues.PROBLEM.search(text) or re.search(r'\bfix', text, re.I)):
            continue
        yield commit, parents, text


def main(mirrors, names):
    for name in names:
        directory = issues.git_directory(mirrors, name)
        for commit, parent, text in commits(directory):
            try:
                hunks = issues.hunks_of(directory, parent, commit)
            except subprocess.CalledProcessError:  # a mirror without the largest files
                continue
            if not hunks or len(hunks) > MOST_FILES or sum(map(len, hunks.values())) > MOST_HUNKS:
                continue
            if any(re.search(rf'\b{re.escape(word)}\b', text) for word in issues.names_around(hunks)):
                continue
            lines = {path: [hunk[:2] for hunk in of_file] for path, of_file in hunks.items()}
            print(json.dumps({'repo': name, 'commit': commit, 'parent': parent, 'text': text, 'lines': lines}))


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2:])

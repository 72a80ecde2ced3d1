#!/usr/bin/env python3
"""Texts like issues, from the messages of commits: the training data of the form `issue`.

    issues.py select MIRRORS NAME...   chooses commits of these repositories, as lines "owner/name commit"
    issues.py cases MIRRORS < LIST     writes a JSON object per commit: repository, commit before it, text, changed lines

A mirror is a git directory with history: MIRRORS/owner+name/repo. A commit is chosen if it changes a few places in
program files that exist, and its message describes a problem in several sentences or with code. `train issues` finds
the functions around the changed lines.
"""
import hashlib, json, os, re, subprocess, sys

SOURCES = ('.py', '.rs', '.go', '.java', '.kt', '.js', '.mjs', '.ts', '.tsx', '.c', '.h', '.cc', '.cpp', '.hpp', '.cs',
           '.php', '.rb', '.swift', '.scala')
ASIDE = re.compile(r'(^|/)(\.?\w*tests?\w*|\w*[Ss]pecs?|testing|testdata|test-\w+|\w*[.-]tests?|__\w+__|docs?|doc_src|examples?|'
                   r'bench\w*|vendor|third_party|node_modules|fixtures|scripts|tools|website|changelog_unreleased)/', re.I)
TEST = re.compile(r'(^|/)(test_[^/]*|conftest|tests)\.py$|[._-](test|spec|tests)\.\w+$|Tests?\.(java|cs|php|kt|scala|swift)$|/test\w*\.\w+$')
# Trailers and references: what was added when the change was merged.
NOISE = re.compile(
    r'^\s*([A-Z][\w-]+-(by|on|to|Id|RevId|id): .*|(Change|Cq|Reviewed|Tested|Signed|Acked|Co-authored|PiperOrigin|git-svn|cc|CC|'
    r'Cc)-?[\w-]*:.*|\W*(closes?|close[sd]|fix(es|ed)?|resolves?d?|refs?|references?|see|issue|pr|related( to)?|ticket|bug|'
    r'motivation|modifications?|result|backport\w*|cherry.picked)\b:?\s*(#|gh-|http|GH-)\S+.*|\(cherry picked from .*|'
    r'changelog\b.*:.*|r\? .*|\(#\d+\)|-{3,}.*|\* *$|This reverts commit.*|\#\#? *(pr )?(check-?list|type of change).*|'
    r'[-*] \[[ xX]\].*|<!--.*)$', re.I)
NUMBER = re.compile(r'\s*\(?(#|gh-|GH-)\d+\)?\s*$')
PROBLEM = re.compile(r'\b(when|error|errors|crash\w*|fail\w*|incorrect\w*|wrong\w*|current\w*|previous\w*|bug|regression|expect\w*|'
                     r'issue|problem|instead|exception|traceback|panic\w*|broken|unexpected\w*|raise[sd]?|throws?|should|hang\w*|'
                     r'missing|invalid|leak\w*|not)\b', re.I)
CODE = re.compile(r'^\s*(```|~~~)|^(    |\t)\S|^\s*>>> |Traceback \(most|^\s+at [\w.$]+\(', re.M)

LEAST_WORDS, MOST_WORDS = 35, 700
# Commits of each repository, and how many of them may name a function that they change: of the issues of SWE-bench,
# four in ten do; of commit messages, most.
EACH, NAMED = 28, 12
MOST_HUNKS, MOST_LINES, MOST_FILES = 10, 160, 4


def git(directory, *arguments):
    command = ['git', '--git-dir', directory, *arguments]
    return subprocess.run(command, capture_output=True, check=True).stdout.decode('utf-8', 'replace')


def git_directory(mirrors, name):
    at = os.path.join(mirrors, name.replace('/', '+'), 'repo')
    return os.path.join(at, '.git') if os.path.isdir(os.path.join(at, '.git')) else at


def text_of(message):
    """The message without what was added when it was merged; None if it has no title."""
    lines = [line.rstrip() for line in message.replace('\r', '').strip().split('\n')]
    if re.match(r'Auto merge of |Merge |Rollup merge|bug #\d+|minor #\d+|feature #\d+', lines[0]) and len(lines) > 1:
        of_symfony = re.match(r'(?:bug|minor|feature) #\d+ (.*?)(?: \([\w,. -]+\))?$', lines[0])
        lines = ([of_symfony[1]] if of_symfony else []) + lines[1:]
    lines = [line for line in lines if not NOISE.match(line)]
    while lines and not lines[0].strip():
        lines.pop(0)
    if not lines:
        return None
    title = NUMBER.sub('', lines[0]).strip(' *')
    # A text quoted as a whole (mailing lists, `git am`) is indented; so is code.
    body = '\n'.join(lines[1:]).strip('\n')
    return title + '\n\n' + re.sub(r'\n{3,}', '\n\n', body) if title else None


def is_issue(text):
    title, _, body = text.partition('\n')
    words, lines = len(body.split()), [line for line in body.split('\n') if line.strip()]
    listed = sum(line.lstrip().startswith(('* ', '- ')) for line in lines)
    if re.match(r'(revert|bump|release|merge|rollup|update|prepare|clean|rename|move|refactor|typo|docs?\b|chore|style)', title, re.I):
        return False
    if words > MOST_WORDS or len(lines) < 3 or listed * 2 > len(lines) or 'diff --git' in body:
        return False
    return words >= LEAST_WORDS and len(PROBLEM.findall(text)) >= 2 or words >= 20 and bool(CODE.search(body))


def richness(text):
    """What issues have and most commit messages lack: a trace counts most, then code, then many words."""
    has_trace = re.search(r'Traceback \(most|^\s+at [\w.$]+\(|File ".*", line \d|panicked at|goroutine \d', text, re.M)
    return 2 * bool(has_trace) + bool(CODE.search(text)) + (len(text.split()) > 90)


def is_program(path):
    return path.endswith(SOURCES) and not ASIDE.search('/' + path) and not TEST.search('/' + path)


def hunks_of(directory, parent, commit):
    """{path: [[first line, last line, function line that git shows]]} of the tree before; None if there are too many."""
    diff = git(directory, 'diff', '-U0', '--no-color', '--no-ext-diff', '--no-renames', parent, commit)
    hunks, path, lines, is_new = {}, None, 0, False
    for line in diff.split('\n'):
        if line.startswith('--- '):
            path = line[6:] if line.startswith('--- a/') else None
        elif line.startswith('+++ '):
            path = path if line.startswith('+++ b/') else None
        elif line.startswith('@@') and path and is_program(path):
            first, count, added, around = re.match(r'@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@ ?(.*)', line).groups()
            first, count = int(first), int(count) if count else 1
            lines += count + (int(added) if added else 1)
            # Lines that are only added belong to the function around the lines before and after them.
            hunks.setdefault(path, []).append([first, first + count - 1 if count else -1, around.strip()])
    count = sum(map(len, hunks.values()))
    return hunks if 0 < count <= MOST_HUNKS and lines <= MOST_LINES and len(hunks) <= MOST_FILES else None


def names_around(hunks):
    found = set()
    for _, _, around in (hunk for of_file in hunks.values() for hunk in of_file):
        name = re.search(r'(?:def|fn|func|function)\s+(?:\([^)]*\)\s*)?(\w+)', around) or re.search(r'(\w+)\s*\(', around)
        found |= {name[1]} if name else set()
    return found


def select(mirrors, names):
    for name in names:
        directory = git_directory(mirrors, name)
        log = git(directory, 'log', '--format=%H%x00%P%x00%B%x01', '-n', '40000')
        chosen = []
        for record in log.split('\x01'):
            if record.count('\0') != 2:
                continue
            commit, parents, message = record.strip('\n').split('\0')
            text = text_of(message) if parents else None
            if text and is_issue(text) and 'Rollup' not in text:
                chosen.append((-richness(text), hashlib.sha1(commit.encode()).hexdigest(), commit, parents.split()[0], text))
        seen, named, plain = set(), [], []
        for _, _, commit, parent, text in sorted(chosen):
            if len(named) >= NAMED and len(plain) >= EACH - NAMED:
                break
            is_new, _ = text[:80] not in seen, seen.add(text[:80])
            try:
                hunks = hunks_of(directory, parent, commit) if is_new else None
            except subprocess.CalledProcessError:  # a mirror without the largest files
                continue
            if hunks:
                is_named = any(re.search(rf'\b{re.escape(word)}\b', text) for word in names_around(hunks))
                (named if is_named else plain).append(commit)
        for commit in named[:NAMED] + plain[:EACH - NAMED]:
            print(name, commit)
        print(name, len(chosen), len(named), len(plain), file=sys.stderr, flush=True)


def cases(mirrors):
    for line in sys.stdin:
        name, commit = line.split()
        directory = git_directory(mirrors, name)
        parent, date, message = git(directory, 'log', '-1', '--format=%P%x00%ct%x00%B', commit).split('\0')
        parent, hunks = parent.split()[0], hunks_of(directory, parent.split()[0], commit)
        lines = {path: [hunk[:2] for hunk in of_file] for path, of_file in hunks.items()}
        print(json.dumps({'repo': name, 'id': commit[:12], 'commit': parent, 'date': int(date),
                          'query': text_of(message), 'lines': lines}))


if __name__ == '__main__':
    select(sys.argv[2], sys.argv[3:]) if sys.argv[1] == 'select' else cases(sys.argv[2])

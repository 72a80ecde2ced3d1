#!/usr/bin/env python3
"""Derives questions about types from their documentation, as RepoQA derives descriptions from code, without a model.

    training/types.py WHICHFN SOURCES OUT > QUESTIONS

The question is the first sentence of a type's documentation. OUT receives a copy of each repository in which that
sentence is removed from the code, because the order would learn that the answer contains the question. In every other
repository, the documentation of all types is removed, because the order would learn that the answer is undocumented.
WHICHFN is the program, which lists the types.
"""
import json, os, random, re, shutil, subprocess, sys

MOST = 12  # questions about one repository
WORDS = range(5, 31)
SUFFIXES = "rs py java cs go h hpp cc cpp php rb ts tsx js mjs kt swift scala src lib".split()
ASIDE = re.compile(r"(^|/)(tests?|testing|specs?|examples?|bench\w*|__tests__|testdata|fixtures?|samples?)(/|$)"
                   r"|test_|_test\.|Tests?\.|\.Tests?/|\.spec\.|\.test\.|\.d\.ts$", re.I)
MARKERS = ("///", "//!", "//", "#", "*", "--")


def types(program, root):
    """Returns the types of a repository: every type contains the word of a file suffix or folder in its path."""
    found = {}
    for word in SUFFIXES:
        ask = [program, "ask", "--kind", "type", "--json", "-k", "20000", "--order", "words", word]
        out = subprocess.run(ask, cwd=root, capture_output=True, text=True).stdout
        for one in json.loads(out)["results"] if out.startswith("{") else []:
            found[one["path"], one["start_line"], one["name"]] = one
    return [found[key] for key in sorted(found)]


def sentence(one):
    """Returns the first sentence of the documentation; None if it is no question."""
    doc = re.sub(r"\{@\w+ ([^}]*)\}|<see \w+=\"([^\"]*)\"\s*/>", r"\1\2", one.get("doc") or "")
    first = re.split(r"(?<=[.!?])\s|\s@\w+ ", re.sub(r"<[^>]*>|[`\[\]*]", "", doc).strip())[0].strip()
    words = re.findall(r"\w+", first)
    names = {one["name"].lower(), one["name"].lower() + "s"}
    is_question = len(words) in WORDS and not names & {word.lower() for word in words} and first.isascii()
    return first if is_question and not re.match(r"@|Author|Copyright|Created|TODO", first) else None


def removed(text, one, said, all_of_it):
    """Returns the code without a sentence of a type's documentation, or without the rest of it too. None if the
    sentence is not found. Line breaks stay."""
    lines = text.split("\n")
    ends = [0]
    for line in lines:
        ends.append(ends[-1] + len(line) + 1)
    start, stop = ends[max(0, one["start_line"] - 80)], ends[min(len(lines), one["end_line"])]
    words = re.findall(r"\w+", said)
    gap = r"(?:[^\w\n]|\n|<[^>]*>|@\w+ )*?"
    hits = list(re.finditer(r"\b" + gap.join(map(re.escape, words)) + r"\b[.!?]?", text[start:stop]))
    if not hits:
        return None
    at, end = start + hits[-1].start(), start + hits[-1].end()
    if all_of_it:
        marker = next((m for m in MARKERS if text[text.rfind("\n", 0, at) + 1:at].strip().startswith(m)), None)
        while end < len(text) and not text.startswith(("*/", '"""', "'''"), end):
            if text[end] == "\n" and marker and not text[end + 1:].lstrip(" \t").startswith(marker):
                break
            end += 1
    return text[:at] + re.sub(r"[^\n]", " ", text[at:end]) + text[end:]


def edit(copy, one, said, all_of_it):
    """Removes a sentence, or all of a type's documentation, from the copy. Returns whether it was found."""
    place = os.path.join(copy, one["path"])
    with open(place, encoding="utf-8", errors="surrogateescape", newline="") as file:
        after = removed(file.read(), one, said, all_of_it)
    if after is not None:
        with open(place, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.write(after)
    return after is not None


def main(program, sources, out):
    for number, repo in enumerate(sorted(os.listdir(sources))):
        root, copy, is_bare, count = os.path.join(sources, repo), os.path.join(out, repo), number % 2 == 0, 0
        if repo.endswith(".part") or not os.path.isdir(root):
            continue
        all_types = [one for one in types(program, root) if not ASIDE.search(one["path"])]
        random.Random(repo).shuffle(all_types)
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(root, copy, symlinks=True)
        for one in all_types:
            said = sentence(one)
            if count < MOST and said and one["end_line"] - one["start_line"] >= 2:
                if edit(copy, one, said, is_bare):
                    gold = {key: one[key] for key in ("path", "name", "start_line", "end_line")}
                    category = "bare" if is_bare else "sentence"
                    question = {"id": f"{repo}:{count}", "repo": repo, "query": said, "category": category}
                    print(json.dumps(question | {"gold": [gold]}))
                    count += 1
            elif is_bare and one.get("doc"):
                edit(copy, one, " ".join(re.findall(r"\w+", one["doc"])[:6]), True)


if __name__ == "__main__":
    main(*sys.argv[1:])

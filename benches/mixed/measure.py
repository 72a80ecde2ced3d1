#!/usr/bin/env python3
"""Prints how often the first answer, and one of the first five and ten, is right, for each kind of question.

    measure.py PROGRAM TREES [--each]

TREES is the folder that `benches/agents/prepare.py TREES benches/agents/explore.jsonl` wrote. A result is right if its
path is that of a right answer and, unless the whole file is right, if the result begins within three lines before the
answer or inside of it. `whichfn eval` reads the same file, but ranks functions and types only: this script gets what
the bare command answers. A question that begins with a hyphen follows `--`.
"""
import argparse, collections, json, os, subprocess

HERE = os.path.dirname(os.path.abspath(__file__))


def is_right(result, gold):
    if result['path'] != gold['path'] or 'start_line' not in gold:
        return result['path'] == gold['path']
    start, end = gold['start_line'], gold['end_line']
    return start - 3 <= result['line'] <= end and result['end_line'] >= start


def results(program, tree, query):
    command = [program, '--in', tree, '--json', '-k', '10', '--', query]
    output = subprocess.run(command, capture_output=True, text=True).stdout
    return json.loads(output)['results'] if output else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program')
    parser.add_argument('trees')
    parser.add_argument('--each', action='store_true', help='also print the rank of each question')
    arguments = parser.parse_args()
    ranks = collections.defaultdict(list)
    with open(os.path.join(HERE, 'questions.jsonl'), encoding='utf-8') as file:
        for question in map(json.loads, file):
            found = results(arguments.program, os.path.join(arguments.trees, question['repo']), question['query'])
            right = [rank for rank, one in enumerate(found, 1) if any(is_right(one, gold) for gold in question['gold'])]
            rank = min(right, default=0)
            ranks[question['category']].append(rank)
            ranks['all'].append(rank)
            if arguments.each:
                print(question['id'], rank or '-', question['query'])
    print(f'{"":12} questions first five ten')
    for kind, found in sorted(ranks.items()):
        within = [sum(0 < rank <= most for rank in found) for most in (1, 5, 10)]
        print(f'{kind:12} {len(found):9} {within[0]:5} {within[1]:4} {within[2]:3}')


if __name__ == '__main__':
    main()

#!/usr/bin/env python3
"""The table of the arms: answers, calls, bytes and tokens per task, with intervals.

    table.py NAME=FOLDER[,FOLDER...]... [--tasks FILE] [--each]

Each arm has the folders of its readers. Only tasks that every arm has answered count. The first arm is the one that the
others are compared with: differences are paired by task. Intervals are 95 % percentiles of 10,000 bootstrap samples of
repositories (tasks of a repository are drawn together). A function is right if its path and the last part of its name are
those of a function in `gold`. An answer to a task of the kind `find` is correct if its function is right; an answer to any
other kind names a share of the right functions, and "Right" is the share of its functions that are right. Bytes are what the tools print; tokens are bytes divided by four, a rough
estimate that no tokenizer has checked. `t tools`, which is read once per session, is not included; --each lists all
answers.
"""
import argparse, json, os, random, re

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = 10_000


def rows(folders):
    for folder in folders:
        with open(os.path.join(folder, 'log.jsonl'), encoding='utf-8') as log:
            yield from map(json.loads, log)


def last(name):
    return re.split(r'::|[.#]', name.strip().removesuffix('()'))[-1]


def is_find(task):
    return task.get('kind', 'find') == 'find'


def measured(folders, tasks):
    """Per task: the share of the right functions that the answer names, its calls, their bytes, and the answer."""
    found = {}
    for row in rows(folders):
        if row['tool'] == 'tools' or row['task'] not in tasks:
            continue
        task = found.setdefault(row['task'], {'calls': 0, 'bytes': 0, 'answer': None, 'tools': {}})
        if row['tool'] == 'answer':
            if row.get('complete'):
                task['answer'] = row['arguments']
            continue
        if task['answer'] is None:
            task['calls'] += 1
            task['bytes'] += row['bytes']
            task['tools'][row['tool']] = task['tools'].get(row['tool'], 0) + 1
    for name, task in found.items():
        if task['answer']:
            words = task['answer']
            answer = {(path.removeprefix('./'), last(function)) for path, function in zip(words[::2], words[1::2])}
            gold = {(one['path'], last(one['name'])) for one in tasks[name]['gold']}
            right = len(answer & gold)
            task['named'] = min(1, right) if is_find(tasks[name]) else right / len(gold)
            task['right'] = right / len(answer)
            task['missing'] = sorted(name for _, name in gold - answer)
            task['tokens'] = task['bytes'] / 4
    return {name: task for name, task in found.items() if task['answer']}


def interval(values):
    values = sorted(values)
    return values[int(0.025 * len(values))], values[int(0.975 * len(values))]


def bootstrap(names, tasks, statistic):
    """The interval of a statistic over samples of repositories, with all of their tasks."""
    by_repo = {}
    for name in names:
        by_repo.setdefault(tasks[name]['repo'], []).append(name)
    repos, draw = list(by_repo), random.Random(1)
    samples = ([name for repo in draw.choices(repos, k=len(repos)) for name in by_repo[repo]] for _ in range(SAMPLES))
    return interval([statistic(sample) for sample in samples])


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def show(title, names, arms, tasks):
    print(f'\n**{title}**: {len(names)} tasks in {len({tasks[name]["repo"] for name in names})} repositories\n')
    finds = all(is_find(tasks[name]) for name in names)
    answers = 'Correct' if finds else 'Named | Against the first | Right'
    print(f'| Arm | {answers} | Calls per task | Bytes per task | Tokens per task | Calls against the first | Bytes against the first |')
    print('|---' * (7 if finds else 9) + '|')
    base = next(iter(arms.values()))
    for arm, found in arms.items():
        if finds:
            cells = [arm, f'{sum(found[name]["named"] for name in names)} of {len(names)}']
        else:
            def more(sample):
                return mean(found[name]['named'] - base[name]['named'] for name in sample)
            low, high = bootstrap(names, tasks, more)
            cells = [arm, f'{mean(found[name]["named"] for name in names):.2f}',
                     '' if found is base else f'{more(names):+.2f} [{low:+.2f}, {high:+.2f}]',
                     f'{mean(found[name]["right"] for name in names):.2f}']
        for key, form in (('calls', '{:.1f}'), ('bytes', '{:,.0f}'), ('tokens', '{:,.0f}')):
            low, high = bootstrap(names, tasks, lambda sample: mean(found[name][key] for name in sample))
            cells.append(f'{form.format(mean(found[name][key] for name in names))} [{form.format(low)}, {form.format(high)}]')
        for key in ('calls', 'bytes'):
            def ratio(sample):
                return sum(found[name][key] for name in sample) / max(1, sum(base[name][key] for name in sample))
            low, high = bootstrap(names, tasks, ratio)
            cells.append('' if found is base else f'{ratio(names):.2f} [{low:.2f}, {high:.2f}]')
        print('| ' + ' | '.join(cells) + ' |')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('arms', nargs='+')
    parser.add_argument('--tasks', default=os.path.join(HERE, 'tasks.jsonl'))
    parser.add_argument('--each', action='store_true')
    given = parser.parse_args()
    with open(given.tasks, encoding='utf-8') as file:
        tasks = {task['id']: task for task in map(json.loads, file)}
    arms = {}
    for arm in given.arms:
        name, _, folders = arm.partition('=')
        arms[name] = measured(folders.split(','), tasks)
    names = [name for name in tasks if all(name in found for found in arms.values())]
    if not names:
        raise SystemExit('no task is answered in every arm')
    show('All', names, arms, tasks)
    for title, known in (('Little-known repositories', False), ('Known repositories', True)):
        some = [name for name in names if tasks[name]['known'] == known]
        if some and len(some) < len(names):
            show(title, some, arms, tasks)
    if given.each:
        print('\n| Task | Repository | ' + ' | '.join(arms) + ' |\n|---|---|' + '---|' * len(arms))
        for name in names:
            cells = []
            for found in arms.values():
                task = found[name]
                if is_find(tasks[name]):
                    mark = '' if task['named'] else '**wrong** '
                    answer = f'{mark}`{last(task["answer"][1])}`'
                else:
                    missing = ' '.join(f'`{one}`' for one in task['missing'])
                    answer = f'{task["named"]:.2f}' + (f' without {missing}' if missing else '')
                cells.append(f'{answer} {task["calls"]}, {task["bytes"]:,}')
            print(f'| {name} | {tasks[name]["repo"]} | ' + ' | '.join(cells) + ' |')


if __name__ == '__main__':
    main()

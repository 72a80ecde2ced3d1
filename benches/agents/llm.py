#!/usr/bin/env python3
"""A reader that is a language model: does the tasks of a reader's folder with its tools.

    llm.py FOLDER --llm-cmd COMMAND [--most CALLS]

COMMAND is a shell command that reads a conversation on standard input and prints the model's next message. Each task is a
conversation of its own. The model writes one line `CALL TOOL ARGUMENTS`, quoted as in a shell, or `ANSWER PATH FUNCTION`.
"""
import argparse, json, os, re, shlex, subprocess

import arm

HERE = os.path.dirname(os.path.abspath(__file__))
FORM = """Each of your messages ends with exactly one line, either
CALL TOOL ARGUMENTS (such as: CALL rg -n "retry" src)
or
ANSWER PATH FUNCTION
"""


def instructions(folder, kind):
    with open(os.path.join(HERE, f'tools-{kind}.md'), encoding='utf-8') as file:
        text = file.read().replace('./t ID ', 'CALL ')
    if kind == 'mcp':
        text = re.sub(r'- `./t tools`.*?`root`\.\n', arm.use(folder, 'tools') + '\nTheir arguments are one JSON object.\n', text, flags=re.S)
    return text


def conversation(folder, kind, task, command, most):
    """Lets the model call tools until it answers; returns the number of calls."""
    text = ('A behaviour of the repository is wrong. Which function must be changed to repair it? Read as little as you can, '
            f'but be sure.\n\n{instructions(folder, kind)}\n{FORM}\nThe behaviour: {task}\n')
    for count in range(most + 1):
        done = subprocess.run(command, shell=True, input=text, capture_output=True, text=True, check=True)
        said = done.stdout.strip()
        line = next((line for line in reversed(said.split('\n')) if line.startswith(('CALL ', 'ANSWER '))), None)
        yield_last = '\nAnswer now.\n' if count + 1 == most else ''
        try:
            verb, *words = shlex.split(line or '')
        except ValueError as cause:
            text += f'\n{said}\n\n{cause}\n'
            continue
        if verb == 'ANSWER' and len(words) == 2:
            return words
        result = arm.use(folder, task_id(task), *words) if verb == 'CALL' and words else FORM
        text += f'\n{said}\n\n{result}{yield_last}'
    return ['', '']


def task_id(line):
    return line.split(' ', 1)[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder')
    parser.add_argument('--llm-cmd', required=True)
    parser.add_argument('--most', type=int, default=20)
    given = parser.parse_args()
    with open(os.path.join(given.folder, '.reader.json'), encoding='utf-8') as file:
        kind = json.load(file)['arm']
    with open(os.path.join(given.folder, 'tasks.md'), encoding='utf-8') as file:
        tasks = [line.removeprefix('- ').strip() for line in file]
    for task in tasks:
        path, function = conversation(given.folder, kind, task, given.llm_cmd, given.most)
        arm.use(given.folder, task_id(task), 'answer', path, function)
        print(task_id(task), path, function, flush=True)


if __name__ == '__main__':
    main()

#!/usr/bin/env python3
"""The tools of one arm: runs a tool in the tree of a task, prints its answer, and logs its bytes.

    arm.py new FOLDER --arm rg|mcp --trees DIR [--whichfn PROGRAM] [--max-tokens N] [--tasks FILE] ID...
                                     makes a reader's folder; N is the length of the first answers
    FOLDER/t ID rg ARGUMENTS...      ripgrep          FOLDER/t ID sed -n 1,20p FILE     lines of a file
    FOLDER/t ID ls [DIRECTORY]       a directory
    FOLDER/t ID answer PATH FUNCTION [PATH FUNCTION]...   the reader's answer
    FOLDER/t ID TOOL JSON            a tool of the MCP server (arm mcp); FOLDER/t tools describes them

A reader's folder has the questions (tasks.md) and the tools, but no answers. Each call appends a line to log.jsonl. The
MCP server of a task runs until it has been idle for a while, so that it knows what the reader has already seen.
"""
import argparse, json, os, re, socket, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
SHELL_TOOLS = ('rg', 'sed', 'ls')
# What agents' own shell tools let through.
MOST_CHARACTERS = 30_000
IDLE_SECONDS, LONGEST_SECONDS = 3_600, 120


def limited(text):
    more = len(text) - MOST_CHARACTERS
    return text if more <= 0 else f'{text[:MOST_CHARACTERS]}\n[{more} more characters]\n'


def shell(tree, tool, arguments):
    """The output of a program that only reads the tree."""
    outside = [one for one in arguments if one.startswith('/') and tool != 'rg' or one == '..' or '../' in one]
    writes = tool == 'sed' and ('-n' not in arguments or any(re.search(r'-i|[;0-9$/]\s*[we]\b', one) for one in arguments))
    if outside or writes:
        return f'{tool}: only reads files of this repository, with paths relative to its root; use sed -n FIRST,LASTp FILE\n'
    # ripgrep reads standard input if it is not given a path and its input is a pipe.
    done = subprocess.run([tool, *arguments], cwd=tree, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=LONGEST_SECONDS)
    return limited(done.stdout.decode('utf-8', 'replace'))


class Server:
    """An MCP server on standard input and output."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.count = 0
        client = {'name': 'benches', 'version': '1'}
        self.request('initialize', {'protocolVersion': '2025-06-18', 'capabilities': {}, 'clientInfo': client})
        self.send({'jsonrpc': '2.0', 'method': 'notifications/initialized'})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b'\n')
        self.process.stdin.flush()

    def request(self, method, parameters):
        self.count += 1
        self.send({'jsonrpc': '2.0', 'id': self.count, 'method': method, 'params': parameters})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get('id') == self.count:
                return message.get('result', message.get('error'))
        raise SystemExit('the server ended')


def shown(tool, result):
    """What a client shows to its model: the descriptions of the tools, or the text of an answer."""
    if tool == 'tools':
        kept = ('name', 'description', 'inputSchema')
        return '\n'.join(json.dumps({key: one[key] for key in kept}) for one in result['tools']) + '\n'
    if 'content' not in result:
        return json.dumps(result) + '\n'
    return '\n'.join(part.get('text', '') for part in result['content']).rstrip('\n') + '\n'


def serve(path, command):
    """Keeps the server of a task, and passes calls on to it, one connection each."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path + '.new')
    listener.listen()
    listener.settimeout(IDLE_SECONDS)
    server = Server(command)
    os.rename(path + '.new', path)
    try:
        while True:
            connection, _ = listener.accept()
            with connection, connection.makefile('rwb') as stream:
                tool, arguments = json.loads(stream.readline())
                if tool == 'tools':
                    result = server.request('tools/list', {})
                else:
                    result = server.request('tools/call', {'name': tool, 'arguments': arguments})
                stream.write(shown(tool, result).encode())
                stream.flush()
    except TimeoutError:
        pass
    finally:
        os.unlink(path)
        server.process.kill()


def call(folder, reader, task, tool, arguments):
    """The answer of the task's MCP server, which is started for the first call."""
    path = os.path.join(folder, f'.{task}')
    if not os.path.exists(path):
        command = [sys.executable, os.path.abspath(__file__), 'serve', path, reader['whichfn'], 'mcp', tree_of(reader, task)]
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                         start_new_session=True)
        until = time.monotonic() + LONGEST_SECONDS
        while not os.path.exists(path) and time.monotonic() < until:
            time.sleep(0.05)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        with connection.makefile('rwb') as stream:
            stream.write(json.dumps([tool, arguments]).encode() + b'\n')
            stream.flush()
            return stream.read().decode()


def tree_of(reader, task):
    return os.path.join(reader['trees'], task)


def use(folder, task, tool=None, *arguments):
    """Runs a tool for a reader."""
    with open(os.path.join(folder, '.reader.json'), encoding='utf-8') as file:
        reader = json.load(file)
    if task == 'tools':
        task, tool = reader['tasks'][0], 'tools'
    if task not in reader['tasks'] or tool is None:
        return f'usage: t ID TOOL ARGUMENTS...; the ids are {" ".join(reader["tasks"])}\n'
    row = {'task': task, 'tool': tool, 'arguments': arguments}
    if tool == 'answer':
        row['complete'] = len(arguments) > 0 and len(arguments) % 2 == 0
        text = 'noted\n' if row['complete'] else 'usage: t ID answer PATH FUNCTION [PATH FUNCTION]...\n'
    elif tool in SHELL_TOOLS:
        text = shell(tree_of(reader, task), tool, arguments)
    elif reader['arm'] == 'mcp':
        try:
            given = json.loads(arguments[0]) if arguments else {}
            if tool == 'which_function' and reader['max_tokens'] and 'max_tokens' not in given:
                given['max_tokens'] = reader['max_tokens']
            text = call(folder, reader, task, tool, given)
        except json.JSONDecodeError as cause:
            text = f'{tool} takes one JSON object: {cause}\n'
    else:
        text = f'there is no tool {tool}; the tools are {", ".join(SHELL_TOOLS)} and answer\n'
    row |= {'bytes': len(text.encode()), 'sent': len(' '.join([tool, *arguments]).encode()), 'text': text}
    with open(os.path.join(folder, 'log.jsonl'), 'a', encoding='utf-8') as log:
        log.write(json.dumps(row, ensure_ascii=False) + '\n')
    return text


def new(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument('folder')
    parser.add_argument('--arm', choices=('rg', 'mcp'), required=True)
    parser.add_argument('--trees', required=True)
    parser.add_argument('--whichfn', default='whichfn')
    parser.add_argument('--max-tokens', type=int)
    parser.add_argument('--tasks', default=os.path.join(HERE, 'tasks.jsonl'))
    parser.add_argument('ids', nargs='*')
    given = parser.parse_intermixed_args(arguments)
    with open(given.tasks, encoding='utf-8') as file:
        tasks = {task['id']: task for task in map(json.loads, file)}
    ids = given.ids or list(tasks)
    os.makedirs(given.folder)
    reader = {'arm': given.arm, 'trees': os.path.abspath(given.trees), 'whichfn': given.whichfn, 'tasks': ids,
              'max_tokens': given.max_tokens}
    with open(os.path.join(given.folder, '.reader.json'), 'w', encoding='utf-8') as file:
        json.dump(reader, file)
    with open(os.path.join(given.folder, 'tasks.md'), 'w', encoding='utf-8') as file:
        file.writelines(f'- {one} ({tasks[one]["repo"]}): {tasks[one]["question"]}\n' for one in ids)
    script = os.path.join(given.folder, 't')
    with open(script, 'w', encoding='utf-8') as file:
        file.write(f'#!/bin/sh\nexec {sys.executable} {os.path.abspath(__file__)} use "$(dirname "$0")" "$@"\n')
    os.chmod(script, 0o755)


def main():
    verb, *arguments = sys.argv[1:] or ['']
    if verb == 'new':
        new(arguments)
    elif verb == 'serve':
        serve(arguments[0], arguments[1:])
    elif verb == 'use':
        print(use(*arguments), end='')
    else:
        raise SystemExit(__doc__)


if __name__ == '__main__':
    main()

#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The commands on the pages: README.md, CONTRIBUTING.md, tests/README.md and Documentation.

- A command of icbenchctl is run, with one operation, against the kernel of fake_kernel.c.
- A command of tests/vm/run, with the options that it really has, runs its icbenchctl here.
- make and prove only print what they would do.
- scripts/compare-kernels runs with stubs for the machines.
- A command that needs only files is run as it is.
- Any other command is a row of pages-commands, which names the test that runs it.

A block of the class "hardware" is not run: its commands need an RDMA adapter. The pages mark it.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.normpath(os.path.join(HERE, '../..'))
FAKE = os.path.join(HERE, 'build/icbenchctl-fake')

# first words of lines that are commands, not output
PROGRAMS = re.compile(
    r'(icbenchctl|user/icbenchctl|make|prove|(tests|scripts)/\S+|sudo|insmod|modprobe|mokutil|openssl|'
    r'cd|mkdir|echo(?! {2})|grep|cat|tail|head|jq|export|rdma|reboot|ib_\w+|\(head|\$\(find|git|apt-get|'
    r'tests/setup|\.ci/run)(\s|$)')

# commands that need nothing but files, which are run as they are
HARMLESS = re.compile(r'(jq|head|tail|\(head|openssl|\$\(find|mkdir -p /tmp/ci|export)( |$)')

# the wrapper of icbenchctl: one operation, names of devices that exist, and a log
WRAPPER = r'''#!/bin/bash
args=("$@")
case ${1-} in
compare)
	# the fake kernel does not have all metrics of the suite ci; vm/60-one-cpu.t has
	args=()
	while [ $# -gt 0 ]; do
		case $1 in
		--suite)	shift ;;
		*)		args+=("$1") ;;
		esac
		shift
	done
	;;
run|suite)
	args=()
	short=(-n 1)
	while [ $# -gt 0 ]; do
		case $1 in
		-D|--duration|-n|--iterations)	shift ;;
		--until|--until-percentile)	shift ;;
		--dry-run|--list)		args+=("$1"); short=() ;;
		mlx[0-9]_[0-9]*)		args+=("rxe${1: -1}") ;;
		rxe2)				args+=(rxe0) ;;
		*)				args+=("$1") ;;
		esac
		shift
	done
	# a device rxe2 for port 2 of an adapter does not exist
	for i in "${!args[@]}"; do
		[ "${args[i]}" != rxe2 ] || args[i]=rxe0
	done
	args+=("${short[@]}")
	[[ " ${args[*]} " = *" ci "* ]] && args+=(--repeat 2)
	;;
esac
limit=60
case ${args[0]-} in
serve|monitor)	limit=1 ;;
esac
timeout -s INT $limit "$FAKE" "${args[@]}" 2> >(tee "$LOG.err" >&2)
status=$?
printf '%s\t%s\t%s\n' "$status" "${args[*]}" "$(head -n 1 "$LOG.err")" >>"$LOG"
exit $status
'''

RUN = r'''#!/bin/bash
# tests/vm/run without a machine: the options are checked by the real code
prog=run
usage() { :; }
. "$TOP/tests/vm/lib/options.sh" || exit 125
parse_options "$@"
exec "${command_words[@]}"
'''

ROOT = r'''#!/bin/bash
mkdir -p "$HOME/$1/boot" && touch "$HOME/$1/boot/vmlinuz-6.1.0-9-amd64" \
	"$HOME/$1/boot/vmlinuz-6.12.0-9-amd64" "$HOME/$1/boot/vmlinuz-7.2.0-9-amd64" &&
	echo "$HOME/$1"
'''

count = 0
failed = 0


def test(name, passed, why=''):
    """Report a test."""
    global count, failed
    count += 1
    print('ok' if passed else 'not ok', count, '-', name)
    if not passed:
        failed += 1
        print(textwrap.indent(why.strip(), '# '), file=sys.stderr)


def pages():
    """The files with commands."""
    yield from ('README.md', 'CONTRIBUTING.md', 'tests/README.md')
    for folder, _, names in sorted(os.walk(os.path.join(TOP, 'Documentation'))):
        for name in sorted(names):
            if name.endswith('.rst') and '_table' not in name:
                yield os.path.relpath(os.path.join(folder, name), TOP)


def blocks(page):
    """The literal blocks of a page: (number of the first line, class, lines)."""
    with open(os.path.join(TOP, page), encoding='utf-8') as file:
        lines = file.read().split('\n')
    mark, i = '', 0
    while i < len(lines):
        line = lines[i]
        found = re.match(r'\s*\.\. class:: (\w+)$', line)
        if found:
            mark = found[1]
        indent = len(line) - len(line.lstrip())
        starts = re.match(r'(?!\s*\.\. ).*::$', line) if page.endswith('.rst') else \
            not line.strip() and i + 1 < len(lines) and lines[i + 1].startswith('    ')
        if not starts:
            if line.strip() and not found:
                mark = ''
            i += 1
            continue
        i += 1
        first, body = i, []
        while i < len(lines) and (not lines[i].strip() or
                                  len(lines[i]) - len(lines[i].lstrip()) > (
                                      indent if page.endswith('.rst') else 3)):
            body.append(lines[i])
            i += 1
        yield first, mark, body
        mark = ''


def commands(page):
    """The commands in the blocks of a page: (line, class, command)."""
    for first, mark, body in blocks(page):
        i = 0
        while i < len(body):
            number, text = first + i + 1, body[i].strip()
            text = re.sub(r'^[$#] ', '', text)
            i += 1
            if not PROGRAMS.match(text):
                continue
            while text.endswith('\\') and i < len(body):
                text = text[:-1] + body[i].strip()
                i += 1
            yield number, mark, re.sub(r'\s+#\s.*', '', text)


def inline(page):
    """The runs in the text of a page, without those with a placeholder."""
    with open(os.path.join(TOP, page), encoding='utf-8') as file:
        text = file.read()
    for found in re.finditer(r'``(icbenchctl\s+run\s[^`]*)``', text):
        command = ' '.join(found[1].split())
        if not re.search(r'\b[A-Z]{2,}\b|\bN\b|\.\.\.$| --$', command):
            yield text.count('\n', 0, found.start()) + 1, '', command


class Place:
    """A directory in which commands run."""

    def __init__(self, tmp):
        self.tmp = tmp
        self.cwd = os.path.join(tmp, 'cwd')
        self.log = os.path.join(tmp, 'log')
        home = os.path.join(tmp, 'home')
        for folder in ('bin', 'home/linux', 'home/trixie', 'ci', 'cwd/tests/vm/lib',
                       'cwd/tests/matrix', 'cwd/build/cli/user'):
            os.makedirs(os.path.join(tmp, folder))
        self.write('bin/icbenchctl', WRAPPER)
        self.write('bin/sudo', '#!/bin/bash\nexec "$@"\n')
        self.write('cwd/tests/vm/run', RUN)
        self.write('cwd/tests/matrix/root', ROOT)
        shutil.copytree(os.path.join(TOP, 'scripts'), os.path.join(self.cwd, 'scripts'))
        shutil.copytree(os.path.join(TOP, 'tests/lib'), os.path.join(self.cwd, 'tests/lib'))
        shutil.copy(os.path.join(TOP, 'tests/matrix/kernels'),
                    os.path.join(self.cwd, 'tests/matrix'))
        os.symlink(os.path.join(tmp, 'bin/icbenchctl'),
                   os.path.join(self.cwd, 'build/cli/user/icbenchctl'))
        os.makedirs(os.path.join(self.cwd, 'user'))
        os.symlink(os.path.join(tmp, 'bin/icbenchctl'), os.path.join(self.cwd, 'user/icbenchctl'))
        with open(os.path.join(self.cwd, 'secret'), 'w', encoding='ascii') as file:
            file.write('a secret of the tests\n')
        self.env = dict(os.environ, PATH=os.path.join(tmp, 'bin') + ':' + os.environ['PATH'],
                        FAKE=FAKE, LOG=self.log, HOME=home, TOP=TOP, FAKE_RATE='2e5',
                        ICBENCH_RECIPES=os.path.join(TOP, 'user/recipes'),
                        ICBENCH_SUITES=os.path.join(TOP, 'user/suites'))
        # settings of the make that runs this test
        for name in list(self.env):
            if name in ('MAKEFLAGS', 'MFLAGS', 'MAKELEVEL', 'KDIR', 'TESTS', 'DEVICES',
                        'KERNELS') or name.startswith('ICBENCH_') and name not in (
                            'ICBENCH_RECIPES', 'ICBENCH_SUITES'):
                del self.env[name]
        for name in 'icbench.ko', 'icbench-trace.txt':
            self.write('cwd/' + name, 'a file\n')
        self.run('"$FAKE" run latency -n 100 --repeat 3 --json document.json')
        self.run('icbenchctl suite ci -o directory')
        self.done = {}

    def write(self, name, text):
        """Make an executable file."""
        path = os.path.join(self.tmp, name)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        os.chmod(path, 0o755)

    def documents(self, command):
        """Make the results that a command compares or reads."""
        words = re.sub(r'[>|,;()]', ' ', command).split()
        written = [b for a, b in zip(words, words[1:]) if a in ('--json', '-o')]
        for word in words:
            path = os.path.join(self.cwd, word.replace('*', 'one'))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if word.endswith('.json') and word not in written:
                shutil.copy(os.path.join(self.cwd, 'document.json'), path)
            elif word.endswith('.csv') and word not in written and not os.path.exists(path):
                self.run('icbenchctl run latency --csv ' + word)
            elif word.endswith('.folded') and word not in written:
                self.write(path, 'thread;loop;post 600\nthread;loop 300\n')
            elif 'compare' in command and word.rpartition('/')[2] in ('base', 'new'):
                shutil.copytree(os.path.join(self.cwd, 'directory'), path, dirs_exist_ok=True)

    def run(self, command):
        """Run a command. Return: its status, and the statuses of icbenchctl as they were logged."""
        for name in self.log, self.log + '.err':
            if os.path.exists(name):
                os.remove(name)
        done = subprocess.run(['bash', '-c', command], cwd=self.cwd, env=self.env,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors='replace', timeout=300, check=False)
        logged = []
        if os.path.exists(self.log):
            with open(self.log, encoding='utf-8') as file:
                logged = [line.rstrip('\n').split('\t') for line in file]
        return done, logged


def runs(place, command):
    """Whether a command with icbenchctl runs. Return: the reason if it does not."""
    command = command.replace('sudo ', '').replace('/tmp/ci', os.path.join(place.tmp, 'ci'))
    place.documents(command)
    done, logged = place.run(command)
    if 'icbenchctl' not in command:
        return '' if not done.returncode else done.stderr
    if not logged:
        return 'icbenchctl did not run: ' + done.stderr
    for status, args, error in logged:
        # what depends on the device is left as it is
        if status not in ('0', '124') and not re.search(
                r' is too large for rxe|: the module refused: ', error):
            return 'icbenchctl %s: status %s: %s' % (args, status, error)
    return ''


def elsewhere():
    """The rows of pages-commands: the beginning of a command, and the test that runs it."""
    rows = []
    with open(os.path.join(HERE, 'pages-commands'), encoding='utf-8') as file:
        for line in file:
            if line.strip() and not line.startswith('#'):
                rows.append(line.rstrip('\n').split('\t'))
    return rows


def check(place, command, rows):
    """Check one command. Return: the reason if it fails."""
    for row in rows:
        if command.startswith(row[0]):
            row.append('used')
            return ''
    if command.startswith('make '):
        # -n: nothing is built or tested; recursive calls print as well
        done = subprocess.run(['bash', '-c', command.replace('make ', 'make -n ', 1)], cwd=TOP,
                              env=place.env, capture_output=True, text=True, check=False)
        return '' if not done.returncode else done.stderr
    if command == 'make':
        return ''
    if command.startswith('prove '):
        done = subprocess.run(['bash', '-c', command.replace('prove ', 'prove --dry ', 1)],
                              cwd=TOP, capture_output=True, text=True, check=False)
        missing = [t for t in done.stdout.split() if not os.path.exists(os.path.join(TOP, t))]
        return done.stderr if done.returncode else ' '.join(missing)
    if command.startswith('scripts/compare-kernels '):
        done, _ = place.run(command + ' --output ' + tempfile.mkdtemp(dir=place.tmp) + '/new')
        return '' if done.returncode in (0, 4) else done.stderr
    if 'icbenchctl ' in command or HARMLESS.match(command):
        return runs(place, command)
    return 'neither run nor a row of pages-commands, nor marked ".. class:: hardware"'


def answers(place):
    """The table of perftest's options is what icbenchctl answers."""
    bad = seen = 0
    with open(os.path.join(TOP, 'Documentation/guides/perftest.rst'), encoding='utf-8') as file:
        rows = re.findall(r'^``(-\S+)``\s+(\S.*)$', file.read(), re.M)
    for option, answer in rows:
        done, _ = place.run('"$FAKE" run latency %s 1' % option)
        seen += 1
        if answer not in done.stderr:
            bad += 1
            print('# %s: page: %s\n# icbenchctl: %s' % (option, answer, done.stderr),
                  file=sys.stderr)
    test("perftest's options are answered as the page says", seen >= 10 and not bad)


def main():
    """Run all tests."""
    rows = elsewhere()
    ran = 0
    with tempfile.TemporaryDirectory() as tmp:
        place = Place(tmp)
        for page in pages():
            why = ''
            for number, mark, command in [*commands(page), *inline(page)]:
                if mark == 'hardware':
                    continue
                ran += 1
                if command not in place.done:
                    place.done[command] = check(place, command, rows)
                said = place.done[command]
                if said:
                    why += '%s:%d: %s\n    %s\n' % (page, number, command, said)
            test(page, not why, why)
        answers(place)
    test('there are commands', ran > 200, str(ran))
    for row in rows:
        test('%s: %s' % (row[0], row[1]), os.path.exists(os.path.join(TOP, row[1])) and
             'used' in row, 'no page has the command, or there is no such test')
    print('1..%d' % count)
    return bool(failed)


sys.exit(main())

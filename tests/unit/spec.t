#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# The engine's table of parameters (build/params_table prints it) says the same
# as the netlink specification: names, numbers, words, ranges and defaults; and
# the schema of results has each parameter with its type and its words.

import json
import os
import re
import subprocess
import sys

import yaml

here = os.path.dirname(os.path.abspath(__file__))
spec_file = os.path.join(here, '../../Documentation/netlink/specs/icbench.yaml')
schema_file = os.path.join(here, '../../Documentation/schema/icbench-1.json')

# enum icb_param_type
WORD, COUNT, SIZE, TIME, STRING, BYTES, PLACE = range(7)

UNITS = {'ns': 1, 'us': 1000, 'ms': 10**6, 's': 10**9}

count = 0


def test(name, have, want):
    global count
    count += 1
    print('ok' if have == want else 'not ok', count, '-', name)
    if have != want:
        print(f'# table: {have}\n# spec:  {want}')


def load():
    with open(spec_file, encoding='utf-8') as f:
        spec = yaml.safe_load(f)
    consts = {d['name']: d['value'] for d in spec['definitions']
              if d['type'] == 'const'}
    enums = {d['name']: [e['name'] if isinstance(e, dict) else e
                         for e in d['entries']]
             for d in spec['definitions'] if d['type'] == 'enum'}
    params = next(s for s in spec['attribute-sets'] if s['name'] == 'params')
    return consts, enums, params['attributes']


def limits(attr, consts):
    """The least and the greatest value, or length, that the spec allows."""
    def value(check, otherwise):
        it = attr.get('checks', {}).get(check, otherwise)
        return consts.get(it, it)

    if attr['type'] == 'string':
        # a policy that has both a least and a greatest length does not exist
        return value('min-len', 1), value('max-len', None)
    if attr['type'] == 'binary':
        # nor does one for this; netlink.c checks what is promised here
        said = re.search(r'(\d+) to (\d+) bytes', attr['doc'])
        return int(said[1]), int(said[2])
    bits = int(attr['type'][1:])
    return value('min', 0), value('max', 2**bits - 1)


def documented_default(attr, words):
    """What the prose promises; None if it does not say."""
    said = re.search(r'\bDefault ([a-z-]+|\d+)(?: (ns|us|ms|s)\b)?',
                     ' '.join(attr['doc'].split()))
    if not said:
        return None
    if said[1] in (words or []):
        return words.index(said[1])
    if said[1] == 'half':
        return 'half ' + re.search(r'Default half of the ([a-z-]+)',
                                   ' '.join(attr['doc'].split()))[1]
    if not said[1].isdigit():
        return said[1]
    return int(said[1]) * UNITS.get(said[2], 1)


def actual_default(param, promised, by_name):
    if str(promised).startswith('half '):
        whole = by_name[promised.split()[1]]['default']
        return 'half ' + promised.split()[1] if param.get('default') == \
            whole // 2 else param.get('default')
    return param.get('default')


def check(attr, number, by_name, consts, enums):
    name = attr['name']
    param = by_name[name]
    kind = {'string': STRING, 'binary': BYTES}.get(attr['type'])
    test(f'{name}: number', param['attr'], number)
    if kind is not None:
        test(f'{name}: type', param['type'], kind)
    else:
        test(f'{name}: a number', param['type'] in (STRING, BYTES), False)
        test(f'{name}: width', f"u{8 * param['bytes']}", attr['type'])
    if 'enum' in attr:
        test(f'{name}: words', param.get('words'), enums[attr['enum']])
        test(f'{name}: no checks beside them', 'checks' in attr, False)
    else:
        test(f'{name}: range', (param['min'], param['max']),
             limits(attr, consts))
    promised = documented_default(attr, param.get('words'))
    if promised is not None:
        test(f'{name}: default', actual_default(param, promised, by_name),
             promised)


def in_schema(param):
    """What the schema of results has to say of a parameter."""
    if param.get('words') == ['no', 'yes']:
        return {'type': 'boolean'}
    if param.get('words'):
        return {'enum': param['words']}
    if param['type'] in (COUNT, SIZE, TIME):
        return {'type': 'integer', 'minimum': 0}
    return None


def check_schema(table):
    with open(schema_file, encoding='utf-8') as f:
        have = json.load(f)['$defs']['parameters']['properties']
    wanted = [p['name'] for p in table if p['type'] != BYTES]
    test('schema: every parameter, and no secret', sorted(have), sorted(wanted))
    for param in table:
        want = in_schema(param)
        if want and param['name'] in have:
            test(f"schema: {param['name']}",
                 {k: v for k, v in have[param['name']].items()
                  if k != 'description'}, want)


def main():
    table = json.loads(subprocess.check_output(
        [os.path.join(here, 'build/params_table')]))
    by_name = {p['name']: p for p in table}
    consts, enums, attributes = load()
    wanted = [a['name'] for a in attributes if a['type'] != 'pad']
    test('every parameter, once', sorted(p['name'] for p in table),
         sorted(wanted))
    for number, attr in enumerate(attributes, 1):
        if attr['name'] in by_name:
            check(attr, number, by_name, consts, enums)
    promises = [a['name'] for a in attributes if a['name'] in by_name and
                documented_default(a, by_name[a['name']].get('words'))
                is not None]
    test('defaults are documented', len(promises) >= 10, True)
    check_schema(table)
    print(f'1..{count}')


sys.exit(main())

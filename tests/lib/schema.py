#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Check JSON documents against a schema: schema.py [--form] SCHEMA DOCUMENT...

With --form, the documents have the members of a result but no values, as those of
tests/frozen: numbers are 0, strings are empty, and an array has one item of each kind.
"""

import json
import sys

import jsonschema

# Keywords about a value, not about its type or its members.
VALUES = {'const', 'enum', 'maximum', 'maxItems', 'minimum', 'minItems',
          'minLength', 'pattern', 'prefixItems', 'uniqueItems'}
CONDITION = {'if', 'then', 'else'}
# Keywords whose value is an object of schemas: its members are names, not keywords.
NAMED = {'$defs', 'patternProperties', 'properties'}


def of_form(schema):
    """Return: the schema without its requirements on values."""
    if isinstance(schema, list):
        return [of_form(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    form = {}
    for key, value in schema.items():
        if key in NAMED:
            form[key] = {name: of_form(inner) for name, inner in value.items()}
        elif key == 'propertyNames':
            form[key] = value
        elif key in CONDITION:
            # a condition on the members stays
            if set(schema['if']) == {'required'}:
                form[key] = of_form(value)
        elif key not in VALUES:
            form[key] = of_form(value)
    return form


def deepest(error):
    """Return: the error of the alternative that matches furthest, if all alternatives fail."""
    while error.context:
        error = max(error.context, key=lambda e: (len(e.absolute_path), -len(e.message)))
    return error


def main():
    args = sys.argv[1:]
    is_form = args[:1] == ['--form']
    if is_form:
        args.pop(0)
    if len(args) < 2:
        sys.exit(__doc__)
    with open(args[0], encoding='utf-8') as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(of_form(schema) if is_form else schema)
    bad = False
    for name in args[1:]:
        with open(name, encoding='utf-8') as f:
            document = json.load(f)
        for error in validator.iter_errors(document):
            error = deepest(error)
            where = '/'.join(map(str, error.absolute_path)) or '(document)'
            print(f'{name}: {where}: {error.message[:300]}')
            bad = True
    return bad


if __name__ == '__main__':
    sys.exit(main())

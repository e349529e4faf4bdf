import { actor, GOOD, more, type Row, SECRET, withUrl } from './content.ts';

/** Files that are not YAML, and references that cannot be resolved: the file, and every line of the message. */
export const WRONG_SYNTAX: readonly Row[] = [
  ['', '1: the file is empty; write baseUrl and actors ("conformance init" writes a file to fill in)'],
  ['# nothing\n', '1: the file is empty; write baseUrl and actors ("conformance init" writes a file to fill in)'],
  ['- a\n', '1: found a list; write a mapping with baseUrl and actors (name: value)'],
  [
    'knownFailures:\n  - id: LIFE-02\nobservations: 3\n',
    '--target: target.yaml is no target file: it has neither baseUrl nor actors; name another file ("conformance init" writes one)',
  ],
  ['hello\n', '1: found a text without fields; write a mapping with baseUrl and actors (name: value)'],
  ['null\n', '1: the file is empty; write baseUrl and actors ("conformance init" writes a file to fill in)'],
  ['5\n', '1: found a text without fields; write a mapping with baseUrl and actors (name: value)'],
  [withUrl('${EMPTY}'), '1: baseUrl: the environment variable EMPTY is empty; give it a value'],
  [
    actor('{ key: $GIVEN, secret: $NOPE }'),
    '3: actors.seller.key: found a variable reference in another notation; write ${GIVEN}',
    '3: actors.seller.secret: found a variable reference in another notation; write ${NAME} with the name of the variable',
  ],
  [
    actor('{ key: "%GIVEN%", secret: "{{ PASSWORD }}" }'),
    '3: actors.seller.key: found a variable reference in another notation; write ${GIVEN}',
    '3: actors.seller.secret: found a variable reference in another notation; write ${PASSWORD}',
  ],
  [
    actor('{ key: ${NOPE}, secret: ${EMPTY} }'),
    '3: actors.seller.key: the environment variable NOPE is not set; set it, or use another variable',
    '3: actors.seller.secret: the environment variable EMPTY is empty; give it a value',
  ],
  [
    actor('{ key: ${A_${B}}, secret: ${A-B} }'),
    '3: actors.seller.key: the environment variable B is not set; set it, or use another variable',
    '3: actors.seller.secret: contains ${…} that is not a valid reference; write ${NAME} with a name of letters, digits and _ only',
  ],
  [
    actor('{ key: ${}, secret: ${ GIVEN } }'),
    '3: actors.seller.key: contains ${…} that is not a valid reference; write ${NAME} with a name of letters, digits and _ only',
    '3: actors.seller.secret: contains ${…} that is not a valid reference; write ${NAME} with a name of letters, digits and _ only',
  ],
  [
    actor('{ key: ${GIVEN:-x}, secret: $(PASSWORD) }'),
    '3: actors.seller.key: contains ${…} that is not a valid reference; write ${NAME} with a name of letters, digits and _ only',
    '3: actors.seller.secret: found a variable reference in another notation; write ${PASSWORD}',
  ],
  [GOOD.replace('  seller', '\tseller'), '3: not readable as YAML: found a tab as indentation; write spaces'],
  [GOOD.replace('  seller', ' \tseller'), '3: not readable as YAML: found a tab as indentation; write spaces'],
  [more('name: a\nname: b'), '5: name: appears here a second time; remove one of the two'],
  [
    more('limits:\n  concurrency: 2\n  concurrency: 3'),
    '6: limits.concurrency: appears here a second time; remove one of the two',
  ],
  [
    more('"name": a\nname: b\nlimits: { concurrency: 0 }'),
    '5: name: appears here a second time; remove one of the two',
    '6: limits.concurrency: found 0; write a whole number from 1 to 256',
  ],
  [
    actor('*nope'),
    '3: not readable as YAML: found an alias (*name) without its anchor (&name); add the anchor, or put the value in quotes if it is a text',
  ],
  [
    more('name: &a\n  b: *a'),
    '5: not readable as YAML: found aliases (*name) that contain themselves or stand for too many values; write these values without aliases',
  ],
  [
    actor('{ key: @a, secret: b }'),
    '3: not readable as YAML: found a value that begins with @, % or a backtick; put it in quotes',
  ],
  [actor(`{ key: a, secret: "${SECRET} }`), '3: not readable as YAML: found an unclosed quote; add the closing quote'],
  [actor(`{ key: a, secret: ${SECRET}`), '3: not readable as YAML: found an unclosed { or [; add the closing } or ]'],
  [
    'baseUrl:http://127.0.0.1\n',
    '1: found a text without fields; write a mapping with baseUrl and actors (name: value)',
  ],
  [
    'baseUrl:http://127.0.0.1\nactors: {}\n',
    '1: not readable as YAML: found a field without a colon followed by a space; write name: value',
  ],
  [
    more('name: a: b'),
    '4: not readable as YAML: found a second colon followed by a space in one line; if it belongs to the value, put it in quotes',
  ],
  [
    more('name: a\n  limits: {}'),
    '4: not readable as YAML: found a value with a field below it that is indented further; indent both equally',
  ],
  [more('name: !x b'), '4: not readable as YAML: found a value that begins with !; put it in quotes'],
  [
    more(' name: b'),
    '4: not readable as YAML: found a field that is not aligned with the other fields of its mapping; indent them equally',
  ],
  [more('---\nname: b'), '4: not readable as YAML: found a second document after ---; remove one of the two'],
  [more('name'), '4: not readable as YAML: found a name without a value; write name: value'],
  [
    `${GOOD}\nname: "\\q"\n`,
    '5: not readable as YAML: found a backslash in double quotes that does not start an escape; write \\\\ or use single quotes',
  ],
  [
    more('name: {a} b'),
    '4: not readable as YAML: found text that does not belong here; put values that contain braces, brackets, commas, # or quotes in quotes',
  ],
  [Buffer.from('\ufeffbaseUrl: x\n', 'utf16le'), '--target: target.yaml is not UTF-8 text; save it as UTF-8'],
  [
    `\uFEFF${GOOD.replace('8080', 'x').replaceAll('\n', '\r\n')}`,
    '1: baseUrl: found "http://127.0.0.1:x"; write an absolute http or https URL, such as https://staging.example.com',
  ],
  [more('{id}: 1'), '4: not readable as YAML: found braces or brackets in the name of a field; put the name in quotes'],
];

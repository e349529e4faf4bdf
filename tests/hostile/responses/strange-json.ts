import { answering } from '../support/hostile-proxy.ts';
import { type Hostility, wrong, wrongForAll } from './hostile-response.ts';

/** Deeper than the stack of Node. */
const DEPTH = 20_000;
const notTheList = wrongForAll(/has no array of records in items|the server returned 200/);

/** Servers with unusual or malformed JSON. */
export const strangeJson: readonly Hostility[] = [
  {
    what: 'returns arrays of depth 20,000',
    strike: answering('200 OK', '['.repeat(DEPTH) + ']'.repeat(DEPTH)),
    ...notTheList,
  },
  {
    what: 'returns objects of depth 20,000',
    strike: answering('200 OK', `${'{"items":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`),
    ...notTheList,
  },
  {
    what: 'returns invalid UTF-8',
    strike: answering('200 OK', Buffer.from([0x7b, 0xff, 0xfe, 0xc3, 0x28, 0x7d])),
    ...wrongForAll(/the body of the response to \w+ \S+ is not well-formed JSON/),
  },
  {
    what: 'returns lone surrogates',
    strike: answering('200 OK', '{"items":[{"id":"\\ud800","status":"\\udc00"}],"\\udfff":"\\ud83d"}'),
    fromTheStart: { exitCode: 2, says: /^baseUrl: \S+ returns the same response to every request/ },
    midway: wrong(/status/).midway,
  },
  {
    what: 'returns __proto__ keys',
    strike: answering('200 OK', '{"__proto__":{"items":[],"total":0},"constructor":{"prototype":{"status":1}}}'),
    ...notTheList,
  },
];

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { conformance, type Finished, patient, reportIn, temporaryFolder } from '../../cli/support/command.ts';
import { withoutEscapes } from '../../engine/evidence/masking/encodings.ts';
import { type Front, type Passing, startFront } from '../support/hostile-proxy.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
const canaries: string[] = [];
let front: Front;
let run: Finished;

const base64 = (text: string) => Buffer.from(text).toString('base64');
const hex = (text: string) => Buffer.from(text).toString('hex');
const each = (write: (code: string) => string) => (text: string) =>
  [...Buffer.from(text).toString('hex').matchAll(/../g)].map(([code]) => write(code)).join('');
const jsonEscapes = each((code) => `\\u00${code}`);
const entities = each((code) => `&#x0${code};`);
const percents = each((code) => `%${code}`);
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** The forms in which a server may reveal a value that it received. */
const ECHOES: Record<string, (value: string) => string> = {
  plain: (value) => value,
  'upper case': (value) => value.toUpperCase(),
  'lower case': (value) => value.toLowerCase(),
  'in a URL': encodeURIComponent,
  'in a URL, in lower case': (value) => encodeURIComponent(value).replaceAll(/%../g, (code) => code.toLowerCase()),
  'in a form': (value) => new URLSearchParams({ v: value }).toString().slice(2),
  'in JSON': inJson,
  'in JSON in JSON': (value) => inJson(inJson(value)),
  'in JSON of PHP': (value) => inJson(value).replaceAll('/', '\\/'),
  'in HTML': (value) =>
    value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  'in Base64': base64,
  'in Base64 for URLs': (value) => Buffer.from(value).toString('base64url'),
  'in Base64 inside JSON': (value) => base64(JSON.stringify({ v: value })),
  'in Base64 after one character': (value) => base64(`:${value}`),
  'in Base64 after two characters': (value) => base64(`::${value}::`),
  'in hexadecimal': hex,
  'in hexadecimal in upper case': (value) => hex(value).toUpperCase(),
  'as JSON escapes': jsonEscapes,
  'as entities': entities,
  'percent-encoded': percents,
  'in a mixture of escapes': (value) =>
    [...value].map((letter, at) => [jsonEscapes, entities, percents, inJson][at % 4]?.(letter)).join(''),
  'as entities in JSON escapes': (value) => jsonEscapes(entities(value)),
  'as percent-encoded JSON escapes': (value) => percents(jsonEscapes(value)),
  'as JSON escapes inside Base64': (value) => base64(jsonEscapes(value)),
  'as Base64 in JSON escapes': (value) => jsonEscapes(base64(`:${value}`)),
};

/** The content after each round of decoding its escapes. */
function unescapedStages(content: string): string[] {
  const stages = [content];
  for (let depth = 1; depth <= 4; depth += 1) stages.push(withoutEscapes(stages.at(-1) ?? ''));
  return stages;
}

/** The parts of an encoded value that identify it, whatever was encoded next to it. */
function telling(form: string, value: string): string[] {
  if (!form.startsWith('in Base64')) return [ECHOES[form]?.(value) ?? value];
  // The bytes of the value that fill whole groups of three, for each possible start of a group.
  return [0, 1, 2].map((skipped) => {
    const bytes = Buffer.from(value).subarray(skipped);
    return bytes
      .subarray(0, bytes.length - (bytes.length % 3))
      .toString(form.endsWith('URLs') ? 'base64url' : 'base64');
  });
}

/**
 * A server that reveals the credentials of the request in every response. Each response has another length, so that the
 * kit truncates its messages at different places.
 */
function careless(response: Passing, { headers }: { headers: IncomingHttpHeaders }): Passing {
  const told = ['x-api-key', 'x-api-secret'].map((name) => String(headers[name] ?? 'none'));
  const together = told.join(':');
  turn += 1;
  const forms = Object.values(ECHOES).filter((_, at) => at % TURNS === turn % TURNS);
  const echoes = [...told, together].flatMap((value) => forms.map((echo) => echo(value)));
  const member = `"pad":"${'x'.repeat((turn * 7) % 380)}","echo":${JSON.stringify(echoes)},"tail":"${'y'.repeat(600)}"`;
  const inHeader = echoes.filter((echo) => /^[\x20-\x7e]+$/.test(echo)).slice(0, 30);
  return {
    status: response.status,
    headers: [...response.headers, ['X-Echo', inHeader.join(' ')], ['X-Basic', `Basic ${base64(together)}`]],
    body: Buffer.from(response.body.toString().replace(/^\{(?=")/, `{${member},`)),
  };
}
let turn = 0;
/** After this many responses, every form was shown. */
const TURNS = 12;

beforeAll(async () => {
  front = await startFront({ changes: careless });
  const { keys } = front.service.reference.fixtures.store;
  const described = front.target({ requestTimeoutMs: 20_000 });
  const actors = Object.fromEntries(
    Object.entries(described.actors).map(([name, { organizationId, ...given }]) => {
      const key = `${given.key.slice(0, 9)}Canary+key/of&"${name}"<1>`;
      const secret = `Canary "secret"/+&of\\${name}<2>~ÿ`.slice(0, -1);
      const known = keys.get(given.key);
      if (known) keys.set(key, { ...known, key, secret });
      canaries.push(key, secret);
      return [name, { key, secret, organizationId }];
    }),
  );
  writeFileSync(join(folder, 'target.yaml'), stringify({ ...described, actors }));
  // All places in which texts of the server appear, in few exchanges: masking so many echoes is slow.
  const only = ['--only', 'AUTH-01,AUTH-02,AUTH-05,AUTH-08,KEY,ENV-04,ORG-02,LIST-02,LIST-04,CREATE-01,REC-10,ERR'];
  const formats = ['--format', 'json,html,junit,markdown,allure'];
  run = await conformance(['run', '--target', 'target.yaml', '--out', 'out', ...only, ...formats], { cwd: folder });
});
afterAll(async () => {
  await front.close();
  remove();
});

test('a server that reveals secrets fails', () => {
  expect(run.code, run.stderr).toBe(1);
  const report = reportIn(join(folder, 'out'));
  expect(report.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toContain('KEY-02.never-shown');
  expect(report.checks.filter(({ verdict }) => verdict === 'error')).toEqual([]);
});

test('no file and no output contains a revealed secret in any form', () => {
  const files = readdirSync(join(folder, 'out'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  expect(files.length).toBeGreaterThan(50);
  const contents = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  contents.set('stdout', run.stdout).set('stderr', run.stderr);
  const texts = new Map(
    [...contents].flatMap(([file, content]) =>
      unescapedStages(content).map((text, depth) => [`${file}, decoded ${depth} times`, text] as const),
    ),
  );
  const found: string[] = [];
  for (const value of canaries) {
    for (const form of Object.keys(ECHOES)) {
      for (const part of telling(form, value)) {
        for (const [file, content] of texts) {
          const at = content.indexOf(part);
          if (at !== -1) found.push(`${file}: ${value} ${form}: ${content.slice(Math.max(0, at - 40), at + 60)}`);
        }
      }
    }
  }
  expect(found.slice(0, 20)).toEqual([]);
});

test('no truncated message contains the beginning of a secret', () => {
  const journal = readFileSync(join(folder, 'out', 'evidence.jsonl'), 'utf8');
  const cuts = [...journal.matchAll(/(.{12})… \(\d+ characters\)/g)].map(([, before = '']) => before);
  expect(cuts.length).toBeGreaterThan(2);
  for (const before of cuts) expect(before).not.toMatch(/Canar|CANAR|canar/);
});

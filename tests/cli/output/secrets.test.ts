import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { type RunningReference, startReference } from '../../../reference/service/start.ts';
import { conformance, type Finished, patient, reportIn, temporaryFolder } from '../support/command.ts';
import { startProxy } from '../support/proxy.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
let service: RunningReference;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let run: Finished;

/** Values that change when they are encoded in JSON, HTML, a URL or Base64. */
const canaries = new Map<string, string>();
const forms = (value: string) => ({
  plain: value,
  'in JSON': JSON.stringify(value).slice(1, -1),
  'in JSON in JSON': JSON.stringify(JSON.stringify(value)).slice(3, -3),
  'in a URL': encodeURIComponent(value),
  'in a form': new URLSearchParams({ v: value }).toString().slice(2),
  'in HTML': value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
  'in Base64': Buffer.from(value).toString('base64').replace(/=+$/, ''),
  'in Base64 for URLs': Buffer.from(value).toString('base64url'),
  'in hexadecimal': Buffer.from(value).toString('hex'),
});

/** The real credentials for each canary. */
function real(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'x-api-key': key, 'x-api-secret': secret } = headers;
  return {
    ...headers,
    ...(key !== undefined && { 'x-api-key': canaries.get(String(key)) ?? key }),
    ...(secret !== undefined && { 'x-api-secret': canaries.get(String(secret)) ?? secret }),
  };
}

/** A server that shows the received values. */
function careless(headers: IncomingHttpHeaders): Record<string, string> {
  const [key, secret] = [String(headers['x-api-key'] ?? 'none'), String(headers['x-api-secret'] ?? 'none')];
  return {
    'X-Caller': key,
    'X-Debug': `key=${encodeURIComponent(key)}&secret=${encodeURIComponent(secret)}`,
    'X-Basic': Buffer.from(secret).toString('base64'),
    'Set-Cookie': `session=${encodeURIComponent(secret)}`,
  };
}

beforeAll(async () => {
  service = await startReference();
  proxy = await startProxy(service.baseUrl, { toServer: real, echo: careless });
  const actors = Object.fromEntries(
    Object.entries(service.target.actors).map(([name, actor]) => {
      const prefix = name === 'production' ? 'svc_prod_' : 'svc_sand_';
      const key = `${prefix}Canary+key/of&"${name}"<1>`;
      const secret = `Canary "secret"/+&of\\${name}<2>`;
      canaries.set(key, actor.key).set(secret, actor.secret);
      return [name, { ...actor, key, secret }];
    }),
  );
  writeFileSync(join(folder, 'target.yaml'), stringify({ ...service.target, baseUrl: proxy.baseUrl, actors }));
  const formats = ['--format', 'json,html,junit,markdown,allure'];
  run = await conformance(['run', '--target', 'target.yaml', '--out', 'out', ...formats], { cwd: folder });
});
afterAll(async () => {
  await proxy.close();
  await service.close();
  remove();
});

test('the run with the canaries is complete', () => {
  const report = reportIn(join(folder, 'out'));
  const odd = report.checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable');
  expect(odd.map(({ id, verdict, reason }) => `${verdict} ${id} ${reason}`)).toEqual([]);
  expect(run.code).toBe(0);
});

test('no file and no output contains a key or secret of the target in any form', () => {
  const files = readdirSync(join(folder, 'out'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  expect(files.length).toBeGreaterThan(100);
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  texts.set('stdout', run.stdout).set('stderr', run.stderr);
  const found: string[] = [];
  for (const value of canaries.keys()) {
    for (const [form, text] of Object.entries(forms(value))) {
      for (const [file, content] of texts) if (content.includes(text)) found.push(`${file}: ${value} ${form}`);
    }
  }
  expect(found).toEqual([]);
});

test('the evidence names the actor instead of the credentials', () => {
  const journal = readFileSync(join(folder, 'out', 'evidence.jsonl'), 'utf8');
  for (const label of ['seller.key', 'seller.secret', 'buyer.secret', 'production.key']) {
    expect(journal).toContain(`<${label}>`);
  }
});

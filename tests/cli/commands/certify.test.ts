import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startReference } from '../../../reference/service/start.ts';
import type { ExchangeRecord, JournalRecord } from '../../../specs/formats/journal.ts';
import { parseLine } from '../../../specs/formats/journal-chain.ts';
import { conformance, patient, reportIn, temporaryFolder } from '../support/command.ts';

vi.setConfig(patient);

const { folder, remove } = temporaryFolder();
afterAll(remove);

const out = join(folder, 'certification');
const file = join(folder, 'target.json');
const IMPLEMENTATION = { vendor: 'Acme', product: 'Ledger', version: '4.2.0' };
const ARGS = [
  'certify',
  '--target',
  file,
  '--operator',
  'Acme QA',
  '--ticket',
  'CERT-118',
  '--profile',
  'core',
  '--quiet',
];

let server: Awaited<ReturnType<typeof startReference>>;

beforeAll(async () => {
  server = await startReference();
  writeFileSync(file, JSON.stringify({ ...server.target, implementation: IMPLEMENTATION, allow: {} }));
});
afterAll(() => server.close());

function exchangesIn(path: string): ExchangeRecord[] {
  const lines = readFileSync(join(path, 'evidence.jsonl'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => parseLine(line) as JournalRecord).filter((record) => record.kind === 'exchange');
}

describe('conformance certify', () => {
  it('records who ran what, and sends the ticket with every request', async () => {
    const { code, stdout } = await conformance([...ARGS, '--out', out]);
    expect(code).toBe(0);
    expect(stdout).toContain(`seal ${out} --target <file>`);
    const { certification, target, run } = reportIn(out);
    expect(certification).toEqual({
      operator: 'Acme QA',
      ticket: 'CERT-118',
      kit: {
        commit: expect.toSatisfy((commit) => commit === null || /^[0-9a-f]{40}$/.test(String(commit))),
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        node: process.version,
      },
      serverCertificate: null,
      attempts: [],
    });
    expect([target.implementation, run.profile, run.filtered]).toEqual([IMPLEMENTATION, 'core', []]);
    const agents = exchangesIn(out).map(({ request }) => request.headers.find(([name]) => name === 'User-Agent')?.[1]);
    expect(new Set(agents)).toEqual(
      new Set([expect.stringMatching(/^invoicing-network-conformance\/\S+ \(ticket CERT-118\)$/)]),
    );
  });
});

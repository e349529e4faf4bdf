import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { JOURNAL_FILE, Journal } from '../../../engine/evidence/journal.ts';
import { Redactor } from '../../../engine/evidence/redactor.ts';
import { ConfigurationError } from '../../../engine/model/configuration-error.ts';
import type { CheckRecord, LeftoverRecord } from '../../../specs/formats/journal.ts';
import { CHAIN_START, lineDigest, parseLine, previousDigest } from '../../../specs/formats/journal-chain.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'kit-journal-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

function linesOf(path: string): unknown[] {
  return readFileSync(path, 'utf8').trimEnd().split('\n').map(parseLine);
}

const left = (id: string): LeftoverRecord => ({ kind: 'leftover', what: 'invoice DRAFT', id, reason: 'not deleted' });

describe('a journal', () => {
  test('is on disk after each line, before it is closed', () => {
    const out = join(folder(), 'new', 'folder');
    const journal = Journal.create(out, new Redactor());
    journal.write(left('1'));
    expect(linesOf(join(out, JOURNAL_FILE))).toEqual([left('1')]);
    journal.write(left('2'));
    expect(linesOf(join(out, JOURNAL_FILE))).toEqual([left('1'), left('2')]);
    journal.close();
  });

  test('keeps ids and verdicts, even if a secret is a word in them', () => {
    const out = folder();
    const redactor = new Redactor();
    for (const secret of ['random', 'reason', 'LIFE-02', 'blocked']) redactor.addSecret(secret, 'secret');
    const journal = Journal.create(out, redactor);
    const record: CheckRecord = {
      kind: 'check',
      id: 'LIFE-02.random-sequence',
      verdict: 'blocked',
      reason: 'the id contains random',
      expected: '',
      actual: '',
      blockedBy: 'LIFE-02.approved-cancel',
      durationMs: 1,
      exchanges: ['x1'],
      expectation: null,
      decisive: [],
    };
    journal.write(record);
    journal.close();
    expect(linesOf(join(out, JOURNAL_FILE))).toEqual([{ ...record, reason: 'the id contains <secret>' }]);
  });

  test('is readable only for its owner', () => {
    const out = folder();
    Journal.create(out, new Redactor()).close();
    expect(statSync(join(out, JOURNAL_FILE)).mode & 0o777).toBe(0o600);
  });

  test('is never overwritten', () => {
    const out = folder();
    writeFileSync(join(out, JOURNAL_FILE), 'an earlier run\n');
    expect(() => Journal.create(out, new Redactor())).toThrow(ConfigurationError);
    expect(() => Journal.create(out, new Redactor())).toThrow('already exists');
    expect(readFileSync(join(out, JOURNAL_FILE), 'utf8')).toBe('an earlier run\n');
  });

  test('that cannot be written is a problem of --out', () => {
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    expect(() => Journal.create(file, new Redactor())).toThrow(/^--out: cannot write .*file/);
    const blocked = folder();
    mkdirSync(join(blocked, JOURNAL_FILE));
    expect(() => Journal.create(blocked, new Redactor())).toThrow(ConfigurationError);
  });

  test('is continued if another thread has started it', () => {
    const out = folder();
    const path = join(out, JOURNAL_FILE);
    const begun = Journal.create(out, new Redactor());
    begun.write(left('1'));
    begun.close();
    const more = Journal.append(path, new Redactor());
    more.write(left('2'));
    more.close();
    expect(linesOf(path)).toEqual([left('1'), left('2')]);
    const [first = '', second = ''] = readFileSync(path, 'utf8').split('\n');
    expect(previousDigest(Buffer.from(first))).toBe(CHAIN_START);
    expect(previousDigest(Buffer.from(second))).toBe(lineDigest(first));
  });

  test('stores less of each body after it has become very large', () => {
    const path = join(folder(), JOURNAL_FILE);
    writeFileSync(path, '');
    truncateSync(path, 255 * 1024 * 1024);
    const journal = Journal.append(path, new Redactor());
    expect(journal.maxBodyLength).toBe(64 * 1024);
    for (let written = 0; written < 8; written += 1) journal.write(left('x'.repeat(128 * 1024)));
    expect(journal.maxBodyLength).toBe(2 * 1024);
    journal.close();
  });

  test('of a run that never started is removed, so that the folder can be used again', () => {
    const out = folder();
    const journal = Journal.create(out, new Redactor());
    journal.discard();
    journal.close();
    Journal.create(out, new Redactor()).close();
  });

  test('that is closed does not write into a file with the same descriptor', () => {
    const out = folder();
    const journal = Journal.create(out, new Redactor());
    journal.close();
    const other = join(out, 'other');
    const opened = openSync(other, 'w');
    expect(() => journal.write(left('1'))).toThrow(/evidence\.jsonl is closed/);
    closeSync(opened);
    expect(readFileSync(other, 'utf8')).toBe('');
  });

  test('contains no secret in any field', () => {
    const out = folder();
    const redactor = new Redactor();
    redactor.addSecret('top-secret', 'seller.secret');
    const journal = Journal.create(out, redactor);
    journal.write(left('top-secret'));
    journal.write({ kind: 'observation', id: 'x', question: '?', value: { 'top-secret': ['a top-secret'] } });
    journal.close();
    const text = readFileSync(join(out, JOURNAL_FILE), 'utf8');
    expect(text).not.toContain('top-secret');
    expect(text).toContain('<seller.secret>');
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  JournalError,
  readChainedSlimRecords,
  readJournal,
  readJournalBytes,
} from '../../../reporting/journal/read-journal.ts';
import { buildReport } from '../../../reporting/report/build-report.ts';
import type { JournalRecord } from '../../../specs/formats/journal.ts';
import { everyCheck, exchange, footer, header, journalText, response, result } from './journal-builders.ts';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'journal-'));
});
afterAll(() => rm(directory, { recursive: true }));

async function journal(content: string | Buffer): Promise<string> {
  const path = join(directory, 'evidence.jsonl');
  await writeFile(path, content);
  return path;
}

const whole = [header(), exchange('e1'), result(everyCheck[0] ?? '', 'pass'), footer()];

async function read(path: string): Promise<JournalRecord[]> {
  const records: JournalRecord[] = [];
  for await (const some of readJournal(path)) records.push(...some);
  return records;
}

describe('reading a journal', () => {
  it('returns every record', async () => {
    expect(await read(await journal(journalText(whole)))).toEqual(whole);
  });

  it('returns every complete record if the file is cut at any byte', async () => {
    const bytes = Buffer.from(journalText([header({ selected: [] }), exchange('e1', { response: response('"é€𝄞"') })]));
    const secondLine = bytes.indexOf('\n') + 1;
    for (let cut = secondLine; cut < bytes.length - 1; cut += 1) {
      expect(await read(await journal(bytes.subarray(0, cut)))).toHaveLength(1);
    }
    expect(await read(await journal(bytes.subarray(0, bytes.length - 1)))).toHaveLength(2);
  });

  it('is not split at characters that some readers treat as line ends', async () => {
    const odd = exchange('e1', { response: response('a\u2028b\u2029c\u0085d') });
    expect(await read(await journal(journalText([odd])))).toEqual([odd]);
  });

  it('reads lines that are longer than a chunk of the file', async () => {
    const long = exchange('e1', { response: response('x'.repeat(300_000)) });
    expect(await read(await journal(journalText([header(), long, footer()])))).toHaveLength(3);
  });

  it('names the line that is not JSON', async () => {
    const path = await journal(`${journalText([header()])}{"kind":"exch\n${journalText([footer()])}`);
    await expect(read(path)).rejects.toThrow(JournalError);
    await expect(read(path)).rejects.toThrow(/evidence\.jsonl, line 2: not JSON/);
  });

  it('names the line that is JSON but not a record, even if it is the last', async () => {
    await expect(read(await journal(`${journalText([header()])}{"kind":"cheque"}`))).rejects.toThrow(/line 2: /);
    await expect(read(await journal(`${journalText([header()])}{"kind":"footer"}\n`))).rejects.toThrow(
      /line 2: .*finishedAt/,
    );
  });

  const three = () => journalText([header(), exchange('e1'), exchange('e2'), footer()]).split('\n');

  it.each<[string, (lines: string[]) => string[]]>([
    [
      'changed',
      ([head = '', ...rest]) => [head, ...rest.map((line) => line.replace('"durationMs":12', '"durationMs":13'))],
    ],
    ['removed', (lines) => lines.toSpliced(1, 1)],
    ['doubled', (lines) => lines.toSpliced(1, 0, lines[1] ?? '')],
    ['moved', (lines) => [lines[0] ?? '', lines[2] ?? '', lines[1] ?? '', ...lines.slice(3)]],
    ['written by hand', (lines) => lines.toSpliced(2, 0, JSON.stringify(exchange('e3')))],
  ])('rejects a journal in which a line was %s', async (_, edit) => {
    const path = await journal(edit(three()).join('\n'));
    await expect(read(path)).rejects.toThrow(/line \d: the hash chain is broken: a line was changed, /);
  });

  it('reads the bytes of a journal like its file, and leaves them as they are', async () => {
    const long = exchange('e1', { response: response('x'.repeat(300_000)) });
    const bytes = Buffer.from(journalText([header(), long, footer()]));
    const before = Buffer.from(bytes);
    const records: JournalRecord[] = [];
    for await (const some of readJournalBytes(bytes, 'evidence.jsonl')) records.push(...some);
    expect(records).toEqual([header(), long, footer()]);
    expect(bytes.equals(before)).toBe(true);
  });

  it('rejects outlines whose chain is broken', async () => {
    const readOutlines = async (text: string) => {
      for await (const _ of readChainedSlimRecords(await journal(text)));
    };
    await readOutlines(three().join('\n'));
    const edited = three().with(1, three()[1]?.replace('"durationMs":12', '"durationMs":13') ?? '');
    await expect(readOutlines(edited.join('\n'))).rejects.toThrow(/line 3: the hash chain is broken/);
  });

  it('returns the data that the report reads twice', async () => {
    const path = await journal(journalText(whole));
    expect((await buildReport(() => readJournal(path))).summary).toMatchObject({ exchanges: 1, executed: 1 });
  });
});

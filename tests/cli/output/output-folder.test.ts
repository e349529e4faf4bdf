import { constants } from 'node:buffer';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRunFolder, openOutputFolder } from '../../../cli/output/output-folder.ts';
import { isKitFile, outputFiles } from '../../../cli/output/run-files.ts';
import { kit } from '../../../engine/runtime/package-info.ts';
import { formats, renderReport } from '../../../reporting/formats/formats.ts';
import type { Report } from '../../../specs/formats/report.ts';
import { reportWith } from '../../reporting/journal/journal-builders.ts';

const START = '2026-01-02T03:04:05.678Z';

const HEADER = `{"previous":"47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU","kind":"header","schemaVersion":1,"kit":{"name":"${kit.name}","version":"1"},"run":{"startedAt":"${START}"}}\n`;

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kit-out-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A journal of an earlier run with a given size: zeros after its first line, which use no space on the disk. */
function journalOf(bytes: number): { folder: string; journal: string } {
  const folder = emptyFolder();
  const journal = join(folder, 'evidence.jsonl');
  const file = openSync(journal, 'w');
  writeSync(file, HEADER);
  closeSync(file);
  truncateSync(journal, bytes);
  return { folder, journal };
}

async function reportOfTheKit(): Promise<Report> {
  return { ...(await reportWith()), kit };
}

test('a journal longer than the maximum string length moves aside and back', async () => {
  const bytes = constants.MAX_STRING_LENGTH + 1;
  const { folder, journal } = journalOf(bytes);
  const { restore, earlierJournal } = await openOutputFolder(folder, ['json']);
  const moved = join(folder, 'previous', START.replaceAll(':', '-'), 'evidence.jsonl');
  expect(earlierJournal).toBe(moved);
  expect(statSync(moved).size).toBe(bytes);
  expect(existsSync(journal)).toBe(false);
  restore();
  expect(statSync(journal).size).toBe(bytes);
  expect(readdirSync(folder)).toEqual(['evidence.jsonl']);
});

test('two runs that start at the same time move aside to different folders', async () => {
  const { folder } = journalOf(HEADER.length);
  const place = join(folder, 'previous', START.replaceAll(':', '-'));
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'evidence.jsonl'), 'kept');
  const { earlierJournal, release } = await openOutputFolder(folder, ['json']);
  release();
  expect(earlierJournal).toBe(join(`${place}-2`, 'evidence.jsonl'));
  expect(readFileSync(join(place, 'evidence.jsonl'), 'utf8')).toBe('kept');
});

test('two runs without an output folder that start in the same second use different folders', () => {
  const parent = join(emptyFolder(), 'reports');
  const names = [1, 2, 3].map(() => createRunFolder([], new Date(START), parent));
  expect(names).toEqual(['', '-2', '-3'].map((suffix) => join(parent, `2026-01-02T03-04-05${suffix}`)));
});

test('a history, and a run of one, is not written to', async () => {
  const history = emptyFolder();
  const night = join(history, '2026-11-27T02-00-00.000Z-1f0c9a3e');
  mkdirSync(night);
  writeFileSync(join(night, 'night.json.gz'), '');
  const rest = ', which only --history writes to; name another folder';
  await expect(openOutputFolder(history, ['json'])).rejects.toThrow(`--out: ${history} is a history${rest}`);
  await expect(openOutputFolder(night, ['json'])).rejects.toThrow(`--out: ${night} is a run of a history${rest}`);
  expect(readdirSync(night)).toEqual(['night.json.gz']);
});

describe('a file that the kit did not write', () => {
  const FOREIGN: [string, string][] = [
    ['report.json', '{"schemaVersion":1,"kit":{"name":"another-kit"}}'],
    ['report.json', '[]'],
    ['evidence.jsonl', '{"kind":"header"}'],
    ['report.html', '<!doctype html><title>Coverage</title>'],
    ['junit.xml', '<testsuites/>'],
    ['summary.md', '# Summary'],
  ];

  test.each(FOREIGN)('%s blocks its folder and is not changed: %s', async (file, content) => {
    const folder = emptyFolder();
    writeFileSync(join(folder, file), content);
    const all = ['json', 'html', 'junit', 'markdown'] as const;
    await expect(openOutputFolder(folder, all)).rejects.toThrow(
      `--out: ${join(folder, file)} was not written by this kit and is not overwritten; move it away, or name another folder`,
    );
    expect(readFileSync(join(folder, file), 'utf8')).toBe(content);
    expect(readdirSync(folder)).toEqual([file]);
  });

  test('is not moved if the run writes no file with its name', async () => {
    const { folder } = journalOf(HEADER.length);
    writeFileSync(join(folder, 'junit.xml'), '<testsuites/>');
    const { release } = await openOutputFolder(folder, ['json']);
    release();
    expect(readdirSync(folder).sort()).toEqual(['junit.xml', 'previous']);
  });

  test('does not count as the beginning of a truncated journal, and neither does a device', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'evidence.jsonl'), HEADER.slice(0, 24));
    symlinkSync('/dev/null', join(folder, 'report.json'));
    const { release } = await openOutputFolder(folder, ['json']);
    release();
    expect(readdirSync(folder).sort()).toEqual(['previous', 'report.json']);
  });

  test('does not count as a badge or a folder of scripts', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'badge.svg'), '<svg/>');
    await expect(openOutputFolder(folder, ['badge'])).rejects.toThrow('badge.svg was not written by this kit');
    mkdirSync(join(folder, 'reproduce'));
    writeFileSync(join(folder, 'reproduce', 'mine.sh'), 'echo');
    await expect(openOutputFolder(folder, ['json'])).rejects.toThrow('reproduce was not written by this kit');
  });

  test('does not count as a folder of Allure results', async () => {
    const folder = emptyFolder();
    mkdirSync(join(folder, 'allure-results'));
    writeFileSync(join(folder, 'allure-results', 'x-result.json'), '{}');
    await expect(openOutputFolder(folder, ['allure'])).rejects.toThrow('allure-results was not written by this kit');
  });
});

test('every report that the kit writes is recognised as its own', async () => {
  const folder = emptyFolder();
  const report = await reportOfTheKit();
  for (const format of Object.values(formats)) {
    writeFileSync(join(folder, format.file), renderReport(format, report));
    expect([format.file, isKitFile(folder, format.file)]).toEqual([format.file, true]);
  }
  expect(outputFiles(['html'])).toEqual(['evidence.jsonl', 'reproduce', 'report.json', 'report.html']);
});

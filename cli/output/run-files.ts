import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { kit } from '../../engine/runtime/package-info.ts';
import { formats } from '../../reporting/formats/formats.ts';
import { REPRODUCTION_FOLDER } from '../../reporting/reproduction/script-file.ts';
import { SCHEMA_VERSION } from '../../specs/formats/journal.ts';
import { CHAIN_START, chainedLine } from '../../specs/formats/journal-chain.ts';
import { ALLURE, HAR, type OutputFormat } from '../options/formats-option.ts';

export const ALLURE_FOLDER = 'allure-results';
export const ALLURE_CONFIGURATION_FILE = 'allurerc.json';
export const HAR_FILE = 'exchanges.har';
const REPORT_FILES = Object.values(formats).map(({ file }) => file);

/** All files that a run may write to its folder. */
export const RUN_FILES: readonly string[] = [
  JOURNAL_FILE,
  ALLURE_FOLDER,
  ALLURE_CONFIGURATION_FILE,
  REPRODUCTION_FOLDER,
  HAR_FILE,
  ...REPORT_FILES,
];

/** The files that a run with these formats writes. */
export function outputFiles(wanted: readonly OutputFormat[]): string[] {
  const reports = Object.entries(formats).flatMap(([name, { file }]) =>
    name === 'json' || wanted.some((each) => each === name) ? [file] : [],
  );
  return [
    JOURNAL_FILE,
    REPRODUCTION_FOLDER,
    ...reports,
    ...(wanted.includes(HAR) ? [HAR_FILE] : []),
    ...(wanted.includes(ALLURE) ? [ALLURE_FOLDER, ALLURE_CONFIGURATION_FILE] : []),
  ];
}

/** Their format has no place for the name of the kit. */
const UNMARKED_FILES: ReadonlySet<string> = new Set([formats.gitlab.file, formats.badge.file]);

/** Long enough to contain the name of the kit. A journal may be too long for one string. */
const EDGE_BYTES = 8 * 1024;

/** The beginning of the journal and of report.json. */
const KIT_FILE_PATTERN = new RegExp(
  `^\\{\\s*("previous":\\s*"[^"]*",\\s*)?("kind":\\s*"header",\\s*)?"schemaVersion":\\s*\\d+,\\s*"kit":\\s*\\{\\s*"name":\\s*"${kit.name}"`,
);

/** The beginning of a journal. On a full disk, a file may contain only a part of it. */
const JOURNAL_PREFIX = chainedLine(
  `{"kind":"header","schemaVersion":${SCHEMA_VERSION},"kit":{"name":"${kit.name}"`,
  CHAIN_START,
);

/** Whether the folder contains a file or folder of this name. A device or a pipe has no content to lose. */
export function isStored(folder: string, file: string): boolean {
  const found = statSync(join(folder, file), { throwIfNoEntry: false });
  return found !== undefined && (found.isFile() || found.isDirectory());
}

/** Whether the kit wrote this file, judging by its content. An empty file counts as written by the kit. */
export function isKitFile(folder: string, file: string): boolean {
  const path = join(folder, file);
  if (statSync(path).isDirectory()) {
    const isKitFolder = file === ALLURE_FOLDER || file === REPRODUCTION_FOLDER;
    return isKitFolder && (readdirSync(path).length === 0 || hasKitJournal(folder));
  }
  const content = readEdges(path);
  if (content.beginning !== '' && UNMARKED_FILES.has(file)) return hasKitData(folder);
  const { beginning, end } = content;
  if (JOURNAL_PREFIX.startsWith(beginning)) return true;
  const isData = file === JOURNAL_FILE || file === formats.json.file;
  return isData ? KIT_FILE_PATTERN.test(beginning) : `${beginning} ${end}`.includes(kit.name);
}

function hasKitJournal(folder: string): boolean {
  return isStored(folder, JOURNAL_FILE) && isKitFile(folder, JOURNAL_FILE);
}

function hasKitData(folder: string): boolean {
  const { file } = formats.json;
  return hasKitJournal(folder) || (isStored(folder, file) && isKitFile(folder, file));
}

/** The first and the last bytes of a file, as text. */
export function readEdges(path: string): { beginning: string; end: string } {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(EDGE_BYTES);
    const textFrom = (place: number) => bytes.toString('utf8', 0, readSync(file, bytes, 0, EDGE_BYTES, place));
    return { beginning: textFrom(0), end: textFrom(Math.max(0, fstatSync(file).size - EDGE_BYTES)) };
  } finally {
    closeSync(file);
  }
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { systemErrorCode } from '../../engine/model/system-error.ts';
import { type Night, night } from '../../specs/formats/night.ts';

import { statsOf } from './path-kind.ts';

export const NIGHT_FILE = 'night.json.gz';

/** `2026-11-27T02-00-00.000Z-1f0c9a3e`: sorted by time. */
const NIGHT_FOLDER = /^\d{4}-\d{2}-\d{2}T[\d-]+\.\d+Z-[0-9a-f]{8}$/;

/** What a run that was killed while it added itself to the history leaves there. */
const DRAFT = new RegExp(`^(new-${NIGHT_FOLDER.source.slice(1, -1)}|history\\.html\\.\\d+\\.tmp)$`);

/** The unfinished folders and files in a history. */
export function draftsIn(history: string): string[] {
  return readdirSync(history).filter((name) => DRAFT.test(name));
}

/** The names of the runs in a history, oldest first; empty for any other path. */
export function nightFolders(history: string): string[] {
  if (!statsOf(history)?.isDirectory()) return [];
  return readdirSync(history)
    .filter((name) => NIGHT_FOLDER.test(name))
    .sort();
}

/** The run in a folder of a history. Throws a ConfigurationError that begins with `option`. */
export function readNight(folder: string, option: string): Night {
  const file = join(folder, NIGHT_FILE);
  const reject = (found: string) =>
    new ConfigurationError(`${option}: ${file} ${found}; remove ${folder}, or name another folder`);
  const content = readContent(file);
  if (typeof content === 'string') throw reject(content);
  const { success, data } = night.safeParse(content.value);
  if (!success) throw reject('was written by another version of the kit');
  return data;
}

/** The parsed content, or what is wrong with the file. */
function readContent(file: string): { value: unknown } | string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const code = systemErrorCode(error);
    return code === 'ENOENT' ? 'is missing' : `cannot be read (${code})`;
  }
  try {
    return { value: JSON.parse(gunzipSync(bytes).toString()) };
  } catch {
    return 'is damaged';
  }
}

/** Whether a folder holds a run of a history, instead of the run that wrote its reports. */
export function isNightFolder(folder: string): boolean {
  return existsSync(join(folder, NIGHT_FILE));
}

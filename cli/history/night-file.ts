import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { type Night, night } from '../../specs/night.ts';

export const NIGHT_FILE = 'night.json.gz';

/** The run in a folder of a history. Throws a ConfigurationError that begins with `option`. */
export function readNight(folder: string, option: string): Night {
  const file = join(folder, NIGHT_FILE);
  try {
    return night.parse(JSON.parse(gunzipSync(readFileSync(file)).toString()));
  } catch {
    throw new ConfigurationError(
      `${option}: ${file} is missing, damaged or from another version of the kit; remove ${folder}, or name another folder`,
    );
  }
}

import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';

/**
 * What `specs/<name>.yaml` holds. The build writes it as JSON instead, which is read in a hundredth of the time: the catalogue
 * is read twice at the start of every run.
 */
export function dataFile(name: string): unknown {
  const built = new URL(`./${name}.json`, import.meta.url);
  if (existsSync(built)) return JSON.parse(readFileSync(built, 'utf8'));
  return parse(readFileSync(new URL(`./${name}.yaml`, import.meta.url), 'utf8'));
}

import { existsSync, readFileSync } from 'node:fs';

// The built kit contains no YAML, because loading the YAML parser slows down the start.
const yaml = existsSync(new URL('./catalogue/profiles.json', import.meta.url)) ? null : await import('yaml');

/**
 * The content of `specs/<name>.yaml`. The build writes it as JSON, which is read a hundred times as fast: every run
 * reads the catalogue twice at its start.
 */
export function readDataFile(name: string): unknown {
  if (yaml) return yaml.parse(readFileSync(new URL(`./${name}.yaml`, import.meta.url), 'utf8'));
  return JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8'));
}

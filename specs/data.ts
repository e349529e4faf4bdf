import { existsSync, readFileSync } from 'node:fs';

// The build leaves no YAML to be read: loading what reads it takes a good part of the start.
const yaml = existsSync(new URL('./catalogue/profiles.json', import.meta.url)) ? null : await import('yaml');

/**
 * What `specs/<name>.yaml` holds. The build writes it as JSON instead, which is read in a hundredth of the time: the catalogue
 * is read twice at the start of every run.
 */
export function readDataFile(name: string): unknown {
  if (yaml) return yaml.parse(readFileSync(new URL(`./${name}.yaml`, import.meta.url), 'utf8'));
  return JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8'));
}

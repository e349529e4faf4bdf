import { readFileSync } from 'node:fs';
import { codeFile, isBuilt } from './code-location.ts';

// The built kit contains no YAML, because loading the YAML parser slows down the start.
const yaml = isBuilt ? null : await import('yaml');

/**
 * The content of `specs/<name>.yaml`. The build writes it as JSON, which is read a hundred times as fast: every run
 * reads the catalogue twice at its start.
 */
export function readDataFile(name: string): unknown {
  const path = codeFile(`specs/${name}`);
  if (yaml) return yaml.parse(readFileSync(`${path}.yaml`, 'utf8'));
  return JSON.parse(readFileSync(`${path}.json`, 'utf8'));
}

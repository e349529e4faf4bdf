import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerExamination } from '../judge-server.ts';
import { buildCascade, type ExaminedFault } from './cascade.ts';
import { cascadeTable } from './cascade-table.ts';

/** Writes cascade.json and cascade.md, unless there are no faults or no conforming server to compare them with. */
export function writeCascade(
  folder: string,
  examined: readonly ExaminedFault[],
  honest: readonly ServerExamination[],
): void {
  const cascade = buildCascade(examined, honest);
  if (!cascade) return;
  writeFileSync(join(folder, 'cascade.json'), `${JSON.stringify(cascade, null, 2)}\n`);
  writeFileSync(join(folder, 'cascade.md'), `${cascadeTable(cascade)}\n`);
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cascadeOf, type ExaminedFault } from './cascade.ts';
import { cascadeTable } from './cascade-table.ts';
import type { Examined } from './judge-server.ts';

/** Writes cascade.json and cascade.md, where there are faults and an honest server to compare them with. */
export function writeCascade(folder: string, examined: readonly ExaminedFault[], honest: readonly Examined[]): void {
  const cascade = cascadeOf(examined, honest);
  if (!cascade) return;
  writeFileSync(join(folder, 'cascade.json'), `${JSON.stringify(cascade, null, 2)}\n`);
  writeFileSync(join(folder, 'cascade.md'), `${cascadeTable(cascade)}\n`);
}

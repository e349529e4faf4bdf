import { execFileSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Figure } from './figure.ts';
import { cpu } from './figures/cpu.ts';
import { faults } from './figures/faults.ts';
import { history } from './figures/history.ts';
import { latency } from './figures/latency.ts';
import { memory } from './figures/memory.ts';
import { profiles } from './figures/profiles.ts';
import { start } from './figures/start.ts';
import { cleanUp } from './processes.ts';
import { ROOT } from './root.ts';
import { formatTable } from './table.ts';

const FIGURES = { 1: latency, 2: cpu, 3: history, 4: start, 5: memory, 6: profiles, 7: faults };

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(FIGURES).join(',') },
    rounds: { type: 'string', default: '3' },
  },
});
const wanted = new Set(values.only.split(','));

// Measures the built kit, which users run.
execFileSync(process.execPath, ['--import', 'tsx', 'scripts/build/build.ts'], { cwd: ROOT, stdio: 'inherit' });
const figures: Figure[] = [];
process.once('exit', cleanUp);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
for (const [number, measure] of Object.entries(FIGURES)) {
  if (!wanted.has(number)) continue;
  console.error(`figure ${number} …`);
  figures.push(...(await measure(Number(values.rounds))));
}
const load = loadavg().map((each) => each.toFixed(1));
console.log(
  `Node ${process.version}, ${availableParallelism()} processors, load ${load.join(' ')}, medians of ${values.rounds}\n`,
);
console.log(formatTable(figures));
process.exit();

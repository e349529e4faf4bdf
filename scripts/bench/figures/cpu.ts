import { fileURLToPath } from 'node:url';
import { type Figure, median, ratio, repeated } from '../figure.ts';
import { journalOf } from '../journal.ts';
import { command, dismiss, file, newFolder, node, serving } from '../processes.ts';

const BARE = fileURLToPath(new URL('../children/bare.ts', import.meta.url));
const CONCURRENCY = 16;
/** A check of a few exchanges: what a run costs before and after its exchanges. */
const ALMOST_NOTHING = 'AUTH-01';

/** Figure 2: what the kit adds to the bare sending of the same requests, in CPU time. */
export async function cpu(rounds: number): Promise<Figure[]> {
  const measured = await repeated(rounds, async (round) => {
    const run = async (...more: string[]) => {
      const service = await serving('service.ts');
      const folder = newFolder();
      const options = ['--out', folder, '--seed', String(round), '--concurrency', String(CONCURRENCY), ...more];
      const { cpuMs } = await command(['run', '--target', file('cpu.json', service.target), ...options]);
      dismiss();
      const { exchanges } = await journalOf(folder);
      return { folder, cpuMs, exchanges: exchanges.length };
    };
    const start = await run('--only', ALMOST_NOTHING);
    const whole = await run();
    const replaying = await serving('replaying.ts', whole.folder);
    const { output } = await node(['--import', 'tsx', BARE, whole.folder, replaying.baseUrl, String(CONCURRENCY)]);
    dismiss();
    const bare = JSON.parse(output) as { cpuMs: number; exchanges: number };
    const perExchange = (whole.cpuMs - start.cpuMs) / (whole.exchanges - start.exchanges);
    return { kit: perExchange, bare: bare.cpuMs / bare.exchanges, startMs: start.cpuMs };
  });
  const kit = median(measured.map((each) => each.kit));
  const bare = median(measured.map((each) => each.bare));
  const over = median(measured.map((each) => each.kit / each.bare));
  const detail = `${kit.toFixed(2)} ms against ${bare.toFixed(2)} ms; the start of the command, ${median(measured.map(({ startMs }) => startMs)).toFixed(0)} ms, is taken off`;
  return [ratio('2 CPU time per exchange over bare undici', over, 3, detail)];
}

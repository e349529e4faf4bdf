import { fileURLToPath } from 'node:url';
import { type Figure, median, ratioFigure, repeatRounds } from '../figure.ts';
import { readRunEvidence } from '../journal.ts';
import { newFolderPath, runCommand, runNode, startServer, stopServers, writeScratchFile } from '../processes.ts';

const BARE_CLIENT = fileURLToPath(new URL('../children/raw-requests.ts', import.meta.url));
const CONCURRENCY = 16;
/** A requirement with few exchanges, to measure the fixed cost of a run. */
const MINIMAL_REQUIREMENT = 'AUTH-01';

/** Figure 2: CPU time of the kit relative to sending the same requests with undici. */
export async function cpu(rounds: number): Promise<Figure[]> {
  const measured = await repeatRounds(rounds, async (round) => {
    const run = async (...more: string[]) => {
      const service = await startServer('service.ts');
      const folder = newFolderPath();
      const options = ['--out', folder, '--seed', String(round), '--concurrency', String(CONCURRENCY), ...more];
      const { cpuMs } = await runCommand(['run', '--target', writeScratchFile('cpu.json', service.target), ...options]);
      stopServers();
      const { exchanges } = await readRunEvidence(folder);
      return { folder, cpuMs, exchanges: exchanges.length };
    };
    const start = await run('--only', MINIMAL_REQUIREMENT);
    const whole = await run();
    const replaying = await startServer('recorded-server.ts', whole.folder);
    const { code, output } = await runNode([
      '--import',
      'tsx',
      BARE_CLIENT,
      whole.folder,
      replaying.baseUrl,
      String(CONCURRENCY),
    ]);
    stopServers();
    if (code !== 0) throw new Error(`the bare client exited with code ${code}:\n${output}`);
    const bare = JSON.parse(output) as { cpuMs: number; exchanges: number };
    const perExchange = (whole.cpuMs - start.cpuMs) / (whole.exchanges - start.exchanges);
    return { kit: perExchange, bare: bare.cpuMs / bare.exchanges, startMs: start.cpuMs };
  });
  const kit = median(measured.map((each) => each.kit));
  const bare = median(measured.map((each) => each.bare));
  const over = median(measured.map((each) => each.kit / each.bare));
  const detail = `${kit.toFixed(2)} ms against ${bare.toFixed(2)} ms; the start of the command, ${median(measured.map(({ startMs }) => startMs)).toFixed(0)} ms, is subtracted`;
  return [ratioFigure('2 CPU time per exchange over bare undici', over, 4, detail)];
}

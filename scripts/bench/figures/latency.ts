import { type Chain, findChains } from '../chains.ts';
import { type Figure, formatSeconds, median, ratioFigure, repeatRounds } from '../figure.ts';
import { readRunEvidence, wallTimeMs } from '../journal.ts';
import { newFolderPath, runCommand, startServer, stopServers, writeScratchFile } from '../processes.ts';

const LATENCY_MS = 50;
const CONCURRENCY = 16;

/** Figure 1: duration of a run with latency, relative to the lower bound for any black-box kit. */
export async function latency(rounds: number): Promise<Figure[]> {
  const measured = await repeatRounds(rounds, async () => {
    const service = await startServer('service.ts');
    const front = await startServer('latency-proxy.ts', service.baseUrl, String(LATENCY_MS));
    const target = writeScratchFile('slow.json', { ...service.target, baseUrl: front.baseUrl });
    const folder = newFolderPath();
    await runCommand(['run', '--target', target, '--out', folder, '--seed', '1', '--concurrency', String(CONCURRENCY)]);
    stopServers();
    const { spans } = await readRunEvidence(folder);
    const chains = findChains(spans);
    const chainMs = (chains[0]?.exchanges ?? 0) * LATENCY_MS;
    const widthMs = (spans.length * LATENCY_MS) / CONCURRENCY;
    const wallMs = wallTimeMs(spans);
    return { wallMs, chainMs, widthMs, chains, exchanges: spans.length, over: wallMs / Math.max(chainMs, widthMs) };
  });
  const wall = median(measured.map(({ wallMs }) => wallMs));
  const [{ chainMs, widthMs, chains, exchanges }] = measured as [(typeof measured)[number]];
  const detail = `${formatSeconds(wall)} for ${exchanges} exchanges; longest chain ${formatSeconds(chainMs)}, exchanges × latency ÷ ${CONCURRENCY} = ${formatSeconds(widthMs)}; chains: ${longestChains(chains)}`;
  return [ratioFigure('1 wall time at 50 ms latency', median(measured.map(({ over }) => over)), 1.5, detail)];
}

function longestChains(chains: readonly Chain[]): string {
  return chains
    .slice(0, 10)
    .map(({ check, exchanges }) => `${check} ${exchanges}`)
    .join(', ');
}

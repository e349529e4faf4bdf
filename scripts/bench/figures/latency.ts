import { type Chain, chainsOf } from '../chains.ts';
import { type Figure, median, ratio, repeated, seconds } from '../figure.ts';
import { journalOf, wallOf } from '../journal.ts';
import { command, dismiss, file, newFolder, serving } from '../processes.ts';

const LATENCY_MS = 50;
const CONCURRENCY = 16;

/** Figure 1: how close a run over a slow wire comes to what no black box can be faster than. */
export async function latency(rounds: number): Promise<Figure[]> {
  const measured = await repeated(rounds, async () => {
    const service = await serving('service.ts');
    const front = await serving('late-front.ts', service.baseUrl, String(LATENCY_MS));
    const target = file('slow.json', { ...service.target, baseUrl: front.baseUrl });
    const folder = newFolder();
    await command(['run', '--target', target, '--out', folder, '--seed', '1', '--concurrency', String(CONCURRENCY)]);
    dismiss();
    const { spans } = await journalOf(folder);
    const chains = chainsOf(spans);
    const chainMs = (chains[0]?.exchanges ?? 0) * LATENCY_MS;
    const widthMs = (spans.length * LATENCY_MS) / CONCURRENCY;
    const wallMs = wallOf(spans);
    return { wallMs, chainMs, widthMs, chains, exchanges: spans.length, over: wallMs / Math.max(chainMs, widthMs) };
  });
  const wall = median(measured.map(({ wallMs }) => wallMs));
  const [{ chainMs, widthMs, chains, exchanges }] = measured as [(typeof measured)[number]];
  const detail = `${seconds(wall)} for ${exchanges} exchanges; longest chain ${seconds(chainMs)}, exchanges × latency ÷ ${CONCURRENCY} = ${seconds(widthMs)}; chains: ${longest(chains)}`;
  return [ratio('1 wall time at 50 ms latency', median(measured.map(({ over }) => over)), 1.5, detail)];
}

function longest(chains: readonly Chain[]): string {
  return chains
    .slice(0, 10)
    .map(({ check, exchanges }) => `${check} ${exchanges}`)
    .join(', ');
}

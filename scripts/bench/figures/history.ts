import type { ExchangeRecord } from '../../../specs/formats/journal.ts';
import { type Figure, formatSeconds, median, ratioFigure, repeatRounds } from '../figure.ts';
import { readRunEvidence, wallTimeMs } from '../journal.ts';
import { newFolderPath, runCommand, startServer, stopServers, writeScratchFile } from '../processes.ts';

const SMALL_HISTORY_INVOICES = 10;
const LARGE_HISTORY_INVOICES = 100_000;

const NEWEST_LIST_QUERY = /\?page=\d+&limit=100&sortBy=createdAt&sortOrder=desc$/;

/**
 * The number of distinct requests, counted per check. Excludes repetitions while a check polls and coalesced lists of the newest
 * invoices, because both depend on timing.
 */
function countDistinctRequests(exchanges: readonly ExchangeRecord[]): number {
  const made = exchanges
    .filter(({ request }) => request.method !== 'GET' || !NEWEST_LIST_QUERY.test(request.url))
    .map(({ check, request: { method, url, body } }) => `${check} ${method} ${url} ${body}`);
  return new Set(made).size;
}

/** Figure 3: cost of a run in a sandbox with many invoices, relative to one with few. */
export async function history(rounds: number): Promise<Figure[]> {
  const run = async (invoices: number, seed: number) => {
    const service = await startServer('service.ts', String(invoices));
    const folder = newFolderPath();
    await runCommand([
      'run',
      '--target',
      writeScratchFile('full.json', service.target),
      '--out',
      folder,
      '--seed',
      String(seed),
    ]);
    stopServers();
    const { spans, exchanges } = await readRunEvidence(folder);
    return { requests: countDistinctRequests(exchanges), wallMs: wallTimeMs(spans) };
  };
  const few: Awaited<ReturnType<typeof run>>[] = [];
  const many: typeof few = [];
  await repeatRounds(rounds, async (round) => {
    few.push(await run(SMALL_HISTORY_INVOICES, round));
    many.push(await run(LARGE_HISTORY_INVOICES, round));
  });
  const requests = (runs: typeof few) => median(runs.map((each) => each.requests));
  const wall = (runs: typeof few) => median(runs.map(({ wallMs }) => wallMs));
  const shown = (runs: typeof few) => runs.map((each) => each.requests).join(', ');
  return [
    {
      figure: '3 requests with 100,000 invoices over 10',
      measured: (requests(many) / requests(few)).toFixed(3),
      bound: 'equal',
      // Compared per round, because each seed gives a different number of requests.
      kept: many.every((each, round) => each.requests === few[round]?.requests),
      detail: `${shown(many)} against ${shown(few)}`,
    },
    ratioFigure(
      '3 wall time with 100,000 invoices over 10',
      wall(many) / wall(few),
      1.15,
      `${formatSeconds(wall(many))} against ${formatSeconds(wall(few))}`,
    ),
  ];
}

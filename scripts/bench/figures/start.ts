import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Figure, formatSeconds, median, ratioFigure, repeatRounds } from '../figure.ts';
import { readRunEvidence } from '../journal.ts';
import {
  newFolderPath,
  runCommand,
  runCommandFromSources,
  runNode,
  startServer,
  stopServers,
  writeScratchFile,
} from '../processes.ts';
import { ROOT } from '../root.ts';

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const EMPTY_PROJECT = join(ROOT, 'scripts/bench/empty-suite');

/** Figure 4: time from the start of the command to the first request. */
export async function start(rounds: number): Promise<Figure[]> {
  const packaged = await repeatRounds(rounds, async () => {
    const started = await runNode([
      VITEST,
      'run',
      '--root',
      EMPTY_PROJECT,
      '--config',
      join(EMPTY_PROJECT, 'vitest.config.ts'),
    ]);
    return { vitest: started.wallMs, ...(await firstRequests(runCommand)) };
  });
  const sources = await repeatRounds(1, () => firstRequests(runCommandFromSources));
  const ms = (pick: (each: (typeof packaged)[number]) => number) => median(packaged.map(pick));
  const vitest = ms((each) => each.vitest);
  const over = (pick: (each: (typeof packaged)[number]) => number) => ms((each) => pick(each) / each.vitest);
  return [
    ratioFigure(
      '4 start to the first request over an empty vitest run',
      over(({ first }) => first),
      1.5,
      `${formatSeconds(ms(({ first }) => first))} against ${formatSeconds(vitest)}, packaged; from the sources ${formatSeconds(sources[0]?.first ?? 0)}`,
    ),
    ratioFigure(
      '4 start to the first request of a check',
      over(({ ofCheck }) => ofCheck),
      1.5,
      `${formatSeconds(ms(({ ofCheck }) => ofCheck))}; the requests before it prove the target file`,
    ),
  ];
}

/** Milliseconds from the start of the command to its first request, and to the first request of a check. */
async function firstRequests(run: typeof runCommand): Promise<{ first: number; ofCheck: number }> {
  const service = await startServer('service.ts');
  const arrivals: number[] = [];
  const front = createServer((incoming, outgoing) => {
    arrivals.push(performance.now());
    const { method = 'GET', headers } = incoming;
    const body: Buffer[] = [];
    incoming
      .on('data', (bytes: Buffer) => body.push(bytes))
      .on('end', async () => {
        const given = { ...(headers as Record<string, string>) };
        const sent = method === 'GET' ? {} : { body: Buffer.concat(body) };
        const response = await fetch(`${service.baseUrl}${incoming.url}`, { method, headers: given, ...sent });
        outgoing.writeHead(response.status, { 'content-type': 'application/json' }).end(await response.text());
      });
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const baseUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const folder = newFolderPath();
  const started = performance.now();
  await run([
    'run',
    '--target',
    writeScratchFile('first.json', { ...service.target, baseUrl }),
    '--out',
    folder,
    '--only',
    'AUTH-01',
  ]);
  front.close();
  stopServers();
  const { exchanges } = await readRunEvidence(folder);
  const preflight = exchanges.filter(({ id }) => id.startsWith('p')).length;
  return { first: (arrivals[0] ?? 0) - started, ofCheck: (arrivals[preflight] ?? 0) - started };
}

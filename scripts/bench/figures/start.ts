import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Figure, median, ratio, repeated, seconds } from '../figure.ts';
import { journalOf } from '../journal.ts';
import { command, commandFromSources, dismiss, file, newFolder, node, serving } from '../processes.ts';
import { ROOT } from '../root.ts';

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const NOTHING = join(ROOT, 'scripts/bench/nothing');

/** Figure 4: how long a user waits before anything happens. */
export async function start(rounds: number): Promise<Figure[]> {
  const packaged = await repeated(rounds, async () => {
    const started = await node([VITEST, 'run', '--root', NOTHING, '--config', join(NOTHING, 'vitest.config.ts')]);
    return { vitest: started.wallMs, ...(await firstRequests(command)) };
  });
  const sources = await repeated(1, () => firstRequests(commandFromSources));
  const ms = (pick: (each: (typeof packaged)[number]) => number) => median(packaged.map(pick));
  const vitest = ms((each) => each.vitest);
  const over = (pick: (each: (typeof packaged)[number]) => number) => ms((each) => pick(each) / each.vitest);
  return [
    ratio(
      '4 start to the first request over an empty vitest run',
      over(({ first }) => first),
      1.5,
      `${seconds(ms(({ first }) => first))} against ${seconds(vitest)}, packaged; from the sources ${seconds(sources[0]?.first ?? 0)}`,
    ),
    ratio(
      '4 start to the first request of a check',
      over(({ ofCheck }) => ofCheck),
      1.5,
      `${seconds(ms(({ ofCheck }) => ofCheck))}; the requests before it prove the target file`,
    ),
  ];
}

/** Milliseconds from the start of the command to its first request, and to the first one that a check sends. */
async function firstRequests(run: typeof command): Promise<{ first: number; ofCheck: number }> {
  const service = await serving('service.ts');
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
        const answer = await fetch(`${service.baseUrl}${incoming.url}`, { method, headers: given, ...sent });
        outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
      });
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const baseUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const folder = newFolder();
  const started = performance.now();
  await run([
    'run',
    '--target',
    file('first.json', { ...service.target, baseUrl }),
    '--out',
    folder,
    '--only',
    'AUTH-01',
  ]);
  front.close();
  dismiss();
  const { exchanges } = await journalOf(folder);
  const preflight = exchanges.filter(({ id }) => id.startsWith('p')).length;
  return { first: (arrivals[0] ?? 0) - started, ofCheck: (arrivals[preflight] ?? 0) - started };
}
